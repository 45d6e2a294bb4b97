// A row of identity as one text, which SQLite makes and reads: the JSON array of its table and its
// columns. Texts and bytes are in hex, because a text may have zero bytes and what is no UTF-8. The
// MAC covers this text, PostgreSQL stores it, and the link sends it.
import { type Database, SQLiteError } from 'bun:sqlite';
import { AlteredError } from '../result.ts';
import type { IdentityRow } from './change.ts';

/** A table of identity, in SQL. */
interface TableForm {
  /** The text of a row with this alias. */
  readonly text: (row: string) => string;
  /** Every row as `row`, in the order of the key. */
  readonly all: string;
  /** Insert the row with the text ?1, and delete the one with its key. */
  readonly insert: string;
  readonly remove: string;
}

interface Column {
  readonly name: string;
  readonly type: string;
  /** The place in the primary key, from 1; 0 outside of it. */
  readonly pk: number;
}

/** The tables whose rows have a text. */
export type TableForms = ReadonlyMap<string, TableForm>;

/** `mac` has the MAC of all others. */
export function formsOf(database: Database): TableForms {
  const tables = database
    .query<{ name: string }, []>(
      "SELECT name FROM main.sqlite_schema WHERE type = 'table' AND name <> 'mac'",
    )
    .all();
  return new Map(tables.map(({ name }) => [name, formOf(database, name)]));
}

function formOf(database: Database, table: string): TableForm {
  const columns = database.query<Column, []>(`PRAGMA table_info(${table})`).all();
  const text = (row: string) =>
    `json_array('${table}', ${columns.map((column) => jsonOf(row, column)).join(', ')})`;
  // The table comes first.
  const values = columns.map(({ type }, at) => columnOf(type, `?1 ->> ${at + 1}`));
  const keys = columns.filter(({ pk }) => pk > 0).map(({ name }) => name);
  const isSame = columns.flatMap(({ name, pk }, at) => (pk > 0 ? [`${name} = ${values[at]}`] : []));
  const names = columns.map(({ name }) => name).join(', ');
  return {
    text,
    all: `SELECT ${text('"of"')} AS "row" FROM ${table} AS "of" ORDER BY ${keys.join(', ')}`,
    insert: `INSERT INTO ${table} (${names}) VALUES (${values.join(', ')})`,
    remove: `DELETE FROM ${table} WHERE ${isSame.join(' AND ')}`,
  };
}

/** Types are those of the STRICT columns, so the texts of two different rows differ. */
function jsonOf(row: string, { name, type }: Column): string {
  const column = `${row}.${name}`;
  return type === 'INTEGER' ? column : `iif(${column} IS NULL, NULL, hex(${column}))`;
}

function columnOf(type: string, json: string): string {
  if (type === 'INTEGER') return json;
  return type === 'BLOB' ? `unhex(${json})` : `CAST(unhex(${json}) AS TEXT)`;
}

/** Inserts a row, or deletes the one with its key. Throws AlteredError for what is no row. */
export function changeRow(
  database: Database,
  forms: TableForms,
  verb: 'insert' | 'remove',
  row: IdentityRow,
): void {
  const table = /^\["(\w+)",/.exec(row)?.[1] ?? '';
  const form = forms.get(table);
  if (form === undefined) throw new AlteredError(`"${table}" is not a table of agio`);
  try {
    database.query<null, [IdentityRow]>(form[verb]).run(row);
  } catch (error) {
    if (!(error instanceof SQLiteError)) throw error;
    throw new AlteredError(`a row of ${table} is not possible (${error.message})`);
  }
}
