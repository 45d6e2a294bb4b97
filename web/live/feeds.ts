// The feeds that more than one page reads, each with its name, how fresh it is kept, and where its news comes from.
import type { CallOptions } from '../api/clients.ts';
import * as market from '../api/market.ts';
import * as people from '../api/people.ts';
import * as trading from '../api/trading.ts';
import { type News, news } from './channel.ts';
import * as channels from './channels.ts';
import type { Feed } from './live.ts';

const feed = <T>(
  key: Feed<T>['key'],
  every: number | null,
  read: (options: CallOptions) => Promise<T>,
  arrives?: News<T>,
): Feed<T> => ({ key, every, read, ...(arrives === undefined ? {} : { news: arrives }) });

const TRADES = 50;
const OPEN_ORDERS = 100;

export const feeds = {
  /** Asked for by each page that somebody looks at, this is also what keeps a session in use: streams are not use. */
  me: feed(['me'], 5 * 60_000, people.me),
  /** Trading statuses change under the trader's hands: an operator's halt has to be seen. */
  instruments: feed(
    ['instruments'],
    2_000,
    market.instruments,
    news(channels.instruments, (rows) => [...rows.values()]),
  ),
  assets: feed(['assets'], null, market.assets),
  serverTime: feed(['serverTime'], 10_000, market.serverTime),
  tickers: feed(
    ['tickers'],
    1_000,
    market.tickers,
    news(channels.tickers, (rows) => [...rows.values()]),
  ),
  book: (symbol: string, depth: market.Depth) =>
    feed(
      ['book', symbol, depth],
      400,
      (options) => market.book(symbol, depth, options),
      news(channels.book(symbol, depth), (look) => look()),
    ),
  l3Book: (symbol: string) =>
    feed(
      ['l3Book', symbol],
      1_000,
      (options) => market.l3Book(symbol, options),
      news(channels.l3Book(symbol), (look) => look()),
    ),
  trades: (symbol: string) =>
    feed(
      ['trades', symbol],
      700,
      (options) => market.trades(symbol, TRADES, options),
      news(channels.trades(symbol), (trades) => trades.slice(0, TRADES)),
    ),
  openOrders: feed(
    ['orders', 'open'],
    1_000,
    (options) => trading.orders({ type: 'OPEN', size: OPEN_ORDERS }, options),
    news(channels.openOrders, openPage),
  ),
  balances: feed(
    ['balances'],
    1_500,
    trading.balances,
    news(channels.balances, (rows) => [...rows.values()]),
  ),
  fees: feed(['fees'], null, trading.fees),
} as const;

/** The newest open orders as a page of orders. */
function openPage(open: ReadonlyMap<string, trading.Order>): trading.OrderPage {
  const data = [...open.values()].toReversed().slice(0, OPEN_ORDERS);
  const pagination = {
    currentPage: '1',
    size: String(OPEN_ORDERS),
    startRowId: data[0]?.rowId ?? null,
    lastRowId: data.at(-1)?.rowId ?? null,
  };
  return { data, pagination };
}
