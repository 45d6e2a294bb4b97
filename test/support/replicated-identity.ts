// Runs tests of identity as on the leader of a cluster: each write goes to a shared store. After
// each test, a node that loads the store and one that applied every change have the same rows.

import type { Database } from 'bun:sqlite';
import { afterAll, afterEach, beforeAll, describe, expect } from 'bun:test';
import type { ClusterStore } from '../../src/cluster/store.ts';
import { ApiKeys } from '../../src/identity/api-keys.ts';
import { AuditLog } from '../../src/identity/audit.ts';
import { type Identity, type IdentityOptions, openIdentity } from '../../src/identity/identity.ts';
import type { LiveKey } from '../../src/identity/live-key.ts';
import { Replication } from '../../src/identity/replication.ts';
import { NotLeadingError } from '../../src/identity/result.ts';
import { Sessions } from '../../src/identity/sessions.ts';
import type { IdentityImage } from '../../src/identity/storage/change.ts';
import { ChangeQueue, type Leadership } from '../../src/identity/storage/change-queue.ts';
import { IdentityStore, type StoreOptions } from '../../src/identity/storage/identity-store.ts';
import { requireSchema } from '../../src/identity/storage/schema.ts';
import { copyOfImage, imageIn } from './identity-rows.ts';
import { acquireAs } from './members.ts';
import { sorted } from './memory-store.ts';

const EMPTY_IMAGE: IdentityImage = { version: 0, rows: [], mac: '' };

/** The part of a cluster's store that has identity, in its first term. */
export type SharedIdentity = Pick<
  ClusterStore,
  'register' | 'acquire' | 'readIdentity' | 'writeIdentity' | 'close'
>;

/** A node that does not lead, without the parts that only the leader uses. */
interface Copy {
  readonly store: IdentityStore;
  readonly apiKeys: ApiKeys;
  readonly replication: Replication;
}

function copyOf(image: IdentityImage, { masterKeys, now }: StoreOptions): Copy {
  const store = IdentityStore.of(copyOfImage(image), { masterKeys, now });
  const apiKeys = new ApiKeys(store, now);
  const sessions = new Sessions(store, now);
  const audit = new AuditLog(store, now);
  const parts = { store, apiKeys, sessions, audit, leadersMemory: [], flush: () => {} };
  return { store, apiKeys, replication: new Replication(image.version, parts) };
}

/** A store that leads, what it shares, and a copy that follows it. */
interface ReplicaPair {
  readonly store: IdentityStore;
  readonly shared: SharedIdentity;
  readonly copy: Copy;
  readonly options: StoreOptions;
  readonly drain: () => Promise<void>;
  readonly close: () => void;
  /** True if the test has changed the database behind the store. */
  readonly isAltered: () => boolean;
}

let openShared: (() => SharedIdentity) | null = null;
let replicated: ReplicaPair[] = [];

/** The leadership of the first term, over a store with a copy. */
function leadershipOf(options: StoreOptions) {
  const shared = openShared!();
  const epoch = acquireAs(shared, 'a', 'a:1').then(({ lease }) => lease!.epoch);
  const copy = copyOf(EMPTY_IMAGE, options);
  const leadership: Leadership = {
    persist: async (version, change) => shared.writeIdentity(await epoch, version, change),
    onDurable: (version, change) => copy.replication.apply(version, change),
  };
  return { shared, copy, leadership, epoch };
}

/** In a replicated run, makes the store over this database lead. */
export function replicate(store: IdentityStore, database: Database, options: StoreOptions): void {
  if (openShared === null) return;
  const { shared, copy, leadership, epoch } = leadershipOf(options);
  const queue = new ChangeQueue(0, leadership);
  const { rows, mac } = store.image();
  if (rows.length > 0) queue.record({ removed: [], added: rows, mac }, false);
  store.lead(queue);
  const isAltered = () => rejectionOf(() => requireSchema(database)) !== null;
  const drain = () => epoch.then(() => queue.drain());
  replicated.push({ store, shared, copy, options, drain, close: () => {}, isAltered });
}

/** `openIdentity`; in a replicated run, that of a leader, which the check after the test closes. */
export function openTestIdentity(options: IdentityOptions & Pick<StoreOptions, 'now'>): Identity {
  if (openShared === null) return openIdentity(options);
  const identity = openIdentity({ ...options, copy: copyOfImage(EMPTY_IMAGE) });
  const { shared, copy, leadership, epoch } = leadershipOf(options);
  const replication = identity.replication!;
  replication.lead(0, leadership);
  const drain = () => epoch.then(() => replication.drain());
  const { store, close } = identity;
  replicated.push({ store, shared, copy, options, drain, close, isAltered: () => false });
  return { ...identity, close: () => {} };
}

/** The live keys of a node, each with what it signs. */
function signaturesOf({ store, apiKeys }: Copy): string[][] {
  const rows = store.all<{ name: string }>('SELECT api_key AS name FROM api_keys ORDER BY name');
  const keys = rows.map(({ name }) => apiKeys.lookup(name)).filter((key) => key !== undefined);
  return keys.map((key) => [key.apiKey, signatureOf(key)]);
}

function signatureOf(key: LiveKey): string {
  const target = Buffer.alloc(64);
  key.digest('text', new Uint8Array(), target);
  return target.toString('hex', 0, 32);
}

function rejectionOf(act: () => unknown): string | null {
  try {
    act();
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

async function check(each: ReplicaPair): Promise<void> {
  try {
    await requireSameRows(each);
  } finally {
    each.copy.store.close();
    each.close();
    await each.shared.close();
  }
}

async function requireSameRows(each: ReplicaPair): Promise<void> {
  const { store, shared, copy, options, drain, isAltered } = each;
  const rejection = rejectionOf(() => new ApiKeys(store, options.now));
  if (rejection !== null) {
    // The test has written a key that no start accepts.
    expect(() => copyOf(store.image(1), options)).toThrow(rejection);
    await expect(drain()).rejects.toThrow(NotLeadingError);
    return;
  }
  await drain();
  const image = await imageIn(shared);
  expect(copy.replication.version).toBe(image.version);
  const loaded = copyOf(image, options);
  const { version } = image;
  const rows = sorted(loaded.store.image(version));
  if (version > 0) expect(sorted(image)).toEqual(rows);
  expect(sorted(copy.store.image(version))).toEqual(rows);
  if (!isAltered()) expect(sorted(store.image(version))).toEqual(rows);
  expect(signaturesOf(copy)).toEqual(signaturesOf(loaded));
  loaded.store.close();
}

/** The files with the tests of identity that write. */
const FILES = [
  'api-keys',
  'audit',
  'sessions',
  'user-audit',
  'users',
  'proofs/email-codes',
  'proofs/known-networks',
  'proofs/lockout',
  'proofs/proofs',
  'proofs/totp',
];

/** Runs the tests of identity; `open` returns an empty store, in the name of the leader. */
export function describeReplicated(name: string, open: () => SharedIdentity): void {
  describe(`identity over ${name}`, () => {
    beforeAll(() => {
      openShared = open;
    });
    afterEach(async () => {
      const all = replicated;
      replicated = [];
      for (const each of all) await check(each);
    });
    afterAll(() => {
      openShared = null;
    });
    for (const file of FILES) {
      // With a query the module is another one, and registers its tests again.
      const path = `../../src/identity/${file}.test.ts?${encodeURIComponent(name)}`;
      describe(file, async () => void (await import(path)));
    }
  });
}
