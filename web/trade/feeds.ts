// The feeds of the trade page alone.
import type { Candle, Fill, Order } from '../../src/sdk/index.ts';
import { client } from '../api/clients.ts';
import { news, readAgainOn } from '../live/channel.ts';
import * as channels from '../live/channels.ts';
import { type Feed, latest, refresh } from '../live/live.ts';
import { type CandleInterval, joined } from './chart/candles.ts';
import { fillsOf, orderOf, type Placed } from './form/submission.ts';
import { type HistoryFilter, type HistoryPage, readHistoryPage } from './orders/history-page.ts';

const CANDLES = 500;
const CATCH_UP = 1000;

/** The newest candles; once they are there, only what came after them is asked for. */
export function candlesFeed(symbol: string, interval: CandleInterval): Feed<readonly Candle[]> {
  const key = ['candles', symbol, interval];
  const feed: Feed<readonly Candle[]> = {
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
      if (last === undefined) return client.candles({ symbol, interval, limit: CANDLES }, options);
      const startTime = last.openTime;
      const query = { symbol, interval, startTime, limit: CATCH_UP };
      return joined(known, await client.candles(query, options));
    },
  };
  return feed;
}

/** Whether nothing may be missing between what is shown and what has come. */
function reaches(shown: readonly Candle[], newest: readonly Candle[]): boolean {
  const [last, first] = [shown.at(-1), newest[0]];
  if (last === undefined || first === undefined) return true;
  return first.openTime <= last.openTime;
}

/** The candles before a time, for who scrolls back. */
export const candlesBeforeFeed = (
  symbol: string,
  interval: CandleInterval,
  before: number,
): Feed<readonly Candle[]> => ({
  key: ['candlesBefore', symbol, interval, before],
  every: null,
  read: (options) =>
    client.candles({ symbol, interval, endTime: before - 1, limit: CANDLES }, options),
});

/** A page of order history; only the newest page changes by itself. */
export const historyFeed = (filter: HistoryFilter, below: number | null): Feed<HistoryPage> => ({
  key: ['orders', 'history', filter.symbol, filter.side, filter.status, filter.window, below],
  every: below === null ? 3_000 : null,
  read: (options) => readHistoryPage(filter, below, options),
  ...(below === null ? { news: readAgainOn(channels.openOrders) } : {}),
});

/** What has become of an order since it was placed: it is told until it has ended, and after that nothing changes. */
export const placedFeed = (orderId: number): Feed<Placed> => ({
  key: ['orders', 'placed', orderId],
  every: 2_000,
  news: readAgainOn(channels.openOrders),
  async read(options) {
    const order = await orderOf(orderId, client, options);
    return { orderId, order, fills: await fillsOf(order) };
  },
});

/** An order that was sent and not answered, by the clOrdId it bears; null while the exchange does not know it. */
export const sentOrderFeed = (clOrdId: string): Feed<Order | null> => ({
  key: ['orders', 'sent', clOrdId],
  every: 3_000,
  async read(options) {
    const { data } = await client.orders({ type: 'SINGLE', clOrdId }, options);
    return data[0] ?? null;
  },
});

export const FILLS_PAGE = 50;

export const fillsFeed = (symbol: string | null, below: number | null): Feed<readonly Fill[]> => ({
  key: ['fills', symbol, below],
  every: below === null ? 3_000 : null,
  ...(below === null ? { news: readAgainOn(channels.openOrders) } : {}),
  read: (options) =>
    client.fills(
      {
        size: FILLS_PAGE,
        ...(symbol === null ? {} : { symbol }),
        ...(below === null ? {} : { lastTradeId: below }),
      },
      options,
    ),
});
