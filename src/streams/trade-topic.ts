// The trades of a pair as a stream, one message for each batch. A snapshot has the newest trades,
// from the views and from the events received since the views were queried.
import { stringify } from '../contract/json.ts';
import { type TradeFacts, writePublicTrade } from '../contract/market-data/market-data.ts';
import type { Subject } from '../contract/streams/requests.ts';
import type { Trade } from '../core/event.ts';
import type { Instrument } from '../core/instrument.ts';
import { SNAPSHOT_TRADES } from './limits.ts';
import { Topic, type TopicHost } from './topic.ts';

type Told = TradeFacts & { readonly tradeId: number };

export class TradeTopic extends Topic {
  readonly #instrument: Instrument;
  #pending: Trade[] = [];
  /** The newest trades that were heard or read, oldest first. */
  #recent: Told[] = [];
  #seeding = false;
  #seeded = false;

  constructor(host: TopicHost, subject: Subject, instrument: Instrument) {
    super(host, subject);
    this.#instrument = instrument;
    host.state.eventFilter.addPair(instrument.securityId);
  }

  get securityId(): number {
    return this.#instrument.securityId;
  }

  see(trade: Trade): void {
    this.#pending.push(trade);
  }

  override flush(): void {
    const trades = this.#pending;
    if (trades.length === 0) return;
    this.#pending = [];
    this.#recent = [...this.#recent, ...trades].slice(-SNAPSHOT_TRADES);
    this.update(this.#members(trades));
  }

  /**
   * Whatever the views tell beyond what was asked has been heard here as well, and is told once.
   */
  async #seed(): Promise<void> {
    if (this.#seeding) return;
    this.#seeding = true;
    const { securityId } = this.#instrument;
    const query = { type: 'publicTrades', securityId, limit: SNAPSHOT_TRADES } as const;
    try {
      const read = await this.host.views.query(query, this.host.state.seq);
      this.flush();
      const known = new Map(read.map((trade): [number, Told] => [trade.tradeId, trade]));
      for (const trade of this.#recent) known.set(trade.tradeId, trade);
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

  /** Oldest first, as they happened. */
  #members(trades: readonly TradeFacts[]): string {
    return `,"data":${stringify(trades.map((trade) => writePublicTrade(trade, this.#instrument)))}`;
  }

  override close(): void {
    this.host.state.eventFilter.removePair(this.#instrument.securityId);
  }
}
