// The feeds that several pages read: key, poll interval, read and channel of each.
import type { Order, OrderbookRequest, OrderPage } from '../../src/sdk/index.ts';
import { client, userCenter } from '../api/clients.ts';
import { updatesFrom } from './channel.ts';
import * as channels from './channels.ts';
import { feed } from './live.ts';

const TRADES = 50;
/** The open orders that one read returns; there may be more. */
export const OPEN_ORDERS = 100;

export const feeds = {
  /** Every open page reads this, which also keeps the session alive: streams do not. */
  me: feed(['me'], 5 * 60_000, (options) => userCenter.me(options)),
  /** Polled often, because the operator may halt a pair. */
  instruments: feed(
    ['instruments'],
    2_000,
    (options) => client.instruments({}, options),
    updatesFrom(channels.instruments, (rows) => [...rows.values()]),
  ),
  assets: feed(['assets'], null, (options) => client.assets(options)),
  serverTime: feed(['serverTime'], 10_000, (options) => client.time(options)),
  tickers: feed(
    ['tickers'],
    1_000,
    (options) => client.tickers({}, options),
    updatesFrom(channels.tickers, (rows) => [...rows.values()]),
  ),
  book: (symbol: string, depth: NonNullable<OrderbookRequest['depth']>) =>
    feed(
      ['book', symbol, depth],
      400,
      (options) => client.orderbook({ symbol, depth }, options),
      updatesFrom(channels.book(symbol, depth), (look) => look()),
    ),
  l3Book: (symbol: string) =>
    feed(
      ['l3Book', symbol],
      1_000,
      (options) => client.level3Orderbook({ symbol }, options),
      updatesFrom(channels.l3Book(symbol), (look) => look()),
    ),
  trades: (symbol: string) =>
    feed(
      ['trades', symbol],
      700,
      (options) => client.trades({ symbol, limit: TRADES }, options),
      updatesFrom(channels.trades(symbol), (trades) => trades.slice(0, TRADES)),
    ),
  openOrders: feed(
    ['orders', 'open'],
    1_000,
    (options) => client.orders({ type: 'OPEN', size: OPEN_ORDERS }, options),
    updatesFrom(channels.orders, ({ open }) => openPage(open)),
  ),
  triggers: feed(
    ['orders', 'triggers'],
    1_000,
    async (options): Promise<channels.Triggers> => {
      const { data } = await client.orders({ type: 'OPEN', size: OPEN_ORDERS }, options);
      return new Map(
        data.flatMap(({ orderId, triggerPx }) =>
          triggerPx === null ? [] : [[orderId, triggerPx]],
        ),
      );
    },
    updatesFrom(channels.triggers, (rows) => rows),
  ),
  balances: feed(
    ['balances'],
    1_500,
    (options) => client.balances(options),
    updatesFrom(channels.balances, (rows) => [...rows.values()]),
  ),
  /** Follows the stream only; without one, there is no news. */
  orderNews: feed(
    ['orderNews'],
    null,
    async (): Promise<channels.OrderNews | null> => null,
    updatesFrom(channels.orders, (news): channels.OrderNews | null => news),
  ),
  feeSchedule: feed(['feeSchedule'], null, (options) => client.feeSchedule(options)),
  fees: feed(['fees'], null, (options) => client.fees(options)),
  feeTier: feed(['feeTier'], null, (options) => client.feeTier(options)),
} as const;

/** The newest open orders as a page of orders. */
function openPage(open: ReadonlyMap<number, Order>): OrderPage {
  const data = [...open.values()].toReversed().slice(0, OPEN_ORDERS);
  const pagination = {
    currentPage: 1,
    size: OPEN_ORDERS,
    startRowId: data[0]?.rowId ?? null,
    lastRowId: data.at(-1)?.rowId ?? null,
  };
  return { data, pagination };
}
