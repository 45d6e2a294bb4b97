// Compares two files of views row by row: those of a node with those rebuilt from its journal. Both
// are read in order of the tables' keys, so files of any size need little memory.
import { Database } from 'bun:sqlite';
import { existsSync } from 'node:fs';
import { diskTroubleOf } from './disk-trouble.ts';
import { mayLag } from './orders.ts';
import { openOrdersSeqOf, PACKED_TABLES, requireKnownSchema, VIEW_TABLES } from './view-store.ts';

type Cell = number | string | Uint8Array | null;
type Row = Readonly<Record<string, Cell>>;

interface ViewDifference {
  readonly table: string;
  /** The key columns and their values. */
  readonly key: Readonly<Record<string, Cell>>;
  /** The row in the file, or null. */
  readonly stored: Row | null;
  /** The expected row, or null. */
  readonly expected: Row | null;
}

export interface ViewsComparison {
  /** Rows that were compared. */
  readonly rows: number;
  /** The first differences of each table, in order of key. */
  readonly differences: readonly ViewDifference[];
}

/** The maximum of reported differences of a table; one fault usually affects very many rows. */
const DIFFERENCES_PER_TABLE = 10;

/** A file of views for reading, as of its opening, while a follower may write to it. */
export class StoredViews {
  readonly #db: Database;
  readonly appliedSeq: number;
  /** True if rows of open orders may be missing or older. */
  readonly openOrdersLag: boolean;

  /**
   * Throws SQLite's error when the file is missing or damaged, and ViewsUnusable when it has
   * another schema.
   */
  constructor(path: string) {
    const [db, appliedSeq] = openedForReading(path);
    this.#db = db;
    this.appliedSeq = appliedSeq;
    this.openOrdersLag = openOrdersSeqOf(db) < appliedSeq;
  }

  /** All rows of a table in order of its key. */
  rows(table: string): IterableIterator<Row> {
    const packed = PACKED_TABLES.get(table);
    if (packed !== undefined) return packed.rows(this.#db);
    const key = VIEW_TABLES[table].join(', ');
    return this.#db.query<Row, []>(`SELECT * FROM ${table} ORDER BY ${key}`).iterate();
  }

  [Symbol.dispose](): void {
    this.#db.close();
  }
}

/** The last command that the views show; 0 for none, or for damaged ones, which prove nothing. */
export function appliedSeqOf(path: string): number {
  if (!existsSync(path)) return 0;
  try {
    using views = new StoredViews(path);
    return views.appliedSeq;
  } catch {
    return 0;
  }
}

function openedForReading(path: string): [Database, number] {
  try {
    return begun(new Database(path, { readonly: true }), 'NORMAL');
  } catch (error) {
    const trouble = diskTroubleOf(error);
    if (trouble === null || trouble === 'damaged') throw error;
    // Exclusive access needs no second file, for a full disk; ViewStore does the same.
    return begun(new Database(path, { readwrite: true }), 'EXCLUSIVE');
  }
}

/** Begins a transaction, which sees one moment of the file. */
function begun(db: Database, lockingMode: string): [Database, number] {
  try {
    requireKnownSchema(db);
    db.run(`PRAGMA locking_mode = ${lockingMode}`);
    // A writer that closes the file locks it for a moment.
    db.run('PRAGMA busy_timeout = 5000');
    db.run('BEGIN');
    const meta = db.query<{ appliedSeq: number }, []>('SELECT appliedSeq FROM meta').get();
    return [db, meta?.appliedSeq ?? 0];
  } catch (error) {
    db.close();
    throw error;
  }
}

export function compareViews(stored: StoredViews, expected: StoredViews): ViewsComparison {
  let rows = 0;
  const differences: ViewDifference[] = [];
  for (const table of Object.keys(VIEW_TABLES)) {
    let found = 0;
    for (const pair of pairs(table, stored.rows(table), expected.rows(table))) {
      rows++;
      if (sameRow(pair.stored, pair.expected) || (stored.openOrdersLag && mayLag(table, pair)))
        continue;
      differences.push({ table, key: keyOf(table, (pair.stored ?? pair.expected)!), ...pair });
      found++;
      if (found === DIFFERENCES_PER_TABLE) break;
    }
  }
  return { rows, differences };
}

type Pair = Pick<ViewDifference, 'stored' | 'expected'>;

/** Rows of the same key together, and rows without a counterpart alone, in order of key. */
function* pairs(
  table: string,
  storedRows: Iterator<Row>,
  expectedRows: Iterator<Row>,
): Generator<Pair> {
  const next = (rows: Iterator<Row>): Row | null => {
    const step = rows.next();
    return step.done === true ? null : step.value;
  };
  let stored = next(storedRows);
  let expected = next(expectedRows);
  while (stored !== null || expected !== null) {
    const order = compareKeys(table, stored, expected);
    yield { stored: order <= 0 ? stored : null, expected: order >= 0 ? expected : null };
    if (order <= 0) stored = next(storedRows);
    if (order >= 0) expected = next(expectedRows);
  }
}

/**
 * Below 0 when `a` comes first; the end of a table comes after every row. Key columns are integers
 * and ASCII texts.
 */
function compareKeys(table: string, a: Row | null, b: Row | null): number {
  if (a === null || b === null) return a === null ? 1 : -1;
  for (const column of VIEW_TABLES[table]) {
    const [left, right] = [a[column] as number, b[column] as number];
    if (left !== right) return left < right ? -1 : 1;
  }
  return 0;
}

function sameRow(a: Row | null, b: Row | null): boolean {
  if (a === null || b === null) return false;
  const columns = Object.keys(a);
  return (
    columns.length === Object.keys(b).length && columns.every((name) => sameCell(a[name], b[name]))
  );
}

const sameCell = (a: Cell, b: Cell): boolean =>
  a instanceof Uint8Array && b instanceof Uint8Array ? Buffer.compare(a, b) === 0 : a === b;

const keyOf = (table: string, row: Row): Record<string, Cell> =>
  Object.fromEntries(VIEW_TABLES[table].map((column) => [column, row[column]]));
