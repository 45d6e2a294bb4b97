// The statement of the venue's own accounts: reserves that were funded, income that was withdrawn.
// Customers' money in and out is in statement.ts.
import type { Database, Statement } from 'bun:sqlite';
import { VENUE_TRANSFERRED, type VenueTransferred } from '../core/event.ts';
import { type Insert, type Reader, type RecordOf, Table } from './table.ts';

/** One page, newest first. */
export interface VenueTransfersQuery {
  readonly type: 'venueTransfers';
  readonly page: number;
  readonly pageSize: number;
}

export const VENUE_TRANSFERS = new Table('venueTransfers', VENUE_TRANSFERRED.fields, {
  rowId: 'transferId',
});
export type VenueTransfer = RecordOf<typeof VENUE_TRANSFERS>;

export interface VenueTransfersPage {
  readonly items: VenueTransfer[];
  readonly total: number;
}

export class VenueTransfersView {
  readonly #insert: Insert<VenueTransferred>;
  readonly #newestFirst: Reader<VenueTransfer>;
  readonly #count: Statement<{ readonly total: number }, []>;
  #buffer: VenueTransferred[] = [];

  constructor(db: Database) {
    this.#insert = VENUE_TRANSFERS.prepareInsert(db);
    this.#newestFirst = VENUE_TRANSFERS.all.prepare(
      db,
      'ORDER BY transferId DESC LIMIT ? OFFSET ?',
    );
    this.#count = db.prepare('SELECT count(*) AS total FROM venueTransfers');
  }

  record(event: VenueTransferred): void {
    this.#buffer.push(event);
  }

  flush(): void {
    for (const event of this.#buffer) this.#insert(event);
    this.#buffer = [];
  }

  find({ page, pageSize }: VenueTransfersQuery): VenueTransfersPage {
    const items = this.#newestFirst.all(pageSize, (page - 1) * pageSize);
    return { items, total: this.#count.get()!.total };
  }
}
