// Order books as streams. Level 2 tells what makes the best levels of the last message into those of now, so that many changes
// between two messages are one; level 3 tells the levels that were touched, whole.

import { formatSteps } from '../contract/decimal.ts';
import { l3LevelText, l3SideText, MAX_L3_ORDERS } from '../contract/market-data.ts';
import type { Subject } from '../contract/stream.ts';
import {
  CHECKSUM_LEVELS,
  checksumText,
  type Ladder,
  ladderChanges,
  ladderOf,
  ladderText,
} from '../contract/stream-messages.ts';
import { Side } from '../core/fix.ts';
import type { Instrument } from '../core/instrument.ts';
import { NONE } from '../core/matching/order-store.ts';
import type { Ticks } from '../core/units.ts';
import type { Connection } from './connection.ts';
import { BOOK_INTERVAL_MS, restOf } from './limits.ts';
import { Topic, type TopicHost } from './topic.ts';

/** CRC-32 as in gzip and PNG, unsigned. */
const crc32 = (text: string): number => Bun.hash.crc32(text);

/** A book whose changes are told at most every so often. */
export abstract class BookTopic extends Topic {
  override readonly conflates = true;
  protected readonly instrument: Instrument;
  protected updateId: number;
  #restsUntil = 0;

  constructor(host: TopicHost, subject: Subject, instrument: Instrument) {
    super(host, subject);
    this.instrument = instrument;
    this.updateId = instrument.book.updateId;
  }

  /** When the next message may be sent, of performance.now(); null when there is nothing to tell. */
  get dueAt(): number | null {
    return this.instrument.book.updateId === this.updateId ? null : this.#restsUntil;
  }

  override flush(): void {
    const { updateId } = this.instrument.book;
    if (updateId === this.updateId) return;
    this.updateId = updateId;
    const start = performance.now();
    const text = this.changes();
    if (text !== null) this.update(text);
    this.#restsUntil = start + this.rest(performance.now() - start);
  }

  /** What has changed; null where nothing of it is told. */
  protected abstract changes(): string | null;

  protected rest(_took: number): number {
    return BOOK_INTERVAL_MS;
  }

  /** The members of a message, in the order of the documents. */
  protected members(bids: string, asks: string, checksum: number): string {
    return `,"lastUpdateId":${this.instrument.book.updateId},"bids":[${bids}],"asks":[${asks}],"checksum":${checksum}`;
  }

  override close(): void {}
}

export class Level2Topic extends BookTopic {
  readonly #depth: number;
  #bids: Ladder;
  #asks: Ladder;

  constructor(host: TopicHost, subject: Subject, instrument: Instrument) {
    super(host, subject, instrument);
    this.#depth = subject.depth!;
    this.#bids = ladderOf(instrument, Side.buy, this.#depth);
    this.#asks = ladderOf(instrument, Side.sell, this.#depth);
  }

  protected override changes(): string | null {
    const { instrument } = this;
    const bids = ladderOf(instrument, Side.buy, this.#depth);
    const asks = ladderOf(instrument, Side.sell, this.#depth);
    const bidChanges = ladderChanges(instrument, Side.buy, this.#bids, bids);
    const askChanges = ladderChanges(instrument, Side.sell, this.#asks, asks);
    this.#bids = bids;
    this.#asks = asks;
    if (bidChanges === '' && askChanges === '') return null;
    return this.members(bidChanges, askChanges, this.#checksum());
  }

  protected override snapshot(): string {
    const { instrument } = this;
    const bids = ladderText(instrument, this.#bids);
    const asks = ladderText(instrument, this.#asks);
    return this.members(bids, asks, this.#checksum());
  }

  #checksum(): number {
    return crc32(checksumText(this.instrument, this.#bids, this.#asks));
  }
}

export class Level3Topic extends BookTopic {
  /** The last snapshot, and the book that it is of. */
  #written: { readonly updateId: number; readonly text: string } | null = null;
  /** No further snapshot is written before this time of performance.now(). */
  #writesAt = 0;
  #timer: ReturnType<typeof setTimeout> | null = null;

  constructor(host: TopicHost, subject: Subject, instrument: Instrument) {
    super(host, subject, instrument);
    instrument.book.watch();
  }

  override close(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.instrument.book.unwatch();
  }

  override get staysFor(): number {
    return Math.max(super.staysFor, this.#writesAt - performance.now());
  }

  /** A whole book may take long to write: who joins while it rests waits, and shares the next snapshot. */
  override add(connection: Connection): void {
    const isKnown = this.#written?.updateId === this.instrument.book.updateId;
    const rest = this.#writesAt - performance.now();
    if (isKnown || rest <= 0) {
      super.add(connection);
      return;
    }
    this.wait(connection);
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      this.flush();
      this.admitWaiting();
    }, Math.ceil(rest));
  }

  protected override changes(): string {
    const { bids, asks } = this.instrument.book.takeChanges();
    return this.members(
      this.#levels(Side.buy, bids),
      this.#levels(Side.sell, asks),
      this.#checksum(),
    );
  }

  /** Whole levels, those that are gone with quantity 0 and no orders. */
  #levels(side: Side, prices: readonly Ticks[]): string {
    const { book, tick } = this.instrument;
    const ladder = book.ladder(side);
    return prices
      .map((price) => {
        const level = ladder.find(price);
        if (level === NONE) return `["${formatSteps(price, tick)}","0",[]]`;
        return l3LevelText(this.host.state, this.instrument, level);
      })
      .join(',');
  }

  protected override snapshot(): string {
    const { updateId } = this.instrument.book;
    if (this.#written?.updateId === updateId) return this.#written.text;
    const start = performance.now();
    const { state } = this.host;
    const bids = l3SideText(state, this.instrument, Side.buy);
    const asks = l3SideText(state, this.instrument, Side.sell);
    const complete = this.#isWhole(Side.buy) && this.#isWhole(Side.sell);
    const text = `${this.members(bids, asks, this.#checksum())},"complete":${complete}`;
    this.#written = { updateId, text };
    const now = performance.now();
    this.#writesAt = now + restOf(now - start);
    return text;
  }

  /** Whether a side has no more orders than a snapshot lists. */
  #isWhole(side: Side): boolean {
    const { book } = this.instrument;
    let orders = 0;
    book.ladder(side).fromBest((level) => {
      orders += book.levelCount(level);
      return orders <= MAX_L3_ORDERS;
    });
    return orders <= MAX_L3_ORDERS;
  }

  #checksum(): number {
    const { instrument } = this;
    const best = (side: Side): Ladder => ladderOf(instrument, side, CHECKSUM_LEVELS);
    return crc32(checksumText(instrument, best(Side.buy), best(Side.sell)));
  }

  protected override rest(took: number): number {
    return Math.max(BOOK_INTERVAL_MS, restOf(took));
  }
}
