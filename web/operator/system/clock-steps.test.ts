// The way of a sandbox's clock, and what became due on it.
import { expect, test } from 'bun:test';
import fc from 'fast-check';
import type { TrialBalance } from '../../../src/sdk/index.ts';
import { DAY_MS } from '../../exact/format.ts';
import { daysClosed, dueBetween, HOUR_MS, parseSpan, stepsOf } from './clock-steps.ts';

test('a few steps make up the whole move', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 400 * DAY_MS }), (ms) => {
      const steps = stepsOf(ms);
      expect(steps.reduce((sum, step) => sum + step, 0)).toBe(ms);
      expect(steps.every((step) => step > 0)).toBe(true);
      expect(steps.length).toBeLessThanOrEqual(31);
    }),
  );
  expect(stepsOf(HOUR_MS)).toEqual([HOUR_MS]);
  expect(stepsOf(30 * DAY_MS)).toHaveLength(30);
});

test('spans are read exactly', () => {
  expect(parseSpan('1.5', 'days')).toEqual({ value: 36 * HOUR_MS });
  expect(parseSpan('400', 'days')).toEqual({ value: 400 * DAY_MS });
  expect(parseSpan('401', 'days')).toEqual({ fault: 'Enter at most 400 days.' });
  expect(parseSpan('0', 'hours')).toEqual({ fault: 'Enter a number of hours above 0.' });
  expect(parseSpan('x', 'days')).toHaveProperty('fault');
  expect(parseSpan('0.000000001', 'hours')).toHaveProperty('fault');
});

test('interest days close at midnight UTC', () => {
  const noon = Date.UTC(2026, 10, 21, 12);
  expect(daysClosed(noon, HOUR_MS)).toBe(0);
  expect(daysClosed(noon, 12 * HOUR_MS)).toBe(1);
  expect(daysClosed(noon, 30 * DAY_MS)).toBe(30);
});

test('the due amounts are the differences of the Earn accounts', () => {
  const books = (reserve: string, earn: string, available: string): TrialBalance => ({
    seq: 1,
    assets: [
      {
        asset: 'USDT',
        sum: '0',
        accounts: [
          { code: 'interestReserve', balance: reserve },
          { code: 'customerEarn', balance: earn },
          { code: 'customerAvailable', balance: available },
        ],
      },
    ],
  });
  expect(dueBetween(books('100', '5', '1'), books('99.5', '5', '1.5'))).toEqual([
    { asset: 'USDT', item: 'Plan reserves', change: '-0.5' },
  ]);
  expect(dueBetween(books('1', '2', '3'), books('1', '2', '4'))).toEqual([]);
});
