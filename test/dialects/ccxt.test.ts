// ccxt's own classes `binance` and `pro.binance`, unchanged but for their URLs: every spot method
// that they have is called, and works or fails with a documented error.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type Exchange, errors } from 'ccxt';
import { TestNode } from '../support/node.ts';
import { ccxtOf, recorded } from './client.ts';

const node = TestNode.forFile();
const SYMBOL = 'BTC/USDT';
let one: Exchange;
let other: Exchange;
const used = new Set<string>();

beforeAll(async () => {
  [one, other] = (await Promise.all(
    [1, 2].map(async () => recorded(ccxtOf(node, (await node.client()).credentials), used)),
  )) as [Exchange, Exchange];
  // Without it, ccxt opens no websocket without TLS.
  await Promise.all([one, other].map((each) => each.loadHttpProxyAgent()));
  await Promise.all([one.loadMarkets(), other.loadMarkets()]);
});

afterAll(() => Promise.all([one.close(), other.close()]));

const sell = (amount: number, price: number, params = {}) =>
  one.createOrder(SYMBOL, 'limit', 'sell', amount, price, params);
const buy = (amount: number, price: number, params = {}) =>
  other.createOrder(SYMBOL, 'limit', 'buy', amount, price, params);

test('markets, currencies, time and status', async () => {
  expect(Object.keys(one.markets!)).toEqual(['BTC/USDT', 'ETH/USDT', 'MMX/USDT', 'BTC/AED']);
  const { precision, limits, active } = one.market(SYMBOL);
  expect(precision).toMatchObject({ price: 0.01, amount: 0.000001 });
  expect(limits.amount).toMatchObject({ min: 0.00001 });
  expect(active).toBe(true);
  expect(Object.keys(one.currencies)).toContain('USDT');
  expect(await one.fetchCurrenciesWs()).toHaveProperty('USDT');
  expect(Math.abs((await one.fetchTime())! - Date.now())).toBeLessThan(60_000);
  expect(await one.fetchStatus()).toMatchObject({ status: 'ok' });
});

test('an order from its creation to its end', async () => {
  const placed = await sell(1, 100);
  expect(placed).toMatchObject({ status: 'open', side: 'sell', price: 100, remaining: 1 });
  expect(await one.fetchOrder(placed.id!, SYMBOL)).toMatchObject({
    id: placed.id!,
    status: 'open',
  });
  expect(await one.fetchOpenOrders(SYMBOL)).toHaveLength(1);
  expect((await one.fetchBalance()).BTC).toMatchObject({ used: 1, total: 100 });
  const bought = await buy(0.4, 100);
  expect(bought).toMatchObject({ status: 'closed', filled: 0.4, average: 100, cost: 40 });
  expect(bought.trades).toMatchObject([{ price: 100, amount: 0.4 }]);
  expect(await other.fetchMyTrades(SYMBOL)).toMatchObject([{ takerOrMaker: 'taker', amount: 0.4 }]);
  expect(await other.fetchOrderTrades(bought.id!, SYMBOL)).toHaveLength(1);
  expect(await one.cancelOrder(placed.id!, SYMBOL)).toMatchObject({
    status: 'canceled',
    filled: 0.4,
  });
  expect(await one.fetchClosedOrders(SYMBOL)).toEqual([]);
  expect(await one.fetchCanceledOrders(SYMBOL)).toHaveLength(1);
  expect((await one.fetchOrders(SYMBOL)).map(({ status }) => status)).toEqual(['canceled']);
});

test('market orders, stops, edits and mass cancels', async () => {
  await sell(5, 200);
  expect(await other.createOrder(SYMBOL, 'market', 'buy', 1)).toMatchObject({ filled: 1 });
  expect(await other.createMarketBuyOrderWithCost(SYMBOL, 100)).toMatchObject({ cost: 100 });
  const stop = await other.createOrder(SYMBOL, 'market', 'sell', 1, undefined, {
    stopLossPrice: 150,
  });
  expect(await other.fetchOrder(stop.id!, SYMBOL)).toMatchObject({ triggerPrice: 150 });
  const target = await other.createOrder(SYMBOL, 'limit', 'sell', 0.1, 260, {
    takeProfitPrice: 250,
  });
  const stopLoss = { stopLossOrTakeProfit: 'stopLoss' };
  const sells = [SYMBOL, 'market', 'sell', 1, undefined] as const;
  const trails = await other.createTrailingPercentOrder(...sells, 5, undefined, stopLoss);
  expect(trails).toMatchObject({ status: 'open', info: { type: 'STOP_LOSS', trailingDelta: 500 } });
  await other.cancelOrder(trails.id!, SYMBOL);
  const edited = await one.editOrder((await sell(1, 300)).id!, SYMBOL, 'limit', 'sell', 2, 310);
  expect(edited).toMatchObject({ price: 310, amount: 2 });
  const maker = await one.createPostOnlyOrder(SYMBOL, 'limit', 'sell', 1, 320);
  expect(await one.fetchOrder(maker.id!, SYMBOL)).toMatchObject({ postOnly: true });
  expect((await one.cancelAllOrders(SYMBOL)).length).toBe(3);
  expect(await other.fetchOpenOrders(SYMBOL)).toMatchObject([{ id: stop.id }, { id: target.id }]);
  await other.cancelAllOrders(SYMBOL);
  const ioc = await buy(1, 10, { timeInForce: 'IOC' });
  expect(ioc.status).toBe('expired');
  expect(await other.createOrder(SYMBOL, 'limit', 'buy', 1, 10, { test: true })).toBeTruthy();
});

test('market data', async () => {
  await sell(1, 400);
  await buy(0.5, 400);
  const book = await one.fetchOrderBook(SYMBOL);
  expect(book.asks).toEqual([[400, 0.5]]);
  expect((await one.fetchTrades(SYMBOL)).at(-1)).toMatchObject({ price: 400, side: 'buy' });
  const aggregates = await one.fetchTrades(SYMBOL, Date.now() - 60_000);
  expect(aggregates.at(-1)).toMatchObject({ price: 400, amount: 0.5 });
  expect(await one.fetchTicker(SYMBOL)).toMatchObject({ last: 400, ask: 400 });
  expect(Object.keys(await one.fetchTickers())).toContain(SYMBOL);
  expect(await one.fetchTickers([SYMBOL])).toMatchObject({ [SYMBOL]: { last: 400 } });
  expect(await one.fetchLastPrices([SYMBOL])).toMatchObject({ [SYMBOL]: { price: 400 } });
  expect(await one.fetchBidsAsks([SYMBOL])).toMatchObject({ [SYMBOL]: { ask: 400 } });
  expect((await one.fetchOHLCV(SYMBOL, '1m')).at(-1)!.slice(1, 5)).toContain(400);
  await one.cancelAllOrders(SYMBOL);
});

test('fees', async () => {
  expect(await one.fetchTradingFee(SYMBOL)).toMatchObject({ maker: 0, taker: 0 });
  expect(Object.keys(await one.fetchTradingFees())).toContain(SYMBOL);
});

describe('errors are those of ccxt', () => {
  test.each([
    ['too little money', () => buy(1e6, 1000), errors.InsufficientFunds],
    ['an unknown order', () => one.cancelOrder('999999', SYMBOL), errors.OrderNotFound],
    ['an order that is not there', () => one.fetchOrder('999999', SYMBOL), errors.OrderNotFound],
    ['a quantity that is too small', () => buy(0.000001, 100), errors.InvalidOrder],
    ['a pair that is not there', () => one.fetchTicker('DOGE/USDT'), errors.BadSymbol],
    ['what agio does not have', () => one.fetchDeposits(), errors.BadRequest],
  ])('%s', async (_, call, type) => {
    await expect((call as () => Promise<unknown>)()).rejects.toBeInstanceOf(type);
  });

  test('a post-only order that would trade, and a stop that is reached', async () => {
    await sell(1, 500);
    await buy(0.5, 500);
    const cross = other.createPostOnlyOrder(SYMBOL, 'limit', 'buy', 1, 500);
    await expect(cross).rejects.toBeInstanceOf(errors.OrderImmediatelyFillable);
    const stop = other.createOrder(SYMBOL, 'market', 'sell', 0.1, undefined, {
      stopLossPrice: 600,
    });
    await expect(stop).rejects.toBeInstanceOf(errors.OrderImmediatelyFillable);
    await one.cancelAllOrders(SYMBOL);
  });

  test('a wrong secret', async () => {
    const { apiKey } = one;
    const stranger = ccxtOf(node, { apiKey, secretKey: 'wrong' });
    await expect(stranger.fetchBalance()).rejects.toBeInstanceOf(errors.AuthenticationError);
  });
});

/** The first result of `watch` that fits. */
async function watched<T>(watch: () => Promise<T>, fits: (value: T) => boolean): Promise<T> {
  for (;;) {
    const value = await watch();
    if (fits(value)) return value;
  }
}

/** Acts again and again until all are watched: a subscription may begin after an act. */
async function whileActing(watching: readonly Promise<unknown>[], act: () => Promise<unknown>) {
  let isDone = false;
  const all = Promise.all(watching).finally(() => {
    isDone = true;
  });
  while (!isDone) await act();
  await all;
}

test('every other way to place an order, and every other read', async () => {
  await sell(5, 300);
  await buy(0.1, 300);
  const orders = [
    await other.createLimitOrder(SYMBOL, 'buy', 0.1, 100),
    await other.createLimitBuyOrder(SYMBOL, 0.1, 100),
    await other.createLimitSellOrder(SYMBOL, 0.1, 400),
    await other.createStopOrder(SYMBOL, 'market', 'sell', 0.1, undefined, 200),
    await other.createStopLimitOrder(SYMBOL, 'sell', 0.1, 190, 200),
    await other.createStopLossOrder(SYMBOL, 'market', 'sell', 0.1, undefined, 200),
    await other.createTakeProfitOrder(SYMBOL, 'market', 'sell', 0.1, undefined, 400),
    await other.createTriggerOrder(SYMBOL, 'market', 'sell', 0.1, undefined, 200),
  ];
  expect((await other.fetchOpenOrders(SYMBOL)).map(({ id }) => id)).toEqual(
    orders.map(({ id }) => id!),
  );
  await other.cancelAllOrders(SYMBOL);
  for (const bought of [
    await other.createMarketOrder(SYMBOL, 'buy', 0.1),
    await other.createMarketBuyOrder(SYMBOL, 0.1),
    await other.createMarketOrderWithCost(SYMBOL, 'buy', 30),
  ]) {
    expect(bought).toMatchObject({ filled: 0.1 });
  }
  await one.createLimitBuyOrder(SYMBOL, 1, 290);
  await other.createMarketSellOrder(SYMBOL, 0.1);
  await other.createMarketSellOrderWithCost(SYMBOL, 29);
  expect((await one.fetchL2OrderBook(SYMBOL)).bids[0]![0]).toBe(290);
  expect((await one.fetchCanceledAndClosedOrders(SYMBOL)).length).toBeGreaterThan(0);
  expect(await one.fetchMarkets()).toHaveLength(4);
  expect(await one.fetchCurrencies()).toHaveProperty('BTC');
  expect(await one.fetchTradingLimits([SYMBOL])).toHaveProperty(SYMBOL);
  await one.cancelAllOrders(SYMBOL);
});

describe('pro', () => {
  test('books, trades, tickers and candles', async () => {
    const watching = [
      watched(
        () => one.watchOrderBook(SYMBOL),
        ({ asks }) => asks[0]?.[0] === 700,
      ),
      watched(
        () => one.watchTrades(SYMBOL),
        (trades) => trades.at(-1)!.price === 700,
      ),
      watched(
        () => one.watchTicker(SYMBOL),
        ({ last }) => last === 700,
      ),
      watched(
        () => one.watchOHLCV(SYMBOL, '1m'),
        (candles) => candles.at(-1)![4] === 700,
      ),
      watched(
        () => one.watchBidsAsks([SYMBOL]),
        (best) => best[SYMBOL]!.ask === 700,
      ),
      watched(
        () => one.watchOrderBookForSymbols([SYMBOL]),
        ({ asks }) => asks[0]?.[0] === 700,
      ),
      watched(
        () => one.watchTradesForSymbols([SYMBOL]),
        (trades) => trades.at(-1)!.price === 700,
      ),
      watched(
        () => one.watchTickers([SYMBOL]),
        (tickers) => tickers[SYMBOL]!.last === 700,
      ),
      watched(
        () => one.watchOHLCVForSymbols([[SYMBOL, '1m']]),
        (candles) => candles[SYMBOL]!['1m']!.at(-1)![4] === 700,
      ),
    ];
    await whileActing(watching, async () => {
      await sell(0.02, 700);
      await buy(0.01, 700);
    });
    for (const [name, ...input] of [
      ['unWatchOrderBook', SYMBOL],
      ['unWatchOrderBookForSymbols', [SYMBOL]],
      ['unWatchTrades', SYMBOL],
      ['unWatchTradesForSymbols', [SYMBOL]],
      ['unWatchTicker', SYMBOL],
      ['unWatchTickers', [SYMBOL]],
      ['unWatchBidsAsks', [SYMBOL]],
      ['unWatchOHLCV', SYMBOL, '1m'],
      ['unWatchOHLCVForSymbols', [[SYMBOL, '1m']]],
    ] as const) {
      await (one as unknown as Record<string, (...input: unknown[]) => unknown>)[name]!(...input);
    }
    await one.cancelAllOrders(SYMBOL);
  });

  test('own orders, trades and balances', async () => {
    const before = (await one.fetchBalance()).USDT!.total!;
    const watching = [
      watched(
        () => one.watchOrders(SYMBOL),
        (all) => all.some(({ status, filled }) => status === 'closed' && filled === 0.02),
      ),
      watched(
        () => one.watchMyTrades(SYMBOL),
        (all) =>
          all.some(({ amount, takerOrMaker }) => amount === 0.02 && takerOrMaker === 'maker'),
      ),
      watched(
        () => one.watchBalance(),
        ({ USDT }) => (USDT?.total ?? 0) > before,
      ),
    ];
    await whileActing(watching, async () => {
      await sell(0.02, 800);
      await buy(0.02, 800);
    });
  });

  test('requests over the websocket', async () => {
    const placed = await one.createOrderWs(SYMBOL, 'limit', 'sell', 1, 900);
    expect(placed).toMatchObject({ status: 'open', price: 900 });
    expect(await one.fetchOpenOrdersWs(SYMBOL)).toMatchObject([{ id: placed.id }]);
    expect(await one.fetchOrderWs(placed.id!, SYMBOL)).toMatchObject({ id: placed.id });
    const edited = await one.editOrderWs(placed.id!, SYMBOL, 'limit', 'sell', 1, 910);
    expect(edited).toMatchObject({ price: 910 });
    expect(await one.cancelOrderWs(edited.id!, SYMBOL)).toMatchObject({ status: 'canceled' });
    await one.createOrderWs(SYMBOL, 'limit', 'sell', 1, 900);
    expect(await one.cancelAllOrdersWs(SYMBOL)).toHaveLength(1);
    expect((await one.fetchOrdersWs(SYMBOL)).length).toBeGreaterThan(2);
    // ccxt itself reads no more of this answer.
    expect((await one.fetchBalanceWs()).info.balances).not.toEqual([]);
    expect((await one.fetchTradesWs(SYMBOL)).length).toBeGreaterThan(0);
    expect((await one.fetchMyTradesWs(SYMBOL)).length).toBeGreaterThan(0);
    expect((await one.fetchOHLCVWs(SYMBOL, '1m')).length).toBeGreaterThan(0);
    await sell(0.01, 920);
    expect(await other.createMarketOrderWs(SYMBOL, 'buy', 0.01)).toMatchObject({ filled: 0.01 });
    const poor = other.createOrderWs(SYMBOL, 'limit', 'buy', 1e6, 1000);
    await expect(poor).rejects.toBeInstanceOf(errors.InsufficientFunds);
  });
});

/** The features of ccxt's table for margin, futures, options, loans, conversions and the wallet. */
const NOT_SPOT =
  'publicAPI privateAPI sandbox spot margin swap future option ws addMargin borrowCrossMargin ' +
  'borrowIsolatedMargin cancelOrders createOrders createReduceOnlyOrder editOrders fetchADLRank ' +
  'fetchBorrowInterest fetchBorrowRateHistory fetchConvertCurrencies fetchConvertQuote ' +
  'fetchConvertTrade fetchConvertTradeHistory fetchCrossBorrowRate fetchDepositAddress ' +
  'fetchDepositWithdrawFee fetchDepositWithdrawFees fetchFundingHistory fetchFundingRate ' +
  'fetchFundingRateHistory fetchFundingInterval fetchFundingIntervals fetchFundingRates ' +
  'fetchGreeks fetchIndexOHLCV fetchIsolatedBorrowRate fetchIsolatedBorrowRates ' +
  'fetchMarginAdjustmentHistory fetchLedger fetchLedgerEntry fetchLeverage fetchLeverages ' +
  'fetchLeverageTiers fetchLongShortRatioHistory fetchMarginMode fetchMarginModes ' +
  'fetchMarketLeverageTiers fetchMarkOHLCV fetchMyLiquidations fetchMySettlementHistory ' +
  'fetchOpenInterest fetchOpenInterestHistory fetchOpenOrder fetchOption fetchPosition ' +
  'fetchPositionADLRank fetchPositionsADLRank fetchPositionWs fetchPositionMode fetchPositions ' +
  'fetchPositionsWs fetchPositionsRisk fetchPremiumIndexOHLCV fetchSettlementHistory ' +
  'fetchMarkPrices fetchTransactionFee fetchTransactionFees fetchTransfers fetchWithdrawals ' +
  'reduceMargin repayCrossMargin repayIsolatedMargin setLeverage setMarginMode setPositionMode ' +
  'transfer watchPositions watchLiquidations watchLiquidationsForSymbols watchMyLiquidations ' +
  'watchMyLiquidationsForSymbols withdraw createConvertTrade fetchAllGreeks fetchMarkPrice ' +
  'watchMarkPrices watchMarkPrice fetchPositionForSymbolWs unWatchMarkPrices unWatchMarkPrice';
/** ccxt itself rejects them for spot. */
const NOT_THERE = ['watchOrdersForSymbols', 'fetchOrderBookWs', 'fetchTickerWs'];

test('every spot method is called', () => {
  const features = Object.entries(one.has as Record<string, unknown>);
  const known = new Set([...NOT_SPOT.split(' '), ...NOT_THERE]);
  const names = features.filter(([name, has]) => has && !known.has(name)).map(([name]) => name);
  expect(names.length).toBeGreaterThan(70);
  expect(names.filter((name) => !used.has(name))).toEqual([]);
});
