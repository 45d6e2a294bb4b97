// An order book that keeps itself right: made of a snapshot and every change since, checked against the checksum of each message,
// and begun anew by itself when it does not fit.
import type { Level, Level3Level } from './answers.ts';
import type { Decimal } from './decimal.ts';
import { AgioError } from './errors.ts';
import type { Level3OrderbookMessage, OrderbookMessage } from './stream-messages.ts';
import type { Subscription } from './subscription.ts';

const CHECKED_LEVELS = 10;

/** Which of two prices is higher, by their texts: plain, not negative, without needless zeros. */
export function comparePrices(a: Decimal, b: Decimal): number {
  const [wholeA, wholeB] = [wholeOf(a), wholeOf(b)];
  if (wholeA !== wholeB) return wholeA - wholeB;
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Digits before the point. Where they are as many, the texts compare as the numbers do. */
function wholeOf(price: Decimal): number {
  const point = price.indexOf('.');
  return point < 0 ? price.length : point;
}

/** One side, best level first. */
class BookSide<L extends Level | Level3Level> {
  levels: L[] = [];
  readonly #sign: 1 | -1;

  /** `sign`: 1 where low prices are the best. */
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
  readonly #subscription: Subscription<M>;
  readonly #bids = new BookSide<M['bids'][number]>(-1);
  readonly #asks = new BookSide<M['bids'][number]>(1);
  readonly #listeners = new Set<(book: this) => void>();
  #wakers: (() => void)[] = [];
  #version = 0;
  /** The last message fitted its checksum. */
  #fits = false;
  /** What was told last. */
  #toldLive = false;
  #lastUpdateId = 0;
  #transactTime = 0;
  #complete = true;

  /** Fulfilled when the book is there; rejected where it cannot be. */
  readonly ready: Promise<void>;
  /** Fulfilled when it was closed; rejected where it cannot go on. */
  readonly done: Promise<void>;

  constructor(subscription: Subscription<M>) {
    this.#subscription = subscription;
    subscription.on((message) => this.#receive(message));
    subscription.onPhase(() => this.#judgeAgain());
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
  /** Of the state that is shown; a book over REST with the same one is equal. */
  get lastUpdateId(): number {
    return this.#lastUpdateId;
  }
  /** The position in the journal of the state that is shown. */
  get seq(): number | null {
    return this.#subscription.seq;
  }
  /** Business time of the state that is shown, epoch ms. */
  get transactTime(): number {
    return this.#transactTime;
  }
  /**
   * Whether what is shown is followed and was right at the last message; false before the first, while it is begun anew, and while
   * there is no connection.
   */
  get live(): boolean {
    return this.#fits && this.#subscription.phase === 'live';
  }
  /** Level 3: false for a book so deep that its end was left out of the snapshot. */
  get complete(): boolean {
    return this.#complete;
  }
  /** How often it had to be begun anew. */
  get gaps(): number {
    return this.#subscription.gaps;
  }

  /** Calls `listener` after every change, also when `live` turns false; returns what ends that. */
  on(listener: (book: this) => void): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  /** The book itself, each time that it, or `live`, has changed since it was last looked at. Ends when it is closed. */
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
    this.#tell();
  }

  /** Where it is followed no more, who trusts it has to know. */
  #judgeAgain(): void {
    if (this.#toldLive && !this.live) this.#tell();
  }

  #tell(): void {
    this.#toldLive = this.live;
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
