// Rows of identity as an image and as changes, and an image of an older release.
import { Database } from 'bun:sqlite';
import { describe, expect, test } from 'bun:test';
import { addUsers, newMasterKeys } from '../../../test/support/identity-store.ts';
import { OutOfStepError, Replication } from '../replication.ts';
import { IDENTITY_TABLES, type IdentityImage, MergedChanges } from './change.ts';
import { ChangeQueue } from './change-queue.ts';
import { IdentityStore, type StoreOptions } from './identity-store.ts';
import { databaseOf, differenceOf, imageOf } from './image.ts';
import { MIGRATIONS, migrate } from './schema.ts';

const NEXT = { version: MIGRATIONS.length + 1, sql: 'ALTER TABLE users ADD COLUMN note TEXT' };
const options: StoreOptions = { masterKeys: newMasterKeys(), now: () => 5 };
const newer: StoreOptions = { ...options, migrations: [...MIGRATIONS, NEXT] };

describe('the tables', () => {
  const database = new Database(':memory:', { strict: true });
  migrate(database, 0);

  test('are all that the schema has', () => {
    const found = database
      .query<{ name: string }, []>("SELECT name FROM sqlite_schema WHERE type = 'table'")
      .all();
    expect(found.map(({ name }) => name).sort()).toEqual(Object.keys(IDENTITY_TABLES).sort());
  });

  test.each(Object.entries(IDENTITY_TABLES))('%s begins with its key', (table, key) => {
    const columns = database
      .query<{ name: string; pk: number }, []>(`PRAGMA table_info(${table})`)
      .all();
    expect(columns.slice(0, key.length).map(({ name }) => name)).toEqual([...key]);
    if (table === 'sqlite_sequence') return;
    const ofKey = columns.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk);
    expect(ofKey.map(({ name }) => name)).toEqual([...key]);
  });
});

describe('an image', () => {
  const withUsers = (...uids: number[]): IdentityImage => {
    const store = IdentityStore.over(new Database(':memory:', { strict: true }), options);
    addUsers(store, ...uids);
    const image = store.image(1);
    store.close();
    return image;
  };

  test('becomes a database with the same rows', () => {
    const image = withUsers(1, 2);
    const database = databaseOf(image, MIGRATIONS);
    expect(imageOf(database, 1)).toEqual(image);
    expect(database.query('PRAGMA foreign_key_check').all()).toEqual([]);
  });

  test('differs from another by the rows that were written and deleted', () => {
    const [before, after] = [withUsers(1, 2), withUsers(2, 3)];
    const [users] = differenceOf(before, after);
    expect(users?.table).toBe('users');
    expect(users?.put.map(([uid]) => uid)).toEqual([3]);
    expect(users?.deleted).toEqual([[1]]);
    expect(differenceOf(after, after)).toEqual([]);
  });
});

test('merged changes keep the last of each row, in the order of the tables', () => {
  const merged = new MergedChanges();
  const hash = new Uint8Array([1, 2]);
  merged.add([
    { table: 'api_keys', put: [[1, 'a']], deleted: [] },
    { table: 'users', put: [[1], [2]], deleted: [] },
    { table: 'recovery_codes', put: [[1, hash, 'old']], deleted: [[2, hash]] },
  ]);
  merged.add([
    { table: 'users', put: [], deleted: [[2]] },
    { table: 'recovery_codes', put: [[2, hash, 'new']], deleted: [[1, hash.slice()]] },
    { table: 'totp', put: [], deleted: [] },
  ]);
  expect(merged.list()).toEqual([
    { table: 'users', put: [[1]], deleted: [[2]] },
    { table: 'api_keys', put: [[1, 'a']], deleted: [] },
    { table: 'recovery_codes', put: [[2, hash, 'new']], deleted: [[1, hash]] },
  ]);
});

describe('a cluster of an older release', () => {
  /** Its image, as its leader would write it. */
  function older(): IdentityImage {
    const store = IdentityStore.over(new Database(':memory:', { strict: true }), options);
    addUsers(store, 1, 2);
    return store.image(7);
  }

  const replicationOf = (store: IdentityStore, version: number) => {
    const uses = { lead: () => {}, follow: () => {} };
    const parts = { apiKeys: { uses }, sessions: { uses }, leadersMemory: [], store };
    return new Replication(
      version,
      parts as unknown as ConstructorParameters<typeof Replication>[1],
    );
  };

  test('is upgraded by one change of the first leader of this release', async () => {
    const image = older();
    const store = IdentityStore.of(image, newer);
    const written: unknown[] = [];
    let shared = image;
    const queue = new ChangeQueue(7, {
      persist: async (version, changes) => {
        written.push(changes.map(({ table, put }) => [table, put.length]));
        const before = IdentityStore.of(shared, newer);
        expect(() => IdentityStore.of(shared, options).apply(changes)).toThrow(
          'start a newer agio',
        );
        before.close();
        shared = store.image(version);
      },
      onDurable: () => {},
    });
    store.lead(queue);
    await store.durable();
    expect(store.canApply).toBe(true);
    expect(written).toEqual([
      [
        ['users', 2],
        ['schema_version', 1],
        ['integrity', 3],
      ],
    ]);
    const again = IdentityStore.of(shared, newer);
    expect(again.all('SELECT uid, note FROM users')).toEqual([
      { uid: 1, note: null },
      { uid: 2, note: null },
    ]);
    expect(again.image(8)).toEqual(shared);
    expect(() => IdentityStore.of(shared, options)).toThrow('start a newer agio');
  });

  test('is read by this one, which loads it again for each change', () => {
    const image = older();
    const store = IdentityStore.of(image, newer);
    const replication = replicationOf(store, 7);
    expect(() => replication.apply(8, [])).toThrow(OutOfStepError);
    expect(store.count('SELECT count(*) AS n FROM users WHERE note IS NULL')).toBe(2);
  });
});

test('a file of an older schema is checked before it is upgraded', () => {
  const file = () => {
    const database = new Database(':memory:', { strict: true });
    const store = IdentityStore.over(database, options);
    addUsers(store, 1);
    return Database.deserialize(database.serialize(), { strict: true });
  };
  const store = IdentityStore.over(file(), newer);
  expect(store.all('SELECT uid, note FROM users')).toEqual([{ uid: 1, note: null }]);
  const forged = file();
  forged.run('UPDATE users SET created_at = 9');
  expect(() => IdentityStore.over(forged, newer)).toThrow('row 1 of users does not fit its MAC');
});
