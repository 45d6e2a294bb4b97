// An order that is not in the book: on its way in, or out of it while it is amended.
import type { Instrument } from '../instrument.ts';
import type { Incoming, Match, Settlement } from '../matching/incoming.ts';
import type { OrderBook } from '../matching/order-book.ts';
import type { NewOrder } from '../matching/order-store.ts';
import type { OrderTerms } from '../order-terms.ts';
import type { Amount, Lots } from '../units.ts';

export interface EnteringTerms extends OrderTerms {
  readonly uid: number;
}

export interface EnteringOrder extends NewOrder {
  readonly terms: EnteringTerms;
  cumQty: Lots;
  cumQuote: Amount;
  /** The order's slot if it is stored already; else NONE. */
  readonly slot: number;
}

/** A settlement that serves one order after another. */
export interface OrderSettlement extends Settlement {
  /** Turns to another order. */
  begin(instrument: Instrument, taker: EnteringOrder): void;
}

/** A match that serves one order after another. */
export interface OrderMatch extends Match {
  book: OrderBook;
  incoming: Incoming;
  readonly settlement: OrderSettlement;
}
