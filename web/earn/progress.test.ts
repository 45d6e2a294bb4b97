// The progress of a term and the next payout, around midnight UTC.
import { describe, expect, test } from 'bun:test';
import { DAY_MS } from '../exact/format.ts';
import { nextPayout, progressOf, until } from './progress.ts';

const day = (count: number): string => String(count * DAY_MS);
const at = (days: number): number => days * DAY_MS;
const term = { startDate: day(10), endDate: day(40), rewardFrequency: 7 };
const flexible = { startDate: day(10), endDate: null, rewardFrequency: 1 };

describe('progress', () => {
  test('counts the days that are over', () => {
    expect(progressOf(term, at(9.5))).toEqual({ daysDone: 0, daysTotal: 30, percent: 0 });
    expect(progressOf(term, at(10.9)).daysDone).toBe(0);
    expect(progressOf(term, at(11))).toEqual({ daysDone: 1, daysTotal: 30, percent: 3 });
    expect(progressOf(term, at(40) - 1)).toEqual({ daysDone: 29, daysTotal: 30, percent: 96 });
    expect(progressOf(term, at(99))).toEqual({ daysDone: 30, daysTotal: 30, percent: 100 });
  });

  test('has no percentage without a term', () => {
    expect(progressOf(flexible, at(25))).toEqual({ daysDone: 15, daysTotal: null, percent: null });
  });
});

describe('the next payout', () => {
  test('is a period after the first day that earns, then every period', () => {
    expect(nextPayout(term, at(9.2))).toBe(at(17));
    expect(nextPayout(term, at(10))).toBe(at(17));
    expect(nextPayout(term, at(17) - 1)).toBe(at(17));
    expect(nextPayout(term, at(17))).toBe(at(24));
    expect(nextPayout(flexible, at(9.2))).toBe(at(11));
  });

  test('comes with the end of the term at the latest', () => {
    expect(nextPayout(term, at(38))).toBe(at(40));
    expect(nextPayout(term, at(40))).toBeNull();
    expect(nextPayout({ ...term, rewardFrequency: 90 }, at(11))).toBe(at(40));
  });
});

test('how far off', () => {
  expect(until(90_000, 0)).toBe('in 2 min');
  expect(until(3_600_000 * 5, 0)).toBe('in 5 h');
  expect(until(at(3), 0)).toBe('in 3 days');
  expect(until(0, 5)).toBe('in 0 min');
});
