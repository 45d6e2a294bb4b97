// The public client: market data, plans, and the state of the process.

import { PublicMethods } from './generated/methods-public.ts';
import type { PublicTrade, TradesRequest } from './generated/types.ts';
import { byLastRow } from './pages.ts';
import type { CallOptions } from './transport.ts';

const TRADES_PER_PAGE = 1000;

/**
 * Market data without a key. Every method throws InvalidRequest (a wrong field, an unknown pair),
 * RateLimited, Unavailable and NotReached, and repeats a failed call until its deadline.
 */
export class PublicClient extends PublicMethods {
  /** All trades of a pair, newest first, for `for await`; `limit` is the page size. */
  allTrades(request: TradesRequest, options?: CallOptions) {
    const limit = request.limit ?? TRADES_PER_PAGE;
    return byLastRow<PublicTrade>(limit, (last) => {
      const before = last === undefined ? {} : { beforeTradeId: last.tradeId };
      return this.trades({ ...request, limit, ...before }, options);
    });
  }
}
