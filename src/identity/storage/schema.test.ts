// Migrations go forward, once each, whole or not at all.
import { Database } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { storeOver } from '../../../test/support/identity-store.ts';
import { AuditLog } from '../audit.ts';
import { MIGRATIONS, migrate, schemaVersion } from './schema.ts';

const open = () => new Database(':memory:', { strict: true });

test('a new file gets every migration, an existing one those it lacks', () => {
  const database = open();
  const first = { version: 1, sql: 'CREATE TABLE a (x INTEGER)' };
  const second = { version: 2, sql: 'CREATE TABLE b (x INTEGER); INSERT INTO a VALUES (1)' };
  expect(migrate(database, 0, [first])).toBe(1);
  expect(migrate(database, 0, [first, second])).toBe(2);
  expect(migrate(database, 0, [first, second])).toBe(2);
  expect(database.query('SELECT count(*) AS n FROM a').get()).toEqual({ n: 1 });
});

test('a migration that fails leaves nothing behind', () => {
  const database = open();
  const bad = { version: 1, sql: 'CREATE TABLE a (x INTEGER); CREATE TABLE a (x INTEGER)' };
  expect(() => migrate(database, 0, [bad])).toThrow('already exists');
  expect(schemaVersion(database)).toBe(0);
  expect(() => database.query('SELECT * FROM a').get()).toThrow('no such table');
});

test('a file of a newer agio is refused', () => {
  const database = open();
  migrate(database, 0, [{ version: 9, sql: 'SELECT 1' }]);
  expect(() => migrate(database, 0)).toThrow('has schema 9');
});

test('the real schema applies', () => {
  const database = open();
  expect(migrate(database, 0)).toBe(schemaVersion(database));
});

test('entries from before version 3 are found by their user', async () => {
  const facts = { ip: null, result: 'ok', requestId: null } as const;
  const today = open();
  const written = new AuditLog(storeOver(today), () => 1);
  written.append({ ...facts, actor: 'uid:7', action: 'session.login', object: 'uid:7' });
  written.append({ ...facts, actor: 'operator', action: 'key.create', object: 'uid:7/key:abc' });
  written.append({ ...facts, actor: 'operator', action: 'user.read', object: 'uid:7' });
  const database = open();
  migrate(database, 0, MIGRATIONS.slice(0, 2));
  const insert = database.query('INSERT INTO audit_log VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
  const columns = 'id, time, actor, ip, action, object, result, request_id, details, hash';
  for (const row of today.query(`SELECT ${columns} FROM audit_log`).values()) {
    insert.run(...(row as string[]));
  }
  const log = new AuditLog(storeOver(database), () => 1);
  const { items, total } = log.listOf(7, { page: 1, pageSize: 10 });
  expect(total).toBe(2);
  expect(items.map(({ action }) => action)).toEqual(['key.create', 'session.login']);
  expect((await log.verifyChain(written.head())).ok).toBe(true);
});
