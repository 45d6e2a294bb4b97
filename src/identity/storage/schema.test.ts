// Migrations go forward, once each, whole or not at all.
import { Database } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { migrate, schemaVersion } from './schema.ts';

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

test('a file of a newer agio is rejected', () => {
  const database = open();
  migrate(database, 0, [{ version: 9, sql: 'SELECT 1' }]);
  expect(() => migrate(database, 0)).toThrow('has schema 9');
});

test('the real schema applies', () => {
  const database = open();
  expect(migrate(database, 0)).toBe(schemaVersion(database));
});
