// Lists of candles.

import { expect, test } from 'bun:test';
import type { Candle } from '../../../src/sdk/index.ts';
import { axisShift, changedFrom, joined } from './candles.ts';

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

test('news replace what is there of the same interval and go on', () => {
  const known = [candle(1), candle(2), candle(3, '3')];
  const next = joined(known, [candle(3, '4'), candle(4)]);
  expect(times(next)).toEqual([1, 2, 3, 4]);
  expect(next[2]!.close).toBe('4');
  expect(joined(known, [])).toBe(known);
  expect(times(joined([], [candle(1)]))).toEqual([1]);
});

test('times are compared as numbers, not as texts', () => {
  expect(times(joined([candle(9)], [candle(10)]))).toEqual([9, 10]);
});

test('a chart is drawn on from its last candle, and anew when older ones came', () => {
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
