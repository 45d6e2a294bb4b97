// Candles: open, high, low, close, volumes and number of trades of each instrument in intervals
// aligned to UTC. An interval without trades has none. Time never goes back, so only the newest
// candle of an interval changes. Six intervals have rows; a read joins the others from them.
import type { Database } from 'bun:sqlite';
import { assert } from '../core/assert.ts';
import { CANDLE_INTERVALS, type CandleInterval, intervalStart } from '../core/calendar.ts';
import { integer, type Mutable, money, price } from '../core/codec.ts';
import type { Trade } from '../core/event.ts';
import { add, type Ticks, ZERO } from '../core/units.ts';
import { assertPageSize, NO_BOUND, type TimeWindow } from './id-walk.ts';
import { type Insert, type Reader, type RecordOf, Table } from './table.ts';

const MINUTE = CANDLE_INTERVALS['1m'];

/** The intervals that have rows, in ms, longest last. All divide a day. */
const STORED = (['1m', '5m', '15m', '1h', '4h', '1d'] as const).map(
  (interval) => CANDLE_INTERVALS[interval] as number,
);

/**
 * Candles of one instrument that open in a window, oldest first. Without `start` they are the
 * newest ones before `end`.
 */
export interface CandlesQuery extends TimeWindow {
  readonly type: 'candles';
  readonly securityId: number;
  readonly interval: CandleInterval;
  /** 1 to MAX_PAGE_SIZE. */
  readonly limit: number;
}

/** `openTime` is the start of the interval, business time, ms. */
export const CANDLES = new Table(
  'candles',
  {
    securityId: integer,
    interval: integer,
    openTime: integer,
    open: price,
    high: price,
    low: price,
    close: price,
    baseVolume: money,
    quoteVolume: money,
    tradeCount: integer,
  },
  {
    key: ['securityId', 'interval', 'openTime'],
    constant: ['securityId', 'interval', 'openTime', 'open'],
  },
);
const CANDLE = CANDLES.without('securityId', 'interval');
export type Candle = ReturnType<typeof CANDLE.read>;

/** The longest stored interval that candles of this length are joined from, ms. */
const partOf = (length: number): number => STORED.findLast((stored) => length % stored === 0)!;

/** The rows that candles of an interval are joined from, at most. */
export function rowsOfCandles(interval: CandleInterval, candles: number): number {
  const length: number = CANDLE_INTERVALS[interval];
  return (candles * length) / partOf(length);
}

/** A candle that still grows. */
type Growing = Mutable<RecordOf<typeof CANDLES>>;

export class CandlesView {
  readonly #insert: Insert<RecordOf<typeof CANDLES>>;
  /** The newest candles, by securityId × number of intervals + place of the interval. */
  readonly #newest: Growing[] = [];
  readonly #changed = new Set<Growing>();
  readonly #forward: Reader<Candle>;
  readonly #backward: Reader<Candle>;

  constructor(db: Database) {
    this.#insert = CANDLES.prepareInsert(db);
    const walk = (direction: string): Reader<Candle> =>
      CANDLE.prepare(
        db,
        `WHERE securityId = ? AND interval = ? AND openTime >= ? AND openTime < ?
         ORDER BY openTime ${direction} LIMIT ?`,
      );
    this.#forward = walk('ASC');
    this.#backward = walk('DESC');
  }

  record(trade: Trade): void {
    const { price } = trade;
    const place = trade.securityId * STORED.length;
    for (let i = 0; i < STORED.length; i++) {
      const candle = this.#candleFor(trade, place + i, STORED[i]);
      if (price > candle.high) candle.high = price;
      if (price < candle.low) candle.low = price;
      candle.close = price;
      candle.baseVolume = add(candle.baseVolume, trade.baseAmount);
      candle.quoteVolume = add(candle.quoteVolume, trade.quoteAmount);
      candle.tradeCount++;
      this.#changed.add(candle);
    }
  }

  #candleFor(trade: Trade, place: number, interval: number): Growing {
    const { securityId, transactTime } = trade;
    const openTime = transactTime - (transactTime % interval);
    const known = this.#newest[place];
    if (known?.openTime === openTime) return known;
    assert(known === undefined || known.openTime < openTime, 'trades come in order of time');
    // After the first one, a later interval is new; before, the file may have its beginning.
    const stored =
      known === undefined ? this.#forward.get(securityId, interval, openTime, NO_BOUND, 1) : null;
    const candle = stored ?? emptyCandle(openTime, trade.price);
    const growing = { ...candle, securityId, interval };
    this.#newest[place] = growing;
    return growing;
  }

  /** In the transaction of the batch. */
  flush(): void {
    for (const candle of this.#changed) {
      this.#insert(candle);
    }
    this.#changed.clear();
  }

  find(query: CandlesQuery): Candle[] {
    const { securityId, start, end, limit } = query;
    assertPageSize(limit);
    const length: number = CANDLE_INTERVALS[query.interval];
    const part = partOf(length);
    const from = start === undefined ? 0 : nextStart(start, length);
    const before = end === undefined ? NO_BOUND : nextStart(end, length);
    const ascending = start !== undefined;
    // So many parts make `limit` whole candles, or more candles than that.
    const walk = ascending ? this.#forward : this.#backward;
    const parts = walk.all(securityId, part, from, before, rowsOfCandles(query.interval, limit));
    const candles = joinParts(ascending ? parts : parts.reverse(), length);
    return ascending ? candles.slice(0, limit) : candles.slice(-limit);
  }

  /** The one-minute candles that open from `start` on and before `end`, oldest first. */
  minutes(securityId: number, start: number, end: number): Candle[] {
    return this.#forward.all(securityId, MINUTE, start, end, NO_BOUND);
  }

  /** The newest one-minute candle, or null before the first trade. */
  newestMinute(securityId: number): Candle | null {
    return this.#backward.get(securityId, MINUTE, 0, NO_BOUND, 1);
  }
}

/** The first start of an interval at `time` or later. */
const nextStart = (time: number, length: number): number =>
  intervalStart(time + length - 1, length);

/** The candles of `length` ms that cover these parts, which are in order of time. */
function joinParts(parts: readonly Candle[], length: number): Candle[] {
  const candles: Candle[] = [];
  for (const part of parts) {
    const openTime = intervalStart(part.openTime, length);
    const last = candles.at(-1);
    if (last?.openTime === openTime) candles[candles.length - 1] = joinCandles(last, part);
    else candles.push({ ...part, openTime });
  }
  return candles;
}

/** The candle that covers both; `later` comes after `earlier`. */
export function joinCandles(earlier: Candle | null, later: Candle): Candle {
  if (earlier === null) return later;
  return {
    openTime: earlier.openTime,
    open: earlier.open,
    high: later.high > earlier.high ? later.high : earlier.high,
    low: later.low < earlier.low ? later.low : earlier.low,
    close: later.close,
    baseVolume: add(earlier.baseVolume, later.baseVolume),
    quoteVolume: add(earlier.quoteVolume, later.quoteVolume),
    tradeCount: earlier.tradeCount + later.tradeCount,
  };
}

const emptyCandle = (openTime: number, price: Ticks): Candle => ({
  openTime,
  open: price,
  high: price,
  low: price,
  close: price,
  baseVolume: ZERO,
  quoteVolume: ZERO,
  tradeCount: 0,
});
