// The marks of the user: open orders, fills by candle, and what lies beyond the view.
import { describe, expect, test } from 'bun:test';
import { type Candle, type Fill, type Order, OrdType, Side } from '../../../../src/sdk/index.ts';
import { chart as t } from '../../../messages/chart.ts';
import { edgesOf, fillMarks, NO_EDGES, orderMarks, sameEdges } from './marks.ts';

test('an open order is a mark at its price; a stop that waits, at its trigger', () => {
  const order = (orderId: number, side: Side, price: string | null, symbol = 'BTC-USDT') =>
    ({ ...PLAIN, orderId, side, price, leavesQty: '0.1', symbol, workingIndicator: true }) as Order;
  const stop = {
    ...order(6, Side.sell, '58000'),
    ordType: OrdType.stopLimit,
    triggerPriceDirection: 'D' as const,
    stopPx: '59000',
  };
  const orders = [
    { ...stop, workingIndicator: false },
    { ...stop, orderId: 7, workingIndicator: true },
    order(5, Side.buy, '60000.5'),
    order(4, Side.sell, '61000'),
    order(3, Side.buy, '60000.5', 'ETH-USDT'),
    order(2, Side.buy, null),
  ];
  expect(orderMarks(orders, 'BTC-USDT')).toEqual([
    { ...STOP, orderId: 6, field: 'stopPx', side: 'sell', price: '59000', quantity: '0.1' },
    { ...STOP, orderId: 7, field: 'price', side: 'sell', price: '58000', quantity: '0.1' },
    { ...PLACED, orderId: 5, field: 'price', side: 'buy', price: '60000.5', quantity: '0.1' },
    { ...PLACED, orderId: 4, field: 'price', side: 'sell', price: '61000', quantity: '0.1' },
  ]);
});

const PLAIN = { ordType: OrdType.limit, stopPx: null };
const PLACED = { role: 'order', isFixed: false } as const;
const STOP = { role: 'stop', isFixed: false } as const;

test('the mark of a trailing stop moves with its trigger', () => {
  const trailing = { ordType: OrdType.stop, side: Side.sell, trailingDelta: 100, leavesQty: '1' };
  const order = { ...PLAIN, ...trailing, symbol: 'BTC-USDT', triggerPx: '59400', price: null };
  const at = (moved: [number, string][]) =>
    orderMarks([{ ...order, orderId: 7 } as Order], 'BTC-USDT', new Map(moved))[0];
  expect(at([[7, '60390']])).toMatchObject({ role: 'trailingStop', isFixed: true, price: '60390' });
  expect(at([[8, '60390']])!.price).toBe('59400');
});

test('the exits of a bracket are marks before its entry trades', () => {
  const bracket = { takeProfitPx: '62000', stopPx: '58000', stopLimitPx: null };
  const entry = { orderId: 9, side: Side.buy, price: '60000', symbol: 'BTC-USDT', bracket };
  const size = { orderQty: '1', leavesQty: '1', workingIndicator: true };
  const marks = orderMarks([{ ...PLAIN, ...entry, ...size } as Order], 'BTC-USDT');
  expect(marks.map((mark) => [mark.role, mark.isFixed, mark.side, mark.price])).toEqual([
    ['order', false, 'buy', '60000'],
    ['takeProfit', true, 'sell', '62000'],
    ['stop', true, 'sell', '58000'],
  ]);
  expect(new Set(marks.map(({ orderId }) => orderId)).size).toBe(3);
});

describe('fills', () => {
  const candles = [100, 200, 400].map((openTime) => ({ openTime }) as Candle);
  const fill = (transactTime: number, side: Side, price: number, quantity = '1') =>
    ({ transactTime, side, quantity, quoteAmount: String(price * Number(quantity)) }) as Fill;

  test('of one side within a candle are one mark at their average price', () => {
    const fills = [
      fill(200, Side.buy, 10, '3'),
      fill(250, Side.sell, 20),
      fill(399, Side.buy, 14),
      fill(400, Side.buy, 50),
    ];
    expect(fillMarks(fills, candles)).toEqual([
      { index: 1, side: 'buy', count: 2, quantity: '4', total: '44', at: 11 },
      { index: 1, side: 'sell', count: 1, quantity: '1', total: '20', at: 20 },
      { index: 2, side: 'buy', count: 1, quantity: '1', total: '50', at: 50 },
    ]);
  });

  test('before the first candle are left out', () => {
    expect(fillMarks([fill(99, Side.buy, 1), fill(100, Side.buy, 1)], candles)).toHaveLength(1);
    expect(fillMarks([fill(99, Side.buy, 1)], [])).toEqual([]);
  });
});

describe('the edges', () => {
  test('count what is beyond the view, with the nearest price', () => {
    const orders = [
      { price: 90, y: -1 },
      { price: 95, y: -30 },
      { price: 50, y: 0 },
      { price: 10, y: 301 },
    ];
    const fills = [
      { price: 85, y: -0.5 },
      { price: 5, y: 400 },
    ];
    expect(edgesOf(orders, fills, 300)).toEqual({
      above: { orders: 2, fills: 1, nearest: 85 },
      below: { orders: 1, fills: 1, nearest: 10 },
    });
    expect(edgesOf([{ price: 1, y: 300 }], [], 300)).toEqual(NO_EDGES);
  });

  test('differ by count and by price', () => {
    const edges = edgesOf([{ price: 90, y: -1 }], [], 300);
    expect(sameEdges(edges, edgesOf([{ price: 90, y: -2 }], [], 300))).toBe(true);
    expect(sameEdges(edges, edgesOf([{ price: 91, y: -1 }], [], 300))).toBe(false);
    expect(sameEdges(edges, edgesOf([], [{ price: 90, y: -1 }], 300))).toBe(false);
    expect(sameEdges(edges, NO_EDGES)).toBe(false);
  });

  test('in words', () => {
    expect(t.edge(1, 0)).toBe('1 order');
    expect(t.edge(2, 1)).toBe('2 orders, 1 fill');
    expect(t.edge(0, 3)).toBe('3 fills');
  });
});
