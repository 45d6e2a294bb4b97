// The timeline of each kind of subscription.
import { describe, expect, test } from 'bun:test';
import type { ApplyPreview } from '../../src/sdk/index.ts';
import { momentsOf } from './timeline.ts';

const fixed = {
  ...{ coin: 'USDT', lockDay: 30, rewardFrequency: 7, appliedAmount: null, redeemLockHours: 0 },
  ...{ startDate: Date.UTC(2026, 10, 22), endDate: Date.UTC(2026, 11, 22) },
  boosterInfo: { apy: '0.01', boosterAmount: '500', coin: 'MMX', interestAmount: '0.8' },
} as ApplyPreview;
const terms = { lockDay: null, endDate: null, boosterInfo: null, rewardFrequency: 1 };
const flexible = { ...fixed, ...terms };
const plain = { autoRenew: false, withBooster: false, compounds: false };
const when = (preview: ApplyPreview, choices = plain) =>
  momentsOf(preview, choices).map((moment) => moment.when);

describe('moments', () => {
  test('of a term: now, first day, first payout, end', () => {
    expect(when(fixed)).toEqual(['Now', '2026-11-22', '2026-11-29', '2026-12-22']);
  });

  test('of a term that is shorter than the interval: one payout, at the end', () => {
    expect(when({ ...fixed, rewardFrequency: 30 })).toEqual(['Now', '2026-11-22', '2026-12-22']);
  });

  test('of a flexible plan: no end', () => {
    expect(when(flexible)).toEqual(['Now', '2026-11-22', '2026-11-23', 'Any time']);
  });

  test('of an addition to a subscription', () => {
    const moments = momentsOf({ ...flexible, appliedAmount: '5' }, plain);
    expect(moments[0]!.what).toContain('joins your subscription');
    const days = moments.map((moment) => moment.when);
    expect(days).toEqual(['Now', '2026-11-22', 'Every day', 'Any time']);
  });

  test('claim that interest is paid only if that is known', () => {
    const what = (compounds: boolean | null) =>
      momentsOf({ ...flexible, appliedAmount: '5' }, { ...plain, compounds })[2]!.what;
    expect(what(null)).toBe('Interest is credited.');
    expect(what(true)).toBe('Interest is added to the amount.');
    expect(what(false)).toBe('Interest is paid.');
  });

  test('name the lock time of a redemption', () => {
    const last = (redeemLockHours: number) =>
      momentsOf({ ...flexible, redeemLockHours }, plain).at(-1)!.what;
    expect(last(24)).toContain('24 hours after the request');
    expect(last(0)).not.toContain('hour');
  });

  test('name the booster only if it is chosen', () => {
    const [now] = momentsOf(fixed, { ...plain, withBooster: true });
    expect(now!.what).toContain('500 MMX is locked');
    expect(momentsOf(fixed, plain)[0]!.what).not.toContain('MMX');
  });

  test('of a term that renews: another term', () => {
    expect(momentsOf(fixed, { ...plain, autoRenew: true }).at(-1)!.what).toContain(
      'a new term of 30 days',
    );
  });
});
