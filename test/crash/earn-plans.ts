// The plans of the earn rounds, and what they promise: rates and interest recomputed with plain
// bigints, from the rules alone.
import type { OperatorClient } from './operator-client.ts';

/** Annual rates are in 10^-8; the year has 365 days. */
const DENOMINATOR = 365n * 100_000_000n;

interface Offer {
  readonly planType: 1 | 2 | 3;
  readonly minLockDay: number;
  readonly maxLockDay: number;
  /** In 10^-8. */
  readonly minRate: bigint;
  readonly maxRate: bigint;
  readonly rewardFrequency: number;
  readonly redeemLockHours: number;
}

export interface EarnPlan extends Offer {
  readonly planId: string;
}

export interface EarnPlans {
  readonly flexible: EarnPlan;
  readonly fixed: EarnPlan;
  readonly customized: EarnPlan;
}

/** Compounds every day. */
const FLEXIBLE: Offer = {
  planType: 1,
  minLockDay: 0,
  maxLockDay: 0,
  minRate: 7_310_000n,
  maxRate: 7_310_000n,
  rewardFrequency: 1,
  redeemLockHours: 12,
};

/** Begins again when it ends; the last payout of a term is no third day. */
const FIXED: Offer = {
  planType: 2,
  minLockDay: 10,
  maxLockDay: 10,
  minRate: 6_370_000n,
  maxRate: 6_370_000n,
  rewardFrequency: 3,
  redeemLockHours: 24,
};

/** Gives the principal back at the end, or immediately when it is redeemed before. */
const CUSTOMIZED: Offer = {
  planType: 3,
  minLockDay: 5,
  maxLockDay: 60,
  minRate: 3_110_000n,
  maxRate: 9_130_000n,
  rewardFrequency: 7,
  redeemLockHours: 0,
};

export async function offerPlans(operator: OperatorClient): Promise<EarnPlans> {
  const flexible = { planType: 1, apr: 0.0731, autoCompound: true };
  const fixed = { planType: 2, apr: 0.0637, lockDay: 10, supportAutoRenew: true };
  const customized = { planType: 3, minApr: 0.0311, maxApr: 0.0913, minLockDay: 5, maxLockDay: 60 };
  return {
    flexible: await offer(operator, FLEXIBLE, flexible),
    fixed: await offer(operator, FIXED, fixed),
    customized: await offer(operator, CUSTOMIZED, customized),
  };
}

async function offer(operator: OperatorClient, kind: Offer, terms: object): Promise<EarnPlan> {
  const { rewardFrequency, redeemLockHours } = kind;
  const { planId } = (await operator.post('plans', {
    planName: `Crash ${kind.planType}`,
    coin: 'USDT',
    userAmountMin: '0.00000001',
    userAmountMax: '1000000000',
    supportEarlyRedemption: true,
    rewardFrequency,
    redeemLockHours,
    ...terms,
  })) as { planId: string };
  const reserve = { amount: '1000000000', reference: `reserve-${planId}` };
  await operator.post(`plans/${planId}/reserve`, reserve);
  return { ...kind, planId };
}

/** The annual rate of a term: linear from the shortest to the longest, truncated to 8 decimals. */
export function rateOf(plan: EarnPlan, lockDay: number): bigint {
  const { minRate, maxRate, minLockDay, maxLockDay } = plan;
  if (minLockDay === maxLockDay) return minRate;
  const rise = (maxRate - minRate) * BigInt(lockDay - minLockDay);
  return minRate + rise / BigInt(maxLockDay - minLockDay);
}

/** The interest of a principal after some days of a term: exact, truncated once. */
export const interestAfter = (principal: bigint, rate: bigint, days: number): bigint =>
  (principal * rate * BigInt(days)) / DENOMINATOR;
