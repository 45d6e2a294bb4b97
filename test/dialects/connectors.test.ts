// The official connector `@binance/spot` (REST, websocket API, streams) and the package `binance`,
// unchanged: every method of theirs that agio has is called, and the others fail as documented.
import { beforeAll, describe, expect, test } from 'bun:test';
import { SpotRestAPI as Rest, Spot } from '@binance/spot';
import { MainClient } from 'binance';
import { type Credentials, type Json, TestNode } from '../support/node.ts';
import { until } from '../support/waiting.ts';
import { BinanceClient, methodsOf, recorded } from './client.ts';

const node = TestNode.forFile();
const SYMBOL = 'BTCUSDT';

/** The connector calls back with what it has received. */
type Listener = (data: unknown) => void;
type Calls = Record<string, (params: object) => Promise<{ data: unknown }>>;

const called = { rest: new Set<string>(), api: new Set<string>(), streams: new Set<string>() };
/** The methods of a connector that call nothing of Binance. */
const PLUMBING = new Set([
  ...['sendRequest', 'sendSignedRequest', 'sendMessage', 'sendSignedMessage', 'on', 'off'],
  ...['disconnect', 'isConnected', 'pingServer', 'subscribe', 'unsubscribe', 'isSubscribed'],
]);
/** Methods that agio does not have; the websocket API has another name for some. */
const NOT_THERE: readonly (readonly [rest: string, api?: string])[] = [
  ['myAllocations'],
  ['myFilters'],
  ['myPreventedMatches'],
  ['orderAmendments'],
  ['tickerTradingDay'],
  ['executionRules'],
  ['historicalBlockTrades', 'blockTradesHistorical'],
  ['referencePrice'],
  ['referencePriceCalculation'],
];
/** The mandatory parameters of all of them. */
const ANY = {
  symbol: SYMBOL,
  orderId: 1,
  fromId: 1,
};
const WORKING = {
  ...{ symbol: SYMBOL, workingType: 'LIMIT', workingSide: 'BUY', workingPrice: 10 },
  ...{ workingQuantity: 1, workingTimeInForce: 'GTC', pendingSide: 'SELL' },
};
const PAIR = {
  ...{ pendingAboveType: 'LIMIT_MAKER', pendingAbovePrice: 20 },
  ...{ pendingBelowType: 'STOP_LOSS', pendingBelowStopPrice: 5 },
};
/** Orders with exits, by the end of the methods' names. */
const WITH_EXITS = {
  Oto: { ...WORKING, pendingQuantity: 1, pendingType: 'LIMIT', pendingPrice: 20 },
  Opo: { ...WORKING, pendingType: 'STOP_LOSS', pendingStopPrice: 5 },
  Otoco: { ...WORKING, pendingQuantity: 1, ...PAIR },
  Opoco: { ...WORKING, ...PAIR },
};
const OCO = { symbol: SYMBOL, side: 'SELL', quantity: 1, price: 3000, stopPrice: 5 };
const SOR = {
  symbol: SYMBOL,
  side: 'BUY',
  type: 'LIMIT',
  timeInForce: 'GTC',
  price: 10,
  quantity: 1,
};

describe('@binance/spot', () => {
  let spot: Spot;
  let credentials: Credentials;
  let rest: Spot['restAPI'];

  beforeAll(async () => {
    credentials = (await node.client()).credentials;
    const { apiKey, secretKey: apiSecret } = credentials;
    const socket = `${node.url.replace('http', 'ws')}/binance`;
    spot = new Spot({
      configurationRestAPI: { apiKey, apiSecret, basePath: `${node.url}/binance` },
      configurationWebsocketAPI: { apiKey, apiSecret, wsURL: `${socket}/ws-api/v3` },
      configurationWebsocketStreams: { wsURL: socket },
    });
    rest = recorded(spot.restAPI, called.rest);
  });

  const limit = (side: Rest.NewOrderSideEnum, price: number, quantity: number) =>
    rest.newOrder({
      symbol: SYMBOL,
      side,
      type: Rest.NewOrderTypeEnum.LIMIT,
      timeInForce: Rest.NewOrderTimeInForceEnum.GTC,
      price,
      quantity,
    });
  const { BUY, SELL } = Rest.NewOrderSideEnum;

  test('market data', async () => {
    await limit(SELL, 100, 1);
    await limit(BUY, 100, 0.5);
    const read = [
      rest.ping(),
      rest.time(),
      rest.exchangeInfo({ symbol: SYMBOL }),
      rest.depth({ symbol: SYMBOL }),
      rest.getTrades({ symbol: SYMBOL }),
      rest.historicalTrades({ symbol: SYMBOL, fromId: 0 }),
      rest.aggTrades({ symbol: SYMBOL }),
      rest.klines({ symbol: SYMBOL, interval: Rest.KlinesIntervalEnum.INTERVAL_1m }),
      rest.uiKlines({ symbol: SYMBOL, interval: Rest.UiKlinesIntervalEnum.INTERVAL_1h }),
      rest.avgPrice({ symbol: SYMBOL }),
      rest.ticker24hr({ symbol: SYMBOL }),
      rest.ticker({ symbol: SYMBOL, windowSize: Rest.TickerWindowSizeEnum.WINDOW_SIZE_4h }),
      rest.tickerPrice({ symbols: [SYMBOL, 'ETHUSDT'] }),
      rest.tickerBookTicker(),
    ];
    const answers = await Promise.all(read.map(async (answer) => (await answer).data()));
    for (const answer of answers) expect(await answer).toBeDefined();
    const [trade] = await (await rest.getTrades({ symbol: SYMBOL })).data();
    expect(trade).toMatchObject({ price: '100', qty: '0.5' });
    await rest.deleteOpenOrders({ symbol: SYMBOL });
  });

  test('orders', async () => {
    const placed = await (await limit(SELL, 200, 1)).data();
    expect(placed).toMatchObject({ status: 'NEW', price: '200' });
    const named = { symbol: SYMBOL, orderId: placed.orderId! };
    expect(await (await rest.getOrder(named)).data()).toMatchObject({ status: 'NEW' });
    await rest.orderAmendKeepPriority({ ...named, newQty: 0.5 });
    const replaced = await rest.orderCancelReplace({
      symbol: SYMBOL,
      side: Rest.OrderCancelReplaceSideEnum.SELL,
      type: Rest.OrderCancelReplaceTypeEnum.LIMIT_MAKER,
      cancelReplaceMode: Rest.OrderCancelReplaceCancelReplaceModeEnum.STOP_ON_FAILURE,
      cancelOrderId: placed.orderId!,
      price: 210,
      quantity: 1,
    });
    expect(await replaced.data()).toMatchObject({ newOrderResult: 'SUCCESS' });
    const [open] = await (await rest.getOpenOrders({ symbol: SYMBOL })).data();
    await rest.deleteOrder({ symbol: SYMBOL, orderId: open!.orderId! });
    expect(await (await rest.allOrders({ symbol: SYMBOL })).data()).not.toEqual([]);
    await rest.orderTest({
      symbol: SYMBOL,
      side: Rest.OrderTestSideEnum.SELL,
      type: Rest.OrderTestTypeEnum.MARKET,
      quantity: 1,
    });
    const list = await rest.orderListOco({
      symbol: SYMBOL,
      side: Rest.OrderListOcoSideEnum.SELL,
      quantity: 1,
      aboveType: Rest.OrderListOcoAboveTypeEnum.LIMIT_MAKER,
      abovePrice: 300,
      belowType: Rest.OrderListOcoBelowTypeEnum.STOP_LOSS,
      belowStopPrice: 50,
    });
    const { orderListId } = await list.data();
    await rest.getOrderList({ orderListId: orderListId! });
    expect(await (await rest.openOrderList()).data()).toHaveLength(1);
    await rest.deleteOrderList({ symbol: SYMBOL, orderListId: orderListId! });
    expect(await (await rest.allOrderList()).data()).toHaveLength(1);
  });

  test('the account', async () => {
    const account = await (await rest.getAccount({ omitZeroBalances: true })).data();
    expect(account).toMatchObject({ accountType: 'SPOT', canTrade: true });
    expect(await (await rest.accountCommission({ symbol: SYMBOL })).data()).toBeDefined();
    expect(await (await rest.myTrades({ symbol: SYMBOL })).data()).not.toEqual([]);
    expect(await (await rest.rateLimitOrder()).data()).toMatchObject([{ rateLimitType: 'ORDERS' }]);
  });

  test.each(NOT_THERE)('%s is not there', async (name) => {
    const call = (rest as unknown as Calls)[name]!(ANY);
    await expect(call).rejects.toThrow('This operation is not supported');
  });

  test('lists of orders, and orders by SOR, of which one venue has one book', async () => {
    const calls = rest as unknown as Calls;
    await limit(SELL, 100, 1);
    await limit(BUY, 100, 1);
    for (const [name, params] of Object.entries(WITH_EXITS)) {
      await calls[`orderList${name}`]!(params);
    }
    await calls.orderOco!(OCO);
    await calls.sorOrder!(SOR);
    await calls.sorOrderTest!(SOR);
    await rest.deleteOpenOrders({ symbol: SYMBOL });
  });

  test('an error has its message', async () => {
    await expect(limit(BUY, 100, 1e7)).rejects.toThrow('insufficient balance');
    await expect(rest.depth({ symbol: 'NOPE' })).rejects.toThrow('Invalid symbol');
  });

  test('the websocket API', async () => {
    const connection = await spot.websocketAPI.connect();
    const api = recorded(connection, called.api);
    const call = async (name: string, params: object = {}) =>
      (await (api as unknown as Calls)[name]!(params)).data;
    try {
      const ofPair = { symbol: SYMBOL };
      for (const name of [
        ...['depth', 'tradesRecent', 'tradesHistorical', 'tradesAggregate', 'avgPrice', 'ticker'],
        ...['ticker24hr', 'tickerPrice', 'tickerBook', 'exchangeInfo', 'allOrders', 'myTrades'],
        ...['openOrdersStatus', 'accountCommission'],
      ]) {
        expect(await call(name, ofPair), name).toBeDefined();
      }
      for (const name of ['klines', 'uiKlines']) {
        expect(await call(name, { ...ofPair, interval: '1m' }), name).toBeDefined();
      }
      expect(await call('ping')).toBeDefined();
      expect(await call('time')).toHaveProperty('serverTime');
      const { orderId } = (await call('orderPlace', { ...SOR, side: 'SELL', price: 400 })) as Json;
      const named = { ...ofPair, orderId };
      expect(await call('orderStatus', named)).toMatchObject(named);
      expect(await call('orderTest', SOR)).toEqual({});
      expect(await call('orderAmendKeepPriority', { ...named, newQty: 0.5 })).toBeDefined();
      const mode = { cancelReplaceMode: 'STOP_ON_FAILURE', cancelOrderId: orderId };
      const replaced = await call('orderCancelReplace', {
        ...SOR,
        side: 'SELL',
        price: 410,
        ...mode,
      });
      expect(replaced).toMatchObject({ newOrderResult: 'SUCCESS' });
      await call('openOrdersCancelAll', ofPair);
      expect(await call('sorOrderPlace', SOR)).toMatchObject([{ status: 'NEW' }]);
      await call('sorOrderTest', SOR);
      const [open] = (await call('openOrdersStatus', ofPair)) as unknown as Json[];
      await call('orderCancel', { ...ofPair, orderId: open!.orderId });
      for (const [name, params] of Object.entries(WITH_EXITS)) {
        await call(`orderListPlace${name}`, params);
      }
      const { price, stopPrice, ...oco } = OCO;
      const above = { aboveType: 'LIMIT_MAKER', abovePrice: price };
      const below = { belowType: 'STOP_LOSS', belowStopPrice: stopPrice };
      const list = (await call('orderListPlaceOco', { ...oco, ...above, ...below })) as Json;
      const namedList = { orderListId: list.orderListId };
      expect(await call('orderListStatus', namedList)).toMatchObject(namedList);
      await call('orderListCancel', { ...ofPair, ...namedList });
      await call('orderListPlace', OCO);
      const lists = (await call('openOrderListsStatus')) as unknown as Json[];
      const pairs = lists.filter(({ contingencyType }) => String(contingencyType) === 'OCO');
      expect(pairs).toHaveLength(1);
      expect(await call('allOrderLists')).toBeArray();
      await call('openOrdersCancelAll', ofPair);
      expect(await call('accountStatus')).toMatchObject({ accountType: 'SPOT' });
      expect(await call('accountRateLimitsOrders')).toBeArray();
    } finally {
      await connection.disconnect();
    }
  });

  test('the websocket API: user data, and sessions', async () => {
    const connection = await spot.websocketAPI.connect();
    const api = recorded(connection, called.api);
    const call = async (name: string, params: object = {}) =>
      (await (api as unknown as Calls)[name]!(params)).data;
    try {
      const stream = (await api.userDataStreamSubscribeSignature()).stream;
      const received: Json[] = [];
      stream.on('message', ((data: Json) => received.push(data)) as Listener);
      await limit(SELL, 410, 1);
      await until(() => received.length > 0);
      await rest.deleteOpenOrders({ symbol: SYMBOL });
      expect(await call('sessionSubscriptions')).toEqual([{ subscriptionId: 0 }]);
      await call('userDataStreamUnsubscribe');
      await expect(call('userDataStreamSubscribe')).rejects.toMatchObject({ code: -2015 });
      const { apiKey } = credentials;
      await call('sessionLogon');
      expect(await call('sessionStatus')).toMatchObject({ apiKey });
      await call('userDataStreamSubscribe');
      await call('sessionLogout');
      expect(await call('sessionStatus')).toMatchObject({ apiKey: null });
      for (const [restName, name = restName] of NOT_THERE) {
        await expect(call(name, ANY), name).rejects.toMatchObject({ code: -1020 });
      }
      expect(missing(connection, called.api)).toEqual([]);
    } finally {
      await connection.disconnect();
    }
  });

  test('the streams', async () => {
    const connection = await spot.websocketStreams.connect();
    const streams = recorded(connection, called.streams) as unknown as Record<
      string,
      (params: object) => { on(event: 'message', listener: Listener): void }
    >;
    try {
      const received = new Set<string>();
      const open = (name: string, params: object = {}) =>
        streams[name]!({ symbol: 'btcusdt', ...params }).on('message', () => received.add(name));
      const names = ['trade', 'aggTrade', 'bookTicker', 'diffBookDepth', 'miniTicker', 'ticker'];
      for (const name of [...names, 'allMiniTicker', 'avgPrice']) open(name);
      open('kline', { interval: '1m' });
      open('partialBookDepth', { levels: '5' });
      open('rollingWindowTicker', { windowSize: '1h' });
      open('allMarketRollingWindowTicker', { windowSize: '1h' });
      const { listenKey } = (
        await new BinanceClient(node, credentials).send('POST', 'userDataStream')
      ).body as Json;
      streams.userData!(listenKey as never).on('message', () => received.add('userData'));
      await until(
        async () => {
          await limit(SELL, 500, 0.1);
          await limit(BUY, 500, 0.1);
          return received.size === 13;
        },
        () => [...received],
      );
      // agio has none of these, so they stay silent, as an unknown stream does at Binance.
      for (const name of ['blockTrade', 'referencePrice']) open(name);
      open('klineOffset', { interval: '1m' });
      expect(missing(connection, called.streams)).toEqual([]);
    } finally {
      await connection.disconnect();
    }
  });

  test('every method of REST is called', () => {
    expect(missing(spot.restAPI, called.rest)).toEqual([]);
  });
});

/** The methods of a client that no test has called. */
const missing = (client: object, names: ReadonlySet<string>): string[] =>
  methodsOf(client).filter((name) => !PLUMBING.has(name) && !names.has(name));

describe('binance', () => {
  let client: MainClient;
  const used = new Set<string>();
  const call = (name: string, params: unknown = { symbol: SYMBOL }) =>
    (client as unknown as Record<string, (params: unknown) => Promise<Json>>)[name]!(params);

  beforeAll(async () => {
    const { apiKey, secretKey } = (await node.client()).credentials;
    const baseUrl = `${node.url}/binance`;
    const options = { api_key: apiKey, api_secret: secretKey, baseUrl, disableTimeSync: true };
    client = recorded(new MainClient(options), used);
  });

  test('market data', async () => {
    expect(await client.testConnectivity()).toEqual({});
    // It asks for the time at Binance, whatever its base URL is, so getServerTime is not called.
    expect((await client.getExchangeInfo()).symbols.map(({ symbol }) => symbol)).toContain(SYMBOL);
    expect(await client.getOrderBook({ symbol: SYMBOL })).toHaveProperty('lastUpdateId');
    expect(await client.getRecentTrades({ symbol: SYMBOL })).toBeArray();
    expect(await client.getAggregateTrades({ symbol: SYMBOL })).toBeArray();
    expect(await client.getKlines({ symbol: SYMBOL, interval: '1m' })).toBeArray();
    expect(await client.getAvgPrice({ symbol: SYMBOL })).toHaveProperty('price');
    expect(await client.get24hrChangeStatistics({ symbol: SYMBOL })).toHaveProperty('volume');
    expect(await client.getSymbolPriceTicker({ symbol: SYMBOL })).toHaveProperty('price');
    expect(await client.getSymbolOrderBookTicker({ symbol: SYMBOL })).toHaveProperty('bidPrice');
  });

  test('orders and the account', async () => {
    const placed = await client.submitNewOrder({
      symbol: SYMBOL,
      side: 'BUY',
      type: 'LIMIT',
      timeInForce: 'GTC',
      price: 10,
      quantity: 1,
    });
    const named = { symbol: SYMBOL, orderId: placed.orderId };
    expect(await client.getOrder(named)).toMatchObject({ status: 'NEW' });
    expect(await client.getOpenOrders({ symbol: SYMBOL })).toHaveLength(1);
    expect(await client.cancelOrder(named)).toMatchObject({ status: 'CANCELED' });
    expect(await client.getAllOrders({ symbol: SYMBOL })).toHaveLength(1);
    expect(await client.getAccountInformation()).toMatchObject({ accountType: 'SPOT' });
    expect(await client.getAccountTradeList({ symbol: SYMBOL })).toEqual([]);
    expect(await client.getBalances()).toBeArray();
    await expect(client.cancelOrder(named)).rejects.toMatchObject({ code: -2011 });
  });

  test('lists of orders, replacements and the rest', async () => {
    for (const name of ['getHistoricalTrades', 'getRollingWindowTicker', 'getCommissionRates']) {
      expect(await call(name), name).toBeDefined();
    }
    expect(await call('getUIKlines', { symbol: SYMBOL, interval: '1m' })).toBeArray();
    expect(await call('getOrderRateLimit', undefined)).toBeArray();
    expect(await call('testNewOrder', SOR)).toEqual({} as never);
    expect(await call('testNewSOROrder', SOR)).toEqual({} as never);
    const { orderId } = await call('submitNewSOROrder', SOR);
    const mode = { cancelReplaceMode: 'STOP_ON_FAILURE', cancelOrderId: orderId };
    expect(await call('replaceOrder', { ...SOR, ...mode })).toMatchObject({
      newOrderResult: 'SUCCESS',
    });
    // The client names the pending orders, which agio names itself.
    for (const [name, params] of Object.entries(WITH_EXITS)) {
      const list = call(`submitNewOrderList${name.toUpperCase()}`, { ...params });
      await expect(list, name).rejects.toMatchObject({ code: -1014 });
    }
    // The client adds names to the object that it gets.
    const { orderListId } = await call('submitNewOCO', { ...OCO });
    expect(await call('getOCO', { orderListId })).toMatchObject({ orderListId });
    expect(await call('getAllOpenOCO', undefined)).toHaveLength(1);
    await call('cancelOCO', { symbol: SYMBOL, orderListId });
    const { price, stopPrice, ...oco } = OCO;
    const above = { aboveType: 'LIMIT_MAKER', abovePrice: price };
    const below = { belowType: 'STOP_LOSS', belowStopPrice: stopPrice };
    expect(await call('submitNewOrderList', { ...oco, ...above, ...below })).toMatchObject({
      contingencyType: 'OCO',
    });
    expect(await call('getAllOCO', {})).toHaveLength(2);
    await call('cancelAllSymbolOrders');
  });

  test('listen keys', async () => {
    const { listenKey } = await client.getSpotUserDataListenKey();
    expect(await client.keepAliveSpotUserDataListenKey(listenKey)).toEqual({});
    expect(await client.closeSpotUserDataListenKey(listenKey)).toEqual({});
    const gone = client.keepAliveSpotUserDataListenKey(listenKey);
    await expect(gone).rejects.toMatchObject({ code: -1125 });
  });

  test.each([
    ...['getHistoricalBlockTrades', 'getExecutionRules', 'getReferencePrice'],
    ...['getReferencePriceCalculation', 'getTradingDayTicker', 'getPreventedMatches'],
    ...['getAllocations'],
  ])('%s is not there', async (name) => {
    await expect(call(name, ANY)).rejects.toMatchObject({ code: -1020 });
  });

  test('every method of the spot API is called', () => {
    const { prototype } = MainClient;
    const ofSpot = methodsOf(client).filter((name) =>
      /['"`]api\/v3\//.test(String(Reflect.get(prototype, name))),
    );
    expect(ofSpot.length).toBeGreaterThan(40);
    expect(ofSpot.filter((name) => !used.has(name))).toEqual([]);
  });
});
