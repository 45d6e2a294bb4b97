// An order book that keeps itself correct: it applies every change to a snapshot, verifies the
// checksum of each message, and subscribes again after a mismatch.

import type { Decimal } from './decimal.ts';
import { AgioError } from './errors.ts';
import type {
  Level,
  Level3Level,
  Level3OrderbookMessage,
  OrderbookMessage,
} from './generated/types.ts';
import type { StreamSubscription } from './subscription.ts';

const CHECKED_LEVELS = 10;

/** Compares two prices by their texts: plain, not negative, without extra zeros. */
export function comparePrices(a: Decimal, b: Decimal): number {
  const [wholeA, wholeB] = [wholeOf(a), wholeOf(b)];
  if (wholeA !== wholeB) return wholeA - wholeB;
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Digits before the point; if equal, the texts compare as the numbers do. */
function wholeOf(price: Decimal): number {
  const point = price.indexOf('.');
  return point < 0 ? price.length : point;
}

/** One side, best level first. */
class BookSide<L extends Level | Level3Level> {
  levels: L[] = [];
  readonly #sign: 1 | -1;

  /** `sign`: 1 if low prices are the best. */
  constructor(sign: 1 | -1) {
    this.#sign = sign;
  }

  apply(level: L): void {
    const [price, quantity] = level;
    const { levels } = this;
    let low = 0;
    let high = levels.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (comparePrices(levels[middle]![0], price) * this.#sign < 0) low = middle + 1;
      else high = middle;
    }
    const found = levels[low]?.[0] === price;
    if (quantity === '0') {
      if (found) levels.splice(low, 1);
    } else {
      levels.splice(low, found ? 1 : 0, level);
    }
  }

  get checkedText(): string {
    const best = this.levels.slice(0, CHECKED_LEVELS);
    return best.map(([price, quantity]) => `${price}:${quantity}`).join(',');
  }
}

type BookMessage = OrderbookMessage | Level3OrderbookMessage;

export class LocalBook<M extends BookMessage> implements AsyncIterable<LocalBook<M>> {
  readonly #subscription: StreamSubscription<M>;
  readonly #bids = new BookSide<M['bids'][number]>(-1);
  readonly #asks = new BookSide<M['bids'][number]>(1);
  readonly #listeners = new Set<(book: this) => void>();
  #wakers: (() => void)[] = [];
  #version = 0;
  /** True if the last message matched its checksum. */
  #fits = false;
  /** The state at the last notification. */
  #emittedLive = false;
  #lastUpdateId = 0;
  #transactTime = 0;
  #complete = true;

  /** Resolves with the first complete book; rejects if it is rejected. */
  readonly ready: Promise<void>;
  /** Resolves when it is closed; rejects if it cannot continue. */
  readonly done: Promise<void>;

  constructor(subscription: StreamSubscription<M>) {
    this.#subscription = subscription;
    subscription.on((message) => this.#receive(message));
    subscription.onPhase(() => this.#emitIfLost());
    this.ready = subscription.ready;
    this.done = subscription.done;
    const wake = (): void => this.#wake();
    subscription.done.then(wake, wake);
  }

  get symbol(): string {
    return this.#subscription.subject.symbol!;
  }
  /** Best level first. */
  get bids(): readonly M['bids'][number][] {
    return this.#bids.levels;
  }
  /** Best level first. */
  get asks(): readonly M['bids'][number][] {
    return this.#asks.levels;
  }
  /** The update id of the current state; a book over REST with the same id is equal. */
  get lastUpdateId(): number {
    return this.#lastUpdateId;
  }
  /** The journal position of the current state. */
  get seq(): number | null {
    return this.#subscription.seq;
  }
  /** Business time of the current state, epoch ms. */
  get transactTime(): number {
    return this.#transactTime;
  }
  /**
   * True if the book is connected and matched its checksum at the last message; false before the
   * first, and while it subscribes again.
   */
  get live(): boolean {
    return this.#fits && this.#subscription.phase === 'live';
  }
  /** Level 3: false for a book so deep that the snapshot was cut. */
  get complete(): boolean {
    return this.#complete;
  }
  /** How often it had to subscribe again. */
  get gaps(): number {
    return this.#subscription.gaps;
  }

  /** Calls `listener` after every change, also of `live`; returns a function that removes it. */
  on(listener: (book: this) => void): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  /**
   * The book, each time that it or `live` has changed since the last iteration. Ends when it is
   * closed.
   */
  async *[Symbol.asyncIterator](): AsyncGenerator<LocalBook<M>, void> {
    let seen = 0;
    for (;;) {
      while (this.#version === seen) {
        if (this.#subscription.ended) {
          await this.#subscription.done;
          return;
        }
        await new Promise<void>((resolve) => this.#wakers.push(resolve));
      }
      seen = this.#version;
      yield this;
    }
  }

  close(): void {
    this.#listeners.clear();
    this.#subscription.close();
  }

  #receive(message: M): void {
    const { bids, asks, lastUpdateId, transactTime } = message;
    if (message.type === 'snapshot') {
      this.#bids.levels = [];
      this.#asks.levels = [];
      this.#complete = 'complete' in message ? message.complete !== false : true;
    }
    for (const level of bids) this.#bids.apply(level);
    for (const level of asks) this.#asks.apply(level);
    if (crc32(`${this.#bids.checkedText}|${this.#asks.checkedText}`) !== message.checksum) {
      this.#fits = false;
      if (message.type === 'update') this.#subscription.beginAgain();
      else this.#subscription.end(new AgioError('The snapshot does not fit its checksum.'));
      return;
    }
    this.#lastUpdateId = lastUpdateId;
    this.#transactTime = transactTime;
    this.#fits = true;
    this.#emit();
  }

  /** A reader must learn that the book is no longer current. */
  #emitIfLost(): void {
    if (this.#emittedLive && !this.live) this.#emit();
  }

  #emit(): void {
    this.#emittedLive = this.live;
    if (!this.#subscription.ended) this.#version++;
    for (const listener of this.#listeners) listener(this);
    this.#wake();
  }

  #wake(): void {
    const wakers = this.#wakers;
    this.#wakers = [];
    for (const wake of wakers) wake();
  }
}

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  return crc;
});

/** CRC-32 of an ASCII text, as in gzip and PNG, unsigned: the checksum of a book. */
export function crc32(text: string): number {
  let crc = 0xffffffff;
  for (let i = 0; i < text.length; i++) {
    crc = (crc >>> 8) ^ CRC_TABLE[(crc ^ text.charCodeAt(i)) & 0xff]!;
  }
  return ~crc >>> 0;
}
