// How long a reserve lasts, and the amount that makes it last.
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { OfferedPlan, PlanReserve } from '../../../src/sdk/index.ts';
import { compare } from '../../exact/decimal.ts';
import {
  coverText,
  daysWith,
  filledPercent,
  lasting,
  reserveSentence,
  toFund,
} from './reserve-cover.ts';

const RESERVE: PlanReserve = {
  balance: '5',
  payable: '0',
  yearlyCost: '400',
  dailyCost: '1.09589041',
  daysOfCover: '4',
  overdue: false,
  alarm: true,
};

describe('words', () => {
  test.each([
    ['0', 'less than a day'],
    ['1', '1 day'],
    ['729', '729 days'],
    ['730', '2 years'],
    ['365000', '1,000 years'],
  ])('%p days are %p', (days, words) => {
    expect(lasting(days)).toBe(words);
  });

  test('overdue interest comes before any other state of a reserve', () => {
    expect(coverText(RESERVE)).toBe('4 days');
    expect(coverText({ ...RESERVE, overdue: true })).toBe('Interest overdue');
    const unused = { ...RESERVE, daysOfCover: null };
    expect(coverText(unused)).toBe('Empty');
    expect(coverText({ ...unused, alarm: false })).toBe('No interest accrues');
    const plan = { coin: 'USDT', reserve: RESERVE } as OfferedPlan;
    expect(reserveSentence(plan)).toContain('lasts for 4 days');
    expect(reserveSentence({ ...plan, reserve: { ...RESERVE, overdue: true } })).toContain(
      'could not pay',
    );
  });
});

describe('funding', () => {
  test('the suggested amount covers the requested days', () => {
    const amount = fc.integer({ min: 0, max: 10 ** 9 }).map((cents) => (cents / 100).toFixed(2));
    fc.assert(
      fc.property(amount, amount, amount, fc.integer({ min: 1, max: 3650 }), (a, b, cost, days) => {
        fc.pre(Number(cost) > 0);
        const reserve = { ...RESERVE, balance: a, payable: b, yearlyCost: cost };
        const added = toFund(reserve, days, 8);
        expect(compare(daysWith(reserve, added)!, String(days))).toBeGreaterThanOrEqual(0);
      }),
    );
  });

  test('a sufficient or unused reserve needs no money', () => {
    expect(toFund({ ...RESERVE, balance: '1000' }, 30, 8)).toBe('0');
    expect(toFund({ ...RESERVE, yearlyCost: '0' }, 30, 8)).toBe('0');
    expect(daysWith({ ...RESERVE, yearlyCost: '0' }, '5')).toBeNull();
    expect(daysWith({ ...RESERVE, payable: '50' }, '5')).toBe('0');
  });
});

test('the filled part of a plan in percent', () => {
  const plan = { pool: '25', poolCapacity: '200' } as OfferedPlan;
  expect(filledPercent(plan)).toBe(12.5);
  expect(filledPercent({ ...plan, poolCapacity: null })).toBeNull();
  expect(filledPercent({ ...plan, pool: '201' })).toBe(100);
});
