// Topics that the core's events feed: the trades of a pair, and the list of instruments.

import type { Source } from '../contract/answer.ts';
import { stringify } from '../contract/json.ts';
import { publicTrade } from '../contract/market-data/answers.ts';
import { writeInstrument } from '../contract/market-data/market-data.ts';
import type { Subject } from '../contract/streams/requests.ts';
import type { InstrumentChanged, Trade } from '../core/event.ts';
import type { Instrument } from '../core/instrument.ts';
import { ChangeQueue } from './change-queue.ts';
import { SNAPSHOT_TRADES } from './limits.ts';
import { Topic, type TopicHost } from './topic.ts';

type SentTrade = Source<typeof publicTrade>;

/** The trades of a pair. */
export class TradeTopic extends Topic {
  readonly #instrument: Instrument;
  readonly #pending = new ChangeQueue<Trade>();
  /** The newest trades, oldest first. */
  #recent: SentTrade[] = [];
  #seeding = false;
  #seeded = false;

  constructor(host: TopicHost, subject: Subject, instrument: Instrument) {
    super(host, subject);
    this.#instrument = instrument;
    host.state.eventFilter.pairs.add(instrument.securityId);
  }

  get securityId(): number {
    return this.#instrument.securityId;
  }

  receive(trade: Trade): void {
    this.#pending.push(trade, this.host.state.seq);
  }

  get waiting(): number {
    return this.#pending.length;
  }

  override get sentSeq(): number {
    return this.#pending.sentSeq(this.host.state.seq);
  }

  /** See Owner.sendNext. */
  sendNext(): number {
    const trades = this.#pending.take();
    if (trades.length === 0) return 0;
    this.#recent = [...this.#recent, ...trades].slice(-SNAPSHOT_TRADES);
    this.update(this.#members(trades), this.sentSeq);
    return trades.length + this.memberCount;
  }

  /** Nothing: a snapshot has the trades that were sent, and the others follow. */
  override flush(): void {}

  /** Trades that both the views and the events have count once. */
  async #seed(): Promise<void> {
    if (this.#seeding) return;
    this.#seeding = true;
    const { securityId } = this.#instrument;
    const query = { type: 'publicTrades', securityId, limit: SNAPSHOT_TRADES } as const;
    try {
      const read = await this.host.views.query(query, this.host.state.seq);
      const next = this.#pending.first?.tradeId ?? Number.POSITIVE_INFINITY;
      const known = new Map<number, SentTrade>();
      for (const trade of [...read, ...this.#recent]) {
        if (trade.tradeId < next) known.set(trade.tradeId, trade);
      }
      this.#recent = [...known.values()]
        .sort((a, b) => a.tradeId - b.tradeId)
        .slice(-SNAPSHOT_TRADES);
      this.#seeded = true;
      this.admitWaiting();
    } catch (error) {
      this.fail(error);
    } finally {
      this.#seeding = false;
    }
  }

  protected override snapshot(): string | null {
    if (this.#seeded) return this.#members(this.#recent);
    void this.#seed();
    return null;
  }

  #members(trades: readonly SentTrade[]): string {
    const rows = trades.map((trade) => publicTrade.write(trade, this.#instrument));
    return `,"data":${stringify(rows)}`;
  }

  override close(): void {
    this.host.state.eventFilter.pairs.remove(this.#instrument.securityId);
  }
}

/** All instruments or one, and each again when its terms or its status change. */
export class InstrumentTopic extends Topic {
  readonly #instrument: Instrument | null;
  readonly #changed = new Set<number>();

  constructor(host: TopicHost, subject: Subject, instrument: Instrument | null) {
    super(host, subject);
    this.#instrument = instrument;
    host.state.eventFilter.listings.add(0);
  }

  receive({ securityId }: InstrumentChanged): void {
    if (this.#instrument !== null && this.#instrument.securityId !== securityId) return;
    this.#changed.add(securityId);
  }

  get waiting(): number {
    return this.#changed.size;
  }

  /** See Owner.sendNext. */
  sendNext(): number {
    const rows = this.waiting;
    this.flush();
    return rows + this.memberCount;
  }

  override flush(): void {
    if (this.#changed.size === 0) return;
    const { instruments } = this.host.state;
    const changed = [...this.#changed].map((securityId) => instruments[securityId]!);
    this.#changed.clear();
    this.update(this.#members(changed));
  }

  protected override snapshot(): string {
    const { instruments } = this.host.state;
    return this.#members(
      this.#instrument === null
        ? instruments.filter((each) => each !== undefined)
        : [this.#instrument],
    );
  }

  #members(instruments: readonly Instrument[]): string {
    return `,"data":${stringify(instruments.map(writeInstrument))}`;
  }

  override close(): void {
    this.host.state.eventFilter.listings.remove(0);
  }
}
