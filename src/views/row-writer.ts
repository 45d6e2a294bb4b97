// Writes buffered rows of one table, several a statement: the cost of calling SQLite is shared by the rows.
// Rows wait as one flat list of values, in order, until the transaction in which they are flushed.
import type { Database, Statement } from 'bun:sqlite';
import type { SqlValue } from './sql-amount.ts';

/** Past eight rows a statement the gain is within the noise, and the binding list only grows. */
const ROWS_PER_STATEMENT = 8;

export class RowWriter {
  readonly #width: number;
  readonly #one: Statement<unknown, SqlValue[]>;
  readonly #many: Statement<unknown, SqlValue[]>;
  #values: SqlValue[] = [];

  /** `conflict` is the statement's ON CONFLICT clause, if it has one. */
  constructor(db: Database, table: string, columns: readonly string[], conflict = '') {
    this.#width = columns.length;
    const row = `(${columns.map(() => '?').join(', ')})`;
    const insert = (rows: number): Statement<unknown, SqlValue[]> =>
      db.prepare(
        `INSERT INTO ${table} (${columns.join(', ')})
         VALUES ${Array(rows).fill(row).join(', ')} ${conflict}`,
      );
    this.#one = insert(1);
    this.#many = insert(ROWS_PER_STATEMENT);
  }

  /** Buffers one row: its values in the order of the columns. */
  add(...row: SqlValue[]): void {
    for (const value of row) this.#values.push(value);
  }

  /** Writes what is buffered, in order. */
  flush(): void {
    const values = this.#values;
    if (values.length === 0) return;
    this.#values = [];
    const chunk = this.#width * ROWS_PER_STATEMENT;
    let at = 0;
    for (; at + chunk <= values.length; at += chunk) {
      this.#many.run(...values.slice(at, at + chunk));
    }
    for (; at < values.length; at += this.#width) {
      this.#one.run(...values.slice(at, at + this.#width));
    }
  }
}
