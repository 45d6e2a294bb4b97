// The time windows of a statement.
import { expect, test } from 'bun:test';
import { windowOf } from './statement-window.ts';

const NOW = 1_795_237_741_983;
const custom = (from: string, to: string) => windowOf({ choice: 'custom', from, to }, NOW);

test('quick choices go back from a full minute, and stay open at the end', () => {
  const minute = NOW - (NOW % 60_000);
  const quick = (choice: 'day' | 'week' | 'month') => windowOf({ choice, from: '', to: '' }, NOW);
  expect(quick('day')).toEqual({ startTime: minute - 86_400_000 });
  expect(quick('week')).toEqual({ startTime: minute - 7 * 86_400_000 });
  expect(quick('month')).toEqual({ startTime: minute - 30 * 86_400_000 });
  expect(windowOf({ choice: 'all', from: '', to: '' }, NOW)).toEqual({});
});

test('days are whole and local: the last millisecond of the last day belongs to them', () => {
  expect(custom('2026-11-20', '2026-11-21')).toEqual({
    startTime: new Date(2026, 10, 20).getTime(),
    endTime: new Date(2026, 10, 22).getTime() - 1,
  });
  expect(custom('2026-12-31', '2026-12-31')).toEqual({
    startTime: new Date(2026, 11, 31).getTime(),
    endTime: new Date(2027, 0, 1).getTime() - 1,
  });
});

test('either end may be open; the wrong way round is no window', () => {
  expect(custom('', '')).toEqual({});
  expect(custom('2026-11-20', '')).toEqual({ startTime: new Date(2026, 10, 20).getTime() });
  expect(custom('2026-11-21', '2026-11-20')).toBeNull();
  expect(custom('1960-01-01', '1960-01-02')).toEqual({ startTime: 0, endTime: 0 });
});
