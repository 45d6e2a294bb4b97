// The rows of identity as PostgreSQL keeps them: one table for all, a row as a JSON array in the
// order of its columns, bytes in it as {"hex": "…"}. JSON escapes what a text of PostgreSQL cannot
// hold, such as a zero byte, so each value comes back as it was.
import type { SQL } from 'bun';
import { assert } from '../../core/assert.ts';
import {
  IDENTITY_TABLES,
  type IdentityChange,
  type IdentityRow,
  type IdentityValue,
} from '../../identity/storage/change.ts';
import type { IdentityAtSeq } from '../store.ts';

type JsonValue = string | number | null | { readonly hex: string };

/** JSON arrays of [table, key, row] to put, and of [table, key] to delete. */
interface EncodedChanges {
  readonly put: string;
  readonly deleted: string;
}

interface StoredRow {
  readonly version: number;
  readonly journal_seq: number;
  readonly table_name: string | null;
  readonly row: string;
}

/** One statement sees one moment of the database. */
export async function readIdentityRows(sql: SQL): Promise<IdentityAtSeq> {
  const rows: StoredRow[] = await sql`
    SELECT head.version::float8, table_name, identity.row::text, coalesce((
      SELECT last_seq FROM agio.journal ORDER BY first_seq DESC LIMIT 1), 0)::float8 AS journal_seq
    FROM agio.identity_head AS head LEFT JOIN agio.identity ON true
    ORDER BY table_name, key`;
  const tables = new Map<string, IdentityRow[]>();
  for (const { table_name: table, row } of rows) {
    if (table === null) continue;
    if (!tables.has(table)) tables.set(table, []);
    tables.get(table)!.push(JSON.parse(row).map(decode));
  }
  const { version, journal_seq: journalSeq } = rows[0]!;
  return { version, journalSeq, tables };
}

/** True if the write was made: the term is the present one, and the version is the next. */
export async function writeIdentityRows(
  sql: SQL,
  epoch: number,
  version: number,
  { put, deleted }: EncodedChanges,
): Promise<boolean> {
  const rows = await sql`
    WITH head AS (
      UPDATE agio.identity_head SET version = ${version}::bigint, epoch = lease.epoch
      FROM (SELECT epoch FROM agio.lease WHERE epoch = ${epoch}::bigint FOR KEY SHARE) AS lease
      WHERE version = ${version}::bigint - 1
      RETURNING 1
    ), removed AS (
      DELETE FROM agio.identity USING json_array_elements(${deleted}::text::json) AS gone
      WHERE table_name = gone ->> 0 AND key = gone ->> 1 AND EXISTS (SELECT FROM head)
    ), stored AS (
      INSERT INTO agio.identity (table_name, key, row)
      SELECT new ->> 0, new ->> 1, (new ->> 2)::json
      FROM json_array_elements(${put}::text::json) AS new
      WHERE EXISTS (SELECT FROM head)
      ON CONFLICT (table_name, key) DO UPDATE SET row = excluded.row
    )
    SELECT FROM head`;
  return rows.length === 1;
}

/** A row that is deleted and put is put: one statement cannot do both. */
export function encodeChanges(changes: readonly IdentityChange[]): EncodedChanges {
  const put = new Map<string, readonly string[]>();
  const deleted = new Map<string, readonly string[]>();
  for (const { table, put: rows, deleted: keys } of changes) {
    const keyColumns = IDENTITY_TABLES[table]!.length;
    for (const key of keys.map(encode)) deleted.set(`${table} ${key}`, [table, key]);
    for (const row of rows) {
      const key = encode(row.slice(0, keyColumns));
      put.set(`${table} ${key}`, [table, key, encode(row)]);
    }
  }
  for (const id of put.keys()) deleted.delete(id);
  return { put: JSON.stringify([...put.values()]), deleted: JSON.stringify([...deleted.values()]) };
}

const encode = (row: IdentityRow): string => JSON.stringify(row.map(jsonValue));

function jsonValue(value: IdentityValue): JsonValue {
  if (value instanceof Uint8Array) return { hex: value.toHex() };
  assert(typeof value !== 'number' || Number.isSafeInteger(value), 'identity has only integers');
  return value;
}

function decode(value: JsonValue): IdentityValue {
  return typeof value === 'object' && value !== null ? Uint8Array.fromHex(value.hex) : value;
}
