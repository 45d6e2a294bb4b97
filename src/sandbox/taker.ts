// The taker of the demo market: market orders at irregular intervals, most of them small. It also
// trades with customers' orders that the fair price has reached.
import { opposite, Side } from '../core/fix.ts';
import { lots } from '../core/units.ts';
import type { Account } from './account.ts';
import { type Book, passedLots, SIDES } from './maker.ts';
import { DEMO_PAIRS, type DemoPair, MIN_LOTS, twoDigits } from './pairs.ts';
import type { Prng } from './prng.ts';

/** About three trades in two seconds. */
const PAUSE_MS = { low: 100, high: 1_200 };
/** In percent: trades in the direction of the trade before, in round sizes, and by a budget. */
const SAME_DIRECTION = 60;
const ROUND_SIZES = 35;
const BUDGETS = 50;
/** Once in three a trade is twice as large, once in nine four times, and so on. */
const DOUBLE_ONE_IN = 3;
const MAX_DOUBLINGS = 7;
/** The maximum that it takes from customers in one round, in usual quotes. */
const MAX_TAKEN_QUOTES = 20;

const PAIRS = DEMO_PAIRS.map((pair) => [pair.weight, pair] as const);

export class Taker {
  readonly #account: Account;
  readonly #random: Prng;
  #lastSide: Side = Side.buy;

  constructor(account: Account, random: Prng) {
    this.#account = account;
    this.#random = random;
  }

  /** Time until the next trade, ms. */
  nextPause(): number {
    return this.#random.between(PAUSE_MS.low, PAUSE_MS.high);
  }

  /** One trade in any pair. */
  async trade(fairOf: (pair: DemoPair) => number): Promise<void> {
    const random = this.#random;
    const pair = random.weighted(PAIRS);
    const side = random.percent(SAME_DIRECTION) ? this.#lastSide : opposite(this.#lastSide);
    let doublings = 0;
    while (doublings < MAX_DOUBLINGS && random.oneIn(DOUBLE_ONE_IN)) doublings++;
    const exact = Math.round((pair.tradeLots * random.between(20, 180) * 2 ** doublings) / 100);
    const quantity = lots(random.percent(ROUND_SIZES) ? twoDigits(exact) : exact);
    if (!this.#account.mayPlace(pair, side)) return;
    this.#lastSide = side;
    if (side === Side.buy && random.percent(BUDGETS)) {
      const budget = Math.round((fairOf(pair) * quantity) / 10 ** pair.lotDecimals);
      await this.#account.placeBudget(pair, twoDigits(budget));
    } else {
      await this.#account.placeMarket(pair, side, quantity);
    }
  }

  /** Trades with the orders of customers at prices that the fair price has reached. */
  async takePassed(pair: DemoPair, customers: Book, fair: number): Promise<void> {
    for (const side of SIDES) {
      const passed = passedLots(customers, side, fair);
      if (passed === 0 || !this.#account.mayPlace(pair, opposite(side))) continue;
      const quantity = Math.min(passed, pair.quoteLots * MAX_TAKEN_QUOTES);
      await this.#account.placeMarket(pair, opposite(side), lots(Math.max(MIN_LOTS, quantity)));
    }
  }
}
