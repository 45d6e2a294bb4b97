// Which open orders are marked in the chart, and how.

import { expect, test } from 'bun:test';
import { Side } from '../../../src/sdk/codes.ts';
import type { Order } from '../../../src/sdk/index.ts';
import { MAX_MARKS, marksOf } from './own-orders.ts';

const order = (side: Side, price: string | null, leavesQty: string, symbol = 'BTC-USDT') =>
  ({ side, price, leavesQty, symbol }) as Order;

test('orders of the pair at one price and side are one mark', () => {
  const orders = [
    order(Side.buy, '60000.5', '0.1'),
    order(Side.sell, '61000', '1500'),
    order(Side.buy, '60000.5', '0.25'),
    order(Side.sell, '60000.5', '2'),
    order(Side.buy, '60000.5', '9', 'ETH-USDT'),
    order(Side.buy, null, '9'),
  ];
  expect(marksOf(orders, 'BTC-USDT')).toEqual([
    { price: '60000.5', side: 'buy', title: 'Buy 0.35' },
    { price: '61000', side: 'sell', title: 'Sell 1,500' },
    { price: '60000.5', side: 'sell', title: 'Sell 2' },
  ]);
});

test('a grid of hundreds does not hide the candles', () => {
  const grid = Array.from({ length: 200 }, (_, i) => order(Side.buy, String(50_000 + i), '1'));
  expect(marksOf(grid, 'BTC-USDT')).toHaveLength(MAX_MARKS);
  expect(marksOf(grid, 'BTC-USDT')[0]!.price).toBe('50000');
});
