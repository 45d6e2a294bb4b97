// A database of identity in memory: made from an image, read as one, compared with one, and brought
// forward by the changes of another node. Nothing here checks a MAC (row-macs.ts).
import { Database, SQLiteError, type SQLQueryBindings } from 'bun:sqlite';
import { AlteredError } from '../result.ts';
import {
  IDENTITY_TABLES,
  type IdentityChange,
  type IdentityImage,
  type IdentityRow,
  keyText,
} from './change.ts';
import { type Migration, migrate, requireKnownVersion } from './schema.ts';

/** The image before the first write. */
export const EMPTY_IMAGE: IdentityImage = { version: 0, tables: new Map() };

/** A database with exactly these rows, in the schema that they were written in. */
export function databaseOf(image: IdentityImage, migrations: readonly Migration[]): Database {
  const database = new Database(':memory:', { strict: true });
  try {
    if (image.version > 0) insertAll(database, image, migrations);
    database.run('PRAGMA foreign_keys = ON');
    // Memory that is free again has no secret in it.
    database.run('PRAGMA secure_delete = ON');
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function insertAll(
  database: Database,
  { tables }: IdentityImage,
  migrations: readonly Migration[],
): void {
  const versions = tables.get('schema_version') ?? [];
  const version = versions.reduce((newest, [found]) => Math.max(newest, Number(found)), 0);
  requireKnownVersion(version, 'The identity of the cluster', migrations);
  if (version === 0) throw new AlteredError('it has no schema version');
  migrate(database, 0, migrations.slice(0, version));
  const changes = [...tables].map(([table, put]) => ({ table, put, deleted: [] }));
  database
    .transaction(() => {
      database.run('DELETE FROM schema_version');
      applyChanges(database, changes);
    })
    .immediate();
}

/** All rows, those of each table in the order of its key. */
export function imageOf(database: Database, version: number): IdentityImage {
  const tables = new Map(
    Object.entries(IDENTITY_TABLES).map(([table, key]): [string, IdentityRow[]] => {
      const columns = columnsOf(database, table).join(', ');
      const all = database.query(`SELECT ${columns} FROM ${table} ORDER BY ${key.join(', ')}`);
      return [table, all.values() as unknown as IdentityRow[]];
    }),
  );
  return { version, tables };
}

/** The changes that make the one image the other. */
export function differenceOf(before: IdentityImage, after: IdentityImage): IdentityChange[] {
  return Object.keys(IDENTITY_TABLES).flatMap((table) => {
    const keyed = (image: IdentityImage) =>
      new Map((image.tables.get(table) ?? []).map((row) => [keyText(table, row), row]));
    const [old, now] = [keyed(before), keyed(after)];
    const put = [...now].flatMap(([key, row]) => (Bun.deepEquals(old.get(key), row) ? [] : [row]));
    const keyLength = IDENTITY_TABLES[table]!.length;
    const deleted = [...old].flatMap(([key, row]) =>
      now.has(key) ? [] : [row.slice(0, keyLength)],
    );
    return put.length + deleted.length === 0 ? [] : [{ table, put, deleted }];
  });
}

/** Makes the changes, in the present transaction. */
export function applyChanges(database: Database, changes: readonly IdentityChange[]): void {
  // A row that others reference is deleted and inserted again.
  database.run('PRAGMA defer_foreign_keys = ON');
  for (const change of changes) {
    try {
      applyChange(database, change);
    } catch (error) {
      if (!(error instanceof SQLiteError)) throw error;
      throw new AlteredError(`a row of ${change.table} is not possible (${error.message})`);
    }
  }
}

function applyChange(database: Database, { table, put, deleted }: IdentityChange): void {
  const key = IDENTITY_TABLES[table];
  if (key === undefined) throw new AlteredError(`${table} is not a table of agio`);
  const columns = columnsOf(database, table);
  const where = key.map((name) => `${name} = ?`).join(' AND ');
  const remove = database.query<null, SQLQueryBindings[]>(`DELETE FROM ${table} WHERE ${where}`);
  const insert = database.query<null, SQLQueryBindings[]>(
    `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
  );
  for (const row of deleted) remove.run(...bindings(row));
  for (const row of put) {
    if (row.length !== columns.length) {
      throw new AlteredError(`a row of ${table} has ${row.length} columns, not ${columns.length}`);
    }
    remove.run(...bindings(row.slice(0, key.length)));
    insert.run(...bindings(row));
  }
}

/** The columns that a row has; a generated one is not stored. */
const columnsOf = (database: Database, table: string): string[] =>
  database
    .query<{ name: string }, []>(`PRAGMA table_info(${table})`)
    .all()
    .map(({ name }) => name);

const bindings = (row: IdentityRow): SQLQueryBindings[] => row as SQLQueryBindings[];
