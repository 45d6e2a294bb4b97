// ccxt's class `binance` against agio, as ccxt itself checks an exchange: the spot calls of its
// static cases, with equal arguments, and the checks of its live tests.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Exchange } from 'ccxt';
import { CcxtSandbox } from '../ccxt/sandbox.ts';
import {
  validBalance,
  validBook,
  validCandles,
  validMarket,
  validOrder,
  validTicker,
  validTrade,
} from '../ccxt/validators.ts';
import { TestNode } from '../support/node.ts';
import { until } from '../support/waiting.ts';
import { ccxtOf } from './client.ts';

type Call = (...input: unknown[]) => Promise<unknown>;
const call = (exchange: Exchange, method: string, input: readonly unknown[]): Promise<unknown> =>
  (exchange as unknown as Record<string, Call>)[method]!(...input.map((one) => one ?? undefined));

const BTC = 'BTC/USDT';
/** In place of the pairs of the cases that a sandbox does not list: LTC, SOL and XRP. */
const ALT = 'ETH/USDT';
const SINCE = 1699381234000;

const TRAILING = { trailingPercent: 5, stopLossOrTakeProfit: 'stopLoss' };
const ICEBERG = { selfTradePrevention: 'expire_maker', icebergAmount: 0.03 };

/** The calls of the cases whose URL is under /api/v3, or a path of sapi that agio has. */
const CASES: readonly (readonly [about: string, method: string, ...input: unknown[]])[] = [
  ['a market buy, by its cost', 'createOrder', ALT, 'market', 'buy', 0.2, 50],
  ['a limit buy', 'createOrder', ALT, 'limit', 'buy', 0.2, 50],
  ['post-only', 'createOrder', ALT, 'limit', 'buy', 0.2, 50, { postOnly: true }],
  ['a long amount', 'createOrder', BTC, 'limit', 'buy', 0.0007856509959147719, 55000],
  ['a long price', 'createOrder', ALT, 'limit', 'buy', 0.4234234234, 55.324242343],
  ['triggerPrice', 'createOrder', ALT, 'limit', 'buy', 0.2, 50, { triggerPrice: 100 }],
  ['a test order', 'createOrder', ALT, 'limit', 'buy', 0.2, 50, { test: true }],
  ['an iceberg', 'createOrder', ALT, 'limit', 'buy', 0.05, 241, ICEBERG],
  ['a trailing stop', 'createOrder', ALT, 'market', 'sell', 0.2, null, TRAILING],
  ['a trailing stop limit', 'createOrder', ALT, 'limit', 'sell', 0.2, 50, TRAILING],
  [
    ...(['a trailing take profit', 'createOrder', ALT, 'market', 'sell', 0.2, null] as const),
    { ...TRAILING, stopLossOrTakeProfit: 'takeProfit', trailingTriggerPrice: 70 },
  ],
  ['a market order by cost', 'createMarketOrderWithCost', BTC, 'buy', 10],
  ['a market buy by cost', 'createMarketBuyOrderWithCost', BTC, 15],
  ['a market buy by a long cost', 'createMarketBuyOrderWithCost', ALT, 5.3243423423423],
  ['a market sell by cost', 'createMarketSellOrderWithCost', BTC, 15],
  ['a market sell by a long cost', 'createMarketSellOrderWithCost', ALT, 5.3243423423423],
  ['an edit', 'editOrder', 'ID', ALT, 'limit', 'buy', 0.25, 51],
  ['a cancel', 'cancelOrder', 'ID', ALT],
  ['an order', 'fetchOrder', 'ID', ALT],
  ['the trades of an order', 'fetchOrderTrades', 'ID', ALT],
  ['a mass cancel', 'cancelAllOrders', ALT],
  ['balances', 'fetchBalance'],
  ['own trades', 'fetchMyTrades', ALT],
  ['orders', 'fetchOrders', ALT],
  ['open orders', 'fetchOpenOrders', ALT],
  ['canceled orders', 'fetchCanceledOrders', ALT, null, 1],
  ['closed orders', 'fetchClosedOrders', ALT, null, 10],
  ['canceled and closed orders', 'fetchCanceledAndClosedOrders', ALT],
  ['rolling tickers', 'fetchTickers', [BTC, ALT], { rolling: true }],
  ['tickers', 'fetchTickers', [BTC, ALT]],
  ['a ticker', 'fetchTicker', BTC],
  ['last prices', 'fetchLastPrices'],
  ['last prices of spot', 'fetchLastPrices', null, { defaultType: 'spot' }],
  ['last prices of pairs', 'fetchLastPrices', [BTC, ALT]],
  ['best prices', 'fetchBidsAsks', [BTC, ALT]],
  ['a book', 'fetchOrderBook', BTC],
  ['a book of five levels', 'fetchOrderBook', BTC, 5],
  ['candles', 'fetchOHLCV', BTC],
  ['candles since', 'fetchOHLCV', BTC, '1m', SINCE, 5],
  ['candles of a window', 'fetchOHLCV', BTC, '1h', SINCE, null, { until: SINCE + 10_627_200_000 }],
  ['trades', 'fetchTrades', BTC],
  ['trades since', 'fetchTrades', BTC, SINCE, 5],
  ['fees', 'fetchTradingFees', { type: 'spot' }],
  ['a fee', 'fetchTradingFee', BTC],
  ['time', 'fetchTime'],
  ['status', 'fetchStatus'],
  ['currencies', 'fetchCurrencies'],
];

/** The fields of the recorded answer to an order. */
const ANSWER =
  'symbol orderId orderListId clientOrderId transactTime price origQty executedQty ' +
  'origQuoteOrderQty cummulativeQuoteQty status timeInForce type side workingTime icebergQty ' +
  'fills selfTradePreventionMode';

describe('the spot calls of the static cases', () => {
  const node = TestNode.forFile();
  let exchange: Exchange;

  beforeAll(async () => {
    const connect = async () => ccxtOf(node, (await node.client()).credentials);
    const [own, other] = await Promise.all([connect(), connect()]);
    exchange = own;
    await Promise.all([own.loadMarkets(), other.loadMarkets()]);
    for (const [pair, price] of [
      [BTC, 60_000],
      [ALT, 60],
    ] as const) {
      await other.createOrder(pair, 'limit', 'sell', 1, price);
      await own.createOrder(pair, 'limit', 'buy', 0.1, price);
      await other.createOrder(pair, 'limit', 'buy', 1, price * 0.9);
    }
  });

  test.each(CASES)('%s: %s', async (_, method, ...input) => {
    const { id } = await exchange.createLimitBuyOrder(ALT, 1, 40);
    const sent = input.map((value) => (value === 'ID' ? id : value));
    expect(await call(exchange, method, sent)).toBeDefined();
    const open = await exchange.fetchOpenOrders(ALT);
    if (open.length > 0) await exchange.cancelAllOrders(ALT);
  });

  test('the answer to an order has the fields of the recorded one', async () => {
    const iceberg = { icebergAmount: 0.03 };
    const { info } = await exchange.createOrder(ALT, 'limit', 'buy', 0.3, 41, iceberg);
    expect(Object.keys(info).sort()).toEqual(ANSWER.split(' ').sort());
  });
});

describe('the live checks', () => {
  const PAIRS = [BTC, ALT, 'MMX/USDT', 'BTC/AED'];
  let venue: CcxtSandbox;
  let exchange: Exchange;

  beforeAll(async () => {
    venue = await CcxtSandbox.start({ demo: true });
    const { url, demo } = venue.info;
    exchange = ccxtOf({ url }, demo!, { number: String });
    await exchange.loadMarkets();
    await until(async () => {
      const best = await exchange.fetchBidsAsks([BTC, ALT]);
      return Object.values(best).every(({ bid, ask }) => bid !== undefined && ask !== undefined);
    });
  });

  afterAll(async () => {
    await exchange.close();
    await venue[Symbol.asyncDispose]();
  });

  test('markets and tickers', async () => {
    expect(Object.keys(exchange.markets!)).toEqual(PAIRS);
    for (const [symbol, market] of Object.entries(exchange.markets!)) {
      const { min, max } = market!.limits.cost!;
      expect([typeof min, typeof max]).toEqual(['string', 'string']);
      const limits = { amount: { ...market!.limits.amount, max: undefined }, cost: { min } };
      validMarket(symbol, { ...market, limits, maker: '0', taker: '0' }, '');
    }
    validTicker(BTC, await exchange.fetchTicker(BTC));
    // ccxt asks for rolling windows here, which have no best prices at Binance either.
    const tickers = await exchange.fetchTickers([BTC, ALT]);
    const best = await exchange.fetchBidsAsks([BTC, ALT]);
    for (const [symbol, ticker] of Object.entries(tickers)) {
      const { ask, askVolume, bid, bidVolume } = best[symbol]!;
      validTicker(symbol, { ...ticker, ask, askVolume, bid, bidVolume });
    }
  });

  test('books, trades and candles', async () => {
    for (const limit of [undefined, 1, 21, 500]) {
      const book = await exchange.fetchOrderBook(BTC, limit);
      // A book of Binance has no time, and ccxt makes numbers of it.
      const at = Date.now();
      const [bids, asks] = [book.bids, book.asks].map((side) => side.map((row) => row.map(String)));
      const time = { timestamp: at, datetime: new Date(at).toISOString() };
      validBook(BTC, { ...book, ...time, bids, asks });
    }
    const trades = await exchange.fetchTrades(BTC, undefined, 100);
    expect(trades.length).toBeGreaterThan(0);
    for (const trade of trades) validTrade(BTC, trade, false);
    for (const timeframe of ['1m', '5m', '1h', '1d', '1w']) {
      const candles = await exchange.fetchOHLCV(BTC, timeframe, undefined, 100);
      validCandles(candles, exchange.parseTimeframe(timeframe) * 1000);
    }
  });

  test('the lines of the README place and cancel an order', async () => {
    const readme = readFileSync(join(import.meta.dir, '../../README.md'), 'utf8');
    const [, code] = /```ts\n((?:(?!```)[\s\S])*new ccxt\.binance\([\s\S]*?)```/.exec(readme)!;
    const own = code!.replace('data/sandbox.json', venue.place.path('data/sandbox.json'));
    const program = Bun.spawn([process.execPath, '-e', own], { stdout: 'pipe', stderr: 'pipe' });
    const { stdout, stderr } = program;
    const printed = await Promise.all([new Response(stdout).text(), new Response(stderr).text()]);
    expect(printed).toEqual(['canceled\n', '']);
  });

  test('orders, own trades and balances', async () => {
    const bought = await exchange.createMarketBuyOrderWithCost(BTC, 500);
    const open = await exchange.createOrder(BTC, 'limit', 'buy', 0.01, 40_000);
    for (const id of [bought.id!, open.id!]) validOrder(BTC, await exchange.fetchOrder(id, BTC));
    const own = await exchange.fetchOrderTrades(bought.id!, BTC);
    expect(own.length).toBeGreaterThan(0);
    for (const trade of own) validTrade(BTC, trade, true);
    validBalance(await exchange.fetchBalance(), ['BTC', 'USDT']);
    await exchange.cancelOrder(open.id!, BTC);
    expect(await exchange.fetchOrder(open.id!, BTC)).toMatchObject({ status: 'canceled' });
  });
});
