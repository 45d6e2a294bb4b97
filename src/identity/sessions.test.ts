// Sessions: how they begin and end, how a token is stored, and who owns them.
import type { Database } from 'bun:sqlite';
import { beforeEach, describe, expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import { addUsers, newDatabase, storeOver } from '../../test/support/identity-store.ts';
import { SESSION_ABSOLUTE_MS, SESSION_IDLE_MS, Sessions, STEP_UP_MS } from './sessions.ts';
import type { IdentityStore } from './storage/identity-store.ts';

const T0 = Date.UTC(2030, 0, 1);
const MINUTE = 60_000;

let now: number;
let database: Database;
let store: IdentityStore;
let sessions: Sessions;

beforeEach(() => {
  now = T0;
  database = newDatabase();
  store = storeOver(database);
  addUsers(store, 1, 2);
  sessions = new Sessions(store, () => now);
});

const open = (uid = 1, replaces: string | null = null) =>
  sessions.create({ uid, ip: '203.0.113.7', userAgent: 'Firefox', replaces });

/** Keeps a session in use for this long. */
function useFor(token: string, ms: number): void {
  for (const end = now + ms; now < end; ) {
    now = Math.min(end, now + 20 * MINUTE);
    if (now < end) sessions.find(token);
  }
}

describe('a token', () => {
  test('has 256 random bits, finds its session, and is kept as a hash only', () => {
    const { token, session } = open();
    expect(Buffer.from(token, 'base64url')).toHaveLength(32);
    expect(sessions.find(token)).toEqual(session);
    expect(session).toEqual({
      sessionId: 1,
      uid: 1,
      createdAt: T0,
      lastUsedAt: T0,
      expiresAt: T0 + SESSION_ABSOLUTE_MS,
      steppedUpAt: null,
      ip: '203.0.113.7',
      userAgent: 'Firefox',
    });
    const bytes = Buffer.from(database.serialize());
    expect(bytes.includes(token)).toBe(false);
    expect(bytes.includes(Buffer.from(token, 'base64url'))).toBe(false);
    expect(bytes.includes(createHash('sha256').update(token).digest())).toBe(true);
    expect(open().token).not.toBe(token);
  });

  test('of another form finds nothing', () => {
    const { token } = open();
    for (const wrong of ['', 'x', `${token}x`, token.slice(1), 'A'.repeat(43), `${token}\0`]) {
      expect(sessions.find(wrong)).toBeUndefined();
    }
  });

  test('from before the login no longer works after it', () => {
    const before = open();
    const after = open(1, before.token);
    expect(sessions.find(before.token)).toBeUndefined();
    expect(sessions.find(after.token)?.sessionId).toBe(after.session.sessionId);
    expect(open(2, 'not a token').session.uid).toBe(2);
  });
});

describe('a session ends', () => {
  test('after 30 minutes without use', () => {
    const { token } = open();
    now += SESSION_IDLE_MS - 1;
    expect(sessions.find(token)?.lastUsedAt).toBe(now);
    now += SESSION_IDLE_MS - 1;
    expect(sessions.find(token)).toBeDefined();
    now += SESSION_IDLE_MS;
    expect(sessions.find(token)).toBeUndefined();
    expect(sessions.list(1)).toEqual([]);
  });

  test('after 12 hours, even in constant use', () => {
    const { token } = open();
    useFor(token, SESSION_ABSOLUTE_MS - 1);
    expect(sessions.find(token)).toBeDefined();
    now += 1;
    expect(sessions.find(token)).toBeUndefined();
  });

  test('immediately by revocation, which only its owner can do', () => {
    const mine = open();
    const other = open(2);
    expect(sessions.revoke(2, mine.session.sessionId)).toBe(false);
    expect(sessions.find(mine.token)).toBeDefined();
    expect(sessions.revoke(1, mine.session.sessionId)).toBe(true);
    expect(sessions.revoke(1, mine.session.sessionId)).toBe(false);
    expect(sessions.find(mine.token)).toBeUndefined();
    expect(sessions.find(other.token)).toBeDefined();
  });

  test('with a reason, which its token still finds', () => {
    const [mine, other, third] = [open(), open(), open()];
    expect(sessions.endOf(mine.token)).toBeNull();
    sessions.revoke(1, mine.session.sessionId);
    expect(sessions.endOf(mine.token)).toBe('revoked');
    sessions.revokeOthers(1, third.session.sessionId, 'passwordChanged');
    expect(sessions.endOf(other.token)).toBe('passwordChanged');
    const later = open(1, third.token);
    expect(sessions.endOf(third.token)).toBe('replaced');
    now += SESSION_IDLE_MS;
    expect(sessions.endOf(later.token)).toBe('expired');
    expect(sessions.endOf('A'.repeat(43))).toBeNull();
    expect(sessions.endOf('x')).toBeNull();
  });

  test('and at most 10,000 reasons are kept, for 12 hours', () => {
    const count = () => store.count('SELECT count(*) AS n FROM ended_sessions');
    const first = open();
    sessions.revokeAll(1, 'suspended');
    const row =
      'INSERT INTO ended_sessions (token_hash, reason, ended_at) VALUES (randomblob(32), ?, ?)';
    store.write(() => {
      for (let n = 1; n <= 10_000; n++) store.run(row, 'revoked', now + n);
    });
    now += 10_000;
    open();
    sessions.revokeAll(1, 'revoked');
    expect(count()).toBe(10_000);
    expect(sessions.endOf(first.token)).toBeNull();
    now += SESSION_ABSOLUTE_MS;
    const last = open();
    sessions.revokeAll(1, 'revoked');
    expect(count()).toBe(1);
    expect(sessions.endOf(last.token)).toBe('revoked');
  });

  test('with all others, or with all', () => {
    const [first, second, third] = [open(), open(), open()];
    const other = open(2);
    expect(sessions.revokeOthers(1, second.session.sessionId, 'revoked')).toBe(2);
    expect([first, second, third].map(({ token }) => sessions.find(token)?.sessionId)).toEqual([
      undefined,
      second.session.sessionId,
      undefined,
    ]);
    expect(sessions.revokeAll(1, 'suspended')).toBe(1);
    expect(sessions.find(second.token)).toBeUndefined();
    expect(sessions.find(other.token)).toBeDefined();
  });

  test('when its user opens more than fifty: the least recently used one', () => {
    const first = open();
    now += 1;
    const second = open();
    now += 1;
    sessions.find(first.token);
    for (let i = 0; i < 49; i += 1) open();
    expect(sessions.list(1)).toHaveLength(50);
    expect(sessions.find(first.token)).toBeDefined();
    expect(sessions.find(second.token)).toBeUndefined();
  });
});

test('the list has the sessions of one user, the last used first, and marks the caller', () => {
  const first = open();
  now += MINUTE;
  const second = open();
  open(2);
  expect(sessions.list(1, first.session.sessionId)).toMatchObject([
    { sessionId: second.session.sessionId, current: false, lastUsedAt: T0 + MINUTE },
    { sessionId: first.session.sessionId, current: true, createdAt: T0, userAgent: 'Firefox' },
  ]);
  now += MINUTE;
  sessions.find(first.token);
  expect(sessions.list(1).map(({ sessionId }) => sessionId)).toEqual([1, 2]);
  expect(JSON.stringify(sessions.list(1))).not.toContain(first.token);
});

test('the flush writes uses and deletes ended sessions', () => {
  const { token } = open();
  const ended = open();
  const stored = () => database.query('SELECT last_used_at AS at FROM sessions').all();
  now += 20 * MINUTE;
  sessions.find(token);
  expect(stored()).toEqual([{ at: T0 }, { at: T0 }]);
  now += 10 * MINUTE;
  expect([sessions.flush(), sessions.flush()]).toEqual([1, 0]);
  expect(stored()).toEqual([{ at: T0 + 20 * MINUTE }]);
  sessions = new Sessions(store, () => now);
  expect(sessions.find(token)).toBeDefined();
  expect(sessions.find(ended.token)).toBeUndefined();
});

test('a step-up lasts five minutes, survives a restart, and not a clock set back by more', () => {
  const { token, session } = open();
  expect(sessions.isSteppedUp(session)).toBe(false);
  sessions.stepUp(session.sessionId);
  sessions = new Sessions(store, () => now);
  const stepped = () => sessions.isSteppedUp(sessions.find(token)!);
  expect(stepped()).toBe(true);
  now += STEP_UP_MS - 1;
  expect(stepped()).toBe(true);
  now += 1;
  expect(stepped()).toBe(false);
  now = T0 - STEP_UP_MS + 1;
  expect(stepped()).toBe(true);
  now -= 1;
  expect(stepped()).toBe(false);
  const fresh = sessions.create({ uid: 1, ip: null, userAgent: null, steppedUp: true });
  expect(sessions.isSteppedUp(fresh.session)).toBe(true);
});
