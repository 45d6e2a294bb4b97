// A book order by order: an update has each changed level with all its orders. A snapshot of a
// large book takes long to write, so the topic writes it in pieces for all that wait for it. The
// updates that come meanwhile follow it. A snapshot also replaces an update with more orders.
import { formatSteps } from '../contract/decimal.ts';
import { l3LevelText, MAX_L3_ORDERS } from '../contract/market-data/market-data.ts';
import {
  CHECKSUM_LEVELS,
  checksumText,
  type Ladder,
  ladderOf,
} from '../contract/streams/messages.ts';
import type { Subject } from '../contract/streams/requests.ts';
import { Side } from '../core/fix.ts';
import type { Instrument } from '../core/instrument.ts';
import type { BookWatch } from '../core/matching/order-book.ts';
import { NONE } from '../core/matching/order-store.ts';
import type { Ticks } from '../core/units.ts';
import { BookTopic, crc32 } from './book-topics.ts';
import type { Payer } from './budget.ts';
import type { Connection } from './connection.ts';
import { Level3Snapshot, type Level3Texts, listedOrders } from './level3-snapshot.ts';
import { BOOK_INTERVAL_MS, PIECE_ORDERS, restOf } from './limits.ts';
import type { Mark, TopicHost } from './topic.ts';

/** A snapshot that is being written, and the connections that wait for it. */
interface Writing {
  readonly payer: Payer;
  readonly connections: Set<Connection>;
  readonly mark: Mark;
  readonly updateId: number;
  readonly checksum: number;
  readonly snapshot: Level3Snapshot;
  readonly updates: string[];
  /** Milliseconds of work so far. */
  took: number;
}

export class Level3Topic extends BookTopic {
  readonly #watch: BookWatch;
  /** The members of the last snapshot, and its book. */
  #written: { readonly updateId: number; readonly text: string } | null = null;
  /** No further snapshot is written before this time of performance.now(). */
  #writesAt = 0;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #writing: Writing | null = null;
  /** True if it waits for its turn to write. */
  #isScheduled = false;
  #isClosed = false;

  constructor(host: TopicHost, subject: Subject, instrument: Instrument) {
    super(host, subject, instrument);
    this.#watch = instrument.book.watch();
  }

  override close(): void {
    this.#isClosed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.instrument.book.unwatch(this.#watch);
  }

  override get lingerMs(): number {
    return Math.max(super.lingerMs, this.#writesAt - performance.now());
  }

  override add(connection: Connection): void {
    if (this.#isKnown || (this.#isIdle && this.#isSmall)) {
      super.add(connection);
      return;
    }
    this.wait(connection);
    this.serveWaiting();
  }

  override remove(connection: Connection): void {
    super.remove(connection);
    this.#writing?.connections.delete(connection);
  }

  get #isKnown(): boolean {
    return this.#written?.updateId === this.instrument.book.updateId;
  }
  get #isIdle(): boolean {
    return this.#writing === null && !this.#isScheduled && this.#writesAt <= performance.now();
  }
  get #isSmall(): boolean {
    return listedOrders(this.instrument) <= PIECE_ORDERS;
  }

  /** Writes one snapshot for all that wait, after a pause since the last one. */
  protected override serveWaiting(): void {
    const payer = this.firstPayer;
    const isBusy = this.#isScheduled || this.#writing !== null || this.#timer !== null;
    if (this.#isClosed || isBusy || payer === null) return;
    const rest = this.#writesAt - performance.now();
    if (rest > 0) {
      this.#timer = setTimeout(() => {
        this.#timer = null;
        this.serveWaiting();
      }, Math.ceil(rest));
      return;
    }
    this.#isScheduled = true;
    this.host.turns.add(payer, () => {
      this.#isScheduled = false;
      if (!this.#isClosed && this.firstPayer !== null) this.#begin(payer);
    });
  }

  #begin(payer: Payer): void {
    this.flush();
    const start = performance.now();
    const writing = {
      payer,
      connections: this.takeWaiting(),
      mark: this.mark,
      updateId: this.instrument.book.updateId,
      checksum: this.#checksum(),
      snapshot: new Level3Snapshot(this.host.state, this.instrument),
      updates: [],
      took: performance.now() - start,
    };
    this.#writing = writing;
    this.#continue(writing);
  }

  #continue(writing: Writing): void {
    this.host.turns.add(writing.payer, () => {
      if (this.#isClosed) return;
      if (writing.connections.size === 0) {
        this.#end(writing);
        return;
      }
      const start = performance.now();
      const texts = writing.snapshot.write(PIECE_ORDERS);
      if (texts !== null) this.#finish(writing, texts);
      writing.took += performance.now() - start;
      if (texts === null) this.#continue(writing);
      else this.#end(writing);
    });
  }

  #finish({ connections, mark, updateId, checksum, updates }: Writing, texts: Level3Texts): void {
    const text = this.#membersOf(updateId, texts, checksum);
    this.#written = { updateId, text };
    this.admitAll(connections, this.snapshotText(text, mark), updates);
  }

  #end({ took }: Writing): void {
    this.#writing = null;
    this.#writesAt = performance.now() + restOf(took);
    this.flush();
    this.serveWaiting();
  }

  protected override get keepsUpdates(): boolean {
    return this.#writing !== null;
  }
  protected override keep(text: string): void {
    this.#writing?.updates.push(text);
  }

  /** A snapshot in progress is sent before another one replaces its updates. */
  override flush(): void {
    if (this.#writing === null || !this.#isLong) super.flush();
  }

  get #isLong(): boolean {
    return this.#watch.hasMoreThan(MAX_L3_ORDERS);
  }

  protected override changes(): string | null {
    const isLong = this.#isLong;
    const { bids, asks } = this.#watch.take();
    if (isLong) {
      this.restart();
      return null;
    }
    return this.members(
      this.#levels(Side.buy, bids),
      this.#levels(Side.sell, asks),
      this.#checksum(),
    );
  }

  /** Whole levels; a removed one has quantity 0 and no orders. */
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

  /** The snapshot of a book that was written already, or is small enough to write now. */
  protected override snapshot(): string | null {
    const { updateId } = this.instrument.book;
    if (this.#written?.updateId === updateId) return this.#written.text;
    if (!this.#isIdle || !this.#isSmall) return null;
    const texts = new Level3Snapshot(this.host.state, this.instrument).write(PIECE_ORDERS + 1)!;
    const text = this.#membersOf(updateId, texts, this.#checksum());
    this.#written = { updateId, text };
    return text;
  }

  #membersOf(updateId: number, { bids, asks, complete }: Level3Texts, checksum: number): string {
    return `${this.members(bids, asks, checksum, updateId)},"complete":${complete}`;
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
