// The points of a small line over exactly 24 hours.
import { expect, test } from 'bun:test';
import { DAY_MS } from '../exact/format.ts';
import { dayPoints, HOUR_MS, linePoints } from './day-line.ts';

/** The window starts in the middle of an hour. */
const openTime = 100 * DAY_MS + HOUR_MS / 2;
const at = (hour: number, close: string) => ({ openTime: 100 * DAY_MS + hour * HOUR_MS, close });
const part = (hours: number): number => hours / 24;

test('covers exactly 24 hours, and is flat where nothing traded', () => {
  const window = { openTime, openPrice: '10', lastPrice: '9' };
  expect(dayPoints(window, [at(3, '12'), at(4, '13'), at(20, '8')])).toEqual([
    [0, 10],
    [part(2.5), 10],
    [part(3.5), 12],
    [part(4.5), 13],
    [part(19.5), 13],
    [part(20.5), 8],
    [1, 9],
  ]);
});

test('leaves out candles before the window, and ends at the last price', () => {
  const window = { openTime, openPrice: '10', lastPrice: '7' };
  expect(dayPoints(window, [at(-5, '99'), at(0, '11'), at(24, '8')])).toEqual([
    [0, 10],
    [part(0.5), 11],
    [part(23.5), 11],
    [1, 7],
  ]);
});

test('a day without trades is flat; a pair without any has no line', () => {
  const untraded = { openTime, openPrice: null, lastPrice: '5' };
  expect(dayPoints(untraded, [at(-30, '4')])).toEqual([
    [0, 5],
    [1, 5],
  ]);
  expect(dayPoints({ ...untraded, lastPrice: null }, [])).toEqual([]);
});

test('the highest price is at the top, a constant one in the middle, over the width', () => {
  const points = [0, 0.25, 1].map((part, i) => [part, [1, 3, 2][i]!] as const);
  expect(linePoints(points, 100, 24)).toBe('0.0,22.0 25.0,2.0 100.0,12.0');
  expect(
    linePoints(
      points.map(([part]) => [part, 5] as const),
      10,
      24,
    ),
  ).toBe('0.0,12.0 2.5,12.0 10.0,12.0');
});
