// Tickers: the last 24 hours of each instrument, rolling by the minute, from its one-minute
// candles. A cache has the sum of the minutes before the newest one.
import { CANDLE_INTERVALS } from '../core/calendar.ts';
import { type Amount, type Ticks, ZERO } from '../core/units.ts';
import { type Candle, type CandlesView, joinCandles } from './candles.ts';
import { NO_BOUND } from './id-walk.ts';
import type { Listings } from './listings.ts';
import type { TradesView } from './trades.ts';

const MINUTE = CANDLE_INTERVALS['1m'];
const DAY = CANDLE_INTERVALS['1d'];
/** The window of an average price. */
const AVERAGE_MS = 5 * MINUTE;

/** Tickers of all instruments in order of securityId, or of one. */
export interface TickersQuery {
  readonly type: 'tickers';
  readonly securityId?: number;
  /** Business time, ms. */
  readonly now: number;
}

/** The trades of the last minutes of an instrument. */
export interface AveragePriceQuery {
  readonly type: 'averagePrice';
  readonly securityId: number;
  /** Business time, ms. */
  readonly now: number;
}

export interface AveragePrice
  extends Pick<Ticker, 'openTime' | 'last' | 'baseVolume' | 'quoteVolume' | 'tradeCount'> {}

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
  readonly #listings: Listings;
  readonly #trades: TradesView;
  /** By securityId. */
  readonly #spans: Span[] = [];

  constructor(trades: TradesView, candles: CandlesView, listings: Listings) {
    this.#trades = trades;
    this.#candles = candles;
    this.#listings = listings;
  }

  /** Empty when `securityId` is unknown. */
  find(query: TickersQuery): Ticker[] {
    const { securityId, now } = query;
    const listed = this.#listings();
    const ids = securityId === undefined ? listed.keys() : [securityId];
    return [...ids].filter((id) => listed[id] !== undefined).map((id) => this.#ticker(id, now));
  }

  #ticker(securityId: number, now: number): Ticker {
    const openTime = windowStart(now, DAY);
    const newest = this.#candles.newestMinute(securityId);
    const inWindow = newest !== null && newest.openTime >= openTime;
    const sum = inWindow
      ? joinCandles(this.#earlier(securityId, openTime, newest.openTime), newest)
      : null;
    const lastTrade = this.#trades.last(securityId);
    return {
      securityId,
      openTime,
      open: sum?.open ?? null,
      high: sum?.high ?? null,
      low: sum?.low ?? null,
      last: lastTrade?.price ?? null,
      change: sum === null ? null : sum.close - sum.open,
      baseVolume: sum?.baseVolume ?? ZERO,
      quoteVolume: sum?.quoteVolume ?? ZERO,
      tradeCount: sum?.tradeCount ?? 0,
      lastTradeTime: lastTrade?.transactTime ?? null,
    };
  }

  average({ securityId, now }: AveragePriceQuery): AveragePrice {
    const openTime = windowStart(now, AVERAGE_MS);
    const minutes = this.#candles.minutes(securityId, openTime, NO_BOUND);
    const sum = minutes.reduce<Candle | null>(joinCandles, null);
    const lastTrade = this.#trades.last(securityId);
    return {
      openTime,
      last: lastTrade?.price ?? null,
      baseVolume: sum?.baseVolume ?? ZERO,
      quoteVolume: sum?.quoteVolume ?? ZERO,
      tradeCount: sum?.tradeCount ?? 0,
    };
  }

  /** The sum of the minutes before the newest one, which do not change any more. */
  #earlier(securityId: number, from: number, end: number): Candle | null {
    const known = this.#spans[securityId];
    if (known !== undefined && known.from === from && known.end === end) return known.sum;
    let sum: Candle | null = null;
    for (const candle of this.#candles.minutes(securityId, from, end))
      sum = joinCandles(sum, candle);
    this.#spans[securityId] = { from, end, sum };
    return sum;
  }
}

/** The opening time of the first minute that opens less than `length` ms before now. */
const windowStart = (now: number, length: number): number => now - (now % MINUTE) - length + MINUTE;
