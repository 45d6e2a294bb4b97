// The calls that everyone may make: instruments, books, trades, tickers, candles, plans, and the state of the process.
import type {
  Asset,
  Candle,
  Health,
  Instrument,
  Level3Orderbook,
  Orderbook,
  PublicTrade,
  Ready,
  Ticker,
  Time,
} from './answers.ts';
import type { Plan } from './answers-earn.ts';
import { ApiClient } from './api-client.ts';
import { calls } from './calls.ts';
import { byLastRow } from './pages.ts';
import type {
  CandlesRequest,
  InstrumentsRequest,
  Level3OrderbookRequest,
  OrderbookRequest,
  TickersRequest,
  TradesRequest,
} from './requests.ts';
import type { CallOptions } from './transport.ts';

const TRADES_PER_PAGE = 1000;

/**
 * Market data without a key. Every method throws InvalidRequest (a field is wrong, the pair is unknown), RateLimited, Unavailable
 * and NotReached, and repeats what failed until its deadline.
 */
export class PublicClient extends ApiClient {
  /** All instruments, or those that the filters name. */
  instruments(request: InstrumentsRequest = {}, options?: CallOptions): Promise<Instrument[]> {
    return this.send(calls.instruments, request, options);
  }

  /** @deprecated As `instruments`, without `apiTradeSupported`. */
  instrumentsV1(request: InstrumentsRequest = {}, options?: CallOptions): Promise<Instrument[]> {
    return this.send(calls.instrumentsV1, request, options);
  }

  /** The assets, and how many decimals the amounts of each have. */
  assets(options?: CallOptions): Promise<Asset[]> {
    return this.send(calls.assets, {}, options);
  }

  /** The wall clock that signatures are checked against, and business time; epoch ms. */
  time(options?: CallOptions): Promise<Time> {
    return this.send(calls.time, {}, options);
  }

  /** The best price levels of a pair, best first. */
  orderbook(request: OrderbookRequest, options?: CallOptions): Promise<Orderbook> {
    return this.send(calls.orderbook, request, options);
  }

  /** A book order by order: the best 10,000 orders of each side, in their priority. */
  level3Orderbook(
    request: Level3OrderbookRequest,
    options?: CallOptions,
  ): Promise<Level3Orderbook> {
    return this.send(calls.level3Orderbook, request, options);
  }

  /** The trades of a pair, newest first: one page. */
  trades(request: TradesRequest, options?: CallOptions): Promise<PublicTrade[]> {
    return this.send(calls.trades, request, options);
  }

  /** All trades of a pair, newest first, for `for await`; `limit` is the size of a page. */
  allTrades(request: TradesRequest, options?: CallOptions): AsyncGenerator<PublicTrade, void> {
    const limit = request.limit ?? TRADES_PER_PAGE;
    return byLastRow<PublicTrade>(limit, (last) => {
      const before = last === undefined ? {} : { beforeTradeId: last.tradeId };
      return this.trades({ ...request, limit, ...before }, options);
    });
  }

  /** The last 24 hours of all pairs, or of one. */
  tickers(request: TickersRequest = {}, options?: CallOptions): Promise<Ticker[]> {
    return this.send(calls.tickers, request, options);
  }

  /** Candles of a pair, oldest first: from `startTime` on, or the newest ones. */
  candles(request: CandlesRequest, options?: CallOptions): Promise<Candle[]> {
    return this.send(calls.candles, request, options);
  }

  /** The earn plans that are open. */
  plans(options?: CallOptions): Promise<Plan[]> {
    return this.send(calls.plans, {}, options);
  }

  /** Whether the process is alive. */
  health(options?: CallOptions): Promise<Health> {
    return this.send(calls.health, {}, options);
  }

  /** Whether requests are served. */
  ready(options?: CallOptions): Promise<Ready> {
    return this.send(calls.ready, {}, options);
  }

  /** Figures in the Prometheus text format. */
  metrics(options?: CallOptions): Promise<string> {
    return this.sendForText(calls.metrics, {}, options);
  }
}
