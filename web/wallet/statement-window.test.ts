// The time windows of a statement.
import { expect, test } from 'bun:test';
import { windowOf } from './statement-window.ts';

const NOW = 1_795_237_741_983;

test('presets start at a full minute and have no end', () => {
  const minute = NOW - (NOW % 60_000);
  const quick = (choice: 'day' | 'week' | 'month') => windowOf({ choice, from: '', to: '' }, NOW);
  expect(quick('day')).toEqual({ startTime: minute - 86_400_000 });
  expect(quick('week')).toEqual({ startTime: minute - 7 * 86_400_000 });
  expect(quick('month')).toEqual({ startTime: minute - 30 * 86_400_000 });
  expect(windowOf({ choice: 'all', from: '', to: '' }, NOW)).toEqual({});
});

const local = (...day: [number, number, number]) => new Date(...day).getTime();

test.each([
  ['', '', {}],
  ['2026-11-20', '', { startTime: local(2026, 10, 20) }],
  // Whole local days: the last day has its last millisecond.
  [
    '2026-11-20',
    '2026-11-21',
    { startTime: local(2026, 10, 20), endTime: local(2026, 10, 22) - 1 },
  ],
  ['2026-12-31', '2026-12-31', { startTime: local(2026, 11, 31), endTime: local(2027, 0, 1) - 1 }],
  ['2026-11-21', '2026-11-20', null],
  ['1960-01-01', '1960-01-02', { startTime: 0, endTime: 0 }],
])('from %p to %p', (from, to, window) => {
  expect(windowOf({ choice: 'custom', from, to }, NOW)).toEqual(window);
});
