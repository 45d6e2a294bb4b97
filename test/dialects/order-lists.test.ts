// Order lists in Binance's form: OCO pairs and orders with exits, with stops that trail.
import { beforeEach, expect, test } from 'bun:test';
import { type Json, TestNode } from '../support/node.ts';
import { type BinanceClient, newTraders, type Parameters, tradeAt100 } from './client.ts';

const node = TestNode.forFile();
let taker: BinanceClient;
let maker: BinanceClient;

beforeEach(async () => {
  [maker, taker] = await newTraders(node, maker, taker);
});

const oco: Parameters = {
  symbol: 'BTCUSDT',
  side: 'SELL',
  quantity: '1',
  aboveType: 'LIMIT_MAKER',
  abovePrice: '120',
  belowType: 'STOP_LOSS_LIMIT',
  belowStopPrice: '90',
  belowPrice: '89',
  belowTimeInForce: 'GTC',
};

test('an OCO is placed, read and canceled', async () => {
  await tradeAt100(maker, taker);
  const placed = await taker.must('POST', 'orderList/oco', oco);
  expect(placed).toMatchObject({ contingencyType: 'OCO', listOrderStatus: 'EXECUTING' });
  const types = [{ type: 'LIMIT_MAKER' }, { type: 'STOP_LOSS_LIMIT' }];
  expect(placed.orderReports).toMatchObject(types);
  const id = Number(placed.orderListId);
  expect(await taker.must('GET', 'orderList', { orderListId: id })).toMatchObject({
    orderListId: id,
    orders: [{}, {}],
  });
  expect(await taker.must('GET', 'openOrderList')).toMatchObject([{ orderListId: id }]);
  const canceled = await taker.must('DELETE', 'orderList', {
    symbol: 'BTCUSDT',
    orderListId: id,
  });
  expect(canceled).toMatchObject({ orderListId: id, listOrderStatus: 'ALL_DONE' });
  expect(await taker.must('GET', 'openOrders')).toEqual([] as never);
  const all = await taker.must('GET', 'allOrderList');
  expect(all).toMatchObject([{ orderListId: id, listOrderStatus: 'ALL_DONE' }]);
});

test('the deprecated call places the same pair', async () => {
  await tradeAt100(maker, taker);
  const terms = { symbol: 'BTCUSDT', side: 'SELL', quantity: '1', price: '120', stopPrice: '90' };
  const placed = await taker.must('POST', 'order/oco', terms);
  expect(placed.orderReports).toMatchObject([{ type: 'LIMIT_MAKER' }, { type: 'STOP_LOSS' }]);
});

test('a pair that agio does not have is rejected', async () => {
  const { body } = await taker.call('POST', 'orderList/oco', {
    ...oco,
    aboveType: 'TAKE_PROFIT',
  });
  expect(body.code).toBe(-1014 as never);
});

const working: Parameters = {
  ...{ symbol: 'BTCUSDT', workingType: 'LIMIT', workingSide: 'BUY', workingPrice: '100' },
  ...{ workingQuantity: '1', workingTimeInForce: 'GTC', pendingSide: 'SELL' },
};
const both: Parameters = {
  ...{ pendingAboveType: 'LIMIT_MAKER', pendingAbovePrice: '120' },
  ...{ pendingBelowType: 'STOP_LOSS', pendingBelowStopPrice: '90' },
};
const limit: Parameters = { pendingType: 'LIMIT', pendingPrice: '120', pendingTimeInForce: 'GTC' };
const stop: Parameters = { pendingType: 'STOP_LOSS', pendingStopPrice: '90' };
const stopLimit: Parameters = {
  ...{ pendingType: 'STOP_LOSS_LIMIT', pendingTrailingDelta: 1000, pendingPrice: '89' },
};
const sameQuantity: Parameters = { pendingQuantity: '1.0' };

test.each([
  ['otoco', { ...sameQuantity, ...both }, [{ price: '120' }, { stopPrice: '90' }]],
  ['opoco', both, [{ price: '120' }, { stopPrice: '90' }]],
  ['oto', { ...sameQuantity, ...limit }, [{ type: 'LIMIT', price: '120', origQty: '1' }]],
  ['oto', { ...sameQuantity, ...stop }, [{ type: 'STOP_LOSS', stopPrice: '90' }]],
  ['opo', stopLimit, [{ type: 'STOP_LOSS_LIMIT', trailingDelta: 1000, price: '89' }]],
])('an order by %s gets its exits once it has traded: %o', async (kind, exits, orders) => {
  const placed = await taker.must('POST', `orderList/${kind}`, { ...working, ...exits });
  expect(placed).toMatchObject({ contingencyType: 'OTO', orderReports: [{ status: 'NEW' }] });
  expect(await taker.must('GET', 'openOrders')).toHaveLength(1);
  await maker.limit('SELL', '100', '1');
  const open = await taker.must('GET', 'openOrders');
  expect(open).toMatchObject(orders);
  expect(open).toHaveLength(orders.length);
});

test.each([
  ['oto', { ...sameQuantity, pendingType: 'MARKET' }, -1014, 'pendingType'],
  ['oto', { ...sameQuantity, ...limit, pendingClientOrderId: 'x' }, -1014, 'client ids'],
  ['oto', { ...limit, pendingQuantity: '2' }, -1014, 'workingQuantity'],
  ['oto', limit, -1102, 'pendingQuantity'],
  ['oto', { ...sameQuantity, ...limit, pendingStopPrice: '90' }, -1106, 'pendingStopPrice'],
  ['oto', { ...sameQuantity, ...stop, pendingIcebergQty: '1' }, -1014, 'icebergs'],
  ['opo', { ...stop, pendingQuantity: '1' }, -1104, 'pendingQuantity'],
  ['opo', { ...stop, pendingSide: 'BUY' }, -1014, 'pendingSide'],
  ['opo', { ...limit, workingType: 'MARKET' }, -1014, 'workingType'],
] as const)('exits that agio does not have, by %s: %o', async (kind, exits, code, words) => {
  const { body } = await taker.call('POST', `orderList/${kind}`, { ...working, ...exits });
  expect([body.code, body.msg]).toEqual([code, expect.stringContaining(words)] as never);
  expect(await taker.must('GET', 'openOrders')).toEqual([] as never);
});

test('an order with exits is a list, which is read and canceled', async () => {
  const placed = await taker.must('POST', 'orderList/otoco', {
    ...{ ...working, ...sameQuantity, ...both },
  });
  const orderListId = Number(placed.orderListId);
  const orders = [{ orderId: orderListId }];
  const list = { orderListId, contingencyType: 'OTO', orders };
  expect(placed).toMatchObject({ ...list, orderReports: [{ orderListId }] });
  expect(await taker.must('GET', 'openOrders')).toMatchObject([{ orderListId }]);
  const executing = { ...list, listOrderStatus: 'EXECUTING' };
  expect(await taker.must('GET', 'orderList', { orderListId })).toMatchObject(executing);
  expect(await taker.must('GET', 'openOrderList')).toMatchObject([executing]);
  const named = { symbol: 'BTCUSDT', listClientOrderId: `list_${orderListId}` };
  const canceled = await taker.must('DELETE', 'orderList', named);
  const done = { ...list, listOrderStatus: 'ALL_DONE' };
  expect(canceled).toMatchObject({ ...done, orderReports: [{ status: 'CANCELED', orderListId }] });
  expect(await taker.must('GET', 'openOrders')).toEqual([] as never);
  expect(await taker.must('GET', 'allOrderList')).toMatchObject([done]);
});

/** A pair with a stop that trails, from its entry on or from a price on. */
const trailing = (more: Parameters = {}): Parameters => {
  const above = { aboveType: 'LIMIT_MAKER', abovePrice: '120' };
  const below = { belowType: 'STOP_LOSS', belowTrailingDelta: '1000', ...more };
  return { symbol: 'BTCUSDT', side: 'SELL', quantity: '1', ...above, ...below };
};
const trigger = async (price: string): Promise<void> => {
  await maker.limit('BUY', price, '2');
  await taker.limit('SELL', price, '1');
};

test('the stop of an OCO trails the highest price', async () => {
  await tradeAt100(maker, taker);
  const placed = await taker.must('POST', 'orderList/oco', trailing());
  const reports = placed.orderReports as unknown as Json[];
  const stop = { type: 'STOP_LOSS', trailingDelta: 1000 };
  expect(reports).toMatchObject([{ type: 'LIMIT_MAKER' }, stop]);
  expect(Number(reports[1]!.trailingTime)).toBe(Number(placed.transactionTime));
  await trigger('110');
  await maker.call('DELETE', 'openOrders', { symbol: 'BTCUSDT' });
  const read = { symbol: 'BTCUSDT', orderId: Number(reports[1]!.orderId) };
  expect(await taker.must('GET', 'order', read)).toMatchObject({ ...stop, status: 'NEW' });
  // A tenth below 110, and above a tenth below 100.
  await trigger('98');
  expect(await taker.must('GET', 'order', read)).toMatchObject({ status: 'FILLED' });
  const limit = { ...read, orderId: Number(reports[0]!.orderId) };
  expect(await taker.must('GET', 'order', limit)).toMatchObject({ status: 'CANCELED' });
});

test('the stop of an OCO trails from its stopPrice on', async () => {
  await tradeAt100(maker, taker);
  const body = trailing({ belowStopPrice: '95' });
  const placed = await taker.must('POST', 'orderList/oco', body);
  const [, stop] = placed.orderReports as unknown as Json[];
  expect(stop).toMatchObject({ stopPrice: '95', trailingDelta: 1000 });
  expect(stop).not.toHaveProperty('trailingTime');
  const old = { symbol: 'BTCUSDT', side: 'SELL', quantity: '1', price: '120' };
  const second = await taker.must('POST', 'order/oco', { ...old, trailingDelta: '500' });
  expect(second.orderReports).toMatchObject([{ price: '120' }, { trailingDelta: 500 }]);
});

test('the stop of an OTOCO trails once the order has traded', async () => {
  await tradeAt100(maker, taker);
  await maker.limit('SELL', '100', '1');
  const above = { pendingAboveType: 'LIMIT_MAKER', pendingAbovePrice: '120' };
  const below = { pendingBelowType: 'STOP_LOSS', pendingBelowTrailingDelta: '1000' };
  const otoco = { ...working, ...sameQuantity, ...above, ...below };
  await taker.must('POST', 'orderList/otoco', otoco);
  const exits = [{ price: '120' }, { type: 'STOP_LOSS', trailingDelta: 1000 }];
  expect(await taker.must('GET', 'openOrders')).toMatchObject(exits);
  const from = { ...otoco, pendingBelowStopPrice: '95' };
  const { status, body } = await taker.call('POST', 'orderList/otoco', from);
  expect({ status, body }).toMatchObject({ status: 400, body: { code: -1100 } });
});

test.each([
  [{ belowTrailingDelta: '5001' }, -1013, 'TRAILING_DELTA'],
  [{ belowTrailingDelta: '0' }, -1013, 'TRAILING_DELTA'],
  [{ aboveTrailingDelta: '100' }, -1106, 'aboveTrailingDelta'],
  [{ aboveStopPrice: '100' }, -1106, 'aboveStopPrice'],
  [{ belowPrice: '80' }, -1106, 'belowPrice'],
] as const)('a pair whose types do not fit: %o', async (more, code, words) => {
  await tradeAt100(maker, taker);
  const { status, body } = await taker.call('POST', 'orderList/oco', trailing(more));
  expect({ status, code: body.code }).toEqual({ status: 400, code: code as never });
  expect(String(body.msg)).toContain(words);
});
