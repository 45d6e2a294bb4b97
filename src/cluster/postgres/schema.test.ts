// The schema of the store: who may migrate it, what a node may do, and which versions it takes.

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { SQL } from 'bun';
import { acquireAs } from '../../../test/support/members.ts';
import { NO_POSTGRES, PostgresServer } from '../../../test/support/postgres.ts';
import { connectNode, NODE_ROLE } from '../../../test/support/postgres-store.ts';
import { appendRecords, storeRejection } from '../../../test/support/store-contract.ts';
import type { PostgresStore } from './postgres-store.ts';
import { applyMigrations, MIGRATIONS, migrate } from './schema.ts';

const NEWEST = MIGRATIONS.at(-1)!.version;

describe.skipIf(NO_POSTGRES)('the schema in PostgreSQL', () => {
  let server: PostgresServer;
  let store: PostgresStore;

  beforeAll(async () => {
    server = await PostgresServer.create();
    await server.query(`CREATE ROLE ${NODE_ROLE} LOGIN`);
  });
  afterAll(() => server?.dispose());

  beforeEach(async () => {
    await server.query('DROP SCHEMA IF EXISTS agio CASCADE');
    store = connectNode('a', [server]);
  });
  afterEach(() => store.close());

  /** The state of an error that a role gets. */
  async function rejectionOf(statement: string, role = NODE_ROLE): Promise<string> {
    const client = new SQL(server.url(role), { max: 1 });
    try {
      await client.unsafe(statement);
      return 'done';
    } catch (error) {
      return String((error as SQL.PostgresError).errno);
    } finally {
      await client.close();
    }
  }

  test('a node needs a schema, which only a migration creates', async () => {
    const error = await storeRejection('rejected', store.readLease());
    expect(error.message).toContain('run `agio cluster migrate`');
    expect(await server.query("SELECT FROM pg_namespace WHERE nspname = 'agio'")).toEqual([]);
    expect(await migrate(server.url(), NODE_ROLE)).toBe(NEWEST);
    // The node goes on without a restart.
    expect((await store.readLease()).lease).toBeNull();
  });

  test('a migration may run again, also twice at the same time, and changes no row', async () => {
    await Promise.all([migrate(server.url(), NODE_ROLE), migrate(server.url(), NODE_ROLE)]);
    await acquireAs(store, 'a', 'a:1');
    const records = await appendRecords(store, 1, [10, 20]);
    await migrate(server.url(), NODE_ROLE);
    expect(await store.read(1, 1_000)).toEqual(records);
    expect((await store.readLease()).lease).toMatchObject({ epoch: 1, node: 'a' });
  });

  test('a node works with the next version, and with no other', async () => {
    await migrate(server.url(), NODE_ROLE);
    const owner = new SQL(server.url(), { max: 1 });
    const upgrade = (version: number) =>
      applyMigrations(
        owner,
        NODE_ROLE,
        [
          ...MIGRATIONS,
          { version: NEWEST + 1, sql: 'ALTER TABLE agio.lease ADD note text' },
          { version: NEWEST + 2, sql: 'ALTER TABLE agio.journal ADD note text' },
        ].filter((migration) => migration.version <= version),
      );
    expect(await upgrade(NEWEST + 1)).toBe(NEWEST + 1);
    await acquireAs(store, 'a', 'a:1');
    await appendRecords(store, 1, [10, 20]);
    await upgrade(NEWEST + 2);
    const next = connectNode('b', [server]);
    const error = await storeRejection('rejected', next.readLease());
    expect(error.message).toContain('upgrade agio');
    await next.close();
    await owner.close();
    const older = await storeRejection('rejected', migrate(server.url(), NODE_ROLE));
    expect(older.message).toContain('upgrade agio');
    await server.query('DELETE FROM agio.schema_version');
    const other = connectNode('c', [server]);
    expect((await storeRejection('rejected', other.head())).message).toContain('cluster migrate');
    await other.close();
  });

  test('a migration that fails changes nothing', async () => {
    await migrate(server.url(), NODE_ROLE);
    const owner = new SQL(server.url(), { max: 1 });
    const failing = [
      ...MIGRATIONS,
      { version: NEWEST + 1, sql: 'DROP TABLE agio.journal' },
      { version: NEWEST + 2, sql: 'DROP TABLE agio.no_table' },
    ];
    await expect(applyMigrations(owner, NODE_ROLE, failing)).rejects.toThrow('no_table');
    await owner.close();
    expect((await store.head()).seq).toBe(0);
    const versions = await server.query('SELECT version FROM agio.schema_version');
    expect(versions).toEqual(MIGRATIONS.map(({ version }) => ({ version })));
  });

  test('a migration needs the owner, and an existing role', async () => {
    await storeRejection('rejected', migrate(server.url(NODE_ROLE), NODE_ROLE));
    const error = await storeRejection('rejected', migrate(server.url(), 'nobody"; DROP'));
    expect(error.message).toContain('CREATE ROLE');
    expect(await server.query("SELECT FROM pg_namespace WHERE nspname = 'agio'")).toEqual([]);
  });

  test('the printed role for reports reads the journal, and changes nothing', async () => {
    await migrate(server.url(), NODE_ROLE);
    const document = readFileSync(`${import.meta.dir}/../../../docs/cluster.md`, 'utf8');
    const [, printed] = document.match(/```sql reports\n([\s\S]*?)```/)!;
    for (const statement of printed!.split(';').filter((text) => text.trim() !== '')) {
      await server.query(statement);
    }
    for (const table of ['journal', 'lease', 'member', 'schema_version']) {
      expect(await rejectionOf(`SELECT FROM agio.${table}`, 'agio_reports')).toBe('done');
      // A reader may turn off the read-only mode of the role, and still has no privilege.
      const write = `SET default_transaction_read_only = off; COMMIT; DELETE FROM agio.${table}`;
      expect(await rejectionOf(write, 'agio_reports')).toBe('42501');
    }
    expect(await rejectionOf('SELECT FROM agio.identity', 'agio_reports')).toBe('42501');
    await server.query('DROP OWNED BY agio_reports');
    await server.query('DROP ROLE agio_reports');
  });

  test('one role may own the schema and use it', async () => {
    await migrate(server.url(), 'postgres');
    await migrate(server.url(), 'postgres');
    await server.query(`GRANT USAGE ON SCHEMA agio TO ${NODE_ROLE}`);
    await storeRejection('rejected', store.head());
  });

  test.each([
    'UPDATE agio.journal SET epoch = 9',
    'DELETE FROM agio.journal',
    'TRUNCATE agio.journal',
    'DELETE FROM agio.lease',
    "INSERT INTO agio.lease VALUES (9, 'b', '', '', 1, '')",
    'DELETE FROM agio.identity_head',
    'TRUNCATE agio.identity',
    'INSERT INTO agio.schema_version VALUES (9)',
    'DROP TABLE agio.journal',
    'ALTER TABLE agio.journal DISABLE TRIGGER ALL',
    'CREATE TABLE agio.more (id int)',
  ])('a node has no right to %s', async (statement) => {
    await migrate(server.url(), NODE_ROLE);
    // Rights of an earlier time are taken away.
    await server.query(`GRANT ALL ON ALL TABLES IN SCHEMA agio TO ${NODE_ROLE}`);
    await migrate(server.url(), NODE_ROLE);
    expect(await rejectionOf(statement)).toBe('42501');
  });

  test.each([
    ['UPDATE agio.journal SET epoch = 9', 'the journal is append-only'],
    ['DELETE FROM agio.journal', 'the journal is append-only'],
    ['TRUNCATE agio.journal', 'the journal is append-only'],
    ['UPDATE agio.lease SET epoch = 0', 'the epoch of the lease only rises'],
    ['DELETE FROM agio.lease', 'the lease has one row'],
    ["INSERT INTO agio.lease VALUES (9, 'b', '', '', 1, '')", 'lease_has_one_row'],
    ["INSERT INTO agio.identity_head VALUES (9, 9, '')", 'identity_head_has_one_row'],
    ['DELETE FROM agio.identity', 'the audit log is append-only'],
    ["UPDATE agio.identity SET row = '[1]'", 'the audit log is append-only'],
  ])('the owner cannot %s by accident', async (statement, reason) => {
    await migrate(server.url(), NODE_ROLE);
    await acquireAs(store, 'a', 'a:1');
    await appendRecords(store, 1, [10]);
    const added = ['["audit_log",1,"0000"]'];
    await store.writeIdentity(1, 1, { removed: [], added, mac: '' });
    await expect(server.query(statement)).rejects.toThrow(reason);
  });
});
