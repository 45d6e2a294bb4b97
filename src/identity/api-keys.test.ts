// API keys: what may be asked for, what a live key allows, revocation, rotation and tampering.
import { Database } from 'bun:sqlite';
import { beforeEach, describe, expect, test } from 'bun:test';
import { createHmac } from 'node:crypto';
import { newDatabase, newMasterKeys, storeOver } from '../../test/support/identity-store.ts';
import { ApiKeys, type CreatedApiKey, type NewApiKey } from './api-keys.ts';
import { isModuleId, type LiveKey } from './live-key.ts';
import type { MasterKey } from './master-key.ts';
import type { IdentityStore } from './storage/identity-store.ts';
import { Users } from './users.ts';

const T0 = Date.UTC(2030, 0, 1);
const wanted: NewApiKey = { uid: 1, alias: 'bot', moduleIds: [5, 6] };

let now = T0;
let database: Database;
let store: IdentityStore;
let masterKey: MasterKey;
let keys: ApiKeys;

const newMasterKey = (): MasterKey => newMasterKeys()[0]!;

/** Another start on the same file. */
function reopen(...masterKeys: MasterKey[]): ApiKeys {
  database = Database.deserialize(database.serialize(), { strict: true });
  store = storeOver(database, { masterKeys });
  return new ApiKeys(store, () => now);
}

beforeEach(() => {
  now = T0;
  database = newDatabase();
  masterKey = newMasterKey();
  store = storeOver(database, { masterKeys: [masterKey] });
  const users = new Users(store, () => T0);
  for (const [uid, email] of [
    [1, 'ann@example.com'],
    [2, 'bob@example.com'],
  ] as const) {
    const reservation = users.reserveEmail(email);
    if (reservation.ok) users.completeUser(reservation.value, uid);
  }
  keys = new ApiKeys(store, () => now);
});

function create(change: Partial<NewApiKey> = {}): CreatedApiKey {
  const created = keys.create({ ...wanted, ...change });
  if (!created.ok) throw new Error(created.text);
  return created.value;
}

function live(apiKey: string): LiveKey {
  const key = keys.lookup(apiKey);
  if (key === undefined) throw new Error('The key is live.');
  return key;
}

/** The signature of a text that is cut in two at `border`, as a request is into head and body. */
function sign(key: LiveKey, text: string, border = text.length): string {
  const target = Buffer.alloc(64);
  key.digest(text.slice(0, border), Buffer.from(text.slice(border)), target);
  return target.toString('hex', 0, 32);
}

const signedWith = (secret: string, text: string) =>
  createHmac('sha256', secret).update(text).digest('hex');

describe('a new key', () => {
  test('is live immediately, signs with its secret, and shows the secret once', () => {
    const created = create();
    expect(created.apiKey).toMatch(/^[0-9a-f]{40}$/);
    expect(created.secretKey).toMatch(/^[0-9a-f]{64}$/);
    const key = live(created.apiKey);
    expect(key).toMatchObject({ keyId: created.keyId, uid: 1, alias: 'bot', replayGuard: true });
    for (const text of ['', 'GET/a', 'GET/a']) {
      expect(sign(key, text)).toBe(signedWith(created.secretKey, text));
      expect(sign(key, text, 2)).toBe(signedWith(created.secretKey, text));
    }
    expect(JSON.stringify(key)).not.toContain(created.secretKey);
    expect(JSON.stringify(keys.list(1))).not.toContain(created.secretKey);
    expect(Bun.inspect(key, { depth: 9 })).not.toContain(created.secretKey);
  });

  test('is the same after a restart', () => {
    const { apiKey, secretKey } = create({
      moduleIds: [6, 2, 2],
      ipAllowList: ['10.0.0.0/8', '::1'],
      expiresAt: T0 + 1_000,
      strictClOrdId: true,
      replayGuard: false,
    });
    const before = keys.find(apiKey);
    keys = reopen(masterKey);
    expect(keys.find(apiKey)).toEqual(before!);
    expect(before).toEqual({
      keyId: 1,
      apiKey,
      uid: 1,
      alias: 'bot',
      moduleIds: [2, 6],
      ipAllowList: ['10.0.0.0/8', '::1'],
      expiresAt: T0 + 1_000,
      strictClOrdId: true,
      replayGuard: false,
      createdAt: T0,
      revokedAt: null,
      lastUsedAt: null,
    });
    const key = live(apiKey);
    expect(sign(key, 'x')).toBe(signedWith(secretKey, 'x'));
    expect([key.admits('10.1.1.1'), key.admits('::1'), key.admits('11.0.0.1')]).toEqual([
      true,
      true,
      false,
    ]);
    expect([key.isExpired(T0 + 999), key.isExpired(T0 + 1_000)]).toEqual([false, true]);
  });

  test.each([
    ['alias', { alias: '  ' }],
    ['alias', { alias: 'x'.repeat(65) }],
    ['alias', { alias: 'a\nb' }],
    ['moduleIds', { moduleIds: [] }],
    ['moduleIds', { moduleIds: [0] }],
    ['moduleIds', { moduleIds: [5, 7] }],
    ['moduleIds', { moduleIds: [1.5] }],
    ['ipAllowList', { ipAllowList: [] }],
    ['ipAllowList', { ipAllowList: ['10.0.0.0/99'] }],
    ['ipAllowList', { ipAllowList: Array.from({ length: 51 }, () => '::1') }],
    ['expiresAt', { expiresAt: T0 }],
    ['expiresAt', { expiresAt: Number.NaN }],
    ['uid', { uid: 3 }],
  ] as const)('is rejected for its %s: %p', (field, change) => {
    const denial = keys.create({ ...wanted, ...change });
    expect(denial).toMatchObject({ ok: false, field });
    expect(database.query('SELECT count(*) AS n FROM api_keys').get()).toEqual({ n: 0 });
  });

  test('is rejected to a user with a thousand live keys, until one is revoked', () => {
    const { apiKey } = create();
    store.write(() => {
      for (let n = 1; n < 1_000; n += 1) create();
    });
    expect(keys.create(wanted)).toMatchObject({ ok: false, field: 'uid', rule: 'tooManyKeys' });
    expect(keys.create({ ...wanted, uid: 2 }).ok).toBe(true);
    keys.revoke(apiKey);
    expect(keys.create(wanted).ok).toBe(true);
  });

  test('never gets the id of another, also when that one is gone from the table', () => {
    const first = create();
    keys.revoke(first.apiKey);
    store.write(() => database.run('DELETE FROM api_keys'));
    keys = reopen(masterKey);
    expect(create().keyId).toBe(first.keyId + 1);
  });
});

test('privileges: 2, 3 and 4 include 1; 6 does not include 5', () => {
  const granted = (...moduleIds: number[]) => {
    const key = live(create({ moduleIds }).apiKey);
    return [1, 2, 3, 4, 5, 6].filter((id) => isModuleId(id) && key.allows(id));
  };
  expect(granted(1)).toEqual([1]);
  expect(granted(2)).toEqual([1, 2]);
  expect(granted(3)).toEqual([1, 3]);
  expect(granted(4)).toEqual([1, 4]);
  expect(granted(5)).toEqual([5]);
  expect(granted(6)).toEqual([6]);
  expect(granted(2, 6)).toEqual([1, 2, 6]);
});

describe('revocation', () => {
  test('takes effect immediately, also for holders of the key, and destroys the secret', () => {
    const { apiKey } = create();
    const held = live(apiKey);
    now += 5;
    expect(keys.revoke(apiKey)).toBe(true);
    expect(held.revoked).toBe(true);
    expect(keys.lookup(apiKey)).toBeUndefined();
    expect(keys.find(apiKey)?.revokedAt).toBe(T0 + 5);
    expect(database.query('SELECT sealed_secret FROM api_keys').get()).toEqual({
      sealed_secret: null,
    });
    expect(keys.revoke(apiKey)).toBe(false);
    expect(reopen(masterKey).lookup(apiKey)).toBeUndefined();
  });

  test('leaves the other keys alone', () => {
    const [first, second] = [create(), create()];
    expect(keys.revoke(first.apiKey)).toBe(true);
    expect(live(second.apiKey).revoked).toBe(false);
    expect(keys.list(1)).toHaveLength(2);
  });
});

test('the list shows the last use immediately; the flush writes it', () => {
  const { apiKey, keyId } = create();
  const stored = () => database.query('SELECT last_used_at AS at FROM api_keys').get();
  keys.touch(live(apiKey), T0 + 1);
  keys.touch(live(apiKey), T0 + 2);
  expect(keys.find(apiKey)).toMatchObject({ keyId, lastUsedAt: T0 + 2 });
  expect(stored()).toEqual({ at: null });
  expect(keys.flushLastUsed()).toBe(1);
  expect(keys.flushLastUsed()).toBe(0);
  expect(stored()).toEqual({ at: T0 + 2 });
});

describe('master keys', () => {
  test('a start with a new key in front moves every secret to it', () => {
    const { apiKey, secretKey } = create();
    const fresh = newMasterKey();
    keys = reopen(fresh, masterKey);
    expect(sign(live(apiKey), 'x')).toBe(signedWith(secretKey, 'x'));
    keys = reopen(fresh);
    expect(sign(live(apiKey), 'x')).toBe(signedWith(secretKey, 'x'));
  });
});

describe('tampering with the table', () => {
  test('sealed secrets swapped between rows do not open', () => {
    create();
    create();
    store.write(() =>
      database.run(`UPDATE api_keys SET sealed_secret =
        (SELECT o.sealed_secret FROM api_keys AS o WHERE o.key_id + api_keys.key_id = 3)`),
    );
    expect(() => reopen(masterKey)).toThrow('the row was altered');
  });

  test('a key that was moved to another user does not open', () => {
    create();
    store.write(() => database.run('UPDATE api_keys SET uid = 2'));
    expect(() => reopen(masterKey)).toThrow('the row was altered');
  });

  test.each([
    "terms = json_set(terms, '$.moduleIds', json('[1,2,3,4,5,6]'))",
    "terms = json_set(terms, '$.ipAllowList', json('[\"0.0.0.0/0\"]'))",
    "terms = json_set(terms, '$.expiresAt', 99999999999999)",
    "terms = json_set(terms, '$.strictClOrdId', json('true'))",
    "terms = json_set(terms, '$.replayGuard', json('false'))",
    "api_key = 'ab'",
    'created_at = created_at + 1',
  ])('a secret does not open beside other terms, even with its MAC: %s', (terms) => {
    create();
    store.write(() => database.run(`UPDATE api_keys SET ${terms}`));
    expect(() => reopen(masterKey)).toThrow('api_keys row 1/1 (api secret) does not open');
  });
});
