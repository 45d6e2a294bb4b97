// Values on their way into SQLite and back. Amounts are INTEGER where the Amount is a number, TEXT
// where it is a bigint. Columns of Amounts are declared ANY in STRICT tables, so that SQLite stores
// exactly what it is given and never turns a long integer into a float.
import type { Database, Statement } from 'bun:sqlite';
import { type Amount, amount } from '../core/units.ts';

/** An Amount as it is stored. */
export type SqlAmount = number | string;
/** What agio binds to a statement. */
export type SqlValue = number | string | null;

export function toSql(money: Amount): SqlAmount {
  // Adding 0 turns −0, which would be bound as a float, into 0.
  return typeof money === 'number' ? money + 0 : money.toString();
}

export function fromSql(stored: SqlAmount): Amount {
  return amount(typeof stored === 'number' ? stored : BigInt(stored));
}

/**
 * A statement that inserts one row, its values in the order of the columns; `conflict` is an ON
 * CONFLICT clause.
 */
export function prepareInsert(
  db: Database,
  table: string,
  columns: readonly string[],
  conflict = '',
): Statement<unknown, SqlValue[]> {
  const places = columns.map(() => '?').join(', ');
  return db.prepare(`INSERT INTO ${table} (${columns.join(', ')}) VALUES (${places}) ${conflict}`);
}
