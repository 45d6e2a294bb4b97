// Which part of a chart is shown.
import { expect, test } from 'bun:test';
import { FIRST_SHOWN, firstRange, fitted, outsideWords } from './scale.ts';

test('a few candles stand in the middle, more fill the width, of many the newest are shown', () => {
  const four = firstRange(4);
  const [left, right] = [-0.5 - four.from, four.to - 3.5];
  expect(left).toBe(right);
  expect(four.to - four.from).toBeLessThan(20);
  expect(firstRange(40)).toMatchObject({ from: -0.5 });
  expect(firstRange(40).to).toBeLessThan(42);
  expect(firstRange(FIRST_SHOWN).from).toBe(-0.5);
  expect(firstRange(500)).toEqual({ from: 500 - FIRST_SHOWN, to: 505 });
});

test('own orders that are near are in the scale; far ones do not flatten the candles, and are told', () => {
  const candles = { low: 100, high: 110 };
  expect(fitted(candles, [])).toEqual({ range: candles, above: 0, below: 0 });
  expect(fitted(candles, [95, 105, 115])).toEqual({
    range: { low: 95, high: 115 },
    above: 0,
    below: 0,
  });
  expect(fitted(candles, [96, 116, 50, 40])).toEqual({
    range: { low: 96, high: 110 },
    above: 1,
    below: 2,
  });
  expect(fitted({ low: 100, high: 100 }, [100.5]).range.high).toBe(100.5);
});

test('what is out of sight is said', () => {
  expect(outsideWords({ above: 0, below: 0 })).toBeNull();
  expect(outsideWords({ above: 1, below: 0 })).toBe('1 of your orders is above this view');
  expect(outsideWords({ above: 1, below: 2 })).toBe(
    '3 of your orders are above and below this view',
  );
});
