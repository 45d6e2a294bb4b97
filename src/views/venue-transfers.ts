// The statement of the venue's own accounts: reserves that were funded, income that was withdrawn.
// Customers' money in and out is in statement.ts.
import type { Database, Statement } from 'bun:sqlite';
import type { VenueTransferred } from '../core/event.ts';
import type { IncomeAccount } from '../core/ledger/account-code.ts';
import type { Amount } from '../core/units.ts';
import { fromSql, prepareInsert, type SqlAmount, type SqlValue, toSql } from './sqlite-values.ts';

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

export const VENUE_TRANSFERS_SCHEMA = `
  CREATE TABLE venueTransfers (
    transferId INTEGER PRIMARY KEY,
    time INTEGER NOT NULL,
    owner INTEGER NOT NULL,
    account INTEGER NOT NULL,
    assetId INTEGER NOT NULL,
    amount ANY NOT NULL,
    reference TEXT NOT NULL
  ) STRICT;
`;

const COLUMNS = [
  'transferId',
  'time',
  'owner',
  'account',
  'assetId',
  'amount',
  'reference',
] as const;

interface Row {
  readonly transferId: number;
  readonly time: number;
  readonly owner: number;
  readonly account: number;
  readonly assetId: number;
  readonly amount: SqlAmount;
  readonly reference: string;
}

export class VenueTransfersView {
  readonly #insert: Statement<unknown, SqlValue[]>;
  readonly #newestFirst: Statement<Row, SqlValue[]>;
  readonly #count: Statement<{ readonly total: number }, SqlValue[]>;
  #buffer: VenueTransferred[] = [];

  constructor(db: Database) {
    this.#insert = prepareInsert(db, 'venueTransfers', COLUMNS);
    this.#newestFirst = db.prepare(
      'SELECT * FROM venueTransfers ORDER BY transferId DESC LIMIT ? OFFSET ?',
    );
    this.#count = db.prepare('SELECT count(*) AS total FROM venueTransfers');
  }

  record(event: VenueTransferred): void {
    this.#buffer.push(event);
  }

  flush(): void {
    for (const event of this.#buffer) {
      const { transferId, transactTime, owner, account, assetId, amount, reference } = event;
      this.#insert.run(transferId, transactTime, owner, account, assetId, toSql(amount), reference);
    }
    this.#buffer = [];
  }

  find({ page, pageSize }: VenueTransfersQuery): VenueTransfersPage {
    const rows = this.#newestFirst.all(pageSize, (page - 1) * pageSize);
    const items = rows.map((row) => ({
      ...row,
      account: row.account as IncomeAccount,
      amount: fromSql(row.amount),
    }));
    return { items, total: this.#count.get()!.total };
  }
}
