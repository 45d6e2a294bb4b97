// The data of the chart: candles, and the part of time and price that is shown.
import { expect, test } from 'bun:test';
import type { Candle } from '../../../src/sdk/index.ts';
import {
  axisShift,
  changedFrom,
  FIRST_VIEW,
  firstRange,
  fitScale,
  INTERVALS,
  joinCandles,
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
  expect(axisShift('1h', 14_400_000)).toBe(14_400);
  expect(axisShift('1d', 14_400_000)).toBe(0);
  expect(axisShift('1w', 14_400_000)).toBe(0);
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

test('near orders extend the scale; far ones only if all are to be shown', () => {
  const candles = { low: 100, high: 110 };
  expect(fitScale(candles, [], false)).toEqual(candles);
  expect(fitScale(candles, [95, 105, 115], false)).toEqual({ low: 95, high: 115 });
  expect(fitScale(candles, [96, 116, 50, 40], false)).toEqual({ low: 96, high: 110 });
  expect(fitScale(candles, [96, 116, 50, 40], true)).toEqual({ low: 40, high: 116 });
  expect(fitScale({ low: 100, high: 100 }, [100.5], false).high).toBe(100.5);
});

test('intervals are listed from the shortest to the longest', () => {
  const minutes = { m: 1, h: 60, d: 1440, w: 10_080 };
  const lengths = INTERVALS.map((interval) => {
    const unit = interval.at(-1) as keyof typeof minutes;
    return Number.parseInt(interval, 10) * minutes[unit];
  });
  expect(lengths.length).toBeGreaterThanOrEqual(6);
  expect(lengths).toEqual(lengths.toSorted((a, b) => a - b));
});
