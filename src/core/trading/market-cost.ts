// The cost of a market order from the book as it stands. A buy by quantity and a sell by total
// are accepted if the balance covers what they match, hidden parts included. The cost that a
// rejection names counts what the book shows, so that it does not tell what is hidden.
import type { PlaceOrder } from '../command.ts';
import { opposite, Side } from '../fix.ts';
import type { Instrument } from '../instrument.ts';
import { ANY_PRICE } from '../matching/incoming.ts';
import { crosses } from '../matching/order-book.ts';
import {
  type Amount,
  add,
  amount,
  divideDown,
  multiply,
  subtract,
  type Ticks,
  ZERO,
} from '../units.ts';
import { LOOK, type Work } from '../work.ts';
import { priceBand } from './price-band.ts';

/** Price levels of the cost that a rejection names; a cost from more of them is not computed. */
const MAX_NAMED_LEVELS = 1_000;

type MarketTerms = Pick<PlaceOrder, 'side' | 'orderQty' | 'quoteOrderQty'>;

/** One way through the book: what the order takes of each level, and what it costs so far. */
class Way {
  cost = ZERO;
  readonly #instrument: Instrument;
  readonly #isBuy: boolean;
  /** Lots of a buy, quote units of a sell. */
  #wanted: Amount;
  isDone = false;

  constructor(instrument: Instrument, { side, orderQty, quoteOrderQty }: MarketTerms) {
    this.#instrument = instrument;
    this.#isBuy = side === Side.buy;
    this.#wanted = this.#isBuy ? amount(orderQty) : quoteOrderQty;
  }

  take(price: Ticks, there: Amount): void {
    if (this.isDone) return;
    const { perTickLot, baseUnitsPerLot } = this.#instrument;
    const perLot = multiply(price, perTickLot);
    const most = this.#isBuy ? this.#wanted : divideDown(this.#wanted, perLot);
    const taken = there < most ? there : most;
    const quote = multiply(taken, perLot);
    this.cost = add(this.cost, this.#isBuy ? quote : multiply(taken, baseUnitsPerLot));
    this.#wanted = subtract(this.#wanted, this.#isBuy ? taken : quote);
    this.isDone = there > most || this.#wanted === 0;
  }
}

/**
 * Null if `available` covers the order; else its cost by what the book shows, or null in place of
 * one that would take too long to compute. An order that goes through too many price levels is
 * covered: it ends where the money ends.
 */
export function uncoveredCost(
  instrument: Instrument,
  terms: MarketTerms,
  available: Amount,
  work: Work,
): { readonly cost: Amount | null } | null {
  const { book } = instrument;
  const { side } = terms;
  const band = priceBand(instrument);
  const limit = band === null ? ANY_PRICE : side === Side.buy ? band.high : band.low;
  const all = new Way(instrument, terms);
  const shown = new Way(instrument, terms);
  let levels = 0;
  book.ladder(opposite(side)).fromBest((level, price) => {
    if (limit !== ANY_PRICE && !crosses(side, limit, price)) return false;
    if (++levels * LOOK > work.looksOfACheck) return false;
    if (all.cost <= available) all.take(price, book.levelTotal(level));
    shown.take(price, book.levelQuantity(level));
    if (all.cost <= available) return !all.isDone;
    return !shown.isDone && levels < MAX_NAMED_LEVELS;
  });
  work.left -= LOOK * levels;
  if (all.cost <= available) return null;
  return { cost: shown.isDone || levels < MAX_NAMED_LEVELS ? shown.cost : null };
}
