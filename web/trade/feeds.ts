// The feeds that only the trade page reads.
import type { Candle, Fill, Order } from '../../src/sdk/index.ts';
import { client } from '../api/clients.ts';
import { rereadOn, updatesFrom } from '../live/channel.ts';
import * as channels from '../live/channels.ts';
import { type Feed, latest, refresh } from '../live/live.ts';
import { type CandleInterval, joinCandles } from './chart/chart-data.ts';
import { type Placed, readFills, readOrder } from './form/submission.ts';
import { type HistoryFilter, type HistoryPage, readHistoryPage } from './orders/history-page.ts';

const CANDLES = 500;
const CATCH_UP = 1000;

/** The newest candles. After the first read it asks only for those from the last one on. */
export function candlesFeed(symbol: string, interval: CandleInterval): Feed<readonly Candle[]> {
  const key = ['candles', symbol, interval];
  const feed: Feed<readonly Candle[]> = {
    key,
    every: 1_000,
    updates: updatesFrom(channels.candles(symbol, interval), (newest, shown) => {
      if (shown === undefined || reaches(shown, newest)) return shown && joinCandles(shown, newest);
      refresh(key);
      return undefined;
    }),
    async read(options) {
      const known = latest(feed) ?? [];
      const last = known.at(-1);
      if (last === undefined) return client.candles({ symbol, interval, limit: CANDLES }, options);
      const startTime = last.openTime;
      const query = { symbol, interval, startTime, limit: CATCH_UP };
      return joinCandles(known, await client.candles(query, options));
    },
  };
  return feed;
}

/** Whether the new candles follow the shown ones without a gap. */
function reaches(shown: readonly Candle[], newest: readonly Candle[]): boolean {
  const [last, first] = [shown.at(-1), newest[0]];
  if (last === undefined || first === undefined) return true;
  return first.openTime <= last.openTime;
}

/** The candles before a time, for scrolling back. */
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

/** A page of order history; only the newest page changes. */
export const historyFeed = (filter: HistoryFilter, below: number | null): Feed<HistoryPage> => ({
  key: ['orders', 'history', filter.symbol, filter.side, filter.status, filter.window, below],
  every: below === null ? 3_000 : null,
  read: (options) => readHistoryPage(filter, below, options),
  ...(below === null ? { updates: rereadOn(channels.openOrders) } : {}),
});

/** The current state of a placed order. */
export const placedFeed = (orderId: number): Feed<Placed> => ({
  key: ['orders', 'placed', orderId],
  every: 2_000,
  updates: rereadOn(channels.openOrders),
  async read(options) {
    const order = await readOrder(orderId, client, options);
    return { orderId, order, fills: await readFills(order) };
  },
});

/** An unanswered order, found by its clOrdId; null while the exchange does not know it. */
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
  ...(below === null ? { updates: rereadOn(channels.openOrders) } : {}),
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
