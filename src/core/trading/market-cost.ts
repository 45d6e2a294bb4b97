// The cost of a market order from the book as it stands, by the rules of the match. A buy by
// quantity and a sell by total are accepted if the balance covers what they match, hidden parts
// included. A rejection names the cost by what the book shows, so that it does not tell what is
// hidden.
import type { PlaceOrder } from '../command.ts';
import { opposite, SelfTradePrevention, Side } from '../fix.ts';
import type { Instrument } from '../instrument.ts';
import { ANY_PRICE, cancelsTaker, type Match, preventionAgainst } from '../matching/incoming.ts';
import { crosses } from '../matching/order-book.ts';
import { NONE } from '../matching/order-store.ts';
import type { State } from '../state.ts';
import {
  type Amount,
  add,
  amount,
  divideDown,
  multiply,
  subtract,
  type Ticks,
  ticks,
  ZERO,
} from '../units.ts';
import { LOOK, type Work } from '../work.ts';
import { matchAhead } from './enter.ts';
import { priceBand } from './price-band.ts';

/** Price levels of the cost that a rejection names; a cost from more of them is not computed. */
const MAX_NAMED_LEVELS = 1_000;

type MarketTerms = Pick<PlaceOrder, 'uid' | 'side' | 'orderQty' | 'quoteOrderQty' | 'extras'>;

/** One way through the book: what the order takes of each level, and what it costs so far. */
class Way {
  cost = ZERO;
  readonly #instrument: Instrument;
  readonly #isBuy: boolean;
  readonly #available: Amount;
  /** The part that `available` pays for: lots of a buy, quote units of a sell. */
  affordable = ZERO;
  /** Lots of a buy, quote units of a sell. */
  #wanted: Amount;
  isDone = false;

  constructor(
    instrument: Instrument,
    { side, orderQty, quoteOrderQty }: MarketTerms,
    available: Amount,
  ) {
    this.#instrument = instrument;
    this.#available = available;
    this.#isBuy = side === Side.buy;
    this.#wanted = this.#isBuy ? amount(orderQty) : quoteOrderQty;
  }

  /** The lots that it takes at this price at most. */
  maxAt(price: Ticks): Amount {
    if (this.#isBuy) return this.#wanted;
    return divideDown(this.#wanted, multiply(price, this.#instrument.perTickLot));
  }

  /** `there`: lots; null: as many as it wants. */
  take(price: Ticks, there: Amount | null): void {
    if (this.isDone) return;
    const { perTickLot, baseUnitsPerLot } = this.#instrument;
    const most = this.maxAt(price);
    const taken = there !== null && there < most ? there : most;
    const perLot = multiply(price, perTickLot);
    const quote = multiply(taken, perLot);
    this.#afford(taken, perLot);
    this.cost = add(this.cost, this.#isBuy ? quote : multiply(taken, baseUnitsPerLot));
    this.#wanted = subtract(this.#wanted, this.#isBuy ? taken : quote);
    this.isDone = there === null || there > most || this.#wanted === 0;
  }

  #afford(taken: Amount, perLot: Amount): void {
    if (this.cost > this.#available) return;
    const left = subtract(this.#available, this.cost);
    const most = divideDown(left, this.#isBuy ? perLot : this.#instrument.baseUnitsPerLot);
    const paid = most < taken ? most : taken;
    this.affordable = add(this.affordable, this.#isBuy ? paid : multiply(paid, perLot));
    // A sell ends at this level, so it may want nearly one lot more.
    if (!this.#isBuy && most < taken)
      this.affordable = add(this.affordable, subtract(perLot, amount(1)));
  }
}

/** The lots of a price level that an order may trade with. */
interface LevelQuantity {
  readonly shown: Amount;
  readonly all: Amount;
  /** The order ends here, at one that cancels it, or because it has looked at enough. */
  readonly isEnd: boolean;
}

/** As far as the order takes more than `most`, and `work` goes to `enough`. */
function quantityAt(
  it: Match,
  level: number,
  most: Amount,
  work: Work,
  enough: number,
): LevelQuantity {
  const { book, orders } = it;
  let shown = ZERO;
  let hidden = book.levelHidden(level)?.total ?? ZERO;
  for (let slot = book.levelFirst(level); slot !== NONE; slot = orders.next(slot)) {
    if (shown > most) return { shown, all: shown, isEnd: false };
    const rule = preventionAgainst(it, slot);
    // Its own order is in the first round, so nothing hidden trades before it.
    if (cancelsTaker(rule) || work.left < enough) return { shown, all: shown, isEnd: true };
    work.left -= LOOK;
    const part = orders.shownQty(slot);
    if (rule === SelfTradePrevention.none) shown = add(shown, amount(part));
    else hidden = subtract(hidden, amount(orders.leavesQty(slot) - part));
  }
  return { shown, all: add(shown, hidden), isEnd: false };
}

/** True if the order may meet one that self-trade prevention keeps it from. */
function mayMeetOwn({ incoming, orders }: Match): boolean {
  const { prevention, enterpriseId, uid } = incoming;
  if (prevention === SelfTradePrevention.none) return false;
  return enterpriseId !== 0 || orders.countOf(uid) > 0;
}

/** An order that the balance does not cover. */
export interface Uncovered {
  /** Above the balance; null: not computed. */
  readonly cost: Amount | null;
  /** The part that the balance covers: lots of a buy, quote units of a sell. */
  readonly affordable: Amount;
}

/**
 * Null if `available` covers the order; else a cost above it by what the book shows, or null in
 * place of one that would take too long to compute. An order that goes through too many
 * price levels or orders is covered: it ends where the money ends.
 */
export function uncoveredCost(
  state: State,
  instrument: Instrument,
  terms: MarketTerms,
  available: Amount,
  work: Work,
): Uncovered | null {
  const { book } = instrument;
  const { side, extras } = terms;
  const band = priceBand(instrument);
  const limit = band === null ? ANY_PRICE : side === Side.buy ? band.high : band.low;
  const it = matchAhead(state, instrument, terms, extras);
  const looksAtOrders = mayMeetOwn(it);
  const all = new Way(instrument, terms, available);
  const shown = new Way(instrument, terms, available);
  const enough = work.left - work.looksOfACheck;
  let levels = 0;
  let last = ticks(0);
  book.ladder(opposite(side)).fromBest((level, price) => {
    if (limit !== ANY_PRICE && !crosses(side, limit, price)) return false;
    work.left -= LOOK;
    if (work.left < enough) return false;
    levels++;
    last = price;
    const most = shown.maxAt(price);
    const there = looksAtOrders
      ? quantityAt(it, level, most, work, enough)
      : { shown: book.levelQuantity(level), all: book.levelTotal(level), isEnd: false };
    if (all.cost <= available) all.take(price, there.all);
    shown.take(price, there.shown);
    if (there.isEnd) return false;
    if (all.cost <= available) return !all.isDone;
    return !shown.isDone && levels < MAX_NAMED_LEVELS;
  });
  if (all.cost <= available) return null;
  if (!shown.isDone && levels >= MAX_NAMED_LEVELS)
    return { cost: null, affordable: shown.affordable };
  // The shown part alone would be covered, so the rest counts at the last price.
  if (shown.cost <= available) shown.take(last, null);
  return shown;
}
