// Identity as rows: all of them, and the change of one write. A cluster stores and sends these.

/** A row as JSON of its table and columns (row-text.ts). Two rows never have the same text. */
export type IdentityRow = string;

/** The change of one write of identity, or of several. A row that was updated is in both lists. */
export interface IdentityChange {
  readonly removed: readonly IdentityRow[];
  readonly added: readonly IdentityRow[];
  /** The MAC of all rows after the write (authentic-rows.ts). */
  readonly mac: string;
}

/** Identity after the write with this number; 0 before the first. */
export interface IdentityHead {
  readonly version: number;
  readonly mac: string;
}

/** All its rows in memory: those of a venue that moves, or of a test. */
export interface IdentityImage extends IdentityHead {
  readonly rows: readonly IdentityRow[];
}

/** Takes all rows in portions: the audit log grows without end, and no process has it in memory. */
export interface RowTarget {
  take(rows: readonly IdentityRow[]): void;
  /** Drops what it has. */
  close(): void;
}

/** The rows of one table. */
export const rowsOf = (table: string, rows: readonly IdentityRow[]): IdentityRow[] =>
  rows.filter((row) => row.startsWith(`["${table}",`));

/** The ids of the rows of one table, whose first column has them. */
export const idsOf = (table: string, rows: readonly IdentityRow[]): number[] =>
  rowsOf(table, rows).map((row) => (JSON.parse(row) as [string, number])[1]);

/** Several changes as one, whatever their order within a write. */
export class MergedChange {
  /** How often each row was added, less how often it was removed. */
  readonly #net = new Map<IdentityRow, number>();
  #mac = '';

  add({ removed, added, mac }: IdentityChange): void {
    for (const row of removed) this.#count(row, -1);
    for (const row of added) this.#count(row, 1);
    this.#mac = mac;
  }

  get change(): IdentityChange {
    const rows = (count: number) =>
      [...this.#net].flatMap(([row, net]) => (net === count ? [row] : []));
    return { removed: rows(-1), added: rows(1), mac: this.#mac };
  }

  #count(row: IdentityRow, by: number): void {
    this.#net.set(row, (this.#net.get(row) ?? 0) + by);
  }
}
