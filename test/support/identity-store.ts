// A database of identity for tests: in memory, under a key of the test's own.
import { Database } from 'bun:sqlite';
import { randomBytes } from 'node:crypto';
import { type MasterKey, parseMasterKeys } from '../../src/identity/master-key.ts';
import { IdentityStore, type StoreOptions } from '../../src/identity/storage/identity-store.ts';
import { Users } from '../../src/identity/users.ts';
import { replicate } from './replicated-identity.ts';

export const newMasterKeys = (): MasterKey[] => parseMasterKeys(randomBytes(32).toString('hex'))!;

export const newDatabase = (): Database => new Database(':memory:', { strict: true });

/** A store over a database that the test may look into; what it writes goes through `write`. */
export function storeOver(database: Database, options: Partial<StoreOptions> = {}): IdentityStore {
  const all = { masterKeys: newMasterKeys(), now: () => 0, ...options };
  const store = IdentityStore.over(database, all);
  replicate(store, database, all);
  return store;
}

/** The file as another start finds it, under these keys. */
export const reopened = (database: Database, masterKeys: readonly MasterKey[]): IdentityStore =>
  storeOver(Database.deserialize(database.serialize(), { strict: true }), { masterKeys });

/** Makes users, whose uids the core would have given. */
export function addUsers(store: IdentityStore, ...uids: readonly number[]): void {
  const users = new Users(store, () => 0);
  for (const uid of uids) {
    const reservation = users.reserveEmail(`u${uid}@example.com`);
    if (!reservation.ok) throw new Error(reservation.text);
    users.completeUser(reservation.value, uid);
  }
}
