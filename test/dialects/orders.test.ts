// Orders in Binance's form: every type, their answers, cancels, replacements, pairs and brackets.
import { beforeEach, describe, expect, test } from 'bun:test';
import { Client, type Json, LEDGER, ORDER, ORDERS_V2, TestNode } from '../support/node.ts';
import { BinanceClient, BinanceSocket, newTraders, type Parameters, tradeAt100 } from './client.ts';

const node = TestNode.forFile();
let taker: BinanceClient;
let maker: BinanceClient;

beforeEach(async () => {
  [maker, taker] = await newTraders(node, maker, taker);
});

const order = (more: Parameters): Parameters => ({ symbol: 'BTCUSDT', side: 'BUY', ...more });
const failure = async (client: BinanceClient, more: Parameters): Promise<Json> => {
  const { status, body } = await client.call('POST', 'order', order(more));
  expect(status).toBe(400);
  return body;
};

test('a limit order rests, is read, and is canceled', async () => {
  const placed = await maker.limit('BUY', '100.00', '0.50000', { newClientOrderId: 'mine' });
  expect(placed).toMatchObject({
    symbol: 'BTCUSDT',
    orderListId: -1,
    clientOrderId: 'mine',
    price: '100',
    origQty: '0.5',
    executedQty: '0',
    status: 'NEW',
    type: 'LIMIT',
    side: 'BUY',
    timeInForce: 'GTC',
    fills: [],
  });
  const orderId = Number(placed.orderId);
  const named = { symbol: 'BTCUSDT', origClientOrderId: 'mine' };
  expect(await maker.must('GET', 'order', named)).toMatchObject({ orderId, isWorking: true });
  const open = await maker.must('GET', 'openOrders', { symbol: 'BTCUSDT' });
  expect(open).toMatchObject([{ orderId }]);
  const canceled = await maker.must('DELETE', 'order', { ...named, newClientOrderId: 'c1' });
  expect(canceled).toMatchObject({
    orderId,
    origClientOrderId: 'mine',
    clientOrderId: 'c1',
    status: 'CANCELED',
  });
  expect(await maker.must('GET', 'order', named)).toMatchObject({ status: 'CANCELED' });
});

describe('numbers and absent values as clients write them', () => {
  const limit = { type: 'LIMIT', timeInForce: 'GTC', price: '9e1', quantity: '1.0E-2' };
  const unsent = { ...{ stopPrice: '0', quoteOrderQty: '0', trailingDelta: '' }, icebergQty: '' };
  const names = { newClientOrderId: '', newOrderRespType: '', selfTradePreventionMode: '' };

  test('an exponent is read exactly, and written without it', async () => {
    const placed = await maker.must('POST', 'order', order({ ...limit, ...unsent, ...names }));
    expect(placed).toMatchObject({ price: '90', origQty: '0.01' });
    const named = { symbol: 'BTCUSDT', orderId: `${placed.orderId}.0`, recvWindow: '' };
    expect(await maker.must('GET', 'order', named)).toMatchObject({ orderId: placed.orderId });
    const body = await failure(maker, { ...limit, quantity: '1e999999999' });
    expect(body).toMatchObject({ code: -1100, agio: { details: { rule: 'maxDigits' } } });
  });

  test('a market order has no price and one quantity', async () => {
    await maker.limit('SELL', '100', '1');
    const sent = { type: 'MARKET', price: '0.00', quantity: '0', quoteOrderQty: '50' };
    const bought = await taker.must('POST', 'order', order({ ...sent, timeInForce: '' }));
    expect(bought).toMatchObject({ status: 'FILLED', executedQty: '0.5' });
    for (const [none, code] of [
      ['0', -1013],
      ['', -1105],
    ] as const) {
      const more = { type: 'MARKET', quantity: none, quoteOrderQty: none };
      expect<unknown>((await failure(taker, more)).code).toBe(code);
      expect<unknown>((await failure(taker, { ...limit, price: none })).code).toBe(code);
    }
  });

  test('an id of 0 beside a name is no id', async () => {
    await maker.limit('BUY', '90', '1', { newClientOrderId: 'named' });
    const named = { symbol: 'BTCUSDT', orderId: '0', origClientOrderId: 'named' };
    expect(await maker.must('GET', 'order', named)).toMatchObject({ status: 'NEW' });
    expect(await maker.must('DELETE', 'order', named)).toMatchObject({ status: 'CANCELED' });
    const none = await maker.call('GET', 'order', { symbol: 'BTCUSDT', orderId: '0' });
    expect(none.status).toBe(400);
    // As a bound of a list, 0 is a value: all orders, the oldest first.
    const all = await maker.must('GET', 'allOrders', {
      symbol: 'BTCUSDT',
      orderId: '0',
      limit: '1',
    });
    const [newest] = (await maker.must('GET', 'allOrders', {
      ...{ symbol: 'BTCUSDT', limit: '1', startTime: '', endTime: '' },
    })) as unknown as Json[];
    expect(newest).toMatchObject({ clientOrderId: 'named' });
    expect(Number(all[0]!.orderId)).toBeLessThanOrEqual(Number(newest!.orderId));
  });

  test('messages have them as numbers, null and texts', async () => {
    const socket = await BinanceSocket.open(node, 'ws-api/v3');
    const { apiKey } = maker.credentials;
    const params: Record<string, string | number> = {
      ...{ apiKey, symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', timeInForce: 'GTC' },
      ...{ price: 90, quantity: 0.01, stopPrice: 0, newClientOrderId: '' },
      timestamp: maker.timestamp(),
    };
    const payload = Object.keys(params)
      .sort()
      .map((name) => `${name}=${params[name]}`)
      .join('&');
    const signature = maker.sign(payload);
    const answer = await socket.ask('order.place', { ...params, icebergQty: null, signature });
    expect(answer.status).toBe(200 as never);
  });
});

test('FULL has the fills of the incoming order, with their fees', async () => {
  await maker.limit('SELL', '100', '1');
  await maker.limit('SELL', '101', '1');
  const bought = await taker.limit('BUY', '101', '1.5');
  expect(bought).toMatchObject({
    status: 'FILLED',
    executedQty: '1.5',
    cummulativeQuoteQty: '150.5',
    fills: [
      { price: '100', qty: '1', commission: '0', commissionAsset: 'BTC' },
      { price: '101', qty: '0.5' },
    ],
  });
  const trades = await taker.must('GET', 'myTrades', { symbol: 'BTCUSDT' });
  const ids = (bought.fills as unknown as Json[]).map(({ tradeId }) => tradeId);
  expect((trades as unknown as Json[]).map(({ id }) => id)).toEqual(ids);
  expect(trades[0]).toMatchObject({ isBuyer: true, isMaker: false, quoteQty: '100' });
});

test('answers have 2,000 fills or orders, and the whole result of larger commands', async () => {
  const MANY = 2_500;
  const MAX_CAPTURED = 2_000;
  const client = new Client(node, maker.credentials);
  const resting = { op: 'place', symbol: 'BTC-USDT', side: 2, ordType: 2, orderQty: '0.001' };
  const restMany = async () => {
    for (let n = 0; n < MANY; n += 50) {
      const orders = Array.from({ length: 50 }, () => ({ ...resting, price: '100' }));
      expect((await client.post(ORDERS_V2, { orders })).status).toBe(200);
    }
  };
  await restMany();
  const bought = await taker.limit('BUY', '100', '2.5', { newOrderRespType: 'FULL' });
  expect(bought).toMatchObject({
    ...{ status: 'FILLED', executedQty: '2.5', cummulativeQuoteQty: '250' },
  });
  expect(bought.fills).toHaveLength(MAX_CAPTURED);
  await restMany();
  const ended = await maker.must('DELETE', 'openOrders', { symbol: 'BTCUSDT' });
  expect(ended).toHaveLength(MAX_CAPTURED);
  expect(await maker.must('GET', 'openOrders', { symbol: 'BTCUSDT' })).toEqual([] as never);
});

test('ACK, RESULT and the default of each type', async () => {
  const terms = order({ type: 'LIMIT', timeInForce: 'GTC', price: '50', quantity: '1' });
  const ack = await maker.must('POST', 'order', { ...terms, newOrderRespType: 'ACK' });
  expect(Object.keys(ack)).toEqual([
    'symbol',
    'orderId',
    'orderListId',
    'clientOrderId',
    'transactTime',
  ]);
  const result = await maker.must('POST', 'order', { ...terms, newOrderRespType: 'RESULT' });
  expect(result.status).toBe('NEW' as unknown as Json);
  expect(result.fills).toBeUndefined();
  const made = await maker.must(
    'POST',
    'order',
    order({ type: 'LIMIT_MAKER', price: '50', quantity: '1' }),
  );
  expect(made.status).toBeUndefined();
});

describe('types', () => {
  test('market orders by quantity and by quote', async () => {
    await maker.limit('SELL', '100', '10');
    const byQuantity = await taker.must('POST', 'order', order({ type: 'MARKET', quantity: '2' }));
    expect(byQuantity).toMatchObject({ status: 'FILLED', executedQty: '2', price: '0' });
    const byQuote = await taker.must(
      'POST',
      'order',
      order({ type: 'MARKET', quoteOrderQty: '150' }),
    );
    expect(byQuote).toMatchObject({ origQuoteOrderQty: '150', executedQty: '1.5', origQty: '1.5' });
  });

  test('what finds no liquidity expires', async () => {
    const ioc = await taker.limit('BUY', '10', '1', { timeInForce: 'IOC' });
    expect(ioc.status).toBe('EXPIRED' as unknown as Json);
    const fok = await taker.limit('BUY', '10', '1', { timeInForce: 'FOK' });
    expect(fok.status).toBe('EXPIRED' as unknown as Json);
  });

  test('a LIMIT_MAKER that would trade is rejected', async () => {
    await maker.limit('SELL', '100', '1');
    const { code, msg } = await failure(taker, {
      type: 'LIMIT_MAKER',
      price: '100',
      quantity: '1',
    });
    expect([code, msg]).toEqual([-2010, 'Order would immediately match and take.'] as never);
  });

  test.each([
    ['STOP_LOSS', 'SELL', '90', {}],
    ['STOP_LOSS', 'BUY', '110', {}],
    ['TAKE_PROFIT', 'SELL', '110', {}],
    ['TAKE_PROFIT', 'BUY', '90', {}],
    ['STOP_LOSS_LIMIT', 'SELL', '90', { price: '89', timeInForce: 'GTC' }],
    ['TAKE_PROFIT_LIMIT', 'BUY', '90', { price: '91', timeInForce: 'GTC' }],
  ])('%s %s waits for its trigger and is read as sent', async (type, side, stopPrice, more) => {
    await maker.limit('SELL', '100', '1');
    await taker.limit('BUY', '100', '1');
    const terms = order({
      type,
      side,
      stopPrice,
      quantity: '1',
      newOrderRespType: 'RESULT',
      ...more,
    });
    const placed = await taker.must('POST', 'order', terms);
    expect(placed).toMatchObject({ type, side, stopPrice, status: 'NEW', workingTime: -1 });
    const read = { symbol: 'BTCUSDT', orderId: Number(placed.orderId) };
    expect(await taker.must('GET', 'order', read)).toMatchObject({ type, isWorking: false });
  });

  test('a trailing stop has its delta and when it began to trail', async () => {
    await tradeAt100(maker, taker);
    const size = { side: 'SELL', quantity: '1', newOrderRespType: 'RESULT' };
    const terms = { ...size, type: 'STOP_LOSS', trailingDelta: '250' };
    const placed = await taker.must('POST', 'order', order(terms));
    expect(placed).toMatchObject({ type: 'STOP_LOSS', status: 'NEW', trailingDelta: 250 });
    expect(placed).not.toHaveProperty('stopPrice');
    const read = { symbol: 'BTCUSDT', orderId: Number(placed.orderId) };
    const { time, trailingTime } = await taker.must('GET', 'order', read);
    expect(trailingTime).toBe(time);
    const above = { ...terms, type: 'TAKE_PROFIT', stopPrice: '110' };
    const waits = await taker.must('POST', 'order', order(above));
    expect(waits).toMatchObject({ type: 'TAKE_PROFIT', stopPrice: '110', trailingDelta: 250 });
    expect(waits).not.toHaveProperty('trailingTime');
  });

  test('a triggered stop sells', async () => {
    await tradeAt100(maker, taker);
    await maker.limit('BUY', '80', '5');
    const stop = order({ type: 'STOP_LOSS', side: 'SELL', stopPrice: '90', quantity: '1' });
    const { orderId } = await taker.must('POST', 'order', stop);
    await maker.limit('SELL', '80', '1', { selfTradePreventionMode: 'NONE' });
    const read = { symbol: 'BTCUSDT', orderId: Number(orderId) };
    expect(await taker.must('GET', 'order', read)).toMatchObject({ status: 'FILLED' });
  });

  test('an iceberg shows a part', async () => {
    await maker.limit('SELL', '100', '10', { icebergQty: '2' });
    const { body } = await maker.public('depth', { symbol: 'BTCUSDT' });
    expect(body.asks).toEqual([['100', '2']] as never);
  });
});

describe('rejected', () => {
  const limit = { type: 'LIMIT', timeInForce: 'GTC' };
  test.each([
    [{ ...limit, price: '100.001', quantity: '1' }, -1013, 'PRICE_FILTER'],
    [{ ...limit, price: '100', quantity: '0.0000001' }, -1013, 'LOT_SIZE'],
    [{ ...limit, price: '100', quantity: '0.000001' }, -1013, 'LOT_SIZE'],
    [{ ...limit, price: '1', quantity: '0.00001' }, -1013, 'NOTIONAL'],
    [{ ...limit, price: '100', quantity: '100000000' }, -2010, 'insufficient balance'],
    [{ ...limit, price: '100' }, -1102, "'quantity'"],
    [{ type: 'LIMIT', price: '100', quantity: '1' }, -1102, "'timeInForce'"],
    [{ ...limit, price: '100', quantity: '1', side: 'HOLD' }, -1117, 'Invalid side'],
    [{ ...limit, price: '100', quantity: '1', type: 'MAYBE' }, -1116, 'Invalid orderType'],
    [{ ...limit, price: '100', quantity: '1', timeInForce: 'GTX' }, -1115, 'timeInForce'],
    [{ ...limit, price: '100', quantity: '1', symbol: 'NOPE' }, -1121, 'Invalid symbol'],
    [{ ...limit, price: '100', quantity: '1', stopPrice: '1' }, -1106, "'stopPrice'"],
    [{ ...limit, price: '1e61', quantity: '1' }, -1100, "'price'"],
    [{ ...limit, price: '-1', quantity: '1' }, -1013, 'price'],
    [{ type: 'MARKET' }, -1102, "'quantity'"],
    [{ type: 'MARKET', quantity: '1', quoteOrderQty: '1' }, -1128, 'Combination'],
    [{ ...limit, price: '100', quantity: '1', flavor: 'sweet' }, -1104, 'Not all sent parameters'],
    [{ ...limit, price: '', quantity: '1' }, -1105, "'price' was empty"],
    [{ ...limit, price: '100', quantity: '1', trailingDelta: '10' }, -1106, "'trailingDelta'"],
    [{ type: 'STOP_LOSS', quantity: '1', trailingDelta: '5001' }, -1013, 'TRAILING_DELTA'],
    [{ ...limit, price: '100', quantity: '1', strategyId: '10' }, -1104, 'strategyId'],
  ])('%j: %d %s', async (more, code, words) => {
    const body = await failure(taker, more as unknown as Parameters);
    expect(body.code).toBe(code as never);
    expect(String(body.msg)).toContain(words);
    expect(await taker.must('GET', 'openOrders')).toEqual([] as never);
  });

  test('the remedy of agio is with it', async () => {
    const body = await failure(taker, { ...limit, price: '100.001', quantity: '1' });
    expect(body.agio).toMatchObject({
      details: { field: 'price', rule: 'increment', nearest: 100 },
    });
    expect(String(body.msg)).toContain('multiple of 0.01 USDT');
  });

  test('a client id that an open order has', async () => {
    await taker.limit('BUY', '10', '1', { newClientOrderId: 'twice' });
    const body = await failure(taker, {
      ...limit,
      price: '10',
      quantity: '1',
      newClientOrderId: 'twice',
    });
    expect([body.code, body.msg]).toEqual([-2010, 'Duplicate order sent.'] as never);
  });

  test('a cancel of nothing, of another pair, and of another account', async () => {
    const { orderId } = await maker.limit('BUY', '10', '1');
    const named = { orderId: Number(orderId) };
    for (const [client, symbol] of [
      [taker, 'BTCUSDT'],
      [maker, 'ETHUSDT'],
    ] as const) {
      const { body } = await client.call('DELETE', 'order', { symbol, ...named });
      expect([body.code, body.msg]).toEqual([-2011, 'Unknown order sent.'] as never);
    }
    const { body } = await taker.call('GET', 'order', { symbol: 'BTCUSDT', ...named });
    expect([body.code, body.msg]).toEqual([-2013, 'Order does not exist.'] as never);
  });
});

test('a test order changes nothing', async () => {
  const terms = order({ type: 'LIMIT', timeInForce: 'GTC', price: '10', quantity: '1' });
  expect(await taker.must('POST', 'order/test', terms)).toEqual({} as never);
  expect(await taker.must('GET', 'openOrders')).toEqual([] as never);
  const { body } = await taker.call('POST', 'order/test', { ...terms, quantity: '1000000000' });
  expect(body.code).toBe(-2010 as never);
});

test.each([1_000, 1_001])('%i open orders are listed once, oldest first', async (count) => {
  const { uid } = node.services.identity.apiKeys.lookup(maker.credentials.apiKey)!;
  await node.placeBids(uid, count);
  const open = (await maker.must('GET', 'openOrders')) as unknown as Json[];
  const ids = open.map(({ orderId }) => Number(orderId));
  expect([ids.length, new Set(ids).size]).toEqual([count, count]);
  expect(ids).toEqual(ids.toSorted((a, b) => a - b));
});

describe('cancelReplace', () => {
  const replace = (more: Parameters): Parameters =>
    order({ type: 'LIMIT', timeInForce: 'GTC', price: '11', quantity: '1', ...more });

  test('replaces an order', async () => {
    const { orderId } = await maker.limit('BUY', '10', '1');
    const mode = { cancelReplaceMode: 'STOP_ON_FAILURE', cancelOrderId: Number(orderId) };
    const replaced = await maker.must('POST', 'order/cancelReplace', replace(mode));
    expect(replaced).toMatchObject({
      cancelResult: 'SUCCESS',
      newOrderResult: 'SUCCESS',
      cancelResponse: { status: 'CANCELED' },
      newOrderResponse: { price: '11' },
    });
  });

  test('a failed cancel stops it, or not', async () => {
    const gone = { cancelOrderId: 999_999 };
    const stopped = { ...gone, cancelReplaceMode: 'STOP_ON_FAILURE' };
    const { body } = await maker.call('POST', 'order/cancelReplace', replace(stopped));
    expect(body).toMatchObject({ code: -2022, data: { newOrderResult: 'NOT_ATTEMPTED' } });
    const allowed = { ...gone, cancelReplaceMode: 'ALLOW_FAILURE' };
    const partly = await maker.call('POST', 'order/cancelReplace', replace(allowed));
    expect(partly.status).toBe(409);
    expect(partly.body).toMatchObject({ code: -2021, data: { newOrderResult: 'SUCCESS' } });
  });

  test.each(['STOP_ON_FAILURE', 'ALLOW_FAILURE'])(
    'a repeated request places nothing, with %s',
    async (cancelReplaceMode) => {
      const { orderId } = await maker.limit('BUY', '10', '1');
      const mode = { cancelReplaceMode, cancelOrderId: Number(orderId) };
      const form = maker.signed(replace(mode));
      expect((await maker.send('POST', 'order/cancelReplace', form)).status).toBe(200);
      const { body } = await maker.send('POST', 'order/cancelReplace', form);
      expect(body.code).toBe(-1022 as never);
      expect(await maker.must('GET', 'openOrders')).toHaveLength(1);
    },
  );

  test('an order that cannot be read cancels nothing', async () => {
    const { orderId } = await maker.limit('BUY', '10', '1');
    const mode = { cancelReplaceMode: 'ALLOW_FAILURE', cancelOrderId: Number(orderId) };
    const { body } = await maker.call(
      'POST',
      'order/cancelReplace',
      replace({ ...mode, price: '0.001' }),
    );
    expect(body.code).toBe(-1013 as never);
    const read = { symbol: 'BTCUSDT', orderId: Number(orderId) };
    expect(await maker.must('GET', 'order', read)).toMatchObject({ status: 'NEW' });
  });
});

test('an amendment keeps the priority, and only shrinks', async () => {
  const { orderId } = await maker.limit('BUY', '10', '2');
  const named = { symbol: 'BTCUSDT', orderId: Number(orderId) };
  const amended = await maker.must('PUT', 'order/amend/keepPriority', { ...named, newQty: '1' });
  expect(amended).toMatchObject({ amendedOrder: { orderId, qty: '1', status: 'NEW' } });
  const { body } = await maker.call('PUT', 'order/amend/keepPriority', { ...named, newQty: '3' });
  expect(body.code).toBe(-2038 as never);
});

test('all open orders of a pair are canceled, a pair as a list', async () => {
  await tradeAt100(maker, taker);
  await maker.limit('BUY', '10', '1');
  await maker.must('POST', 'order/oco', {
    symbol: 'BTCUSDT',
    side: 'SELL',
    quantity: '1',
    price: '120',
    stopPrice: '5',
  });
  const ended = await maker.must('DELETE', 'openOrders', { symbol: 'BTCUSDT' });
  expect(ended).toMatchObject([
    { price: '10' },
    { contingencyType: 'OCO', orderReports: [{}, {}] },
  ]);
  const { body } = await maker.call('DELETE', 'openOrders', { symbol: 'BTCUSDT' });
  expect(body.code).toBe(-2011 as never);
});

test('orders and trades from an id on come oldest first', async () => {
  for (const price of ['10', '11', '12']) await maker.limit('BUY', price, '1');
  const all = (await maker.must('GET', 'allOrders', { symbol: 'BTCUSDT' })) as unknown as Json[];
  expect(all.map(({ price }) => price)).toEqual(['10', '11', '12'] as never);
  const from = { symbol: 'BTCUSDT', orderId: Number(all[1]!.orderId), limit: 1 };
  expect(await maker.must('GET', 'allOrders', from)).toMatchObject([{ price: '11' }]);
  await taker.limit('SELL', '10', '3');
  const mine = (await taker.must('GET', 'myTrades', { symbol: 'BTCUSDT' })) as unknown as Json[];
  expect(mine.map(({ price }) => price)).toEqual(['12', '11', '10'] as never);
  const since = { symbol: 'BTCUSDT', fromId: Number(mine[1]!.id) };
  expect(await taker.must('GET', 'myTrades', since)).toMatchObject([
    { price: '11' },
    { price: '10' },
  ]);
});

test('both APIs at the same moment: one account, one space of ids, one statement', async () => {
  const own = await node.client();
  const client = new BinanceClient(node, own.credentials);
  await maker.limit('SELL', '100', '1');
  const body = { symbol: 'BTC-USDT', side: 1, ordType: 2, price: '100', orderQty: '0.1' };
  const terms = { type: 'LIMIT', timeInForce: 'GTC', price: '100', quantity: '0.1' };
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, i) => [
      own.post(ORDER, { ...body, clOrdId: `fill-${i}` }),
      client.call('POST', 'order', order({ ...terms, newClientOrderId: `binance-${i}` })),
    ]).flat(),
  );
  const filled = answers.filter(({ status }) => status === 200).length;
  const trades = await client.must('GET', 'myTrades', { symbol: 'BTCUSDT' });
  expect(filled).toBe(20);
  expect(trades).toHaveLength(10);
  const { data } = (await own.get(LEDGER, { size: 100 })).body as unknown as { data: Json[] };
  const bought = data.filter(({ asset, amount }) => `${asset} ${amount}` === 'BTC 0.1');
  expect(bought).toHaveLength(10);

  const rest = { ...body, price: '10', clOrdId: 'same' };
  expect((await own.post(ORDER, rest)).status).toBe(200);
  const again = await failure(client, { ...terms, price: '10', newClientOrderId: 'same' });
  expect([again.code, again.msg]).toEqual([-2010, 'Duplicate order sent.'] as never);
  const named = { symbol: 'BTCUSDT', origClientOrderId: 'same' };
  expect(await client.must('DELETE', 'order', named)).toMatchObject({ status: 'CANCELED' });
  expect(await client.must('DELETE', 'openOrders', { symbol: 'BTCUSDT' })).toHaveLength(10);
});
