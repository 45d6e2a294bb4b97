// Identity on several nodes: what the leader writes, the others have; what is lost, nobody keeps.

import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newMasterKeys } from '../../test/support/identity-store.ts';
import { acquireAs } from '../../test/support/members.ts';
import { MemoryCluster, MemoryStore } from '../../test/support/memory-store.ts';
import type { AuditFacts } from './audit.ts';
import { type Identity, openIdentity } from './identity.ts';
import type { MasterKey } from './master-key.ts';
import { OutOfStepError } from './replication.ts';
import { AlteredError, NotLeadingError } from './result.ts';
import { type Revocation, SESSION_IDLE_MS } from './sessions.ts';
import type { IdentityChange, IdentityImage } from './storage/change.ts';

const ENTRY: AuditFacts = {
  actor: 'system',
  ip: null,
  action: 'test',
  object: null,
  result: 'ok',
  requestId: null,
};

let now: number;
let dataDir: string;
let masterKeys: MasterKey[];
let store: MemoryStore;
let nodes: Identity[];
/** The changes of each version, from 1. */
let written: (readonly IdentityChange[])[];
/** Called before a write reaches the store. */
let beforeWrite: () => Promise<void>;

beforeEach(() => {
  now = Date.UTC(2030, 0, 1);
  dataDir = mkdtempSync(join(tmpdir(), 'agio-replication-'));
  masterKeys = newMasterKeys();
  store = new MemoryStore(new MemoryCluster(() => now));
  nodes = [];
  written = [];
  beforeWrite = async () => {};
});
afterEach(() => {
  for (const node of nodes) node.close();
  rmSync(dataDir, { recursive: true });
});

async function start(keys = masterKeys): Promise<Identity> {
  const image = await store.readIdentity();
  const identity = openIdentity({ dataDir, image, masterKeys: keys, now: () => now });
  nodes.push(identity);
  return identity;
}

const replicationOf = (identity: Identity) => identity.replication!;

/** Makes a node lead; every other node applies what becomes durable. */
async function lead(identity: Identity): Promise<void> {
  const { lease } = await acquireAs(store, 'a', 'a:1');
  replicationOf(identity).lead(await store.identityVersion(), {
    persist: async (version, changes) => {
      await beforeWrite();
      await store.writeIdentity(lease!.epoch, version, changes);
    },
    onDurable: (version, changes) => {
      written.push(changes);
      for (const node of nodes) {
        if (!replicationOf(node).leads) replicationOf(node).apply(version, changes);
      }
    },
  });
  await identity.store.durable();
}

async function startTwo(): Promise<[leader: Identity, other: Identity]> {
  const [leader, other] = [await start(), await start()];
  await lead(leader);
  addUser(leader, 1);
  await leader.store.durable();
  return [leader, other];
}

function addUser({ users }: Identity, uid: number): void {
  const reservation = users.reserveEmail(`u${uid}@example.com`);
  if (!reservation.ok) throw new Error(reservation.text);
  users.completeUser(reservation.value, uid);
}

function addKey({ apiKeys }: Identity): string {
  const created = apiKeys.create({ uid: 1, alias: 'bot', moduleIds: [5] });
  if (!created.ok) throw new Error(created.text);
  return created.value.apiKey;
}

const openSession = ({ sessions }: Identity) =>
  sessions.create({ uid: 1, ip: null, userAgent: null });

function revocationsOf({ revocations }: Identity): Revocation[] {
  const emitted: Revocation[] = [];
  revocations.subscribe((revocation) => emitted.push(revocation));
  return emitted;
}

const rowsOf = ({ store }: Identity) => store.image().tables;

/** The shared rows, with one changed. */
async function forged(table: string, column: number, value: string): Promise<IdentityImage> {
  const { version, tables } = await store.readIdentity();
  const [row, ...others] = tables.get(table)!;
  const changed = row!.map((before, at) => (at === column ? value : before));
  return { version, tables: new Map([...tables, [table, [changed, ...others]]]) };
}

describe('a node that does not lead', () => {
  test('has the rows of the leader, whenever it starts', async () => {
    const [leader, other] = await startTwo();
    const apiKey = addKey(leader);
    await leader.store.durable();
    const late = await start();
    for (const node of [other, late]) {
      expect(rowsOf(node)).toEqual(rowsOf(leader));
      expect(node.users.find(1)?.email).toBe('u1@example.com');
      expect(node.apiKeys.lookup(apiKey)?.uid).toBe(1);
      expect(replicationOf(node).version).toBe(replicationOf(leader).version);
    }
  });

  test('emits the end of a key and of a session, also to holders of the key', async () => {
    const [leader, other] = await startTwo();
    const apiKey = addKey(leader);
    const { session } = openSession(leader);
    await leader.store.durable();
    const held = other.apiKeys.lookup(apiKey)!;
    const emitted = revocationsOf(other);
    leader.apiKeys.revoke(apiKey);
    leader.sessions.revoke(1, session.sessionId);
    expect(held.revoked).toBe(false);
    expect(leader.apiKeys.goneOf([held.keyId])).toEqual([]);
    await leader.store.durable();
    expect(leader.apiKeys.goneOf([held.keyId])).toEqual([held.keyId]);
    expect(held.revoked).toBe(true);
    expect(other.apiKeys.lookup(apiKey)).toBeUndefined();
    expect(emitted).toEqual([
      { type: 'keyRevoked', keyId: held.keyId },
      { type: 'sessionEnded', sessionId: session.sessionId },
    ]);
  });

  test('writes nothing', async () => {
    const [leader, other] = await startTwo();
    const apiKey = addKey(leader);
    await leader.store.durable();
    const before = rowsOf(other);
    expect(() => addUser(other, 2)).toThrow(NotLeadingError);
    expect(() => openSession(other)).toThrow(NotLeadingError);
    expect(() => other.apiKeys.revoke(apiKey)).toThrow(NotLeadingError);
    expect(() => other.store.requireWritable()).toThrow(NotLeadingError);
    expect(other.apiKeys.lookup(apiKey)?.revoked).toBe(false);
    expect(rowsOf(other)).toEqual(before);
  });

  test('rejects changes that are not the next, and those that it has', async () => {
    const [leader, other] = await startTwo();
    nodes.pop();
    addUser(leader, 2);
    await leader.store.durable();
    addUser(leader, 3);
    await leader.store.durable();
    const [, , second, third] = written;
    const replication = replicationOf(other);
    expect(() => replication.apply(4, third!)).toThrow(OutOfStepError);
    replication.apply(3, second!);
    expect(() => replication.apply(3, second!)).toThrow(OutOfStepError);
    expect(other.users.find(3)).toBeUndefined();
    replication.apply(4, third!);
    expect(rowsOf(other)).toEqual(rowsOf(leader));
    other.close();
  });
});

describe('a row that agio did not write', () => {
  test('rejects the start and the reload, which changes nothing', async () => {
    const [, other] = await startTwo();
    const image = await forged('users', 1, 'thief@example.com');
    const open = () => openIdentity({ dataDir, image, masterKeys, now: () => now });
    expect(open).toThrow('row 1 of users does not fit its MAC');
    expect(() => replicationOf(other).reload(image)).toThrow(AlteredError);
    expect(other.users.find(1)?.email).toBe('u1@example.com');
  });

  test('is not applied, in an authenticated table or another', async () => {
    const [leader, other] = await startTwo();
    nodes.pop();
    leader.audit.append(ENTRY);
    addUser(leader, 2);
    await leader.store.durable();
    const changes = written.at(-1)!;
    const before = rowsOf(other);
    for (const [table, column, message] of [
      ['users', 1, 'row 2 of users does not fit'],
      ['audit_log', 9, 'the end of audit_log was changed'],
    ] as const) {
      const altered = changes.map((change) => ({
        ...change,
        put: change.put.map((row) =>
          row.map((value, at) => (change.table === table && at === column ? 'x' : value)),
        ),
      }));
      expect(() => replicationOf(other).apply(3, altered)).toThrow(message);
    }
    const without = changes.filter(({ table }) => table !== 'users');
    expect(() => replicationOf(other).apply(3, without)).toThrow('rows of users were deleted');
    expect(rowsOf(other)).toEqual(before);
    replicationOf(other).apply(3, changes);
    expect(rowsOf(other)).toEqual(rowsOf(leader));
    other.close();
  });

  test('is a table or a schema of something else', async () => {
    await startTwo();
    const { version, tables } = await store.readIdentity();
    const open = (table: string, rows: (string | number)[][]) => () =>
      openIdentity({
        dataDir,
        image: { version, tables: new Map([...tables, [table, rows]]) },
        masterKeys,
        now: () => now,
      });
    expect(open('other', [[1]])).toThrow('other is not a table of agio');
    expect(open('totp', [[1]])).toThrow('a row of totp has 1 columns');
    expect(open('totp', [['x', 1, 1, 1, 1, 1]])).toThrow('a row of totp is not possible');
    expect(open('schema_version', [])).toThrow('it has no schema version');
    expect(open('schema_version', [[99, 0]])).toThrow('start a newer agio');
  });
});

describe('a term', () => {
  test('makes the writes of one turn one version, and those that wait the next', async () => {
    const [leader] = await startTwo();
    const { version } = replicationOf(leader);
    const gate = Promise.withResolvers<void>();
    beforeWrite = () => gate.promise;
    addUser(leader, 2);
    addUser(leader, 3);
    const first = leader.store.durable();
    await Promise.resolve();
    addUser(leader, 4);
    addUser(leader, 5);
    const second = leader.store.durable();
    expect(await store.identityVersion()).toBe(version);
    gate.resolve();
    await first;
    expect(await store.identityVersion()).toBe(version + 1);
    await second;
    expect(await store.identityVersion()).toBe(version + 2);
    expect(leader.store.durable()).toBeUndefined();
    const uids = written.slice(-2).map(([users]) => users!.put.map(([uid]) => uid));
    expect(uids).toEqual([
      [2, 3],
      [4, 5],
    ]);
  });

  test('ends with a write that fails: nothing of it stays after a reload', async () => {
    const [leader, other] = await startTwo();
    const kept = addKey(leader);
    await leader.store.durable();
    store.fault = 'request';
    const lost = addKey(leader);
    leader.apiKeys.revoke(kept);
    const { session } = openSession(leader);
    const held = leader.apiKeys.lookup(lost)!;
    await expect(leader.store.durable()).rejects.toThrow(NotLeadingError);
    expect(() => addUser(leader, 2)).toThrow(NotLeadingError);
    replicationOf(leader).follow();
    expect(leader.store.differs).toBe(true);
    await expect(leader.store.durable()).rejects.toThrow(NotLeadingError);
    expect(() => replicationOf(leader).apply(9, [])).toThrow(OutOfStepError);
    expect(() => replicationOf(leader).lead(3, null!)).toThrow(OutOfStepError);

    store.fault = null;
    const emitted = revocationsOf(leader);
    replicationOf(leader).reload(await store.readIdentity());
    expect(emitted).toEqual([
      { type: 'keyRevoked', keyId: held.keyId },
      { type: 'sessionEnded', sessionId: session.sessionId },
    ]);
    expect(held.revoked).toBe(true);
    expect(leader.apiKeys.lookup(kept)?.revoked).toBe(false);
    expect(rowsOf(leader)).toEqual(rowsOf(other));
    await lead(leader);
    addUser(leader, 2);
    await leader.store.durable();
    expect(other.users.find(2)?.uid).toBe(2);
  });

  test('is followed by that of another node without a reload, where all is durable', async () => {
    const [leader, other] = await startTwo();
    const { session } = openSession(leader);
    leader.sessions.revoke(1, session.sessionId);
    const key = addKey(leader);
    leader.apiKeys.touch(leader.apiKeys.lookup(key)!, now);
    leader.audit.append(ENTRY);
    await replicationOf(leader).drain();
    replicationOf(leader).follow();
    expect(leader.store.differs).toBe(false);
    await lead(other);
    other.audit.append(ENTRY);
    expect(await other.audit.verifyChain(leader.audit.head())).toMatchObject({ ok: true });
    expect(other.audit.head().id).toBe(2);
    // Not even the id of a deleted session comes back.
    expect(openSession(other).session.sessionId).toBe(session.sessionId + 1);
    await other.store.durable();
    expect(rowsOf(leader)).toEqual(rowsOf(other));
    expect(leader.apiKeys.find(key)?.lastUsedAt).toBe(now);
  });

  test('begins with empty counts and reservations', async () => {
    const [leader] = await startTwo();
    const guess = () => leader.lockout.begin('password', 'u1@example.com', '203.0.113.7');
    for (let i = 0; i < 5; i++) guess();
    expect(guess().ok).toBe(false);
    expect(leader.users.reserveEmail('new@example.com').ok).toBe(true);
    await replicationOf(leader).drain();
    replicationOf(leader).follow();
    await lead(leader);
    expect(guess().ok).toBe(true);
    expect(leader.users.reserveEmail('new@example.com').ok).toBe(true);
  });

  test('of a newer master key moves every MAC and secret to it', async () => {
    const [leader] = await startTwo();
    const apiKey = addKey(leader);
    await leader.store.durable();
    const [fresh] = newMasterKeys();
    const other = await start([fresh!, ...masterKeys]);
    expect(rowsOf(other)).toEqual(rowsOf(leader));
    addUser(leader, 2);
    await replicationOf(leader).drain();
    expect(other.users.find(2)?.uid).toBe(2);
    for (const node of nodes.splice(0, 2)) node.close();
    const third = await start([...masterKeys, fresh!]);
    await lead(other);
    await other.store.durable();
    expect(rowsOf(third)).toEqual(rowsOf(other));
    nodes = [other];
    const alone = await start([fresh!]);
    expect(alone.apiKeys.lookup(apiKey)?.uid).toBe(1);
  });
});

describe('uses', () => {
  test('wait for no answer, and are written before the next write', async () => {
    const [leader] = await startTwo();
    const apiKey = addKey(leader);
    await leader.store.durable();
    const versions = written.length;
    now += 1;
    leader.apiKeys.touch(leader.apiKeys.lookup(apiKey)!, now);
    leader.apiKeys.flushLastUsed();
    expect(leader.store.durable()).toBeUndefined();
    addUser(leader, 2);
    await leader.store.durable();
    expect(written.length).toBe(versions + 1);
    expect(written.at(-1)!.map(({ table }) => table)).toEqual(['users', 'api_keys', 'integrity']);
  });

  test('of a session on any node keep it alive on all', async () => {
    const [leader, other] = await startTwo();
    const { token, session } = openSession(leader);
    await leader.store.durable();
    now += SESSION_IDLE_MS - 1;
    expect(other.sessions.find(token)?.lastUsedAt).toBe(now);
    const uses = replicationOf(other).takeUses();
    expect(uses.sessions).toEqual([[session.sessionId, now]]);
    expect(replicationOf(other).takeUses().sessions).toEqual([]);
    replicationOf(leader).noteUses(uses);
    now += 2;
    expect(other.sessions.isLive(session.sessionId)).toBe(true);
    expect(leader.sessions.isLive(session.sessionId)).toBe(true);
    await replicationOf(leader).drain();
    expect(leader.sessions.isLive(session.sessionId)).toBe(true);
    const stored = rowsOf(other).get('sessions')![0]!;
    expect(stored[4]).toBe(now - 2);
    expect(other.sessions.uses.first(1)).toEqual([]);
    expect(leader.sessions.find(token)?.lastUsedAt).toBe(now);
    replicationOf(leader).noteUses(uses);
    expect(leader.sessions.list(1)[0]?.lastUsedAt).toBe(now);
    expect(replicationOf(leader).takeUses()).toEqual({ keys: [], sessions: [] });
  });
});
