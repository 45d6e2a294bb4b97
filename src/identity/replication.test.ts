// Identity on several nodes: what the leader writes, the others have; what is lost, nobody keeps.

import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { copyOfImage, imageIn } from '../../test/support/identity-rows.ts';
import { newMasterKeys } from '../../test/support/identity-store.ts';
import { acquireAs } from '../../test/support/members.ts';
import { MemoryCluster, MemoryStore, sorted } from '../../test/support/memory-store.ts';
import type { AuditFacts } from './audit.ts';
import { type Identity, openIdentity } from './identity.ts';
import type { MasterKey } from './master-key.ts';
import { OutOfStepError } from './replication.ts';
import { AlteredError, NotLeadingError } from './result.ts';
import { type Revocation, SESSION_IDLE_MS } from './sessions.ts';
import { type IdentityChange, type IdentityImage, idsOf, rowsOf } from './storage/change.ts';

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
/** The change of each version, from 1. */
let written: IdentityChange[];
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
  const copy = copyOfImage(await imageIn(store));
  const identity = openIdentity({ dataDir, copy, masterKeys: keys, now: () => now });
  nodes.push(identity);
  return identity;
}

const replicationOf = (identity: Identity) => identity.replication!;

/** Makes a node lead; every other node applies what becomes durable. */
async function lead(identity: Identity): Promise<void> {
  const { lease } = await acquireAs(store, 'a', 'a:1');
  replicationOf(identity).lead(await store.identityVersion(), {
    persist: async (version, change) => {
      await beforeWrite();
      await store.writeIdentity(lease!.epoch, version, change);
    },
    onDurable: (version, change) => {
      written.push(change);
      for (const node of nodes) {
        if (!replicationOf(node).leads) replicationOf(node).apply(version, change);
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

const imageOf = ({ store }: Identity) => sorted(store.image());

/** The text of a column, as a row has it. */
const hex = (text: string): string => Buffer.from(text).toString('hex').toUpperCase();

/** The rows, with another text in those that have it. */
const replaced = (rows: readonly string[], text: string, other: string): string[] =>
  rows.map((row) => row.replace(hex(text), hex(other)));

describe('a node that does not lead', () => {
  test('has the rows of the leader, whenever it starts', async () => {
    const [leader, other] = await startTwo();
    const apiKey = addKey(leader);
    await leader.store.durable();
    const late = await start();
    for (const node of [other, late]) {
      expect(imageOf(node)).toEqual(imageOf(leader));
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

  test('has its copy in a file without a name, also after a reload', async () => {
    const [leader, other] = await startTwo();
    addUser(leader, 2);
    await leader.store.durable();
    replicationOf(other).reload(await store.readIdentity((head) => other.store.newCopy(head)));
    expect(imageOf(other)).toEqual(imageOf(leader));
    const [main] = other.store.all<{ file: string }>('PRAGMA database_list');
    expect(main?.file).toBe(join(dataDir, 'identity-copy.db'));
    expect(readdirSync(dataDir)).toEqual([]);
  });

  test('writes nothing', async () => {
    const [leader, other] = await startTwo();
    const apiKey = addKey(leader);
    await leader.store.durable();
    const before = imageOf(other);
    expect(() => addUser(other, 2)).toThrow(NotLeadingError);
    expect(() => openSession(other)).toThrow(NotLeadingError);
    expect(() => other.apiKeys.revoke(apiKey)).toThrow(NotLeadingError);
    expect(() => other.store.requireWritable()).toThrow(NotLeadingError);
    expect(other.apiKeys.lookup(apiKey)?.revoked).toBe(false);
    expect(imageOf(other)).toEqual(before);
  });

  test('rejects changes that are not the next, and those that it has', async () => {
    const [leader, other] = await startTwo();
    nodes.pop();
    addUser(leader, 2);
    await leader.store.durable();
    addUser(leader, 3);
    await leader.store.durable();
    const [, second, third] = written;
    const replication = replicationOf(other);
    expect(() => replication.apply(3, third!)).toThrow(OutOfStepError);
    replication.apply(2, second!);
    expect(() => replication.apply(2, second!)).toThrow(OutOfStepError);
    expect(other.users.find(3)).toBeUndefined();
    replication.apply(3, third!);
    expect(imageOf(other)).toEqual(imageOf(leader));
    other.close();
  });
});

describe('a row that agio did not write', () => {
  const open = (image: IdentityImage) => () =>
    openIdentity({ dataDir, copy: copyOfImage(image), masterKeys, now: () => now });

  test('rejects the start and the reload, which changes nothing', async () => {
    const [, other] = await startTwo();
    const image = await imageIn(store);
    const forged = {
      ...image,
      rows: replaced(image.rows, 'u1@example.com', 'thief@example.com'),
    };
    expect(open(forged)).toThrow('its rows do not fit their MAC');
    expect(() => replicationOf(other).reload(copyOfImage(forged))).toThrow(AlteredError);
    expect(other.users.find(1)?.email).toBe('u1@example.com');
  });

  test('is not applied, in an authenticated table or another', async () => {
    const [leader, other] = await startTwo();
    nodes.pop();
    leader.audit.append(ENTRY);
    addUser(leader, 2);
    await leader.store.durable();
    const change = written.at(-1)!;
    const before = imageOf(other);
    const { hash } = leader.audit.head();
    for (const altered of [
      { ...change, added: replaced(change.added, 'u2@example.com', 'thief@example.com') },
      { ...change, added: replaced(change.added, hash, 'x'.repeat(64)) },
      { ...change, added: rowsOf('audit_log', change.added) },
      { ...change, removed: rowsOf('users', before.rows) },
      { ...change, mac: before.mac },
      { ...change, mac: '' },
    ]) {
      expect(() => replicationOf(other).apply(2, altered)).toThrow(AlteredError);
    }
    expect(imageOf(other)).toEqual(before);
    replicationOf(other).apply(2, change);
    expect(imageOf(other)).toEqual(imageOf(leader));
    other.close();
  });

  test('is a table or a schema of something else', async () => {
    await startTwo();
    const image = await imageIn(store);
    const withRow = (row: string) => open({ ...image, rows: [...image.rows, row] });
    expect(withRow('["other",1]')).toThrow('"other" is not a table of agio');
    expect(withRow('other')).toThrow('"" is not a table of agio');
    expect(withRow('["totp",1]')).toThrow('a row of totp is not possible');
    expect(withRow('["totp","x","",1,1,1]')).toThrow('a row of totp is not possible');
    expect(withRow('["totp",1')).toThrow('a row of totp is not possible');
    expect(open({ ...image, mac: '' })).toThrow('the MAC of its rows is missing');
    expect(open({ ...image, mac: image.mac.replace(/^\d+/, '99') })).toThrow('start a newer agio');
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
    const uids = written.slice(-2).map(({ added }) => idsOf('users', added));
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
    expect(() => replicationOf(leader).apply(9, written[0]!)).toThrow(OutOfStepError);
    expect(() => replicationOf(leader).lead(3, null!)).toThrow(OutOfStepError);

    store.fault = null;
    const emitted = revocationsOf(leader);
    replicationOf(leader).reload(copyOfImage(await imageIn(store)));
    expect(emitted).toEqual([
      { type: 'keyRevoked', keyId: held.keyId },
      { type: 'sessionEnded', sessionId: session.sessionId },
    ]);
    expect(held.revoked).toBe(true);
    expect(leader.apiKeys.lookup(kept)?.revoked).toBe(false);
    expect(imageOf(leader)).toEqual(imageOf(other));
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
    expect(imageOf(leader)).toEqual(imageOf(other));
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
    leader.totp.enroll(1, 'u1@example.com');
    await leader.store.durable();
    const [fresh] = newMasterKeys();
    const other = await start([fresh!, ...masterKeys]);
    expect(imageOf(other)).toEqual(imageOf(leader));
    addUser(leader, 2);
    await replicationOf(leader).drain();
    expect(other.users.find(2)?.uid).toBe(2);
    for (const node of nodes.splice(0, 2)) node.close();
    const third = await start([...masterKeys, fresh!]);
    await lead(other);
    await other.store.durable();
    expect(imageOf(third)).toEqual(imageOf(other));
    nodes = [other];
    const alone = await start([fresh!]);
    expect(alone.apiKeys.lookup(apiKey)?.uid).toBe(1);
    expect(alone.store.verify()).toBe('5 rows fit their MAC, 2 secrets open');
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
    const { added } = written.at(-1)!;
    expect([idsOf('users', added), idsOf('api_keys', added)]).toEqual([[2], [1]]);
    expect(added).toHaveLength(2);
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
    const [stored] = rowsOf('sessions', imageOf(other).rows);
    expect(JSON.parse(stored!)[5]).toBe(now - 2);
    expect(other.sessions.uses.first(1)).toEqual([]);
    expect(leader.sessions.find(token)?.lastUsedAt).toBe(now);
    replicationOf(leader).noteUses(uses);
    expect(leader.sessions.list(1)[0]?.lastUsedAt).toBe(now);
    expect(replicationOf(leader).takeUses()).toEqual({ keys: [], sessions: [] });
  });
});
