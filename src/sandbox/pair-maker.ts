// Keeps the book of one pair alive: looks at it, finds out which of the makers' orders were filled,
// and moves, refills or withdraws a few so that both sides keep to their ladders around the fair
// price. It also lets the taker trade with customers' orders that the fair price has passed, as
// someone would on any market.
import { opposite, Side } from '../core/fix.ts';
import { type Lots, lots, type Ticks, ticks } from '../core/units.ts';
import { type DemoPair, MIN_LOTS } from './demo-pairs.ts';
import { truncated } from './integers.ts';
import type { MarketView } from './market-view.ts';
import { Ladder, LEVELS, lotsOfSide, type NewQuote, outwards, planSide } from './order-ladder.ts';
import type { Prng } from './prng.ts';
import { SUBTICKS } from './random-walk.ts';
import type { BookOrder, Level3Book } from './signed-client.ts';
import type { Taker } from './taker.ts';
import { costOf, type OwnOrder, type Trader } from './trader.ts';

/**
 * Orders placed anew on a side at each look, when some were filled: an emptied side is back in a
 * few seconds.
 */
const REFILLS = 14;
/** Orders moved on a side at each look. */
const MOVES = 2;
/** Requests of one pair that are under way at once: now and when the book is built. */
const WIDTH = 4;
const BUILDING_WIDTH = 20;
/** Strength is in percent: a maker has all that its usual quotes on a side need. */
const FULL = 100;
/**
 * A maker with means for less than this percentage of its usual quotes on a side stops quoting it.
 */
const WEAKEST = 10;
/** Levels that a maker without means on a side would stand further out. */
const LEVELS_WHEN_WEAK = 4;
/** The most that the taker takes from customers at one look, in usual orders of the best level. */
const MOST_TAKEN = 20;
/** After a refusal that is about the order as such, asking again at once would bring the same. */
const REST_MS = 5000;

const SIDES = [Side.buy, Side.sell] as const;

export interface PairMakerOptions {
  readonly pair: DemoPair;
  readonly view: MarketView;
  readonly makers: readonly Trader[];
  readonly taker: Taker;
  readonly prng: Prng;
  /** The fair price now, in sub-ticks. */
  readonly fair: () => number;
  /** Nothing more is sent once it has aborted. */
  readonly signal: AbortSignal;
}

export class PairMaker {
  readonly #options: PairMakerOptions;
  readonly #ladder: Ladder;
  /** What one maker needs to quote a side alone with its half of the orders. */
  readonly #share: Lots;
  #built = false;
  #restsUntil = 0;

  constructor(options: PairMakerOptions) {
    this.#options = options;
    this.#ladder = new Ladder(options.pair.shape);
    this.#share = lots(truncated(lotsOfSide(options.pair.shape), options.makers.length));
  }

  /** One look at the book, and what follows from it. */
  async round(): Promise<void> {
    const { pair, view, makers, taker, signal } = this.#options;
    if (!view.lists(pair)) return;
    const askedAt = performance.now();
    const book = await view.look(pair);
    if (book === null || signal.aborted) return;
    for (const trader of [...makers, taker.trader]) trader.compareWith(pair, book, askedAt);
    await taker.withdraw(pair, askedAt);
    if (!view.takesQuotes(pair) || performance.now() < this.#restsUntil) return;
    const ready = await readyOnes(makers, pair);
    if (ready.length === 0 || signal.aborted) return;
    const fair = this.#options.fair();
    const others = this.#ordersOfOthers(book, ready);
    if (view.trades(pair)) await this.#takePassed(others, fair);
    await this.#mend(ready, others, fair);
  }

  /**
   * Brings both sides nearer to their ladders. What is withdrawn goes first, so that no maker meets
   * another.
   */
  async #mend(ready: readonly Trader[], others: BookOrders, fair: number): Promise<void> {
    const plans = SIDES.map((side) => {
      const standing = this.#options.makers.flatMap((maker) =>
        ordersOn(maker, this.#options.pair, side),
      );
      const best = others[opposite(side)][0]?.price ?? null;
      const refills = this.#built ? REFILLS : LEVELS;
      // Who runs low would withdraw an order and place a lesser one, again and again.
      const strongest = ready.map((maker) => this.#strength(maker, side, fair));
      const moves = strongest.includes(FULL) ? MOVES : 0;
      const situation = { side, fair, opposite: best, standing, refills, moves };
      return { side, ...planSide(this.#ladder, situation, this.#options.prng) };
    });
    const cancels = plans.flatMap((plan) => plan.cancels);
    if (!(await this.#withdraw(cancels.filter(({ owner }) => ready.includes(owner))))) return;
    // From the inside to the outside, both sides at once: a book is of use as soon as it has best
    // prices.
    const quotes = plans.flatMap(({ side, quotes: own }) => own.map((quote) => ({ side, quote })));
    quotes.sort((a, b) => a.quote.rank - b.quote.rank);
    await this.#inTurn(quotes, ({ side, quote }) => this.#place(ready, side, quote));
    this.#built = true;
  }

  #withdraw(cancels: readonly OwnOrder[]): Promise<boolean> {
    const { pair } = this.#options;
    return this.#inTurn(cancels, (order) => order.owner.cancel(pair, order));
  }

  /** False when the rest of the quotes had better wait. */
  async #place(ready: readonly Trader[], side: Side, quote: NewQuote): Promise<boolean> {
    const { pair, view } = this.#options;
    const offer = this.#bestOffer(ready, side, quote);
    if (offer === null) return true;
    const { maker, price, orderQty } = offer;
    const order = { side, price, orderQty, postOnly: true };
    const placed = await maker.placeLimit(pair, order, quote.rank);
    if (placed === 'closed') view.forgetStatus(pair);
    // A refusal that is not about the connection is about the order; the next one would meet the
    // same.
    if (placed === 'later' && maker.patience.calm) this.#restsUntil = performance.now() + REST_MS;
    return placed === 'placed' || placed === 'refused';
  }

  /** What it has for its share of a side, in percent. */
  #strength(maker: Trader, side: Side, fair: number): number {
    return maker.strength(this.#options.pair, side, ticks(truncated(fair, SUBTICKS)), this.#share);
  }

  /**
   * The quote as one of the makers would place it: the strongest, and of equals the one with fewer
   * orders on this side.
   */
  #bestOffer(ready: readonly Trader[], side: Side, quote: NewQuote): Offer | null {
    const { pair, prng } = this.#options;
    const offers: Offer[] = [];
    for (const maker of ready) {
      const strength = this.#strength(maker, side, this.#options.fair());
      if (strength < WEAKEST) continue;
      const { price, orderQty } = this.#scaled(side, quote, strength);
      if (costOf(pair, side, price, orderQty) > maker.availableFor(pair, side)) continue;
      const count = ordersOn(maker, pair, side).length;
      offers.push({ maker, strength, count, price, orderQty });
    }
    // Shuffled first, so that chance decides between equals.
    if (prng.oneIn(2)) offers.reverse();
    offers.sort((a, b) => b.strength - a.strength || a.count - b.count);
    return offers[0] ?? null;
  }

  /**
   * A quote as a maker places it whose balance runs low: smaller, and further from the fair price.
   */
  #scaled(side: Side, quote: NewQuote, strength: number): { price: Ticks; orderQty: Lots } {
    const { pair } = this.#options;
    if (strength === FULL) return quote;
    const away = pair.shape.spacing * LEVELS_WHEN_WEAK * (FULL - strength);
    const price = quote.price + outwards(side) * truncated(away, FULL * SUBTICKS);
    const orderQty = truncated(quote.orderQty * strength, FULL);
    return {
      price: price >= 1 ? ticks(price) : quote.price,
      orderQty: lots(orderQty < MIN_LOTS ? MIN_LOTS : orderQty),
    };
  }

  /** The orders of customers, and those of makers that cannot be moved now. */
  #ordersOfOthers(book: Level3Book, ready: readonly Trader[]): BookOrders {
    const { pair, taker } = this.#options;
    const own = [...ready, taker.trader].map((trader) => trader.ordersOf(pair));
    const others = (orders: readonly BookOrder[]) =>
      orders.filter(({ orderId }) => !own.some((known) => known.has(orderId)));
    return { [Side.buy]: others(book.bids.orders), [Side.sell]: others(book.asks.orders) };
  }

  /**
   * Trades with orders that stand at the fair price or beyond it, and takes what was traded out of
   * `others`.
   */
  async #takePassed(others: BookOrders, fair: number): Promise<void> {
    const { pair, taker } = this.#options;
    const most = pair.shape.size * MOST_TAKEN;
    for (const side of SIDES) {
      const out = outwards(side);
      const passed = others[side].filter(({ price }) => out * (price * SUBTICKS - fair) <= 0);
      const last = passed.at(-1);
      if (last === undefined) continue;
      const sum = passed.reduce((total, { leavesQty }) => total + leavesQty, 0);
      const quantity = lots(sum < most ? sum : most);
      const taken = await taker.takeFrom(pair, opposite(side), last.price, quantity);
      if (taken === sum) others[side] = others[side].slice(passed.length);
    }
  }

  /** Does `act` for each item, a few at a time, until one returns false. Whether none did. */
  async #inTurn<T>(items: readonly T[], act: (item: T) => Promise<boolean>): Promise<boolean> {
    let next = 0;
    let going = true;
    const work = async () => {
      while (going && next < items.length && !this.#options.signal.aborted) {
        if (!(await act(items[next++]!))) going = false;
      }
    };
    await Promise.all(Array.from({ length: this.#built ? WIDTH : BUILDING_WIDTH }, work));
    return going && next >= items.length;
  }
}

type BookOrders = Record<Side, readonly BookOrder[]>;

/**
 * What a maker would place for a quote, how strong it is, and how many orders it has on that side.
 */
interface Offer {
  readonly maker: Trader;
  readonly strength: number;
  readonly count: number;
  readonly price: Ticks;
  readonly orderQty: Lots;
}

const ordersOn = (maker: Trader, pair: DemoPair, side: Side): OwnOrder[] =>
  [...maker.ordersOf(pair).values()].filter((order) => order.side === side);

async function readyOnes(makers: readonly Trader[], pair: DemoPair): Promise<readonly Trader[]> {
  const ready: Trader[] = [];
  for (const maker of makers) if (await maker.ready(pair)) ready.push(maker);
  return ready;
}
