// The subscription form: hints before the server refuses, with the nearest accepted value.
import { describe, expect, test } from 'bun:test';
import { type ApplyPreview, PlanType } from '../../src/sdk/index.ts';
import {
  amountHint,
  dayHint,
  type Form,
  isPreviewOf,
  mostOf,
  nearestDay,
  toApplication,
} from './application.ts';

const bounds = {
  coin: 'USDT',
  userAmountMin: '10',
  userAmountMax: '1000',
  applied: '0',
  available: '500.25',
  scale: 8,
};

describe('an amount', () => {
  test('within all bounds is fine, and so is none yet', () => {
    for (const typed of ['', '10', '500.25', '.5e']) {
      expect(amountHint(typed, bounds) === null).toBe(typed !== '.5e');
    }
  });

  test('below, above, and beyond the balance is told what would pass', () => {
    expect(amountHint('9.99', bounds)?.use).toBe('10');
    expect(amountHint('1000.01', bounds)?.use).toBe('500.25');
    expect(amountHint('1000.01', { ...bounds, available: '5000' })?.use).toBe('1000');
    expect(amountHint('500.26', bounds)?.use).toBe('500.25');
    expect(amountHint('0', bounds)?.use).toBeUndefined();
  });

  test('offers nothing that would be refused next', () => {
    const poor = { ...bounds, available: '9' };
    for (const typed of ['5', '9.5', '20', '1000.01']) {
      expect(amountHint(typed, poor)).toEqual({ text: expect.any(String) });
    }
    expect(amountHint('5', poor)?.text).toContain('You have 9');
  });

  test('finer than the coin is told the amount that is cut', () => {
    expect(amountHint('10.123456789', bounds)?.use).toBe('10.12345678');
    expect(amountHint('10.12345678', bounds)).toBeNull();
    expect(amountHint('0.000000001', bounds)).toMatchObject({ text: expect.any(String) });
    expect(amountHint('0.000000001', bounds)?.use).toBeUndefined();
  });

  test('adds to what is held', () => {
    const held = { ...bounds, applied: '900' };
    expect(amountHint('1', held)).toBeNull();
    expect(amountHint('100.5', held)).toMatchObject({ use: '100' });
    expect(amountHint('1', { ...bounds, applied: '1000' })?.use).toBeUndefined();
    expect(amountHint('1', { ...bounds, applied: '4' })?.use).toBe('6');
  });

  test('at most is what is available, as far as the plan takes it', () => {
    expect(mostOf(bounds)).toBe('500.25');
    expect(mostOf({ ...bounds, available: '5000' })).toBe('1000');
    expect(mostOf({ ...bounds, applied: '1200' })).toBe('0');
    expect(mostOf({ ...bounds, available: null })).toBe('1000');
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

test.each(['abc', '-', '1,5', '1e5', '7.5', '-8'])(
  '%p is no term: it is said, previewed as the shortest, and not sent',
  (typed) => {
    expect(dayHint(typed, 7, 100)).toEqual({ text: 'Enter whole days, from 7 to 100.' });
    expect(nearestDay(typed, 7, 100)).toBe(7);
    const form: Form = { amount: '10', day: typed, autoRenew: false, withBooster: false };
    expect(
      toApplication(form, { planId: '1', planType: PlanType.customized }, undefined),
    ).toBeNull();
  },
);

describe('the request', () => {
  const form: Form = { amount: '1000.50', day: '30', autoRenew: true, withBooster: true };
  const preview = {
    boosterInfo: { apy: '0.02', boosterAmount: '100.05', coin: 'MMX', interestAmount: '1' },
  } as ApplyPreview;

  test('has what the kind of plan takes, and nothing else', () => {
    expect(toApplication(form, { planId: '1', planType: PlanType.customized }, preview)).toEqual({
      planId: '1',
      amount: '1000.5',
      lockDay: 30,
      autoRenew: true,
      boosterAmount: '100.05',
    });
    const plain = { ...form, withBooster: false };
    expect(toApplication(plain, { planId: '1', planType: PlanType.flexible }, preview)).toEqual({
      planId: '1',
      amount: '1000.5',
    });
  });

  test('is none while the amount is none', () => {
    for (const amount of ['', '0', 'x', '-1']) {
      expect(
        toApplication({ ...form, amount }, { planId: '1', planType: PlanType.fixed }, preview),
      ).toBeNull();
    }
  });
});

test('a preview of another amount or term is not that of the application', () => {
  const preview = { amount: '1000.50', lockDay: 30 } as ApplyPreview;
  const application = { planId: '1', amount: '1000.5' };
  expect(isPreviewOf(preview, application)).toBe(true);
  expect(isPreviewOf(preview, { ...application, lockDay: 30 })).toBe(true);
  expect(isPreviewOf(preview, { ...application, lockDay: 31 })).toBe(false);
  expect(isPreviewOf(preview, { ...application, amount: '1000' })).toBe(false);
});
