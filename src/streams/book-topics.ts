// Order books as streams, level 2, and the best prices: a message is the difference between the
// best levels of the last message and the current ones, so it combines all changes since. Level 3
// is in level3-topic.ts.

import { stringify } from '../contract/json.ts';
import { bestPrices } from '../contract/market-data/market-data.ts';
import {
  checksumText,
  type Ladder,
  ladderChanges,
  ladderOf,
  ladderText,
} from '../contract/streams/messages.ts';
import type { Subject } from '../contract/streams/requests.ts';
import { Side } from '../core/fix.ts';
import type { Instrument } from '../core/instrument.ts';
import { BOOK_INTERVAL_MS } from './limits.ts';
import { Topic, type TopicHost } from './topic.ts';

/** CRC-32 as in gzip and PNG, unsigned. */
export const crc32 = (text: string): number => Bun.hash.crc32(text);

/** A book with a minimum interval between two messages. */
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

  /** When the next message may be sent, of performance.now(); null without changes. */
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

  /** The changed levels; null where the message would be empty. */
  protected abstract changes(): string | null;

  protected rest(_took: number): number {
    return BOOK_INTERVAL_MS;
  }

  /** The members of a message, in the order of docs/websocket.md. */
  protected members(
    bids: string,
    asks: string,
    checksum: number,
    updateId = this.instrument.book.updateId,
  ): string {
    return `,"lastUpdateId":${updateId},"bids":[${bids}],"asks":[${asks}],"checksum":${checksum}`;
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

/** The best bid and the best ask; a change below them sends nothing. */
export class BboTopic extends BookTopic {
  #sent: string;

  constructor(host: TopicHost, subject: Subject, instrument: Instrument) {
    super(host, subject, instrument);
    this.#sent = this.#prices();
  }

  protected override changes(): string | null {
    const prices = this.#prices();
    if (prices === this.#sent) return null;
    this.#sent = prices;
    return this.#withId();
  }

  protected override snapshot(): string {
    return this.#withId();
  }

  #withId(): string {
    return `,"lastUpdateId":${this.updateId},${this.#sent}`;
  }

  #prices(): string {
    return stringify({ ...bestPrices(this.instrument) }).slice(1, -1);
  }
}
