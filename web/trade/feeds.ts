// The feeds of the trade page alone.
import * as market from '../api/market.ts';
import * as trading from '../api/trading.ts';
import { type Feed, latest } from '../live/live.ts';
import { joined } from './chart/candles.ts';
import { type HistoryFilter, readHistoryPage } from './orders/history-page.ts';

const CANDLES = 500;
const CATCH_UP = 1000;

/** The newest candles; once they are there, only what came after them is asked for. */
export function candlesFeed(
  symbol: string,
  interval: market.CandleInterval,
): Feed<readonly market.Candle[]> {
  const feed: Feed<readonly market.Candle[]> = {
    key: ['candles', symbol, interval],
    every: 1_000,
    async read(signal) {
      const known = latest(feed) ?? [];
      const last = known.at(-1);
      if (last === undefined) return market.candles({ symbol, interval, limit: CANDLES }, signal);
      const startTime = Number(last.openTime);
      const query = { symbol, interval, startTime, limit: CATCH_UP };
      return joined(known, await market.candles(query, signal));
    },
  };
  return feed;
}

/** The candles before a time, for who scrolls back. */
export const candlesBeforeFeed = (
  symbol: string,
  interval: market.CandleInterval,
  before: string,
): Feed<readonly market.Candle[]> => ({
  key: ['candlesBefore', symbol, interval, before],
  every: null,
  read: (signal) =>
    market.candles({ symbol, interval, endTime: Number(before) - 1, limit: CANDLES }, signal),
});

/** A page of order history; only the newest page changes by itself. */
export const historyFeed = (filter: HistoryFilter, below: string | null) => ({
  key: ['orders', 'history', filter.symbol, filter.side, filter.status, filter.window, below],
  every: below === null ? 3_000 : null,
  read: (signal: AbortSignal) => readHistoryPage(filter, below, signal),
});

export const FILLS_PAGE = 50;

export const fillsFeed = (
  symbol: string | null,
  below: string | null,
): Feed<readonly trading.Fill[]> => ({
  key: ['fills', symbol, below],
  every: below === null ? 3_000 : null,
  read: (signal) =>
    trading.fills(
      {
        size: FILLS_PAGE,
        ...(symbol === null ? {} : { symbol }),
        ...(below === null ? {} : { lastTradeId: below }),
      },
      signal,
    ),
});
