// The timeline of each kind of subscription.
import { describe, expect, test } from 'bun:test';
import { type ApplyPreview, PlanType } from '../../src/sdk/index.ts';
import { momentsOf } from './timeline.ts';

const fixed: ApplyPreview = {
  planId: '2',
  planType: PlanType.fixed,
  coin: 'USDT',
  amount: '1000',
  apr: '0.06',
  apy: '0.06',
  totalApr: '0.07',
  totalApy: '0.07',
  lockDay: 30,
  interestAmount: '4.9',
  totalInterestAmount: '5.7',
  rewardFrequency: 7,
  appliedAmount: null,
  userAmountMin: '10',
  userAmountMax: '1000',
  startDate: Date.UTC(2026, 10, 22),
  endDate: Date.UTC(2026, 11, 22),
  boosterInfo: { apy: '0.01', boosterAmount: '500', coin: 'MMX', interestAmount: '0.8' },
  supportAutoRenew: true,
  redeemLockHours: 0,
  autoCompound: false,
  requiresKyc: false,
};
const flexible = {
  ...fixed,
  lockDay: null,
  endDate: null,
  boosterInfo: null,
  rewardFrequency: 1,
};
const plain = { autoRenew: false, withBooster: false, compounds: false };
const when = (preview: ApplyPreview, choices = plain) =>
  momentsOf(preview, choices).map((moment) => moment.when);

describe('moments', () => {
  test('of a term: now, first day, first payout, end', () => {
    expect(when(fixed)).toEqual(['Now', '2026-11-22', '2026-11-29', '2026-12-22']);
  });

  test('of a term that is shorter than the rhythm there is one payout, with the end', () => {
    expect(when({ ...fixed, rewardFrequency: 30 })).toEqual(['Now', '2026-11-22', '2026-12-22']);
  });

  test('of a flexible plan have no end', () => {
    expect(when(flexible)).toEqual(['Now', '2026-11-22', '2026-11-23', 'Any time']);
  });

  test('what is added is paid with the rest', () => {
    const moments = momentsOf({ ...flexible, appliedAmount: '5' }, plain);
    expect(moments[0]!.what).toContain('joins your subscription');
    expect(moments.map((moment) => moment.when)).toEqual([
      'Now',
      '2026-11-22',
      'Every day',
      'Any time',
    ]);
  });

  test('what comes of a flexible plan is only said to be paid where that is known', () => {
    const what = (compounds: boolean | null) =>
      momentsOf({ ...flexible, appliedAmount: '5' }, { ...plain, compounds })[2]!.what;
    expect(what(null)).toBe('Interest is credited.');
    expect(what(true)).toBe('Interest is added to the amount.');
    expect(what(false)).toBe('Interest is paid.');
  });

  test('a wait after a redemption is told before', () => {
    const last = (redeemLockHours: number) =>
      momentsOf({ ...flexible, redeemLockHours }, plain).at(-1)!.what;
    expect(last(24)).toContain('24 hours after the request');
    expect(last(0)).not.toContain('hour');
  });

  test('the booster is named only where it is chosen', () => {
    const [now] = momentsOf(fixed, { ...plain, withBooster: true });
    expect(now!.what).toContain('500 MMX is locked');
    expect(momentsOf(fixed, plain)[0]!.what).not.toContain('MMX');
  });

  test('a term that renews begins anew', () => {
    expect(momentsOf(fixed, { ...plain, autoRenew: true }).at(-1)!.what).toContain(
      'a new term of 30 days',
    );
  });
});
