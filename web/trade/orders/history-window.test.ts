// The bounds of the windows, and the days that the exchange can find orders of.
import { expect, test } from 'bun:test';
import { DAY_MS } from '../../exact/format.ts';
import { boundsOf, type HistoryWindow, orderBounds } from './history-window.ts';

const NOW = new Date(2026, 10, 23, 12).getTime();
const day = (date: number) => new Date(2026, 10, date).getTime();
const within = (name: HistoryWindow['within'], from = '', to = '') => ({ within: name, from, to });

test('presets are counted back from now', () => {
  expect(boundsOf(within('24h'), NOW)).toEqual({ start: NOW - DAY_MS });
  expect(boundsOf(within('7d'), NOW)).toEqual({ start: NOW - 7 * DAY_MS });
  expect(boundsOf(within('all'), NOW)).toEqual({});
});

test('days include both ends; a day that has not ended has no end', () => {
  const window = within('custom', '2026-11-20', '2026-11-21');
  expect(boundsOf(window, NOW)).toEqual({ start: day(20), end: day(22) - 1 });
  expect(boundsOf(within('custom', '2026-11-20', '2026-11-23'), NOW)).toEqual({ start: day(20) });
  expect(boundsOf(within('custom', '2026-11-21', '2026-11-20'), NOW)).toBeNull();
});

test('orders are found for 30 days', () => {
  const first = NOW - 30 * DAY_MS + 60_000;
  expect(orderBounds(within('30d'), NOW)).toEqual({ start: first });
  expect(orderBounds(within('all'), NOW)).toEqual({});
  expect(orderBounds(within('custom', '2026-01-01'), NOW)).toEqual({ start: first });
  expect(orderBounds(within('custom', '2026-01-01', '2026-01-05'), NOW)).toBeNull();
  expect(orderBounds(within('custom', '2026-12-01'), NOW)).toBeNull();
});
