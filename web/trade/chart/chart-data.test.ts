// The data of the chart: candles, marks of own orders, and the scale.
import { expect, test } from 'bun:test';
import { Side } from '../../../src/sdk/generated/codes.ts';
import type { Candle, Order } from '../../../src/sdk/index.ts';
import { trade as t } from '../../messages/trade.ts';
import {
  axisShift,
  changedFrom,
  FIRST_VIEW,
  firstRange,
  fitScale,
  joinCandles,
  MAX_MARKS,
  marksOf,
} from './chart-data.ts';

const candle = (openTime: number, close = '1'): Candle => ({
  openTime,
  open: '1',
  high: '1',
  low: '1',
  close,
  baseVolume: '1',
  quoteVolume: '1',
  tradeCount: 1,
});
const times = (candles: readonly Candle[]) => candles.map(({ openTime }) => openTime);

test('new candles replace those of the same interval and extend the list', () => {
  const known = [candle(1), candle(2), candle(3, '3')];
  const next = joinCandles(known, [candle(3, '4'), candle(4)]);
  expect(times(next)).toEqual([1, 2, 3, 4]);
  expect(next[2]!.close).toBe('4');
  expect(joinCandles(known, [])).toBe(known);
  expect(times(joinCandles([], [candle(1)]))).toEqual([1]);
});

test('times are compared as numbers, not as texts', () => {
  expect(times(joinCandles([candle(9)], [candle(10)]))).toEqual([9, 10]);
});

test('a chart continues from its last candle, and redraws after older ones', () => {
  const shown = [candle(1), candle(2)];
  expect(changedFrom(shown, [candle(1), candle(2, '2'), candle(3)])).toBe(1);
  expect(changedFrom(shown, [candle(0), ...shown])).toBeNull();
  expect(changedFrom([], shown)).toBeNull();
  expect(changedFrom(shown, [candle(1)])).toBeNull();
});

test('the axis shows local time, but UTC days', () => {
  expect(axisShift('1h', -240)).toBe(14_400);
  expect(axisShift('1d', -240)).toBe(0);
});

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

test('few candles are centered, more fill the width, and of many the newest are shown', () => {
  const four = firstRange(4);
  const [left, right] = [-0.5 - four.from, four.to - 3.5];
  expect(left).toBe(right);
  expect(four.to - four.from).toBeLessThan(20);
  expect(firstRange(40)).toMatchObject({ from: -0.5 });
  expect(firstRange(40).to).toBeLessThan(42);
  expect(firstRange(FIRST_VIEW).from).toBe(-0.5);
  expect(firstRange(500)).toEqual({ from: 500 - FIRST_VIEW, to: 505 });
});

test('near orders extend the scale; far ones are counted instead', () => {
  const candles = { low: 100, high: 110 };
  expect(fitScale(candles, [])).toEqual({ range: candles, above: 0, below: 0 });
  expect(fitScale(candles, [95, 105, 115])).toEqual({
    range: { low: 95, high: 115 },
    above: 0,
    below: 0,
  });
  expect(fitScale(candles, [96, 116, 50, 40])).toEqual({
    range: { low: 96, high: 110 },
    above: 1,
    below: 2,
  });
  expect(fitScale({ low: 100, high: 100 }, [100.5]).range.high).toBe(100.5);
});

test('orders out of view are counted in words', () => {
  expect(t.chart.outOfView(1, 0)).toBe('1 of your orders is above this view');
  expect(t.chart.outOfView(1, 2)).toBe('3 of your orders are above and below this view');
});
