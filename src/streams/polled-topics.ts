// Tickers and candles as streams: sums over time, which the views keep. A topic queries the views
// at intervals, if something may have changed, and sends the newest state, not every step to it.
import { candle } from '../contract/market-data/answers.ts';
import { writeTicker } from '../contract/market-data/market-data.ts';
import type { Subject } from '../contract/streams/requests.ts';
import type { CandleInterval } from '../core/calendar.ts';
import type { Trade } from '../core/event.ts';
import type { Instrument } from '../core/instrument.ts';
import { CANDLES_INTERVAL_MS, SNAPSHOT_CANDLES, TICKER_INTERVAL_MS } from './limits.ts';
import { Topic, type TopicHost } from './topic.ts';

const MINUTE = 60_000;

/** A topic whose rows are read from the views. */
abstract class PolledTopic extends Topic {
  readonly #timer: ReturnType<typeof setInterval>;
  /** The rows of a snapshot, as JSON texts; null before the first query. */
  #rows: readonly string[] | null = null;
  #reading = false;
  #closed = false;

  constructor(host: TopicHost, subject: Subject, intervalMs: number) {
    super(host, subject);
    this.#timer = setInterval(() => {
      if (this.isDue()) void this.#read();
    }, intervalMs);
  }

  protected abstract isDue(): boolean;

  /** The current rows, and those of them that changed. */
  protected abstract readRows(seq: number): Promise<{ rows: string[]; news: string[] }>;

  async #read(): Promise<void> {
    if (this.#reading) return;
    this.#reading = true;
    const { seq, time } = this.host.state;
    try {
      const { rows, news } = await this.readRows(seq);
      if (this.#closed) return;
      this.#rows = rows;
      if (news.length > 0) this.update(`,"data":[${news.join(',')}]`, seq, time);
      this.admitWaiting();
    } catch (error) {
      if (!this.#closed) this.fail(error);
    } finally {
      this.#reading = false;
    }
  }

  /** Nothing is pending: changes come with the next query. */
  override flush(): void {}

  protected override snapshot(): string | null {
    if (this.#rows !== null) return `,"data":[${this.#rows.join(',')}]`;
    void this.#read();
    return null;
  }

  override close(): void {
    this.#closed = true;
    clearInterval(this.#timer);
  }
}

/** The last 24 hours of one pair, or of all. */
export class TickerTopic extends PolledTopic {
  readonly #instrument: Instrument | null;
  /** By securityId: the book and the minute of the last message. */
  readonly #sent = new Map<number, string>();

  constructor(host: TopicHost, subject: Subject, instrument: Instrument | null) {
    super(host, subject, TICKER_INTERVAL_MS);
    this.#instrument = instrument;
  }

  #instruments(): Instrument[] {
    const { instruments } = this.host.state;
    return this.#instrument === null
      ? instruments.filter((each) => each !== undefined)
      : [this.#instrument];
  }

  /** Every trade changes a book, and each minute the window moves on. */
  #version({ book }: Instrument): string {
    return `${book.updateId}/${Math.floor(this.host.now / MINUTE)}`;
  }

  protected override isDue(): boolean {
    return this.#instruments().some(
      (instrument) => this.#sent.get(instrument.securityId) !== this.#version(instrument),
    );
  }

  protected override async readRows(seq: number) {
    const { host } = this;
    const changed = new Map<number, string>();
    for (const instrument of this.#instruments()) {
      const version = this.#version(instrument);
      const isNews = this.#sent.get(instrument.securityId) !== version;
      if (isNews) changed.set(instrument.securityId, version);
    }
    const { now } = host;
    const only = this.#instrument === null ? {} : { securityId: this.#instrument.securityId };
    const found = await host.views.query({ type: 'tickers', now, ...only }, seq);
    // After the query, so that a failed one is due again.
    for (const [securityId, version] of changed) this.#sent.set(securityId, version);
    const written = found.map((ticker) => {
      const instrument = host.state.instruments[ticker.securityId]!;
      const text = writeTicker(ticker, instrument, now).source;
      return { text, isNews: changed.has(ticker.securityId) };
    });
    return {
      rows: written.map(({ text }) => text),
      news: written.filter(({ isNews }) => isNews).map(({ text }) => text),
    };
  }
}

/** The candles of one pair and interval: the growing one, and the one that it replaces. */
export class CandleTopic extends PolledTopic {
  readonly #instrument: Instrument;
  #traded = false;
  /** The opening times and texts of the last candles, oldest first. */
  #sent: { readonly openTime: number; readonly text: string }[] = [];

  constructor(host: TopicHost, subject: Subject, instrument: Instrument) {
    super(host, subject, CANDLES_INTERVAL_MS);
    this.#instrument = instrument;
    host.state.eventFilter.pairs.add(instrument.securityId);
  }

  get securityId(): number {
    return this.#instrument.securityId;
  }

  receive(_trade: Trade): void {
    this.#traded = true;
  }

  protected override isDue(): boolean {
    return this.#traded;
  }

  protected override async readRows(seq: number) {
    this.#traded = false;
    try {
      return await this.#readCandles(seq);
    } catch (error) {
      // A failed query is due again.
      this.#traded = true;
      throw error;
    }
  }

  async #readCandles(seq: number) {
    const { securityId } = this.#instrument;
    const interval = this.subject.interval as CandleInterval;
    const start = this.#sent.at(-1)?.openTime;
    const query = {
      type: 'candles',
      securityId,
      interval,
      start,
      limit: SNAPSHOT_CANDLES,
    } as const;
    const found = await this.host.views.query(query, seq);
    const written = found.map((each) => ({
      openTime: each.openTime,
      text: candle.write(each, this.#instrument).source,
    }));
    const known = new Map(this.#sent.map(({ openTime, text }) => [openTime, text]));
    const news = written.filter(({ openTime, text }) => known.get(openTime) !== text);
    const first = written[0]?.openTime ?? Number.POSITIVE_INFINITY;
    this.#sent = [...this.#sent.filter(({ openTime }) => openTime < first), ...written].slice(
      -SNAPSHOT_CANDLES,
    );
    return {
      rows: this.#sent.map(({ text }) => text),
      news: news.map(({ text }) => text),
    };
  }

  override close(): void {
    super.close();
    this.host.state.eventFilter.pairs.remove(this.#instrument.securityId);
  }
}
