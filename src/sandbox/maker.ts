// The maker of the demo market. Its quotes stand on a fixed grid of prices. A moving fair price
// adds quotes on one side and cancels quotes on the other; all others stay.
import { Side } from '../core/fix.ts';
import { type Lots, lots, type Ticks, ticks } from '../core/units.ts';
import type { Account } from './account.ts';
import { DEMO_PAIRS, type DemoPair, MIN_LOTS, twoDigits } from './pairs.ts';
import type { Prng } from './prng.ts';

export const SIDES = [Side.buy, Side.sell] as const;

/** Every level of the grid near the best price, and every fourth one further out. */
const NEAR_LEVELS = 20;
const FAR_LEVELS = 12;
const FAR_STEP = 4;
/** Quotes on each side. */
export const LEVELS = NEAR_LEVELS + FAR_LEVELS;
/** A quote stays for so many levels more, so a trembling price does not cancel and place it. */
const SLACK = 2 * FAR_STEP;
/** Quotes placed on a side in one round, except the first. */
const REFILLS = 14;
/** One quote in so many is large. */
const LARGE_ONE_IN = 24;

export interface BookOrder {
  readonly orderId: number;
  readonly price: Ticks;
  readonly quantity: Lots;
}

/** Best orders first. */
export type Book = Readonly<Record<Side, readonly BookOrder[]>>;

/** 1 where prices grow away from the fair price, −1 where they fall. */
export const outwards = (side: Side): 1 | -1 => (side === Side.sell ? 1 : -1);

/**
 * The prices of one side, best first. None is nearer to the fair price than `touch` ticks; `slack`
 * adds levels to the near and to the far part.
 */
export function ladder(
  pair: DemoPair,
  side: Side,
  fair: number,
  { touch = pair.touch, slack = 0 } = {},
): Ticks[] {
  const out = outwards(side);
  const exact = (fair + out * touch) / pair.step;
  const best = side === Side.sell ? Math.ceil(exact) : Math.floor(exact);
  const prices: Ticks[] = [];
  for (let rank = 0; rank < NEAR_LEVELS + FAR_LEVELS * FAR_STEP + slack; rank++) {
    const level = best + out * rank;
    if (rank >= NEAR_LEVELS + slack && level % FAR_STEP !== 0) continue;
    // The levels of a real book are uneven.
    const offset = (level * 7919) % Math.ceil(pair.step / 2);
    const price = level * pair.step + out * offset;
    if (price >= 1) prices.push(ticks(price));
  }
  return prices;
}

export class Maker {
  readonly #account: Account;
  readonly #random: Prng;
  /** By pair, the ids of its orders that may be open. */
  readonly #own = new Map<string, Set<number>>(DEMO_PAIRS.map(({ symbol }) => [symbol, new Set()]));

  constructor(account: Account, random: Prng) {
    this.#account = account;
    this.#random = random;
  }

  /** Cancels all orders of the pair and forgets them: a lost answer may have left unknown ones. */
  async clear(pair: DemoPair): Promise<void> {
    await this.#account.cancelAll(pair);
    this.#own.set(pair.symbol, new Set());
  }

  /**
   * Cancels the quotes that the fair price has left or passed. Returns the book without its own.
   */
  async withdraw(pair: DemoPair, book: Book, fair: number): Promise<Book> {
    const known = this.#own.get(pair.symbol)!;
    const isOwn = ({ orderId }: BookOrder) => known.has(orderId);
    const open = SIDES.flatMap((side) => book[side].filter(isOwn));
    this.#own.set(pair.symbol, new Set(open.map(({ orderId }) => orderId)));
    const stale = SIDES.flatMap((side) => {
      const kept = new Set(ladder(pair, side, fair, { touch: pair.touch / 2, slack: SLACK }));
      return book[side].filter((order) => isOwn(order) && !kept.has(order.price));
    });
    for (const { orderId } of stale) await this.#account.cancel(pair, orderId);
    return {
      [Side.buy]: book[Side.buy].filter((order) => !isOwn(order)),
      [Side.sell]: book[Side.sell].filter((order) => !isOwn(order)),
    };
  }

  /** Places the quotes that `book` lacks, best first, until `signal` aborts. */
  async refill(pair: DemoPair, book: Book, fair: number, signal: AbortSignal): Promise<void> {
    const known = this.#own.get(pair.symbol)!;
    const maximum = known.size === 0 ? LEVELS : REFILLS;
    const refillSide = async (side: Side) => {
      const own = book[side].filter(({ orderId }) => known.has(orderId));
      const taken = new Set(own.map(({ price }) => price));
      const prices = ladder(pair, side, fair);
      const missing = prices.filter((price) => !taken.has(price)).slice(0, maximum);
      for (const price of missing) {
        if (signal.aborted || !this.#account.mayPlace(pair, side)) return;
        const quantity = this.#quantity(pair, prices.indexOf(price));
        const orderId = await this.#account.placeQuote(pair, side, price, quantity);
        if (orderId !== null) known.add(orderId);
      }
    };
    await Promise.all(SIDES.map(refillSide));
  }

  /** Quotes are larger further out. */
  #quantity({ quoteLots }: DemoPair, rank: number): Lots {
    const random = this.#random;
    const percent = random.oneIn(LARGE_ONE_IN) ? random.between(500, 1200) : random.between(5, 200);
    const exact = Math.round((quoteLots * (1 + rank / 8) * percent) / 100);
    return lots(Math.max(MIN_LOTS, random.oneIn(2) ? twoDigits(exact) : exact));
  }
}

/** How many lots customers ask for at prices that the fair price has reached, on one side. */
export function passedLots(book: Book, side: Side, fair: number): Lots {
  const out = outwards(side);
  const passed = book[side].filter(({ price }) => out * (price - fair) <= 0);
  return lots(passed.reduce((sum, { quantity }) => sum + quantity, 0));
}
