// The progress of a term and the next payout, around midnight UTC.
import { expect, test } from 'bun:test';
import { DAY_MS } from '../exact/format.ts';
import { nextPayout, progressOf, until } from './progress.ts';

const day = (count: number): string => String(count * DAY_MS);
const at = (days: number): number => days * DAY_MS;
const term = { startDate: day(10), endDate: day(40), rewardFrequency: 7 };
const flexible = { startDate: day(10), endDate: null, rewardFrequency: 1 };

test.each([
  [term, 9.5, { daysDone: 0, daysTotal: 30, percent: 0 }],
  [term, 10.9, { daysDone: 0, daysTotal: 30, percent: 0 }],
  [term, 11, { daysDone: 1, daysTotal: 30, percent: 3 }],
  [term, 39.99, { daysDone: 29, daysTotal: 30, percent: 96 }],
  [term, 99, { daysDone: 30, daysTotal: 30, percent: 100 }],
  [flexible, 25, { daysDone: 15, daysTotal: null, percent: null }],
])('%p on day %p: %p', (schedule, day, progress) => {
  expect(progressOf(schedule, at(day))).toEqual(progress);
});

test.each([
  // A period after the first interest day, then every period.
  [term, at(9.2), at(17)],
  [term, at(10), at(17)],
  [term, at(17) - 1, at(17)],
  [term, at(17), at(24)],
  [flexible, at(9.2), at(11)],
  // At the latest with the end of the term.
  [term, at(38), at(40)],
  [term, at(40), null],
  [{ ...term, rewardFrequency: 90 }, at(11), at(40)],
])('the next payout of %p after %p is at %p', (schedule, now, payout) => {
  expect(nextPayout(schedule, now)).toBe(payout);
});

test.each([
  [90_000, 0, 'in 2 min'],
  [3_600_000 * 5, 0, 'in 5 h'],
  [at(3), 0, 'in 3 days'],
  [0, 5, 'in 0 min'],
])('%p from %p is %p', (instant, now, text) => {
  expect(until(instant, now)).toBe(text);
});
