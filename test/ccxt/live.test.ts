// ccxt against a running sandbox with its demo market: every unified call, checked as ccxt's own
// live tests check it.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { type Dict, OrderNotFound, Precise } from 'ccxt';
import { agio } from '../../src/ccxt/agio.ts';
import { until } from '../support/waiting.ts';
import { CcxtSandbox } from './sandbox.ts';
import {
  validBalance,
  validBook,
  validCandles,
  validCurrency,
  validLastPrice,
  validLedgerEntry,
  validMarket,
  validOrder,
  validTicker,
  validTrade,
} from './validators.ts';

const PAIR = 'BTC/USDT';
const PAIRS = ['BTC/USDT', 'ETH/USDT', 'MMX/USDT', 'BTC/AED'];
const ASSETS = ['BTC', 'ETH', 'MMX', 'USDT', 'USDC', 'AED'];

let venue: CcxtSandbox;
let exchange: agio;

beforeAll(async () => {
  venue = await CcxtSandbox.start({ demo: true });
  exchange = venue.customer(venue.info.demo!, { number: String });
  await exchange.loadMarkets();
  await until(async () => (await quoted('BTC/USDT')) && (await quoted('ETH/USDT')));
});

async function quoted(symbol: string): Promise<boolean> {
  const { bids, asks } = await exchange.fetchOrderBook(symbol);
  return bids.length > 0 && asks.length > 0;
}

afterAll(() => venue[Symbol.asyncDispose]());

describe('the market', () => {
  test('markets and currencies', async () => {
    expect(Object.keys(exchange.markets!)).toEqual(PAIRS);
    for (const [symbol, market] of Object.entries(exchange.markets!)) validMarket(symbol, market!);
    const currencies = await exchange.fetchCurrencies();
    expect(Object.keys(currencies!)).toEqual(ASSETS);
    for (const [code, currency] of Object.entries(currencies!))
      validCurrency(code, currency as Dict);
  });

  test('a market without a key has no rates', async () => {
    const anyone = new agio({ hostname: exchange.hostname, sandbox: true });
    const markets = await anyone.loadMarkets();
    expect(markets[PAIR]).toMatchObject({ maker: undefined, taker: undefined, active: true });
  });

  test('time and status', async () => {
    expect(Math.abs((await exchange.fetchTime())! - Date.now())).toBeLessThan(60_000);
    expect(Math.abs(await exchange.loadTimeDifference())).toBeLessThan(60_000);
    expect((await exchange.fetchStatus()).status).toBe('ok');
  });

  test('tickers', async () => {
    validTicker(PAIR, await exchange.fetchTicker(PAIR));
    const tickers = await exchange.fetchTickers(['BTC/USDT', 'ETH/USDT']);
    expect(Object.keys(tickers)).toEqual(['BTC/USDT', 'ETH/USDT']);
    for (const [symbol, ticker] of Object.entries(tickers)) validTicker(symbol, ticker);
  });

  test('last prices', async () => {
    const prices = await exchange.fetchLastPrices([PAIR, 'ETH/USDT']);
    expect(Object.keys(prices)).toEqual([PAIR, 'ETH/USDT']);
    for (const [symbol, last] of Object.entries(prices)) validLastPrice(symbol, last);
    expect(Object.keys(await exchange.fetchLastPrices())).toEqual(PAIRS);
  });

  test.each([[undefined], [1], [5], [21], [500]])('an order book of %p levels', async (limit) => {
    const book = await exchange.fetchOrderBook(PAIR, limit);
    validBook(PAIR, book);
    expect(book.bids.length).toBeLessThanOrEqual(limit ?? 100);
  });

  test('level 2, and level 3 that adds up to it', async () => {
    validBook(PAIR, await exchange.fetchL2OrderBook(PAIR));
    validBook(PAIR, await exchange.fetchL3OrderBook(PAIR), true);
  });

  test('trades, page after page', async () => {
    const newest = await exchange.fetchTrades(PAIR, undefined, 10);
    expect(newest).toHaveLength(10);
    for (const trade of newest) validTrade(PAIR, trade, false);
    const all = await exchange.fetchTrades(PAIR, undefined, undefined, { paginate: true });
    expect(all.length).toBeGreaterThan(1000);
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
    const times = all.map(({ timestamp }) => timestamp!);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
  });

  test('candles of every timeframe, and of a window', async () => {
    for (const timeframe of Object.keys(exchange.timeframes)) {
      const candles = await exchange.fetchOHLCV(PAIR, timeframe, undefined, 100);
      validCandles(candles, exchange.parseTimeframe(timeframe) * 1000);
    }
    const since = Date.now() - 6 * 3_600_000;
    const until = since + 3 * 3_600_000;
    const some = await exchange.fetchOHLCV(PAIR, '5m', since, 100, { until });
    validCandles(some, 300_000);
    for (const [time] of some) {
      expect(time).toBeGreaterThanOrEqual(since);
      expect(time).toBeLessThanOrEqual(until);
    }
    const days = Date.now() - 2 * 86_400_000;
    const paged = await exchange.fetchOHLCV(PAIR, '1m', days, undefined, { paginate: true });
    validCandles(paged, 60_000);
    expect(paged.length).toBeGreaterThan(100);
  });
});

describe('the account', () => {
  afterEach(() => exchange.cancelAllOrders());

  test('a limit order from entry to cancel', async () => {
    const clientOrderId = 'grid 1&2=3';
    const price = '40000.005';
    const placed = await exchange.createOrder(PAIR, 'limit', 'buy', 0.0100009, Number(price), {
      clientOrderId,
      postOnly: true,
    });
    expect(placed).toMatchObject({ clientOrderId, symbol: PAIR, type: 'limit', side: 'buy' });
    const open = await exchange.fetchOrder(placed.id!, PAIR);
    validOrder(PAIR, open);
    expect(open as Dict).toMatchObject({
      id: placed.id!,
      status: 'open',
      price: '40000.01',
      amount: '0.01',
      filled: '0',
      timeInForce: 'PO',
      postOnly: true,
    });
    expect((await exchange.fetchOrder('', PAIR, { clientOrderId })).id).toBe(placed.id!);
    expect((await exchange.fetchOpenOrders(PAIR)).map(({ id }) => id)).toContain(placed.id!);
    const { used } = (await exchange.fetchBalance()).USDT as Dict;
    expect(used).toBe('400.0001');
    const canceled = await exchange.cancelOrder('', PAIR, { clientOrderId });
    expect(canceled).toMatchObject({ id: placed.id!, clientOrderId, status: 'canceled' });
    const ended = await exchange.fetchOrder(placed.id!);
    expect([ended.status, ended.timestamp]).toEqual(['canceled', placed.timestamp]);
    expect(ended.lastUpdateTimestamp!).toBeGreaterThan(ended.timestamp!);
    await expect(exchange.cancelOrder(placed.id!)).rejects.toThrow(OrderNotFound);
    await expect(exchange.fetchOrder('999999999')).rejects.toThrow(OrderNotFound);
  });

  test('market orders by amount and by cost, with their trades', async () => {
    const bought = await exchange.createMarketBuyOrderWithCost(PAIR, 500);
    const sold = await exchange.createOrder(PAIR, 'market', 'sell', 0.005);
    for (const id of [bought.id!, sold.id!]) {
      const order = await exchange.fetchOrder(id, PAIR);
      validOrder(PAIR, order);
      expect(order).toMatchObject({ status: 'closed', type: 'market', timeInForce: 'IOC' });
      const trades = await exchange.fetchOrderTrades(id, PAIR);
      for (const trade of trades) validTrade(PAIR, trade, true);
      const filled = trades.reduce(
        (sum, { amount }) => Precise.stringAdd(sum, String(amount))!,
        '0',
      );
      expect(filled).toBe(String(order.filled));
    }
    const spent = await exchange.fetchOrder(bought.id!);
    expect(Number(spent.cost)).toBeLessThanOrEqual(500);
    expect(Number(spent.cost)).toBeGreaterThan(499);
  });

  test('stops, icebergs, times in force, and a batch of them', async () => {
    const stop = { stopLossPrice: '20000' };
    const iceberg = { icebergQty: 0.005, timeInForce: 'GTD', expireTime: Date.now() + 86_400_000 };
    const orders = await exchange.createOrders([
      { symbol: PAIR, type: 'market', side: 'sell', amount: 0.01, params: stop },
      { symbol: PAIR, type: 'limit', side: 'buy', amount: 0.02, price: 30000, params: iceberg },
      { symbol: PAIR, type: 'limit', side: 'buy', amount: 1000, price: 30000 },
    ]);
    expect(orders.map(({ status }) => status)).toEqual([undefined, undefined, 'rejected']);
    const [stopId, icebergId] = orders.map(({ id }) => id!) as [string, string];
    const waiting = await exchange.fetchOrder(stopId, PAIR);
    validOrder(PAIR, waiting);
    expect(waiting as Dict).toMatchObject({
      status: 'open',
      type: 'market',
      triggerPrice: '20000',
      stopLossPrice: '20000',
      takeProfitPrice: undefined,
    });
    expect((await exchange.fetchOrder(icebergId)).timeInForce).toBe('GTD');
    const edited = await exchange.editOrder(icebergId, PAIR, 'limit', 'buy', 0.01, 29000);
    validOrder(PAIR, edited);
    expect(edited as Dict).toMatchObject({ id: icebergId, price: '29000', status: 'open' });
    expect(edited).toEqual(await exchange.fetchOrder(icebergId));
    const ended = await exchange.cancelOrders([stopId, icebergId, '999999999'], PAIR);
    expect(ended.map(({ status }) => status)).toEqual(['canceled', 'canceled', undefined]);
    const ioc = await exchange.createOrder(PAIR, 'limit', 'buy', 0.01, 30000, {
      timeInForce: 'IOC',
    });
    const none = await exchange.fetchOrder(ioc.id!);
    expect(none).toMatchObject({ status: 'canceled', timeInForce: 'IOC', filled: '0' });
    const sold = await exchange.createMarketSellOrderWithCost(PAIR, 200);
    expect(Number((await exchange.fetchOrder(sold.id!)).cost)).toBeLessThanOrEqual(200);
  });

  test('triggers on both sides of the market, and a cancel of stops alone', async () => {
    const { price } = (await exchange.fetchLastPrices([PAIR]))[PAIR]!;
    const stops = [0.9, 1.1].flatMap((part) =>
      (['buy', 'sell'] as const).map((side) =>
        exchange.createTriggerOrder(PAIR, 'market', side, 0.01, undefined, Number(price) * part),
      ),
    );
    const resting = await exchange.createOrder(PAIR, 'limit', 'buy', 0.01, 30000);
    const ids = (await Promise.all(stops)).map(({ id }) => id!);
    const waiting = await Promise.all(ids.map((id) => exchange.fetchOrder(id)));
    expect(waiting.map(({ info }) => info.triggerPriceDirection)).toEqual(['D', 'D', 'U', 'U']);
    const canceled = await exchange.cancelAllOrders(PAIR, { trigger: true });
    expect(canceled.map(({ id }) => id!).toSorted()).toEqual(ids.toSorted());
    expect((await exchange.fetchOpenOrders(PAIR)).map(({ id }) => id)).toEqual([resting.id]);
  });

  test('balance, fees and own trades', async () => {
    validBalance(await exchange.fetchBalance(), ASSETS);
    const fees = await exchange.fetchTradingFees();
    expect(Object.keys(fees)).toEqual(PAIRS);
    expect(await exchange.fetchTradingFee(PAIR)).toMatchObject({ symbol: PAIR, percentage: true });
    await exchange.createMarketBuyOrderWithCost(PAIR, 500);
    const trades = await exchange.fetchMyTrades(PAIR);
    expect(trades.length).toBeGreaterThan(0);
    for (const trade of trades) validTrade(PAIR, trade, true);
  });

  test('the statement leads to the balance', async () => {
    for (const code of ['USDT', 'BTC']) {
      const entries = await exchange.fetchLedger(code, undefined, undefined, { paginate: true });
      for (const entry of entries) {
        validLedgerEntry(entry);
        expect(entry.currency).toBe(code);
      }
      entries.slice(1).forEach((entry, i) => {
        expect(entry.before).toBe(entries[i]!.after);
      });
      const { total } = (await exchange.fetchBalance())[code] as Dict;
      expect(entries.at(-1)!.after).toBe(total);
    }
  });
});
