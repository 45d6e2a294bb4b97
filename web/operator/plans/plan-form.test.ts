// Offers and edits of plans: the fields of each type, the booster, and only what changes.
import { describe, expect, test } from 'bun:test';
import { type ListedAsset, type OfferedPlan, PlanType } from '../../../src/sdk/index.ts';
import { changesIn, parseFields, typedValues, withoutEmpty } from '../parts/fields.ts';
import {
  EMPTY_PLAN,
  finishOffer,
  finishTerms,
  offerLayout,
  type PlanValues,
  termsLayout,
  termsOf,
} from './plan-form.ts';

const assets: readonly ListedAsset[] = [
  { assetId: 0, asset: 'USDT', scale: 6, fiat: false },
  { assetId: 1, asset: 'MMX', scale: 8, fiat: false },
];

const VALUES: PlanValues = {
  ...EMPTY_PLAN,
  planName: 'USDT Savings',
  coin: 'USDT',
  apr: '4',
  userAmountMin: '10',
  userAmountMax: '100000',
  open: true,
};

function offer(change: Partial<PlanValues>): object {
  const values = { ...VALUES, ...change };
  const result = parseFields<PlanValues, Parameters<typeof finishOffer>[0]>(
    offerLayout(assets)(values),
    values,
  );
  return result.ok ? finishOffer(withoutEmpty(result.body)) : result.faults;
}

describe('an offer', () => {
  const COMMON = {
    coin: 'USDT',
    planName: 'USDT Savings',
    userAmountMin: '10',
    userAmountMax: '100000',
    redeemLockHours: 0,
    requiresKyc: false,
    rewardFrequency: 1,
    status: 'open',
  };
  const booster = { boosted: true, boosterCoin: 'MMX', boosterRatio: '5', boosterApr: '1.5' };
  const terms = { supportEarlyRedemption: false, supportAutoRenew: false };

  test.each<[string, PlanType, Partial<PlanValues>, object]>([
    [
      'flexible plan has a rate and may compound',
      PlanType.flexible,
      { ...booster, autoCompound: true, supportAutoRenew: true },
      { apr: '0.04', autoCompound: true },
    ],
    [
      'fixed plan has a term, and may have a booster',
      PlanType.fixed,
      { ...booster, lockDay: '90' },
      { ...terms, apr: '0.04', lockDay: 90, booster: { coin: 'MMX', ratio: '5', apr: '0.015' } },
    ],
    [
      'customized plan has rates of its shortest and its longest term',
      PlanType.customized,
      { minApr: '2', maxApr: '6', poolCapacity: '5' },
      {
        ...terms,
        minApr: '0.02',
        maxApr: '0.06',
        minLockDay: 7,
        maxLockDay: 365,
        poolCapacity: '5',
      },
    ],
  ])('of a %s', (_, planType, change, own) => {
    expect(offer({ planType: String(planType), ...change })).toEqual({
      ...COMMON,
      planType,
      ...own,
    });
  });

  test('has a fault at a name that is too long', () => {
    expect(Object.keys(offer({ planName: 'x'.repeat(65) }))).toEqual(['planName']);
    expect(offer({ planName: 'x'.repeat(64) })).toMatchObject({ planName: 'x'.repeat(64) });
  });

  test('has a fault for each required field that is empty', () => {
    expect(Object.keys(offer(EMPTY_PLAN)).sort()).toEqual([
      'apr',
      'coin',
      'planName',
      'userAmountMax',
      'userAmountMin',
    ]);
    const boosted = { planType: String(PlanType.fixed), boosted: true };
    expect(Object.keys(offer(boosted)).sort()).toEqual([
      'boosterApr',
      'boosterCoin',
      'boosterRatio',
    ]);
  });
});

describe('an edit', () => {
  const PLAN = {
    planName: 'USDT Fixed',
    planType: PlanType.fixed,
    coin: 'USDT',
    apr: '0.05',
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
  const layout = termsLayout(assets);
  const initial = { ...EMPTY_PLAN, planType: String(PlanType.fixed), coin: 'USDT', boosted: true };
  const values = { ...initial, ...typedValues(layout(initial), termsOf(PLAN)) };

  test.each<[string, Partial<PlanValues>, object]>([
    ['of nothing', {}, {}],
    [
      'that removes a bound, the booster and the label',
      { poolCapacity: '', boosted: false, apr: '5.5', label: '' },
      { apr: '0.055', poolCapacity: null, booster: null, label: '' },
    ],
    ['of the lock time', { redeemLockHours: '48' }, { redeemLockHours: 48 }],
  ])('%s sends what differs', (_, change, body) => {
    const next = { ...values, ...change };
    const result = parseFields<PlanValues, object>(layout(next), next);
    expect(result.ok ? changesIn(finishTerms(result.body), PLAN) : result.faults).toEqual(body);
  });
});
