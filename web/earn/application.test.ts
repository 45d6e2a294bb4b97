// The subscription form: hints before the server rejects, with the nearest accepted value.
import { describe, expect, test } from 'bun:test';
import { type ApplyPreview, PlanType } from '../../src/sdk/index.ts';
import {
  amountHint,
  type Bounds,
  type Draft,
  dayHint,
  isPreviewOf,
  maximumOf,
  nearestDay,
  toApplication,
} from './application.ts';

const bounds: Bounds = {
  ...{ coin: 'USDT', userAmountMin: '10', userAmountMax: '1000', applied: '0' },
  ...{ available: '500.25', scale: 8 },
};

describe('an amount', () => {
  test.each<[string, Partial<Bounds>]>([
    ['', {}],
    ['10', {}],
    ['500.25', {}],
    ['10.12345678', {}],
    ['1', { applied: '900' }],
  ])('%p is valid with %p', (typed, more) => {
    expect(amountHint(typed, { ...bounds, ...more })).toBeNull();
  });

  test.each<[string, Partial<Bounds>, string]>([
    ['9.99', {}, '10'],
    ['1000.01', {}, '500.25'],
    ['1000.01', { available: '5000' }, '1000'],
    ['500.26', {}, '500.25'],
    ['10.123456789', {}, '10.12345678'],
    ['100.5', { applied: '900' }, '100'],
    ['1', { applied: '4' }, '6'],
  ])('%p with %p offers %p', (typed, more, use) => {
    expect(amountHint(typed, { ...bounds, ...more })?.use).toBe(use);
  });

  test.each<[string, Partial<Bounds>]>([
    ['.5e', {}],
    ['0', {}],
    ['0.000000001', {}],
    ['1', { applied: '1000' }],
    // The server would reject the nearest value as well.
    ...['5', '9.5', '20', '1000.01'].map(
      (typed) => [typed, { available: '9' }] as [string, Partial<Bounds>],
    ),
  ])('%p with %p offers nothing', (typed, more) => {
    expect(amountHint(typed, { ...bounds, ...more })).toEqual({ text: expect.any(String) });
  });

  test('the hint names a balance below the minimum', () => {
    expect(amountHint('5', { ...bounds, available: '9' })?.text).toContain('You have 9');
  });

  test.each<[Partial<Bounds>, string]>([
    [{}, '500.25'],
    [{ available: '5000' }, '1000'],
    [{ applied: '1200' }, '0'],
    [{ available: null }, '1000'],
  ])('the maximum with %p is %p', (more, maximum) => {
    expect(maximumOf({ ...bounds, ...more })).toBe(maximum);
  });
});

test('days have bounds', () => {
  expect(dayHint('6', 7, 100)?.use).toBe('7');
  expect(dayHint('101', 7, 100)?.use).toBe('100');
  expect(dayHint('7', 7, 100)).toBeNull();
  expect(dayHint('', 7, 100)).not.toBeNull();
  const nearest = ['', '6', '030', '101'].map((typed) => nearestDay(typed, 7, 100));
  expect(nearest).toEqual([7, 7, 30, 100]);
});

const draft: Draft = { amount: '1000.50', day: '30', autoRenew: true, withBooster: true };

test.each(['abc', '-', '1,5', '1e5', '7.5', '-8'])(
  '%p is no term: the form previews the shortest one and sends nothing',
  (day) => {
    expect(dayHint(day, 7, 100)).toEqual({ text: 'Enter whole days, from 7 to 100.' });
    expect(nearestDay(day, 7, 100)).toBe(7);
    const plan = { planId: '1', planType: PlanType.customized };
    expect(toApplication({ ...draft, day }, plan, undefined)).toBeNull();
  },
);

describe('the request', () => {
  const preview = {
    boosterInfo: { apy: '0.02', boosterAmount: '100.05', coin: 'MMX', interestAmount: '1' },
  } as ApplyPreview;

  test('has only the fields of its plan type', () => {
    expect(toApplication(draft, { planId: '1', planType: PlanType.customized }, preview)).toEqual({
      ...{ planId: '1', amount: '1000.5', lockDay: 30, autoRenew: true },
      boosterAmount: '100.05',
    });
    const plain = { ...draft, withBooster: false };
    expect(toApplication(plain, { planId: '1', planType: PlanType.flexible }, preview)).toEqual({
      planId: '1',
      amount: '1000.5',
    });
  });

  test.each(['', '0', 'x', '-1'])('is null while the amount is %p', (amount) => {
    const plan = { planId: '1', planType: PlanType.fixed };
    expect(toApplication({ ...draft, amount }, plan, preview)).toBeNull();
  });
});

test.each([
  [{ amount: '1000.5' }, true],
  [{ amount: '1000.5', lockDay: 30 }, true],
  [{ amount: '1000.5', lockDay: 31 }, false],
  [{ amount: '1000' }, false],
])('a preview of 1000.50 for 30 days belongs to %p: %p', (application, belongs) => {
  const preview = { amount: '1000.50', lockDay: 30 } as ApplyPreview;
  expect(isPreviewOf(preview, { planId: '1', ...application })).toBe(belongs);
});
