// watch* against a running sandbox with its demo market: books equal those of REST, own orders and
// trades, resumption after a disconnection, rejections.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Dict, Order, OrderBook } from 'ccxt';
import {
  AuthenticationError,
  BadRequest,
  BadSymbol,
  PermissionDenied,
  UnsubscribeError,
} from 'ccxt';
import { agio } from '../../src/ccxt/agio.ts';
import { operate } from '../support/cli.ts';
import { until } from '../support/waiting.ts';
import { CcxtSandbox } from './sandbox.ts';

const PAIR = 'BTC/USDT';
let venue: CcxtSandbox;
let sandbox: CcxtSandbox['info'];
let exchange: agio;

beforeAll(async () => {
  venue = await CcxtSandbox.start({ demo: true });
  sandbox = venue.info;
  exchange = venue.customer(sandbox.demo!);
  await exchange.loadMarkets();
  let quoted = false;
  while (!quoted) {
    const { bids, asks } = await exchange.fetchOrderBook(PAIR);
    quoted = bids.length > 5 && asks.length > 5;
  }
});

afterAll(() => venue[Symbol.asyncDispose]());

const levels = ({ bids, asks }: OrderBook) => ({ bids: [...bids], asks: [...asks] });

describe('the market', () => {
  test.each([[5], [100], [1000]])('a book of %p levels is the one of REST', async (limit) => {
    // The book changes between the two reads, so only books of one nonce are compared.
    for (let compared = 0; compared < 3; ) {
      const live = await exchange.watchOrderBook(PAIR, limit);
      const { nonce } = live;
      const known = structuredClone(levels(live));
      const requested = await exchange.fetchOrderBook(PAIR, limit);
      if (requested.nonce !== nonce) continue;
      expect(known).toEqual(levels(requested));
      compared++;
    }
  });

  test('a book of a number of levels in between', async () => {
    const { bids, asks } = await exchange.watchOrderBook(PAIR, 3);
    expect(bids).toHaveLength(3);
    expect(asks).toHaveLength(3);
  });

  test('trades: the newest, then each once', async () => {
    const first = await exchange.watchTrades(PAIR);
    expect(first.length).toBeGreaterThan(10);
    const next = await exchange.watchTrades(PAIR);
    const ids = [...first, ...next].map(({ id }) => Number(id));
    expect(ids).toEqual([...new Set(ids)].toSorted((a, b) => a - b));
    const { id, price, side } = next[0]!;
    const requested = await exchange.fetchTrades(PAIR, undefined, 1000);
    expect(requested.find((trade) => trade.id === id)).toMatchObject({ price, side });
  });

  test('tickers', async () => {
    const ticker = await exchange.watchTicker(PAIR);
    expect(ticker.symbol).toBe(PAIR);
    expect(ticker.ask!).toBeGreaterThan(ticker.bid!);
    const tickers = await exchange.watchTickers(['ETH/USDT']);
    expect(Object.keys(tickers)).toEqual(['ETH/USDT']);
  });

  test('the best prices', async () => {
    const pairs = [PAIR, 'ETH/USDT'];
    const seen = new Set<string>();
    await until(async () => {
      const news = await exchange.watchBidsAsks(pairs);
      for (const [symbol, { bid, ask }] of Object.entries(news)) {
        expect(ask!).toBeGreaterThan(bid!);
        seen.add(symbol);
      }
      return seen.size === 2;
    });
    expect([...seen].toSorted()).toEqual(pairs);
  });

  test('books, trades and candles of several markets', async () => {
    const pairs = [PAIR, 'ETH/USDT'];
    const seen = {
      books: new Set<string>(),
      trades: new Set<string>(),
      candles: new Set<string>(),
    };
    await until(async () => {
      const { symbol, bids } = await exchange.watchOrderBookForSymbols(pairs, 3);
      expect(bids).toHaveLength(3);
      seen.books.add(symbol!);
      for (const trade of await exchange.watchTradesForSymbols(pairs))
        seen.trades.add(trade.symbol!);
      const candles = await exchange.watchOHLCVForSymbols(pairs.map((pair) => [pair, '5m']));
      for (const [pair, frames] of Object.entries(candles as Dict)) {
        expect(Number(frames['5m'][0][0]) % 300_000).toBe(0);
        seen.candles.add(pair);
      }
      return Object.values(seen).every(({ size }) => size === 2);
    });
    const { subscriptions } = Object.values(exchange.clients as Dict)[0];
    const isOpen = (channel: string) =>
      Object.keys(subscriptions).some((hash) => hash.startsWith(`${channel}:ETH-USDT`));
    expect(isOpen('orderbook') && isOpen('trades') && isOpen('candles')).toBe(true);
    expect(await exchange.unWatchOrderBookForSymbols(pairs, { limit: 3 })).toBe(true);
    expect(await exchange.unWatchTradesForSymbols(pairs)).toBe(true);
    expect(await exchange.unWatchOHLCVForSymbols(pairs.map((pair) => [pair, '5m']))).toBe(true);
    expect(isOpen('orderbook') || isOpen('trades') || isOpen('candles')).toBe(false);
    expect(await exchange.unWatchTradesForSymbols(pairs)).toBe(false);
  });

  test('candles', async () => {
    const before = await exchange.watchOHLCV(PAIR, '1m');
    expect(before.length).toBeGreaterThan(10);
    const [now] = (await exchange.watchOHLCV(PAIR, '1m')).slice(-1);
    expect(Number(now![0]) % 60_000).toBe(0);
    const times = (exchange.ohlcvs as Dict)[PAIR]['1m'].map(([time]: [number]) => time);
    expect(times).toEqual(times.toSorted((a: number, b: number) => a - b));
  });

  test('ends on request', async () => {
    await exchange.watchTicker('MMX/USDT');
    const waiting = exchange.watchTicker('MMX/USDT').catch((error: unknown) => error);
    expect(await exchange.unWatchTicker('MMX/USDT')).toBe(true);
    expect(await waiting).toBeInstanceOf(UnsubscribeError);
    expect(await exchange.unWatchTicker('MMX/USDT')).toBe(false);
    expect((await exchange.watchTicker('MMX/USDT')).symbol).toBe('MMX/USDT');
  });
});

const socketOf = (own: agio): Dict | undefined =>
  Object.values(own.clients as Dict).find(({ url }) => url.endsWith('/private/orders'));

/**
 * Watches an account's orders as a bot does: the statuses of each by id, as often as reported.
 * Resolves when the exchange has acknowledged the orders channel.
 */
async function follow(own: agio, params: Dict = {}): Promise<Map<string, string[]>> {
  const statuses = new Map<string, string[]>();
  let failure: unknown;
  void (async () => {
    for (;;) {
      for (const { id, status } of await own.watchOrders(undefined, undefined, undefined, params)) {
        statuses.set(id!, [...(statuses.get(id!) ?? []), status!]);
      }
    }
  })().catch((error) => {
    failure = error;
  });
  await until(() => {
    if (failure !== undefined) throw failure;
    return socketOf(own)?.subscriptions.orders !== undefined && own.orders !== undefined;
  });
  return statuses;
}

describe('the account', () => {
  test('orders and trades', async () => {
    const own = venue.customer(sandbox.enterprise!.members[0]!);
    const trades = own.watchMyTrades(PAIR);
    const statuses = await follow(own);
    const resting = await own.createOrder(PAIR, 'limit', 'buy', 0.01, 30000, {
      clientOrderId: 'r',
    });
    await until(() => statuses.has(resting.id!));
    expect(own.orders!.at(-1)).toMatchObject({ clientOrderId: 'r', status: 'open', symbol: PAIR });
    const bought = await own.createMarketBuyOrderWithCost(PAIR, 200);
    await until(() => statuses.get(bought.id!)?.includes('closed') === true);
    const live = own.orders!.find(({ id }: Order) => id === bought.id);
    const requested = await own.fetchOrder(bought.id!);
    // The list has no price of the last fill.
    expect({ ...live, info: null }).toEqual({ ...requested, info: null });
    expect(await trades).toEqual(await own.fetchOrderTrades(bought.id!));
    await own.cancelOrder(resting.id!);
    await until(() => statuses.get(resting.id!)!.length > 1);
    expect(statuses.get(resting.id!)).toEqual(['open', 'canceled']);
  });

  test('balance', async () => {
    const own = venue.customer(sandbox.enterprise!.members[0]!);
    const before = await own.watchBalance();
    expect(before.total).toEqual((await own.fetchBalance()).total);
    const next = own.watchBalance();
    const order = await own.createOrder(PAIR, 'limit', 'buy', 0.01, 30000);
    const { USDT, BTC } = await next;
    expect(USDT).toEqual((await own.fetchBalance()).USDT);
    expect(USDT!.used).toBe(300);
    expect(BTC).toEqual(before.BTC);
    await own.cancelOrder(order.id!);
  });

  test('changes during a disconnection are reported after it, once', async () => {
    const own = venue.customer(sandbox.enterprise!.members[1]!);
    const other = venue.customer(sandbox.enterprise!.members[1]!);
    const statuses = await follow(own);
    const known = await other.createOrder(PAIR, 'limit', 'buy', 0.01, 30000);
    await until(() => statuses.has(known.id!));
    socketOf(own)!.connection.close();
    await until(() => socketOf(own) === undefined);
    const missed = await other.createOrder(PAIR, 'limit', 'buy', 0.02, 30000);
    await other.cancelOrder(known.id!);
    await other.cancelOrder(missed.id!);
    const again = await follow(own);
    await until(() => again.has(missed.id!));
    const last = await other.createOrder(PAIR, 'limit', 'buy', 0.03, 30000);
    await until(() => again.has(last.id!));
    expect(own.orders!.map(({ id, status }: Order) => [id, status])).toEqual([
      [known.id, 'canceled'],
      [missed.id, 'canceled'],
      [last.id, 'open'],
    ]);
    expect(statuses.get(known.id!)).toEqual(['open']);
    expect(again.get(known.id!)).toEqual(['canceled']);
    await other.cancelOrder(last.id!);
  });

  test('cancelOnDisconnect cancels the orders with the connection', async () => {
    const own = venue.customer(sandbox.enterprise!.members[1]!);
    const statuses = await follow(own, { cancelOnDisconnect: true });
    const order = await own.createOrder(PAIR, 'limit', 'buy', 0.01, 30000);
    await until(() => statuses.has(order.id!));
    await own.close();
    await until(async () => (await own.fetchOrder(order.id!)).status === 'canceled');
  });
});

describe('rejections', () => {
  test('of wrong parameters', async () => {
    await expect(exchange.watchTicker('ETH/USDT', { nonsense: 1 })).rejects.toThrow(BadRequest);
    await expect(exchange.watchTicker('ETH/USDT', { symbol: 'NO-SUCH' })).rejects.toThrow(
      BadSymbol,
    );
    expect((await exchange.watchTicker('ETH/USDT')).symbol).toBe('ETH/USDT');
  });

  test('of callers', async () => {
    const wrong = venue.customer({ ...sandbox.demo!, secretKey: 'wrong' });
    wrong.setMarkets(exchange.markets!);
    wrong.marketsLoading = Promise.resolve(wrong.markets!);
    await expect(wrong.watchOrders()).rejects.toThrow(AuthenticationError);
    const made = await operate(sandbox, 'POST', `users/${sandbox.demo!.uid}/keys`, {
      alias: 'writer',
      moduleIds: [6],
    });
    const writer = venue.customer(made as { apiKey: string; secretKey: string });
    await expect(writer.watchOrders()).rejects.toThrow(PermissionDenied);
    const anyone = new agio({ hostname: exchange.hostname, sandbox: true });
    await expect(anyone.watchBalance()).rejects.toThrow(AuthenticationError);
  });
});
