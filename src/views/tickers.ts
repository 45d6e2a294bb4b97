// Tickers: the last 24 hours of each instrument, rolling by the minute, from its one-minute
// candles. A cache has the sum of the minutes before the newest one.
import type { Database, Statement } from 'bun:sqlite';
import { type Amount, add, type Ticks, ticks, ZERO } from '../core/units.ts';
import { CANDLE_INTERVALS, type Candle, type CandlesView } from './candles.ts';
import type { InstrumentsView } from './instruments.ts';
import type { SqlValue } from './table.ts';

const MINUTE = CANDLE_INTERVALS['1m'];
const DAY = CANDLE_INTERVALS['1d'];

/** Tickers of all instruments in order of securityId, or of one. */
export interface TickersQuery {
  readonly type: 'tickers';
  readonly securityId?: number;
  /** Business time, ms. */
  readonly now: number;
}

/** A window without trades has no open, high and low, and no change. */
export interface Ticker {
  readonly securityId: number;
  /**
   * The window: minutes that open from `openTime` on, ms; the first opens less than 24 hours before
   * now.
   */
  readonly openTime: number;
  readonly open: Ticks | null;
  readonly high: Ticks | null;
  readonly low: Ticks | null;
  /** The price of the last trade, however long ago; null before the first. */
  readonly last: Ticks | null;
  /** last − open, in ticks. */
  readonly change: number | null;
  readonly baseVolume: Amount;
  readonly quoteVolume: Amount;
  readonly tradeCount: number;
  readonly lastTradeTime: number | null;
}

/** The sum of the candles of one instrument that open from `from` on and before `end`. */
interface Span {
  readonly from: number;
  readonly end: number;
  readonly sum: Candle | null;
}

export class TickersView {
  readonly #candles: CandlesView;
  readonly #instruments: InstrumentsView;
  readonly #lastTrade: Statement<{ price: number; time: number }, SqlValue[]>;
  /** By securityId. */
  readonly #spans: Span[] = [];

  constructor(db: Database, candles: CandlesView, instruments: InstrumentsView) {
    this.#candles = candles;
    this.#instruments = instruments;
    this.#lastTrade = db.prepare(
      `SELECT price, transactTime AS time FROM trades
       WHERE securityId = ? ORDER BY tradeId DESC LIMIT 1`,
    );
  }

  /** Empty when `securityId` is unknown. */
  find(query: TickersQuery): Ticker[] {
    const { securityId, now } = query;
    if (securityId === undefined) return this.#instruments.all().map((id) => this.#ticker(id, now));
    return this.#instruments.has(securityId) ? [this.#ticker(securityId, now)] : [];
  }

  #ticker(securityId: number, now: number): Ticker {
    const openTime = now - (now % MINUTE) - DAY + MINUTE;
    const newest = this.#candles.newestMinute(securityId);
    const inWindow = newest !== null && newest.openTime >= openTime;
    const sum = inWindow
      ? join(this.#earlier(securityId, openTime, newest.openTime), newest)
      : null;
    const lastTrade = this.#lastTrade.get(securityId);
    return {
      securityId,
      openTime,
      open: sum?.open ?? null,
      high: sum?.high ?? null,
      low: sum?.low ?? null,
      last: lastTrade === null ? null : ticks(lastTrade.price),
      change: sum === null ? null : sum.close - sum.open,
      baseVolume: sum?.baseVolume ?? ZERO,
      quoteVolume: sum?.quoteVolume ?? ZERO,
      tradeCount: sum?.tradeCount ?? 0,
      lastTradeTime: lastTrade?.time ?? null,
    };
  }

  /** The sum of the minutes before the newest one, which do not change any more. */
  #earlier(securityId: number, from: number, end: number): Candle | null {
    const known = this.#spans[securityId];
    if (known !== undefined && known.from === from && known.end === end) return known.sum;
    let sum: Candle | null = null;
    for (const candle of this.#candles.minutes(securityId, from, end)) sum = join(sum, candle);
    this.#spans[securityId] = { from, end, sum };
    return sum;
  }
}

/** The candle that covers both; `later` comes after `earlier`. */
function join(earlier: Candle | null, later: Candle): Candle {
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
