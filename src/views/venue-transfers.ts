// The statement of the venue's own accounts: reserves that were funded, income that was withdrawn.
// Customers' money in and out is in statement.ts.
import type { Database } from 'bun:sqlite';
import { VENUE_TRANSFERRED, type VenueTransferred } from '../core/event.ts';
import { NewRows, type PageOf, Pages, type RecordOf, Table } from './table.ts';

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

export class VenueTransfersView extends NewRows<VenueTransferred> {
  readonly #pages: Pages<VenueTransfer>;

  constructor(db: Database) {
    super(VENUE_TRANSFERS.prepareInsert(db));
    this.#pages = new Pages(db, VENUE_TRANSFERS);
  }

  find({ page, pageSize }: VenueTransfersQuery): PageOf<VenueTransfer> {
    return this.#pages.read({ page, size: pageSize });
  }
}
