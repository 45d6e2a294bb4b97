// The feeds that only the trade page reads, and hooks for facts of others.
import type { Balance, CallOptions, Candle, Fill, Order, Ticker } from '../../src/sdk/index.ts';
import { client } from '../api/clients.ts';
import type { Decimal } from '../exact/decimal.ts';
import { DAY_MS } from '../exact/format.ts';
import { rereadOn, updatesFrom } from '../live/channel.ts';
import * as channels from '../live/channels.ts';
import { feeds } from '../live/feeds.ts';
import { type Feed, feed, firstOf, latest, refresh, useLive } from '../live/live.ts';
import type { CandleInterval } from '../messages/chart.ts';
import { useSession } from '../session/session.ts';
import { positionOf } from '../wallet/portfolio.ts';
import { DAYS } from '../wallet/portfolio-feed.ts';
import { joinCandles } from './chart/chart-data.ts';
import { intervalSetting } from './chart/chart-settings.ts';
import { type PlacedOrder, readFills, readOrder } from './form/submission.ts';
import { fillsQuery, type HistoryFilter, readHistoryPage } from './orders/history-page.ts';
import type { HistoryWindow } from './orders/history-window.ts';
import type { RowPage } from './orders/row-list.tsx';
import { type Pair, pairOf } from './pair.ts';

const CANDLES = 500;
const CATCH_UP = 1000;

/** The newest candles. After the first read it asks only for those from the last one on. */
export function candlesFeed(symbol: string, interval: CandleInterval): Feed<readonly Candle[]> {
  const key = ['candles', symbol, interval];
  const candles: Feed<readonly Candle[]> = {
    key,
    every: 1_000,
    updates: updatesFrom(channels.candles(symbol, interval), (newest, shown) => {
      if (shown === undefined || reaches(shown, newest)) return shown && joinCandles(shown, newest);
      refresh(key);
      return undefined;
    }),
    async read(options) {
      const known = latest(candles) ?? [];
      const last = known.at(-1);
      if (last === undefined) return client.candles({ symbol, interval, limit: CANDLES }, options);
      const startTime = last.openTime;
      const query = { symbol, interval, startTime, limit: CATCH_UP };
      return joinCandles(known, await client.candles(query, options));
    },
  };
  return candles;
}

/** True if the new candles follow the shown ones without a gap. */
function reaches(shown: readonly Candle[], newest: readonly Candle[]): boolean {
  const [last, first] = [shown.at(-1), newest[0]];
  if (last === undefined || first === undefined) return true;
  return first.openTime <= last.openTime;
}

/** The candles before a time, for scrolling back. */
export const candlesBeforeFeed = (symbol: string, interval: CandleInterval, before: number) =>
  feed(['candlesBefore', symbol, interval, before], null, (options) =>
    client.candles({ symbol, interval, endTime: before - 1, limit: CANDLES }, options),
  );

/** A page of order history. */
export const historyFeed = (filter: HistoryFilter, below: number | null): Feed<RowPage<Order>> => ({
  key: ['orders', 'history', JSON.stringify(filter), below],
  ...updatesOf(below),
  read: (options) => readHistoryPage(filter, below, options),
});

/** The current state of a placed order. */
export const placedFeed = (orderId: number) => {
  const read = async (options: CallOptions): Promise<PlacedOrder> => {
    const order = await readOrder(orderId, client, options);
    return { orderId, order, fills: await readFills(order) };
  };
  return feed(['orders', 'placed', orderId], 2_000, read, rereadOn(channels.orders));
};

/** An unanswered order, found by its clOrdId; null while the exchange does not know it. */
export const sentOrderFeed = (clOrdId: string) =>
  feed(['orders', 'sent', clOrdId], 3_000, async (options): Promise<Order | null> => {
    const { data } = await client.orders({ type: 'SINGLE', clOrdId }, options);
    return data[0] ?? null;
  });

const FILLS_PAGE = 50;
/** A filter that few fills match stops after this many reads. */
const MAX_READS = 8;

/** A page of fills. */
export const fillsFeed = (
  symbol: string | null,
  side: Order['side'] | null,
  window: HistoryWindow,
  below: number | null,
): Feed<RowPage<Fill>> => ({
  key: ['fills', symbol, side, JSON.stringify(window), below],
  ...updatesOf(below),
  async read(options) {
    const query = await fillsQuery(symbol, window, options);
    if (query === null) return { rows: [], next: null };
    const rows: Fill[] = [];
    let next = below;
    for (let n = 0; n < MAX_READS && rows.length < FILLS_PAGE; n++) {
      const page = { ...query, size: FILLS_PAGE, lastTradeId: next ?? undefined };
      const read = await client.fills(page, options);
      rows.push(...read.filter((fill) => side === null || fill.side === side));
      next = read.length < FILLS_PAGE ? null : read.at(-1)!.tradeId;
      if (next === null) break;
    }
    return { rows, next };
  },
});

/** The user's newest fills of a pair up to a time, oldest first; null: until now, polled. */
export const ownFillsFeed = (symbol: string, until: number | null) =>
  feed(['fills', 'own', symbol, until], until === null ? 3_000 : null, async (options) => {
    const rows = await client.fills({ symbol, endTime: until ?? undefined }, options);
    return rows.toReversed();
  });

/** More fills than these would take too long to read while the user trades. */
const MAX_POSITION_FILLS = 2_000;

/** The position that the fills of a pair up to a time make, over the days of the portfolio. */
export const positionFeed = (symbol: string, until: number) =>
  feed(['fills', 'position', symbol, until], null, async (options) => {
    const query = { symbol, startTime: until - DAYS * DAY_MS, endTime: until };
    const fills = await firstOf(client.allFills(query, options), MAX_POSITION_FILLS);
    return positionOf(fills.toReversed());
  });

/** The fills of one order, newest first. */
export const orderFillsFeed = ({ orderId, cumQty }: Order) =>
  feed(['fills', 'order', orderId, cumQty], null, (options) =>
    client.fills({ orderId, size: MAX_ORDER_FILLS }, options),
  );
export const MAX_ORDER_FILLS = 500;

/** Only the newest page of a list changes. */
const updatesOf = (below: number | null) =>
  below === null ? { every: 3_000, updates: rereadOn(channels.orders) } : { every: null };

/** The user's open orders, newest first; undefined for a visitor, and until they are read. */
export function useOpenOrders(): readonly Order[] | undefined {
  const { state } = useSession();
  return useLive(state === 'loggedIn' ? feeds.openOrders : null).data?.data;
}

/** The present triggers, if any of the orders trails. */
export function useTriggers(orders: readonly Order[] | undefined): channels.Triggers | undefined {
  const trails = orders?.some((order) => order.triggerPx != null && !order.workingIndicator);
  return useLive(trails ? feeds.triggers : null).data;
}

/** The user's balance of an asset; undefined for a visitor, and until it is read. */
export function useBalance(asset: string): Pick<Balance, 'available' | 'held'> | undefined {
  const { state } = useSession();
  const { data } = useLive(state === 'loggedIn' ? feeds.balances : null);
  return data && (data.find((balance) => balance.asset === asset) ?? NOTHING);
}
const NOTHING = { available: '0', held: '0' };

/** The ticker of a pair. */
export const useTicker = (symbol: string): Ticker | undefined =>
  useLive(feeds.tickers).data?.find((ticker) => ticker.symbol === symbol);

/** The last price, as the chart shows it: candles follow each trade, tickers each second. */
export function useLastPrice(symbol: string): Decimal | null {
  const { data: candles } = useLive(candlesFeed(symbol, intervalSetting.use()));
  const ticker = useTicker(symbol);
  return candles?.at(-1)?.close ?? ticker?.lastPrice ?? null;
}

/** A pair of another symbol than the page's; undefined until the pairs are read. */
export function usePairOf(symbol: string): Pair | undefined {
  const { data: instruments } = useLive(feeds.instruments);
  const { data: assets } = useLive(feeds.assets);
  const instrument = instruments?.find((one) => one.symbol === symbol);
  return instrument && assets && pairOf(instrument, assets);
}
