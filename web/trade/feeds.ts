// The feeds of the trade page alone.
import * as market from '../api/market.ts';
import * as trading from '../api/trading.ts';
import { news, readAgainOn } from '../live/channel.ts';
import * as channels from '../live/channels.ts';
import { type Feed, latest, refresh } from '../live/live.ts';
import { joined } from './chart/candles.ts';
import { fillsOf, type Placed } from './form/submission.ts';
import { type HistoryFilter, type HistoryPage, readHistoryPage } from './orders/history-page.ts';

const CANDLES = 500;
const CATCH_UP = 1000;

/** The newest candles; once they are there, only what came after them is asked for. */
export function candlesFeed(
  symbol: string,
  interval: market.CandleInterval,
): Feed<readonly market.Candle[]> {
  const key = ['candles', symbol, interval];
  const feed: Feed<readonly market.Candle[]> = {
    key,
    every: 1_000,
    news: news(channels.candles(symbol, interval), (newest, shown) => {
      if (shown === undefined || reaches(shown, newest)) return shown && joined(shown, newest);
      refresh(key);
      return undefined;
    }),
    async read(options) {
      const known = latest(feed) ?? [];
      const last = known.at(-1);
      if (last === undefined) return market.candles({ symbol, interval, limit: CANDLES }, options);
      const startTime = Number(last.openTime);
      const query = { symbol, interval, startTime, limit: CATCH_UP };
      return joined(known, await market.candles(query, options));
    },
  };
  return feed;
}

/** Whether nothing may be missing between what is shown and what has come. */
function reaches(shown: readonly market.Candle[], newest: readonly market.Candle[]): boolean {
  const [last, first] = [shown.at(-1), newest[0]];
  if (last === undefined || first === undefined) return true;
  return Number(first.openTime) <= Number(last.openTime);
}

/** The candles before a time, for who scrolls back. */
export const candlesBeforeFeed = (
  symbol: string,
  interval: market.CandleInterval,
  before: string,
): Feed<readonly market.Candle[]> => ({
  key: ['candlesBefore', symbol, interval, before],
  every: null,
  read: (options) =>
    market.candles({ symbol, interval, endTime: Number(before) - 1, limit: CANDLES }, options),
});

/** A page of order history; only the newest page changes by itself. */
export const historyFeed = (filter: HistoryFilter, below: string | null): Feed<HistoryPage> => ({
  key: ['orders', 'history', filter.symbol, filter.side, filter.status, filter.window, below],
  every: below === null ? 3_000 : null,
  read: (options) => readHistoryPage(filter, below, options),
  ...(below === null ? { news: readAgainOn(channels.openOrders) } : {}),
});

/** What has become of an order since it was placed: it is told until it has ended, and after that nothing changes. */
export const placedFeed = (orderId: string): Feed<Placed> => ({
  key: ['orders', 'placed', orderId],
  every: 2_000,
  news: readAgainOn(channels.openOrders),
  async read(options) {
    const order = await trading.orderOf(orderId, options);
    return { orderId, order, fills: await fillsOf(order) };
  },
});

/** An order that was sent and not answered, by the clOrdId it bears; null while the exchange does not know it. */
export const sentOrderFeed = (clOrdId: string): Feed<trading.Order | null> => ({
  key: ['orders', 'sent', clOrdId],
  every: 3_000,
  read: (options) => trading.orderNamed(clOrdId, options),
});

export const FILLS_PAGE = 50;

export const fillsFeed = (
  symbol: string | null,
  below: string | null,
): Feed<readonly trading.Fill[]> => ({
  key: ['fills', symbol, below],
  every: below === null ? 3_000 : null,
  ...(below === null ? { news: readAgainOn(channels.openOrders) } : {}),
  read: (options) =>
    trading.fills(
      {
        size: FILLS_PAGE,
        ...(symbol === null ? {} : { symbol }),
        ...(below === null ? {} : { lastTradeId: below }),
      },
      options,
    ),
});
