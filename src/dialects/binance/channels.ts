// The market streams: what each kind makes of the core's trades, of the book and of the views. A
// channel has the members of one name, for which a message is written once.
import { formatSteps } from '../../contract/decimal.ts';
import { type JsonOut, stringify } from '../../contract/json.ts';
import { CANDLE_INTERVALS, type CandleInterval } from '../../core/calendar.ts';
import type { Trade } from '../../core/event.ts';
import { Side } from '../../core/fix.ts';
import type { Instrument } from '../../core/instrument.ts';
import { NONE } from '../../core/matching/order-store.ts';
import { type Amount, add, type Ticks } from '../../core/units.ts';
import type { Connection } from '../../streams/connection.ts';
import type { Candle } from '../../views/candles.ts';
import type { Venue } from './endpoint.ts';
import {
  averageOf,
  candleTexts,
  closeTimeOf,
  daysOf,
  isInterval,
  windowOf,
} from './market-data.ts';
import { defined } from './parameters.ts';
import {
  levelsOf,
  type WriteTicker,
  writeDayTicker,
  writeMiniTicker,
  writeStreamBest,
  writeWindowTicker,
} from './tickers.ts';
import { writeStreamAggTrade, writeStreamTrade } from './trades.ts';

/** Between two ticks of the channels that are not fed by events. */
export const TICK_MS = 100;
const SECOND_TICKS = 10;

/** The kind of a channel, which publishes. */
interface Source {
  /** A trade of the pair. */
  receive?(trade: Trade): void;
  /** A batch of commands was applied. */
  flush?(): void;
  /** Called every `every` ticks of TICK_MS; a promise is awaited before the next call. */
  tick?(): void | Promise<void>;
  close?(): void;
}

interface Pair {
  readonly venue: Venue;
  readonly instrument: Instrument;
}

type Publish = (data: JsonOut) => void;
type Open = (pair: Pair, publish: Publish) => Source;

export class Channel {
  readonly name: string;
  /** The id of the pair; 0 for all pairs. */
  readonly securityId: number;
  readonly #source: Source;
  readonly #every: number;
  readonly #venue: Venue;
  #isReading = false;
  /** True if the member wants the name around its messages. */
  readonly #members = new Map<Connection, boolean>();

  constructor(venue: Venue, { name, securityId, every, open }: Stream) {
    this.#venue = venue;
    this.name = name;
    this.securityId = securityId;
    this.#every = every;
    this.#source = open((data) => this.#publish(data));
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

  #publish(data: JsonOut): void {
    if (this.isEmpty) return;
    const text = stringify(data);
    const combined = `{"stream":"${this.name}","data":${text}}`;
    for (const [connection, isCombined] of this.#members) {
      connection.send(isCombined ? combined : text, this);
    }
  }

  receive(trade: Trade): void {
    this.#source.receive?.(trade);
  }

  flush(): void {
    this.#source.flush?.();
  }

  /** `count` counts the ticks. A read that failed is tried again with the next tick. */
  tick(count: number): void {
    if (count % this.#every !== 0 || this.#isReading) return;
    const reading = this.#source.tick?.();
    if (!(reading instanceof Promise)) return;
    this.#isReading = true;
    reading
      .catch((err) => this.#venue.services.log.debug({ err }, 'a stream could not read'))
      .finally(() => {
        this.#isReading = false;
      });
  }

  close(): void {
    this.#source.close?.();
  }
}

/** The name of a channel, its source, and how often it ticks. */
interface Stream {
  readonly name: string;
  readonly securityId: number;
  readonly every: number;
  open(publish: Publish): Source;
}

/** A source that the core's trades feed. */
function tradeFed({ venue, instrument: { securityId } }: Pair, source: Source): Source {
  const { eventFilter } = venue.state;
  eventFilter.pairs.add(securityId);
  return { ...source, close: () => eventFilter.pairs.remove(securityId) };
}

/** Collects the trades of a batch. */
function collected(pair: Pair, flush: (trades: readonly Trade[]) => void): Source {
  let pending: Trade[] = [];
  return tradeFed(pair, {
    receive: (trade) => {
      pending.push(trade);
    },
    flush: () => {
      const trades = pending;
      pending = [];
      flush(trades);
    },
  });
}

const trades: Open = (pair, publish) =>
  collected(pair, (batch) => {
    for (const trade of batch) publish(writeStreamTrade({ ...pair, trade }));
  });

const aggTrades: Open = (pair, publish) =>
  collected(pair, (batch) => {
    for (let at = 0; at < batch.length; ) {
      const first = batch[at]!;
      let last = first;
      let [quantity, quoteAmount] = [first.quantity as number as Amount, first.quoteAmount];
      for (at++; at < batch.length && batch[at]!.aggTradeId === first.aggTradeId; at++) {
        last = batch[at]!;
        quantity = add(quantity, last.quantity as number as Amount);
        quoteAmount = add(quoteAmount, last.quoteAmount);
      }
      const trade = { ...first, lastTradeId: last.tradeId, quantity, quoteAmount };
      publish(writeStreamAggTrade({ ...pair, trade }));
    }
  });

/** Calls `act` only if the book has changed since the last call. */
function onChange({ instrument: { book } }: Pair, act: (updateId: number) => void): () => void {
  let seen = -1;
  return () => {
    const { updateId } = book;
    if (updateId === seen) return;
    seen = updateId;
    act(updateId);
  };
}

/** The best prices, after each batch that changed them. */
const bookTicker: Open = (pair, publish) => {
  let sent = '';
  const flush = onChange(pair, () => {
    const best = [Side.buy, Side.sell].map((side) => levelsOf(pair.instrument, side, 1));
    const text = JSON.stringify(best);
    if (text !== sent) publish(writeStreamBest(pair));
    sent = text;
  });
  return { flush };
};

const head = ({ venue, instrument }: Pair, event: string) => ({
  e: event,
  E: venue.now,
  s: venue.symbols.nameOf(instrument),
});

/** The quantity of a level that is gone; python-binance compares this text. */
const GONE = '0.00000000';

/** The differences of the whole book. */
const depth: Open = (pair, publish) => {
  const { book, tick, lot } = pair.instrument;
  const watch = book.watch();
  let sent = book.updateId;
  /** The changed levels as they are. */
  const levels = (side: Side, prices: readonly Ticks[]) =>
    prices.map((price) => {
      const level = book.ladder(side).find(price);
      const quantity = level === NONE ? GONE : formatSteps(book.levelQuantity(level), lot);
      return [formatSteps(price, tick), quantity];
    });
  return {
    tick: () => {
      const { updateId } = book;
      if (updateId === sent) return;
      const { bids, asks } = watch.take();
      const [b, a] = [levels(Side.buy, bids), levels(Side.sell, asks)];
      publish({ ...head(pair, 'depthUpdate'), U: sent + 1, u: updateId, b, a });
      sent = updateId;
    },
    close: () => book.unwatch(watch),
  };
};

/** The best levels, where they may have changed. */
const partialDepth =
  (size: number): Open =>
  (pair, publish) => ({
    tick: onChange(pair, (lastUpdateId) => {
      const [bids, asks] = [Side.buy, Side.sell].map((side) =>
        levelsOf(pair.instrument, side, size),
      );
      publish({ lastUpdateId, bids, asks });
    }),
  });

/** The trade ids of a candle, and the volume of the buying takers. */
const NOT_KEPT = { f: -1, L: -1, V: '0', Q: '0', B: '0' };

/** Candles that may close between two reads. */
const MAX_CANDLES = 100;

/** The candle that grows, each second in which it did, and once more when it is closed. */
const kline =
  (interval: CandleInterval): Open =>
  (pair, publish) => {
    const { venue, instrument } = pair;
    const { securityId } = instrument;
    let hasTraded = true;
    /** The candle that was sent as open. */
    let start: number | undefined;
    function send(candle: Candle): void {
      const { openTime: t, tradeCount: n } = candle;
      const T = closeTimeOf(t, interval);
      const x = venue.now > T;
      start = x ? undefined : t;
      const texts = candleTexts(candle, instrument);
      const { open: o, close: c, high: h, low: l, volume: v, quoteVolume: q } = texts;
      const { s, ...event } = head(pair, 'kline');
      const k = { t, T, s, i: interval, ...NOT_KEPT, o, c, h, l, v, n, x, q };
      publish({ ...event, s, k });
    }
    async function tick(): Promise<void> {
      const hasEnded = start !== undefined && venue.now > closeTimeOf(start, interval);
      if (!hasTraded && !hasEnded) return;
      hasTraded = false;
      const limit = start === undefined ? 1 : MAX_CANDLES;
      const query = {
        type: 'candles',
        securityId,
        interval,
        limit,
        ...defined({ start }),
      } as const;
      try {
        for (const candle of await venue.read(query)) send(candle);
      } catch (error) {
        hasTraded = true;
        throw error;
      }
    }
    const receive = () => {
      hasTraded = true;
    };
    return tradeFed(pair, { receive, tick });
  };

const avgPrice: Open = (pair, publish) => ({
  async tick() {
    const { venue, instrument } = pair;
    const { securityId } = instrument;
    const [w, [ticker]] = await Promise.all([
      averageOf(venue, instrument),
      venue.read({ type: 'tickers', now: venue.now, securityId }),
    ]);
    publish({ ...head(pair, 'avgPrice'), i: '5m', w, T: ticker?.lastTradeTime ?? 0 });
  },
});

const MINUTE_MS = CANDLE_INTERVALS['1m'];
/** The tickers by the end of their names; without `ms`, the last 24 hours. */
const TICKERS: Readonly<Record<string, { event: string; write: WriteTicker; ms?: number }>> = {
  ticker: { event: '24hrTicker', write: writeDayTicker },
  miniTicker: { event: '24hrMiniTicker', write: writeMiniTicker },
  ticker_1h: { event: '1hTicker', write: writeWindowTicker, ms: CANDLE_INTERVALS['1h'] },
  ticker_4h: { event: '4hTicker', write: writeWindowTicker, ms: CANDLE_INTERVALS['4h'] },
  ticker_1d: { event: '1dTicker', write: writeWindowTicker },
};

/** The windows of a pair, or as one list of all pairs that changed, each second. */
function tickers(venue: Venue, kind: string, only: Instrument | null, publish: Publish): Source {
  const { event, write, ms } = TICKERS[kind]!;
  /** By securityId: the book and the minute of the last message. */
  const sent = new Map<number, string>();
  const versionOf = ({ book }: Instrument): string =>
    `${book.updateId}/${Math.floor(venue.now / MINUTE_MS)}`;
  async function tick(): Promise<void> {
    const all = only === null ? venue.symbols.all : [only];
    const due = all.filter((one) => sent.get(one.securityId) !== versionOf(one));
    if (due.length === 0) return;
    const versions = due.map(versionOf);
    const facts = await windows(venue, due, ms);
    const messages = due.flatMap((instrument, i) => {
      sent.set(instrument.securityId, versions[i]!);
      const own = facts[i];
      return own === undefined ? [] : [write({ venue, instrument, facts: own, event })];
    });
    if (messages.length > 0) publish(only === null ? messages : messages[0]);
  }
  return { tick };
}

const windows = (venue: Venue, pairs: readonly Instrument[], ms: number | undefined) =>
  ms === undefined
    ? daysOf(venue, pairs)
    : Promise.all(pairs.map((instrument) => windowOf(venue, instrument, ms)));

/** The kinds of a pair by the end of their names. */
const KINDS: Readonly<Record<string, { open: Open; every?: number }>> = {
  trade: { open: trades },
  aggTrade: { open: aggTrades },
  bookTicker: { open: bookTicker },
  avgPrice: { open: avgPrice, every: SECOND_TICKS },
};
/** Ticks between two messages of a book, by the end of its name. */
const SPEEDS: Readonly<Record<string, number>> = { '': 10, '@1000ms': 10, '@100ms': 1 };
const DEPTH = /^depth(5|10|20|)(@100ms|@1000ms|)$/;

function kindOf(name: string): { open: Open; every?: number } | null {
  if (Object.hasOwn(KINDS, name)) return KINDS[name]!;
  const interval = name.startsWith('kline_') ? name.slice('kline_'.length) : '';
  if (isInterval(interval)) return { open: kline(interval), every: SECOND_TICKS };
  const [, size, speed] = DEPTH.exec(name) ?? [];
  if (size === undefined) return null;
  return { open: size === '' ? depth : partialDepth(Number(size)), every: SPEEDS[speed!]! };
}

/**
 * The stream of a name such as btcusdt@depth5@100ms; null where there is none. However a client
 * writes the pair, its stream has one name, so all spellings share one channel.
 */
export function streamOf(venue: Venue, name: string): Stream | null {
  const at = name.indexOf('@');
  const [symbol, kind] = [name.slice(0, Math.max(0, at)), name.slice(at + 1)];
  const every = SECOND_TICKS;
  if (symbol.startsWith('!') && kind === 'arr' && Object.hasOwn(TICKERS, symbol.slice(1))) {
    const open = (publish: Publish) => tickers(venue, symbol.slice(1), null, publish);
    return { name, securityId: 0, every, open };
  }
  const instrument = venue.symbols.find(symbol.toUpperCase());
  if (instrument === undefined) return null;
  const { securityId } = instrument;
  const own = `${venue.symbols.nameOf(instrument).toLowerCase()}@${kind}`;
  if (Object.hasOwn(TICKERS, kind)) {
    const open = (publish: Publish) => tickers(venue, kind, instrument, publish);
    return { name: own, securityId, every, open };
  }
  const found = kindOf(kind);
  if (found === null) return null;
  const open = (publish: Publish) => found.open({ venue, instrument }, publish);
  return { name: own, securityId, every: found.every ?? 1, open };
}
