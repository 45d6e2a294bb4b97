// Candles: open, high, low, close, volumes and number of trades of each instrument in intervals
// aligned to UTC. An interval without trades has no row. Time never goes back, so only the newest
// candle of an interval changes.
import type { Database } from 'bun:sqlite';
import { assert } from '../core/assert.ts';
import type { Trade } from '../core/event.ts';
import { add, type Ticks, ZERO } from '../core/units.ts';
import { assertPageSize, NO_BOUND, type TimeWindow } from './id-walk.ts';
import {
  changing,
  type InsertInto,
  integer,
  money,
  type Reader,
  type RecordOf,
  Table,
} from './table.ts';

const MINUTE = 60_000;

/** In ms. All divide a day, so counting from 1970 aligns them to UTC. */
export const CANDLE_INTERVALS = {
  '1m': MINUTE,
  '5m': 5 * MINUTE,
  '15m': 15 * MINUTE,
  '1h': 60 * MINUTE,
  '4h': 240 * MINUTE,
  '1d': 1440 * MINUTE,
} as const;
export type CandleInterval = keyof typeof CANDLE_INTERVALS;
const LENGTHS: readonly number[] = Object.values(CANDLE_INTERVALS);

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
    securityId: integer(),
    interval: integer(),
    openTime: integer(),
    open: integer<Ticks>(),
    high: changing(integer<Ticks>()),
    low: changing(integer<Ticks>()),
    close: changing(integer<Ticks>()),
    baseVolume: changing(money()),
    quoteVolume: changing(money()),
    tradeCount: changing(integer()),
  },
  { key: ['securityId', 'interval', 'openTime'] },
);
const CANDLE = CANDLES.without('securityId', 'interval');
export type Candle = ReturnType<typeof CANDLE.read>;

/** A candle that still grows. */
type Growing = { -readonly [K in keyof RecordOf<typeof CANDLES>]: RecordOf<typeof CANDLES>[K] };

export class CandlesView {
  readonly #insert: InsertInto<typeof CANDLES>;
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
    const place = trade.securityId * LENGTHS.length;
    for (let i = 0; i < LENGTHS.length; i++) {
      const candle = this.#candleFor(trade, place + i, LENGTHS[i]);
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
    const { securityId, start, end = NO_BOUND, limit } = query;
    assertPageSize(limit);
    const interval = CANDLE_INTERVALS[query.interval];
    if (start !== undefined) return this.#forward.all(securityId, interval, start, end, limit);
    return this.#backward.all(securityId, interval, 0, end, limit).reverse();
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
