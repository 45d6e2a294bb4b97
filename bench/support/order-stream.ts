// The stream of operations that every order book is fed with, and the trades that it must come to.
// It is made once, from a seed, by a textbook book of its own: an array of queues by price, slow to
// look at and easy to believe. So the stream depends on no engine that is measured, and each of
// them is checked against the same trades.
//
// The mix: 48 % limit orders that rest, 42 % cancels, 8 % limit orders that trade, 2 % market
// orders, with 10,000 orders resting throughout. Takers are sized to fill about as many orders as
// come in beyond those that are canceled.
import { Prng } from '../../test/support/prng.ts';

export const RESTING = 10_000;
/** The number of resting orders may stray so far; then limits become cancels, or the reverse. */
const SLACK = 250;

export const Kind = { resting: 0, cancel: 1, marketable: 2, market: 3 } as const;

/** An operation: kind × 4 + side (1 buy, 2 sell), price, quantity, number of the order. */
export const OPERATION_WORDS = 4;
/** A trade: number of the maker's order, price, quantity. */
export const TRADE_WORDS = 3;

const BUY = 1;
const SELL = 2;

/** Prices are ticks of 0.01 around 50,000.00; the generator's book covers this many of them. */
const PRICE_BASE = 5_000_000 - 16_384;
const PRICES = 32_768;

/** Where resting orders lie. */
export interface Shape {
  /** Up to this many ticks from the middle, most of them near. */
  readonly depth: number;
  /** So many orders in a hundred are at the next multiple of so many ticks from the middle. */
  readonly round: readonly (readonly [percent: number, ticks: number])[];
}

/**
 * `clustered`: as real books are, where orders gather at round prices (S. Han, Price clustering on
 * cryptocurrency order books at a US-based exchange, J. of Behavioral and Experimental Finance 41,
 * 2024). The shares are ours: of ten orders two lie at a whole number of the quote currency and one
 * at a multiple of ten. `wide` and `narrow`: no price is preferred, and orders lie up to 0.08 % and
 * 0.005 % from the middle.
 */
export const SHAPES = {
  clustered: {
    depth: 4000,
    round: [
      [20, 100],
      [10, 1000],
    ],
  },
  wide: { depth: 4000, round: [] },
  narrow: { depth: 250, round: [] },
} as const satisfies Record<string, Shape>;

export type ShapeName = keyof typeof SHAPES;

const MAX_QUANTITY = 100;
const MAX_TAKEN = 60;

export interface OrderStream {
  readonly operations: Int32Array;
  readonly trades: Int32Array;
  /** How many operations of each kind there are, by Kind. */
  readonly mix: readonly number[];
  /** Distinct prices of resting orders at the end. */
  readonly prices: number;
}

/** Canceled orders stay in their queue, with nothing left, until they come to its head. */
class TextbookBook {
  readonly #queues: number[][] = Array.from({ length: PRICES }, () => []);
  readonly #heads = new Int32Array(PRICES);
  readonly #live = new Int32Array(PRICES);
  readonly #price: Int32Array;
  readonly #side: Uint8Array;
  readonly #leaves: Int32Array;
  /** Orders that rest, in no order, and where each stands in this list. */
  readonly resting: number[] = [];
  readonly #place: Int32Array;
  bestBid = -1;
  bestAsk = PRICES;

  get prices(): number {
    return this.#live.reduce((count, live) => count + (live > 0 ? 1 : 0), 0);
  }

  constructor(orders: number) {
    this.#price = new Int32Array(orders);
    this.#side = new Uint8Array(orders);
    this.#leaves = new Int32Array(orders);
    this.#place = new Int32Array(orders);
  }

  rest(order: number, side: number, price: number, quantity: number): void {
    this.#price[order] = price;
    this.#side[order] = side;
    this.#leaves[order] = quantity;
    this.#place[order] = this.resting.push(order) - 1;
    this.#queues[price].push(order);
    this.#live[price]++;
    if (side === BUY && price > this.bestBid) this.bestBid = price;
    if (side === SELL && price < this.bestAsk) this.bestAsk = price;
  }

  cancel(order: number): void {
    this.#leaves[order] = 0;
    this.#forget(order);
  }

  /** Takes up to `quantity` at prices up to `limit`; returns what is left of it. */
  take(side: number, limit: number, quantity: number, trades: number[]): number {
    let wanted = quantity;
    while (wanted > 0) {
      const price = side === BUY ? this.bestAsk : this.bestBid;
      if (price < 0 || price >= PRICES || (side === BUY ? price > limit : price < limit)) break;
      const maker = this.#head(price);
      const traded = Math.min(wanted, this.#leaves[maker]);
      trades.push(maker, price + PRICE_BASE, traded);
      wanted -= traded;
      this.#leaves[maker] -= traded;
      if (this.#leaves[maker] === 0) this.#forget(maker);
    }
    return wanted;
  }

  #head(price: number): number {
    const queue = this.#queues[price];
    while (this.#leaves[queue[this.#heads[price]]] === 0) this.#heads[price]++;
    return queue[this.#heads[price]];
  }

  #forget(order: number): void {
    const last = this.resting.pop()!;
    if (last !== order) {
      this.resting[this.#place[order]] = last;
      this.#place[last] = this.#place[order];
    }
    const price = this.#price[order];
    this.#live[price]--;
    if (this.#live[price] > 0) return;
    this.#queues[price].length = 0;
    this.#heads[price] = 0;
    if (this.#side[order] === BUY) {
      while (this.bestBid >= 0 && this.#live[this.bestBid] === 0) this.bestBid--;
    } else {
      while (this.bestAsk < PRICES && this.#live[this.bestAsk] === 0) this.bestAsk++;
    }
  }
}

/** The integers of a file. */
export const wordsOf = ({ buffer, byteOffset, byteLength }: Uint8Array): Int32Array =>
  new Int32Array(buffer as ArrayBuffer, byteOffset, byteLength / 4);

/** RESTING orders that fill the book, then `operations` of the mix. */
export function makeStream(seed: number, operations: number, shape: Shape): OrderStream {
  const random = new Prng(seed);
  const count = RESTING + operations;
  const book = new TextbookBook(count + 1);
  const words = new Int32Array(count * OPERATION_WORDS);
  const trades: number[] = [];
  const mix = [0, 0, 0, 0];
  let orders = 0;
  let middle = PRICES / 2;
  for (let i = 0; i < count; i++) {
    const kind = i < RESTING ? Kind.resting : nextKind(random, book.resting.length);
    if (i >= RESTING) mix[kind]++;
    let [side, price, quantity, order] = [BUY + random.below(2), 0, 0, 0];
    if (kind === Kind.cancel) {
      order = random.pick(book.resting);
      book.cancel(order);
    } else {
      order = ++orders;
      quantity = 1 + random.below(kind === Kind.resting ? MAX_QUANTITY : MAX_TAKEN);
      price = priceOf(kind, random, book, side, middle, shape);
      const left = kind === Kind.resting ? quantity : book.take(side, price, quantity, trades);
      if (left > 0 && kind === Kind.market) throw new Error('a market order found too little');
      if (left > 0) book.rest(order, side, price, left);
      price = kind === Kind.market ? 0 : price + PRICE_BASE;
    }
    words.set([kind * 4 + side, price, quantity, order], i * OPERATION_WORDS);
    if (random.oneIn(100)) middle = clampMiddle(middle + random.between(-1, 1));
  }
  return { operations: words, trades: Int32Array.from(trades), mix, prices: book.prices };
}

function nextKind(random: Prng, resting: number): number {
  const kind = random.weighted([
    [48, Kind.resting],
    [42, Kind.cancel],
    [8, Kind.marketable],
    [2, Kind.market],
  ]);
  if (kind === Kind.resting && resting > RESTING + SLACK) return Kind.cancel;
  if (kind === Kind.cancel && resting < RESTING - SLACK) return Kind.resting;
  return kind;
}

function priceOf(
  kind: number,
  random: Prng,
  book: TextbookBook,
  side: number,
  middle: number,
  shape: Shape,
): number {
  const { bestBid, bestAsk } = book;
  if (kind === Kind.market) return side === BUY ? PRICES - 1 : 0;
  if (kind === Kind.marketable) {
    const reach = random.below(4);
    return side === BUY ? Math.min(bestAsk + reach, PRICES - 1) : Math.max(bestBid - reach, 0);
  }
  // The square of a uniform number: half of the orders lie within a quarter of the depth.
  const distance = 1 + Math.floor((random.below(1024) / 1024) ** 2 * shape.depth);
  const step = stepOf(shape, random);
  return side === BUY
    ? Math.min(roundDown(middle - distance, step), bestAsk - 1)
    : Math.max(roundUp(middle + distance, step), bestBid + 1);
}

/** The step that the price of a resting order is a multiple of, in ticks. */
function stepOf({ round }: Shape, random: Prng): number {
  if (round.length === 0) return 1;
  let dice = random.below(100);
  for (const [percent, ticks] of round) {
    if (dice < percent) return ticks;
    dice -= percent;
  }
  return 1;
}

/** The next place at or below this one whose price is a multiple of `step`. */
const roundDown = (place: number, step: number): number =>
  Math.floor((place + PRICE_BASE) / step) * step - PRICE_BASE;

/** The next place at or above this one whose price is a multiple of `step`. */
const roundUp = (place: number, step: number): number =>
  Math.ceil((place + PRICE_BASE) / step) * step - PRICE_BASE;

const clampMiddle = (middle: number): number =>
  Math.max(PRICES / 4, Math.min((PRICES * 3) / 4, middle));
