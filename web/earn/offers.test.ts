// Filters and order of plans, and totals by coin.
import { describe, expect, test } from 'bun:test';
import {
  type ApplyPreview,
  type CurrentSubscription,
  type Plan,
  PlanType,
} from '../../src/sdk/index.ts';
import { chosen, coinsOf, publicOffer, rhythmOf } from './offers.ts';
import { barsOf } from './series.ts';
import { totalsOf } from './totals.ts';

const plan = (planId: string, part: Partial<Plan>): Plan => ({
  planId,
  planName: `plan ${planId}`,
  planType: PlanType.flexible,
  coin: 'USDT',
  label: '',
  apr: null,
  minApr: null,
  maxApr: null,
  lockDay: null,
  minLockDay: null,
  maxLockDay: null,
  userAmountMin: '1',
  userAmountMax: '100',
  supportEarlyRedemption: true,
  supportAutoRenew: false,
  applyId: null,
  ...part,
});
const offers = [
  plan('1', { apr: '0.04' }),
  plan('2', { apr: '0.015', coin: 'BTC' }),
  plan('3', { planType: PlanType.fixed, apr: '0.08', lockDay: 30 }),
  plan('5', {
    planType: PlanType.customized,
    minApr: '0.03',
    maxApr: '0.09',
    minLockDay: 7,
    maxLockDay: 365,
  }),
].map(publicOffer);
const all = { coin: null, type: null, order: 'rate' } as const;
const ids = (choice: Parameters<typeof chosen>[1]) =>
  chosen(offers, choice).map((offer) => offer.plan.planId);

describe('the choice', () => {
  test('sorts by the highest rate, the shortest term, the coin', () => {
    expect(ids(all)).toEqual(['5', '3', '1', '2']);
    expect(ids({ ...all, order: 'term' })).toEqual(['1', '2', '5', '3']);
    expect(ids({ ...all, order: 'coin' })).toEqual(['2', '1', '3', '5']);
  });

  test('keeps one coin, or one kind', () => {
    expect(ids({ ...all, coin: 'BTC' })).toEqual(['2']);
    expect(ids({ ...all, type: PlanType.customized })).toEqual(['5']);
    expect(coinsOf(offers)).toEqual(['BTC', 'USDT']);
  });
});

test('the rhythm of a plan with a choice of terms is that of its longest', () => {
  const weekly = offers[3]!;
  const terms = { rewardFrequency: 7, lockDay: 7 } as ApplyPreview;
  expect(rhythmOf({ ...weekly, terms })).toBe('every 7 days');
  expect(rhythmOf(weekly)).toBeNull();
});

test('totals are by coin', () => {
  const held = (coin: string, amount: string, totalEarnedAmount: string) =>
    ({ coin, amount, totalEarnedAmount }) as CurrentSubscription;
  const list = [
    held('USDT', '1000.1', '0.2'),
    held('BTC', '1', '0'),
    held('USDT', '0.00000001', '0.1'),
  ];
  expect(totalsOf(list)).toEqual([
    { coin: 'BTC', amount: '1', earned: '0', count: 1 },
    { coin: 'USDT', amount: '1000.10000001', earned: '0.3', count: 2 },
  ]);
});

describe('the picture of interest', () => {
  const entry = (date: number, earnedAmount: string) => ({ coin: 'USDT', date, earnedAmount });

  test('is oldest first and adds up exactly', () => {
    const bars = barsOf([entry(3, '0.2'), entry(2, '0.1'), entry(1, '0.1')], {
      width: 300,
      height: 100,
    });
    expect(bars.map(({ date, running }) => [date, running])).toEqual([
      [1, '0.1'],
      [2, '0.2'],
      [3, '0.4'],
    ]);
    expect(bars[2]!.height).toBeCloseTo(60);
    expect(bars[0]!.height).toBeCloseTo(30);
    expect(bars[2]!.lineY).toBeCloseTo(0);
  });

  test('what an early end took back is no part of the total', () => {
    const entries = [entry(3, '0.2'), entry(2, '0.1'), entry(1, '0.1')];
    const bars = barsOf(entries, { width: 300, height: 100 }, 2);
    expect(bars.map(({ isGivenUp, running }) => [isGivenUp, running])).toEqual([
      [false, '0.1'],
      [true, '0.1'],
      [true, '0.1'],
    ]);
    const all = barsOf(entries, { width: 300, height: 100 }, 1);
    expect(all.at(-1)).toMatchObject({ running: '0', lineY: 100 });
  });

  test('survives days that earned nothing', () => {
    const bars = barsOf([entry(1, '0')], { width: 300, height: 100 });
    expect(bars[0]).toMatchObject({ height: 0, lineY: 100 });
  });
});
