// Offers and edits of plans: the fields of each type, percentages as rates, only what changes.
import { describe, expect, test } from 'bun:test';
import { type ListedAsset, type OfferedPlan, PlanType } from '../../../src/sdk/index.ts';
import { EMPTY_OFFER, editOf, type OfferValues, parseEdit, parseOffer } from './plan-form.ts';

const assets: readonly ListedAsset[] = [
  { assetId: 0, asset: 'USDT', scale: 6, fiat: false },
  { assetId: 1, asset: 'MMX', scale: 8, fiat: false },
];

const VALUES: OfferValues = {
  ...EMPTY_OFFER,
  planName: 'USDT Savings',
  coin: 'USDT',
  apr: '4',
  userAmountMin: '10',
  userAmountMax: '100000',
  open: true,
};

const COMMON = {
  coin: 'USDT',
  planName: 'USDT Savings',
  userAmountMin: '10',
  userAmountMax: '100000',
  redeemLockHours: 0,
  requiresKyc: false,
  rewardFrequency: 1,
  status: 'open',
} as const;

const faultsOf = (change: Partial<OfferValues>) => {
  const checked = parseOffer({ ...VALUES, ...change }, assets);
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
    expect(parseOffer(values, assets)).toEqual({
      ok: true,
      body: {
        ...COMMON,
        planType: PlanType.flexible,
        apr: '0.04',
        autoCompound: true,
      },
    });
  });

  test('a fixed plan has a term, and may have a booster', () => {
    const booster = { boosted: true, boosterCoin: 'MMX', boosterRatio: '5', boosterApr: '1.5' };
    expect(
      parseOffer({ ...VALUES, planType: PlanType.fixed, lockDay: '90', ...booster }, assets),
    ).toEqual({
      ok: true,
      body: {
        ...COMMON,
        planType: PlanType.fixed,
        apr: '0.04',
        lockDay: 90,
        supportEarlyRedemption: false,
        supportAutoRenew: false,
        booster: { coin: 'MMX', ratio: '5', apr: '0.015' },
      },
    });
  });

  test('a customized plan has rates of its shortest and its longest term', () => {
    const values = {
      ...VALUES,
      planType: PlanType.customized,
      minApr: '2',
      maxApr: '6',
      poolCapacity: '5',
    } as const;
    expect(parseOffer(values, assets)).toEqual({
      ok: true,
      body: {
        ...COMMON,
        planType: PlanType.customized,
        minApr: '0.02',
        maxApr: '0.06',
        minLockDay: 7,
        maxLockDay: 365,
        poolCapacity: '5',
        supportEarlyRedemption: false,
        supportAutoRenew: false,
      },
    });
  });

  test('a value that cannot be sent has a fault; the server checks what fits together', () => {
    expect(faultsOf({ userAmountMax: '9' })).toEqual({});
    expect(faultsOf({ userAmountMin: '0.0000001' })).toHaveProperty('userAmountMin');
    expect(faultsOf({ planType: PlanType.fixed, boosted: true })).toEqual({
      boosterCoin: 'Choose a coin.',
      boosterRatio: 'Enter an amount.',
      boosterApr: 'Enter a percentage.',
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
  planType: PlanType.fixed,
  coin: 'USDT',
  apr: '0.05',
  minApr: null,
  maxApr: null,
  lockDay: 30,
  minLockDay: null,
  maxLockDay: null,
  userAmountMin: '10',
  userAmountMax: '1000',
  poolCapacity: '5000',
  redeemLockHours: 24,
  supportEarlyRedemption: true,
  supportAutoRenew: true,
  requiresKyc: false,
  label: 'Popular',
  booster: { coin: 'MMX', ratio: '5', apr: '0.015' },
} as OfferedPlan;

describe('edits', () => {
  test('what is not touched is not sent', () => {
    expect(parseEdit(editOf(PLAN), PLAN, assets)).toEqual({ ok: true, body: {} });
  });

  test('a bound and a booster are removed by null', () => {
    const values = { ...editOf(PLAN), poolCapacity: '', boosted: false, apr: '5.5', label: '' };
    expect(parseEdit(values, PLAN, assets)).toEqual({
      ok: true,
      body: { apr: '0.055', poolCapacity: null, booster: null, label: '' },
    });
  });

  test('lock hours are sent as a number', () => {
    const values = { ...editOf(PLAN), redeemLockHours: '48' };
    expect(parseEdit(values, PLAN, assets)).toEqual({ ok: true, body: { redeemLockHours: 48 } });
  });
});
