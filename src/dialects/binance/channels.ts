// The market streams: each channel of a pair, with its members, and the messages that it makes of
// the core's trades, of the book, and of the views. A name is written once for all its members.
import { formatSteps } from '../../contract/decimal.ts';
import { type JsonOut, stringify } from '../../contract/json.ts';
import type { CandleInterval } from '../../core/calendar.ts';
import type { Trade } from '../../core/event.ts';
import { Side } from '../../core/fix.ts';
import type { Instrument } from '../../core/instrument.ts';
import type { BookWatch } from '../../core/matching/order-book.ts';
import { NONE } from '../../core/matching/order-store.ts';
import { type Amount, add, type Ticks } from '../../core/units.ts';
import type { Services } from '../../gateway/services.ts';
import type { Connection } from '../../streams/connection.ts';
import type { Candle } from '../../views/candles.ts';
import {
  bestOf,
  candleTexts,
  closeTimeOf,
  levelsOf,
  windowTexts,
  writeAggTrade,
} from './market-data.ts';
import type { Symbols } from './symbols.ts';

/** Between two ticks of the channels that are not fed by events. */
export const TICK_MS = 100;
const SECOND_TICKS = 10;

export interface ChannelHost {
  readonly services: Services;
  readonly symbols: Symbols;
}

export abstract class Channel {
  readonly name: string;
  /** The id of the pair; 0 for all pairs. */
  readonly securityId: number;
  protected readonly host: ChannelHost;
  /** True if each member wants the name around its messages. */
  readonly #members = new Map<Connection, boolean>();

  constructor(host: ChannelHost, name: string, securityId = 0) {
    this.host = host;
    this.name = name;
    this.securityId = securityId;
  }

  get isEmpty(): boolean {
    return this.#members.size === 0;
  }

  add(connection: Connection, isCombined: boolean): void {
    this.#members.set(connection, isCombined);
  }

  remove(connection: Connection): void {
    this.#members.delete(connection);
  }

  protected publish(data: JsonOut): void {
    const text = stringify(data);
    const combined = `{"stream":"${this.name}","data":${text}}`;
    for (const [connection, isCombined] of this.#members) {
      connection.send(isCombined ? combined : text, this);
    }
  }

  /** Business time, ms. */
  protected get now(): number {
    return this.host.services.engine.now;
  }

  /** A trade of the pair. */
  receive(_trade: Trade): void {}
  /** A batch of commands was applied. */
  flush(): void {}
  /** Called every TICK_MS; `count` counts the ticks. */
  tick(_count: number): void {}
  close(): void {}
}

abstract class PairChannel extends Channel {
  readonly instrument: Instrument;

  constructor(host: ChannelHost, name: string, instrument: Instrument) {
    super(host, name, instrument.securityId);
    this.instrument = instrument;
  }

  protected get symbol(): string {
    return this.host.symbols.nameOf(this.instrument);
  }

  protected head(event: string) {
    return { e: event, E: this.now, s: this.symbol };
  }
}

/** A channel that the core's trades feed. */
abstract class TradeFedChannel extends PairChannel {
  protected pending: Trade[] = [];

  constructor(host: ChannelHost, name: string, instrument: Instrument) {
    super(host, name, instrument);
    this.#filter.addPair(instrument.securityId);
  }

  get #filter() {
    return this.host.services.engine.exchange.state.eventFilter;
  }

  override receive(trade: Trade): void {
    this.pending.push(trade);
  }

  override close(): void {
    this.#filter.removePair(this.instrument.securityId);
  }
}

export class TradeChannel extends TradeFedChannel {
  override flush(): void {
    const { tick, lot } = this.instrument;
    for (const trade of this.pending) {
      this.publish({
        ...this.head('trade'),
        t: trade.tradeId,
        p: formatSteps(trade.price, tick),
        q: formatSteps(trade.quantity, lot),
        T: trade.transactTime,
        m: trade.takerSide === Side.sell,
        M: true,
      });
    }
    this.pending = [];
  }
}

export class AggTradeChannel extends TradeFedChannel {
  override flush(): void {
    const { pending } = this;
    for (let at = 0; at < pending.length; ) {
      const first = pending[at]!;
      let last = first;
      let [quantity, quoteAmount] = [first.quantity as number as Amount, first.quoteAmount];
      for (at++; at < pending.length && pending[at]!.aggTradeId === first.aggTradeId; at++) {
        last = pending[at]!;
        quantity = add(quantity, last.quantity as number as Amount);
        quoteAmount = add(quoteAmount, last.quoteAmount);
      }
      const aggregate = { ...first, lastTradeId: last.tradeId, quantity, quoteAmount };
      this.publish({ ...this.head('aggTrade'), ...writeAggTrade(aggregate, this.instrument) });
    }
    this.pending = [];
  }
}

/** The best prices, after each batch that changed them. */
export class BookTickerChannel extends PairChannel {
  #sent = '';
  #updateId = -1;

  override flush(): void {
    const { updateId } = this.instrument.book;
    if (updateId === this.#updateId) return;
    this.#updateId = updateId;
    const { bidPrice, bidQty, askPrice, askQty } = bestOf(this.instrument);
    const prices = { s: this.symbol, b: bidPrice, B: bidQty, a: askPrice, A: askQty };
    const text = stringify(prices);
    if (text === this.#sent) return;
    this.#sent = text;
    this.publish({ u: updateId, ...prices });
  }
}

/** The differences of the whole book, every `every` ticks. */
export class DepthChannel extends PairChannel {
  readonly #every: number;
  readonly #watch: BookWatch;
  #updateId: number;

  constructor(host: ChannelHost, name: string, instrument: Instrument, every: number) {
    super(host, name, instrument);
    this.#every = every;
    this.#watch = instrument.book.watch();
    this.#updateId = instrument.book.updateId;
  }

  override tick(count: number): void {
    const { updateId } = this.instrument.book;
    if (count % this.#every !== 0 || updateId === this.#updateId) return;
    const { bids, asks } = this.#watch.take();
    this.publish({
      ...this.head('depthUpdate'),
      U: this.#updateId + 1,
      u: updateId,
      b: this.#levels(Side.buy, bids),
      a: this.#levels(Side.sell, asks),
    });
    this.#updateId = updateId;
  }

  /** The levels at these prices as they are; 0 for one that is gone. */
  #levels(side: Side, prices: readonly Ticks[]): string[][] {
    const { book, tick, lot } = this.instrument;
    const ladder = book.ladder(side);
    return prices.map((price) => {
      const level = ladder.find(price);
      const quantity = level === NONE ? '0' : formatSteps(book.levelQuantity(level), lot);
      return [formatSteps(price, tick), quantity];
    });
  }

  override close(): void {
    this.instrument.book.unwatch(this.#watch);
  }
}

/** The best levels, every `every` ticks in which they may have changed. */
export class PartialDepthChannel extends PairChannel {
  readonly #every: number;
  readonly #depth: number;
  #updateId = -1;

  constructor(
    host: ChannelHost,
    name: string,
    instrument: Instrument,
    { depth, every }: { readonly depth: number; readonly every: number },
  ) {
    super(host, name, instrument);
    this.#depth = depth;
    this.#every = every;
  }

  override tick(count: number): void {
    const { updateId } = this.instrument.book;
    if (count % this.#every !== 0 || updateId === this.#updateId) return;
    this.#updateId = updateId;
    this.publish({
      lastUpdateId: updateId,
      bids: levelsOf(this.instrument, Side.buy, this.#depth),
      asks: levelsOf(this.instrument, Side.sell, this.#depth),
    });
  }
}

/** Reads the views, one query at a time; a failed one is tried again with the next tick. */
class Poll {
  #isReading = false;

  run(host: ChannelHost, read: () => Promise<void>): void {
    if (this.#isReading) return;
    this.#isReading = true;
    read()
      .catch((error) => host.services.log.debug({ err: error }, 'a stream could not read'))
      .finally(() => {
        this.#isReading = false;
      });
  }
}

/** The candle that grows, each second in which it did, and once more when it is closed. */
export class KlineChannel extends TradeFedChannel {
  readonly #interval: CandleInterval;
  readonly #poll = new Poll();
  #hasTraded = true;
  /** The candle that was sent as open. */
  #open: number | null = null;

  constructor(host: ChannelHost, name: string, instrument: Instrument, interval: CandleInterval) {
    super(host, name, instrument);
    this.#interval = interval;
  }

  override receive(): void {
    this.#hasTraded = true;
  }

  override tick(count: number): void {
    const hasEnded = this.#open !== null && this.now > closeTimeOf(this.#open, this.#interval);
    if (count % SECOND_TICKS !== 0 || !(this.#hasTraded || hasEnded)) return;
    this.#poll.run(this.host, () => this.#read());
  }

  async #read(): Promise<void> {
    this.#hasTraded = false;
    const { views, engine } = this.host.services;
    const { securityId } = this.instrument;
    const start = this.#open === null ? {} : { start: this.#open };
    const query = { type: 'candles', securityId, interval: this.#interval, ...start } as const;
    const limit = this.#open === null ? 1 : MAX_CANDLES;
    let found: Candle[];
    try {
      found = await views.query({ ...query, limit }, engine.seq);
    } catch (error) {
      this.#hasTraded = true;
      throw error;
    }
    if (!this.isEmpty) for (const candle of found) this.#send(candle);
  }

  #send(candle: Candle): void {
    const { openTime } = candle;
    const end = closeTimeOf(openTime, this.#interval);
    const isClosed = this.now > end;
    this.#open = isClosed ? null : openTime;
    const { open, close, high, low, volume, quoteVolume } = candleTexts(candle, this.instrument);
    const prices = { o: open, c: close, h: high, l: low, v: volume };
    const trades = { n: candle.tradeCount, x: isClosed, q: quoteVolume, V: '0', Q: '0', B: '0' };
    this.publish({
      ...this.head('kline'),
      k: {
        t: openTime,
        T: end,
        s: this.symbol,
        i: this.#interval,
        f: -1,
        L: -1,
        ...prices,
        ...trades,
      },
    });
  }
}

/** Candles that may close between two reads. */
const MAX_CANDLES = 100;

export type TickerKind = 'ticker' | 'miniTicker';

/** The last 24 hours of a pair, or of all that changed, each second. */
export class TickerChannel extends Channel {
  readonly #kind: TickerKind;
  /** null: all pairs, as one list. */
  readonly #instrument: Instrument | null;
  readonly #poll = new Poll();
  /** By securityId: the book and the minute of the last message. */
  readonly #sent = new Map<number, string>();

  constructor(host: ChannelHost, name: string, kind: TickerKind, instrument: Instrument | null) {
    super(host, name);
    this.#kind = kind;
    this.#instrument = instrument;
  }

  get #due(): readonly Instrument[] {
    const all = this.#instrument === null ? this.host.symbols.all : [this.#instrument];
    return all.filter((each) => this.#sent.get(each.securityId) !== this.#version(each));
  }

  #version({ book }: Instrument): string {
    return `${book.updateId}/${Math.floor(this.now / MINUTE_MS)}`;
  }

  override tick(count: number): void {
    if (count % SECOND_TICKS === 0 && this.#due.length > 0) {
      this.#poll.run(this.host, () => this.#read());
    }
  }

  async #read(): Promise<void> {
    const due = new Map(this.#due.map((each) => [each.securityId, this.#version(each)]));
    const { views, engine } = this.host.services;
    const { now } = this;
    const only = this.#instrument === null ? {} : { securityId: this.#instrument.securityId };
    const found = await views.query({ type: 'tickers', now, ...only }, engine.seq);
    const messages: JsonOut[] = [];
    for (const facts of found) {
      const version = due.get(facts.securityId);
      if (version === undefined) continue;
      this.#sent.set(facts.securityId, version);
      messages.push(this.#write(facts, now));
    }
    if (this.isEmpty || messages.length === 0) return;
    this.publish(this.#instrument === null ? messages : messages[0]);
  }

  #write(facts: Parameters<typeof windowTexts>[0] & { readonly securityId: number }, now: number) {
    const instrument = this.host.services.engine.exchange.state.instruments[facts.securityId]!;
    const texts = windowTexts(facts, instrument);
    const isMini = this.#kind === 'miniTicker';
    const head = {
      e: isMini ? '24hrMiniTicker' : '24hrTicker',
      E: now,
      s: this.host.symbols.nameOf(instrument),
    };
    const { openPrice: o, highPrice: h, lowPrice: l, volume: v, quoteVolume: q } = texts;
    const prices = { o, h, l, v, q };
    if (isMini) return { ...head, c: texts.lastPrice, ...prices };
    const { bidPrice, bidQty, askPrice, askQty } = bestOf(instrument);
    return {
      ...head,
      p: texts.priceChange,
      P: texts.priceChangePercent,
      w: texts.weightedAvgPrice,
      x: texts.openPrice,
      c: texts.lastPrice,
      Q: '0',
      b: bidPrice,
      B: bidQty,
      a: askPrice,
      A: askQty,
      ...prices,
      O: facts.openTime,
      C: now,
      F: -1,
      L: -1,
      n: facts.tradeCount,
    };
  }
}

const MINUTE_MS = 60_000;
