// Offers and edits of plans on paper: each type with its own fields, percents as rates, only what changes.
import { describe, expect, test } from 'bun:test';
import type { Asset, Plan } from '../../api/operator.ts';
import { EMPTY_OFFER, editOf, type OfferValues, toEdit, toOffer } from './plan-form.ts';

const assets: readonly Asset[] = [
  { assetId: '0', asset: 'USDT', scale: '6', fiat: false },
  { assetId: '1', asset: 'MMX', scale: '8', fiat: false },
];

const VALUES: OfferValues = {
  ...EMPTY_OFFER,
  planName: 'USDT Savings',
  coin: 'USDT',
  apr: '4',
  userAmountMin: '10',
  userAmountMax: '100000',
  status: 'open',
};

const COMMON = {
  coin: 'USDT',
  planName: 'USDT Savings',
  userAmountMin: '10',
  userAmountMax: '100000',
  redeemLockHours: 0,
  supportAutoRenew: false,
  requiresKyc: false,
  rewardFrequency: 1,
  status: 'open',
} as const;

const faultsOf = (change: Partial<OfferValues>) => {
  const checked = toOffer({ ...VALUES, ...change }, assets);
  return checked.ok ? {} : checked.faults;
};

describe('offers', () => {
  test('a flexible plan has a rate and may compound; what is of other types is not sent', () => {
    const values = {
      ...VALUES,
      autoCompound: true,
      supportAutoRenew: true,
      boosted: true,
      boosterCoin: 'MMX',
    };
    expect(toOffer(values, assets)).toEqual({
      ok: true,
      body: {
        ...COMMON,
        planType: '1',
        apr: '0.04',
        autoCompound: true,
        supportEarlyRedemption: true,
      },
    });
  });

  test('a fixed plan has a term, and may have a booster', () => {
    const booster = { boosted: true, boosterCoin: 'MMX', boosterRatio: '5', boosterApr: '1.5' };
    expect(toOffer({ ...VALUES, planType: '2', lockDay: '90', ...booster }, assets)).toEqual({
      ok: true,
      body: {
        ...COMMON,
        planType: '2',
        apr: '0.04',
        lockDay: 90,
        supportEarlyRedemption: false,
        booster: { coin: 'MMX', ratio: '5', apr: '0.015' },
      },
    });
  });

  test('a customized plan has rates of its shortest and its longest term', () => {
    const values = {
      ...VALUES,
      planType: '3',
      minApr: '2',
      maxApr: '6',
      poolCapacity: '5',
    } as const;
    expect(toOffer(values, assets)).toEqual({
      ok: true,
      body: {
        ...COMMON,
        planType: '3',
        minApr: '0.02',
        maxApr: '0.06',
        minLockDay: 7,
        maxLockDay: 365,
        poolCapacity: '5',
        supportEarlyRedemption: false,
      },
    });
  });

  test('what does not go together is said', () => {
    expect(faultsOf({ userAmountMax: '9' })).toEqual({
      userAmountMax: 'Not below the least amount, 10.',
    });
    expect(faultsOf({ userAmountMin: '0.0000001' })).toHaveProperty('userAmountMin');
    const customized = { planType: '3', minApr: '2', maxApr: '6' } as const;
    expect(faultsOf({ ...customized, maxLockDay: '6' })).toEqual({
      maxLockDay: 'Not below the shortest term, 7 days.',
    });
    expect(faultsOf({ ...customized, maxLockDay: '7' })).toEqual({
      maxApr: 'The same as the other: there is one term only.',
    });
    expect(faultsOf({ planType: '2', boosted: true })).toEqual({
      boosterCoin: 'Choose the coin.',
      boosterRatio: 'Say how much.',
      boosterApr: 'Say how many percent.',
    });
    expect(Object.keys(faultsOf({ ...EMPTY_OFFER })).sort()).toEqual([
      'apr',
      'coin',
      'planName',
      'userAmountMax',
      'userAmountMin',
    ]);
  });
});

const PLAN = {
  planId: '3',
  planName: 'USDT Fixed',
  planType: '2',
  coin: 'USDT',
  apr: '0.05',
  minApr: null,
  maxApr: null,
  lockDay: '30',
  minLockDay: null,
  maxLockDay: null,
  userAmountMin: '10',
  userAmountMax: '1000',
  poolCapacity: '5000',
  redeemLockHours: '24',
  supportEarlyRedemption: true,
  supportAutoRenew: true,
  requiresKyc: false,
  label: 'Popular',
  booster: { coin: 'MMX', ratio: '5', apr: '0.015' },
} as Plan;

describe('edits', () => {
  test('what is not touched is not sent', () => {
    expect(toEdit(editOf(PLAN), PLAN, assets)).toEqual({ ok: true, body: {} });
  });

  test('a bound and a booster are removed by null', () => {
    const values = { ...editOf(PLAN), poolCapacity: '', boosted: false, apr: '5.5', label: '' };
    expect(toEdit(values, PLAN, assets)).toEqual({
      ok: true,
      body: { apr: '0.055', poolCapacity: null, booster: null, label: '' },
    });
  });

  test('lock hours are a number on the wire and a text in the answer', () => {
    const values = { ...editOf(PLAN), redeemLockHours: '48' };
    expect(toEdit(values, PLAN, assets)).toEqual({ ok: true, body: { redeemLockHours: 48 } });
  });
});
