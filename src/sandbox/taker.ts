// The account that trades: market orders by quantity and by budget and marketable limits, most of
// them small, a few large, at irregular intervals. It also trades with orders of customers that the
// fair price has passed.
import { opposite, Side } from '../core/fix.ts';
import { type Lots, lots, type Ticks, ticks } from '../core/units.ts';
import { DEMO_PAIRS, type DemoPair, MIN_LOTS } from './demo-pairs.ts';
import { truncated, twoDigits } from './integers.ts';
import { bestOf, type MarketView } from './market-view.ts';
import type { Prng } from './prng.ts';
import { SUBTICKS } from './random-walk.ts';
import { costOf, type Placed, type Trader } from './trader.ts';

/** Trades come at any of these moments with the same chance: some three every two seconds. */
const MOMENT_MS = 50;
const ONE_MOMENT_IN = 13;
const MOST_MOMENTS = 100;

/** In percent of all trades. */
const BY_BUDGET = 25;
const BY_LIMIT = 25;
const ROUND_SIZES = 35;
/** How often a trade goes in the direction of the one before it: trades come in runs. */
const SAME_DIRECTION = 60;
/**
 * A trade is twice as large as usual once in this many times, four times once in its square, and so
 * on.
 */
const ONE_DOUBLE_IN = 3;
const MOST_DOUBLINGS = 7;
/** A balance that does not pay for this many trades of that size is spared. */
const TRADES_IN_RESERVE = 5;

/** A trade before it is an order. */
interface Intent {
  readonly side: Side;
  /** The best price on the other side. */
  readonly best: Ticks;
  readonly orderQty: Lots;
  /** Which form of order, in percent of all trades. */
  readonly form: number;
  /** How far beyond the best price a limit order goes, in ticks. */
  readonly reach: number;
}

export class Taker {
  readonly trader: Trader;
  readonly #view: MarketView;
  readonly #prng: Prng;
  readonly #directions = new Map<string, Side>();

  constructor(trader: Trader, view: MarketView, prng: Prng) {
    this.trader = trader;
    this.#view = view;
    this.#prng = prng;
  }

  /** Time until the next trade, ms. */
  nextPause(): number {
    return MOMENT_MS * (1 + this.#prng.misses(ONE_MOMENT_IN, MOST_MOMENTS));
  }

  /** One trade, in any pair unless one is given, and none when it is not the time for it. */
  async trade(pair: DemoPair = this.#prng.weighted(DEMO_PAIRS)): Promise<void> {
    const prng = this.#prng;
    const doublings = prng.hits(ONE_DOUBLE_IN, MOST_DOUBLINGS);
    const size = truncated(pair.trade * prng.between(20, 180) * 2 ** doublings, 100);
    const orderQty = lots(prng.percent(ROUND_SIZES) ? twoDigits(size) : size);
    const form = prng.below(100);
    const reach = truncated(pair.shape.spacing * prng.below(3), SUBTICKS);
    const side = this.#direction(pair, orderQty);
    if (side === null || !this.#view.trades(pair) || !(await this.trader.ready(pair))) return;
    const best = this.#bestAgainst(pair, side);
    if (best === null) return;
    this.#noteOutcome(pair, await this.#place(pair, { side, best, orderQty, form, reach }));
  }

  /** Trades with what stands at `price` on the other side; returns how much of it was asked for. */
  async takeFrom(pair: DemoPair, side: Side, price: Ticks, quantity: Lots): Promise<Lots> {
    const market = lots(quantity < MIN_LOTS ? MIN_LOTS : quantity);
    if (!this.#affords(pair, side, price, market)) return lots(0);
    if (!(await this.trader.ready(pair))) return lots(0);
    const cost = costOf(pair, side, price, market);
    const placed = await this.trader.placeMarket(pair, { side, market }, cost);
    this.#noteOutcome(pair, placed);
    return placed === 'placed' ? quantity : lots(0);
  }

  /**
   * Cancels what is left of its limit orders in a book that was asked for at `askedAt`: it does not
   * mean to quote.
   */
  async withdraw(pair: DemoPair, askedAt: number): Promise<void> {
    if (!this.trader.patience.calm) return;
    for (const order of [...this.trader.ordersOf(pair).values()]) {
      if (order.since >= askedAt) continue;
      if (!(await this.trader.cancel(pair, order))) return;
    }
  }

  #place(pair: DemoPair, { side, best, orderQty, form, reach }: Intent): Promise<Placed> {
    const cost = costOf(pair, side, best, orderQty);
    if (form < BY_LIMIT) {
      const price = ticks(side === Side.buy ? best + reach : Math.max(1, best - reach));
      return this.trader.placeLimit(pair, { side, price, orderQty, postOnly: false }, 0);
    }
    // Only buys have budgets, so twice the share of them.
    if (side === Side.buy && form < BY_LIMIT + 2 * BY_BUDGET) {
      const budget = twoDigits(truncated(best * orderQty, 10 ** pair.lotDecimals));
      return this.trader.placeMarket(pair, { budget }, cost);
    }
    return this.trader.placeMarket(pair, { side, market: orderQty }, cost);
  }

  /** The side of the next trade; null when nobody is there to trade with or it cannot be paid. */
  #direction(pair: DemoPair, orderQty: Lots): Side | null {
    const last = this.#directions.get(pair.symbol) ?? Side.buy;
    const wanted = this.#prng.percent(SAME_DIRECTION) ? last : opposite(last);
    for (const side of [wanted, opposite(wanted)]) {
      const best = this.#bestAgainst(pair, side);
      const reserve = lots(orderQty * TRADES_IN_RESERVE);
      if (best === null || !this.#affords(pair, side, best, reserve)) continue;
      this.#directions.set(pair.symbol, side);
      return side;
    }
    return null;
  }

  #affords(pair: DemoPair, side: Side, price: Ticks, quantity: Lots): boolean {
    return costOf(pair, side, price, quantity) <= this.trader.availableFor(pair, side);
  }

  #bestAgainst(pair: DemoPair, side: Side): Ticks | null {
    const book = this.#view.bookOf(pair);
    if (book === null) return null;
    return bestOf(side === Side.buy ? book.asks : book.bids);
  }

  #noteOutcome(pair: DemoPair, placed: Placed): void {
    if (placed === 'closed') this.#view.forgetStatus(pair);
  }
}
