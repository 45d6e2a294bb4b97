// The statement of the venue's own accounts: reserves that were funded, income that was withdrawn.
// Customers' money in and out is in statement.ts.
import type { Database, Statement } from 'bun:sqlite';
import type { VenueTransferred } from '../core/event.ts';
import type { IncomeAccount } from '../core/ledger/account-code.ts';
import type { Amount } from '../core/units.ts';
import {
  type InsertInto,
  integer,
  money,
  type Row,
  rowId,
  type SqlValue,
  Table,
  text,
} from './table.ts';

/** One page, newest first. */
export interface VenueTransfersQuery {
  readonly type: 'venueTransfers';
  readonly page: number;
  readonly pageSize: number;
}

export interface VenueTransfer {
  readonly transferId: number;
  /** Business time, ms. */
  readonly time: number;
  /** As earn/accounts.ts numbers them; 0: the venue itself. */
  readonly owner: number;
  readonly account: IncomeAccount;
  readonly assetId: number;
  /** Positive: came in. Negative: left. */
  readonly amount: Amount;
  readonly reference: string;
}

export interface VenueTransfersPage {
  readonly items: VenueTransfer[];
  readonly total: number;
}

export const VENUE_TRANSFERS = new Table('venueTransfers', {
  transferId: rowId(),
  time: integer(),
  owner: integer(),
  account: integer<IncomeAccount>(),
  assetId: integer(),
  amount: money(),
  reference: text(),
});
const TRANSFER = VENUE_TRANSFERS.all;

export class VenueTransfersView {
  readonly #insert: InsertInto<typeof VENUE_TRANSFERS>;
  readonly #newestFirst: Statement<Row, SqlValue[]>;
  readonly #count: Statement<{ readonly total: number }, SqlValue[]>;
  #buffer: VenueTransferred[] = [];

  constructor(db: Database) {
    this.#insert = VENUE_TRANSFERS.prepareInsert(db);
    this.#newestFirst = db.prepare(
      `SELECT ${TRANSFER.columns} FROM venueTransfers ORDER BY transferId DESC LIMIT ? OFFSET ?`,
    );
    this.#count = db.prepare('SELECT count(*) AS total FROM venueTransfers');
  }

  record(event: VenueTransferred): void {
    this.#buffer.push(event);
  }

  flush(): void {
    for (const event of this.#buffer) {
      this.#insert({ ...event, time: event.transactTime });
    }
    this.#buffer = [];
  }

  find({ page, pageSize }: VenueTransfersQuery): VenueTransfersPage {
    const rows = this.#newestFirst.all(pageSize, (page - 1) * pageSize);
    const items = rows.map((row) => TRANSFER.read(row));
    return { items, total: this.#count.get()!.total };
  }
}
