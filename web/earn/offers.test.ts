// Filters and order of plans, totals by coin, and the bars of the interest chart.
import { describe, expect, test } from 'bun:test';
import {
  type ApplyPreview,
  type CurrentSubscription,
  type Plan,
  PlanType,
} from '../../src/sdk/index.ts';
import { totalsOf } from './holdings.tsx';
import { barsOf } from './interest.tsx';
import { type Choice, chosen, coinsOf, publicOffer, rhythmOf } from './offers.ts';

const plan = (planId: string, part: Partial<Plan>): Plan => ({
  ...{ planId, planName: `plan ${planId}`, planType: PlanType.flexible, coin: 'USDT', label: '' },
  ...{ apr: null, minApr: null, maxApr: null, lockDay: null, minLockDay: null, maxLockDay: null },
  ...{ userAmountMin: '1', userAmountMax: '100', applyId: null },
  ...{ supportEarlyRedemption: true, supportAutoRenew: false, ...part },
});
const offers = [
  plan('1', { apr: '0.04' }),
  plan('2', { apr: '0.015', coin: 'BTC' }),
  plan('3', { planType: PlanType.fixed, apr: '0.08', lockDay: 30 }),
  plan('5', {
    ...{ planType: PlanType.customized, minApr: '0.03', maxApr: '0.09' },
    ...{ minLockDay: 7, maxLockDay: 365 },
  }),
].map(publicOffer);

test.each<[Partial<Choice>, string[]]>([
  [{}, ['5', '3', '1', '2']],
  [{ order: 'term' }, ['1', '2', '5', '3']],
  [{ order: 'coin' }, ['2', '1', '3', '5']],
  [{ coin: 'BTC' }, ['2']],
  [{ type: String(PlanType.customized) }, ['5']],
])('the choice %p shows the plans %p', (choice, planIds) => {
  const shown = chosen(offers, { coin: '', type: 'all', order: 'rate', ...choice });
  expect(shown.map((offer) => offer.plan.planId)).toEqual(planIds);
});

test('the choices of coins are those of the plans', () => {
  expect(coinsOf(offers)).toEqual(['BTC', 'USDT']);
});

test('a customized plan shows the payout interval of its longest term', () => {
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

describe('the interest chart', () => {
  const entry = (date: number, earnedAmount: string) => ({ coin: 'USDT', date, earnedAmount });

  test('is oldest first, with exact totals', () => {
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

  test('the total has no forfeited interest', () => {
    const entries = [entry(3, '0.2'), entry(2, '0.1'), entry(1, '0.1')];
    const bars = barsOf(entries, { width: 300, height: 100 }, 2);
    expect(bars.map(({ isForfeited, running }) => [isForfeited, running])).toEqual([
      [false, '0.1'],
      [true, '0.1'],
      [true, '0.1'],
    ]);
    const all = barsOf(entries, { width: 300, height: 100 }, 1);
    expect(all.at(-1)).toMatchObject({ running: '0', lineY: 100 });
  });

  test('shows a day without interest', () => {
    const bars = barsOf([entry(1, '0')], { width: 300, height: 100 });
    expect(bars[0]).toMatchObject({ height: 0, lineY: 100 });
  });
});
