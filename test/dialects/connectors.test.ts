// The official connector `@binance/spot` (REST, websocket API, streams) and the package `binance`,
// unchanged: every method of theirs that agio has is called, and the others fail as documented.
import { beforeAll, describe, expect, test } from 'bun:test';
import { SpotWebsocketAPI as Api, SpotRestAPI as Rest, Spot } from '@binance/spot';
import { MainClient } from 'binance';
import { type Json, TestNode } from '../support/node.ts';
import { until } from '../support/waiting.ts';

const node = TestNode.forFile();
const SYMBOL = 'BTCUSDT';

/** The connector calls back with what it has received. */
type Listener = (data: unknown) => void;

describe('@binance/spot', () => {
  let spot: Spot;
  let rest: Spot['restAPI'];

  beforeAll(async () => {
    const { apiKey, secretKey: apiSecret } = (await node.client()).credentials;
    const socket = `${node.url.replace('http', 'ws')}/binance`;
    spot = new Spot({
      configurationRestAPI: { apiKey, apiSecret, basePath: `${node.url}/binance` },
      configurationWebsocketAPI: { apiKey, apiSecret, wsURL: `${socket}/ws-api/v3` },
      configurationWebsocketStreams: { wsURL: socket },
    });
    rest = spot.restAPI;
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

  test.each([
    ['myAllocations', () => rest.myAllocations({ symbol: SYMBOL })],
    ['myPreventedMatches', () => rest.myPreventedMatches({ symbol: SYMBOL })],
    ['orderAmendments', () => rest.orderAmendments({ symbol: SYMBOL, orderId: 1 })],
    ['tickerTradingDay', () => rest.tickerTradingDay({ symbol: SYMBOL })],
  ])('%s is not there', async (_, call) => {
    await expect((call as () => Promise<unknown>)()).rejects.toThrow(
      'This operation is not supported',
    );
  });

  test('an error has its message', async () => {
    await expect(limit(BUY, 100, 1e7)).rejects.toThrow('insufficient balance');
    await expect(rest.depth({ symbol: 'NOPE' })).rejects.toThrow('Invalid symbol');
  });

  test('the websocket API', async () => {
    const api = await spot.websocketAPI.connect();
    try {
      expect((await api.ping()).data).toBeDefined();
      expect((await api.depth({ symbol: SYMBOL })).data).toBeDefined();
      const placed = await api.orderPlace({
        symbol: SYMBOL,
        side: Api.OrderPlaceSideEnum.SELL,
        type: Api.OrderPlaceTypeEnum.LIMIT,
        timeInForce: Api.OrderPlaceTimeInForceEnum.GTC,
        price: 400,
        quantity: 1,
      });
      const { orderId } = placed.data as { orderId: number };
      expect((await api.orderStatus({ symbol: SYMBOL, orderId })).data).toMatchObject({ orderId });
      expect((await api.openOrdersStatus({ symbol: SYMBOL })).data).toHaveLength(1);
      await api.orderCancel({ symbol: SYMBOL, orderId });
      expect((await api.accountStatus()).data).toMatchObject({ accountType: 'SPOT' });
      expect((await api.myTrades({ symbol: SYMBOL })).data).toBeDefined();
      const { stream } = await api.userDataStreamSubscribeSignature();
      const heard: Json[] = [];
      stream.on('message', ((data: Json) => heard.push(data)) as Listener);
      await limit(SELL, 410, 1);
      await until(() => heard.length > 0);
      await rest.deleteOpenOrders({ symbol: SYMBOL });
    } finally {
      await api.disconnect();
    }
  });

  test('the streams', async () => {
    const streams = await spot.websocketStreams.connect();
    try {
      const heard = new Map<string, unknown>();
      const hear = (name: string, stream: { on(event: 'message', listener: Listener): void }) =>
        stream.on('message', (data) => heard.set(name, data));
      hear('trade', streams.trade({ symbol: 'btcusdt' }));
      hear('aggTrade', streams.aggTrade({ symbol: 'btcusdt' }));
      hear('bookTicker', streams.bookTicker({ symbol: 'btcusdt' }));
      hear('diffBookDepth', streams.diffBookDepth({ symbol: 'btcusdt' }));
      hear('miniTicker', streams.miniTicker({ symbol: 'btcusdt' }));
      hear('ticker', streams.ticker({ symbol: 'btcusdt' }));
      await until(async () => {
        await limit(SELL, 500, 0.1);
        await limit(BUY, 500, 0.1);
        return heard.size === 6;
      });
    } finally {
      await streams.disconnect();
    }
  });
});

describe('binance', () => {
  let client: MainClient;

  beforeAll(async () => {
    const { apiKey, secretKey } = (await node.client()).credentials;
    client = new MainClient({
      api_key: apiKey,
      api_secret: secretKey,
      baseUrl: `${node.url}/binance`,
      disableTimeSync: true,
    });
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
});
