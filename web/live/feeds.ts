// The feeds that more than one page reads, each with its name and how fresh it is kept.
import * as market from '../api/market.ts';
import * as people from '../api/people.ts';
import * as trading from '../api/trading.ts';
import type { Feed } from './live.ts';

const feed = <T>(
  key: Feed<T>['key'],
  every: number | null,
  read: (signal: AbortSignal) => Promise<T>,
): Feed<T> => ({ key, every, read });

export const feeds = {
  me: feed(['me'], null, people.me),
  /** Trading statuses change under the trader's hands: an operator's halt has to be seen. */
  instruments: feed(['instruments'], 2_000, market.instruments),
  assets: feed(['assets'], null, market.assets),
  serverTime: feed(['serverTime'], 10_000, market.serverTime),
  tickers: feed(['tickers'], 1_000, market.tickers),
  book: (symbol: string, depth: number) =>
    feed(['book', symbol, depth], 400, (signal) => market.book(symbol, depth, signal)),
  l3Book: (symbol: string) =>
    feed(['l3Book', symbol], 1_000, (signal) => market.l3Book(symbol, signal)),
  trades: (symbol: string) =>
    feed(['trades', symbol], 700, (signal) => market.trades(symbol, 50, signal)),
  openOrders: feed(['orders', 'open'], 1_000, (signal) =>
    trading.orders({ type: 'OPEN', size: 100 }, signal),
  ),
  balances: feed(['balances'], 1_500, trading.balances),
  fees: feed(['fees'], null, trading.fees),
} as const;
