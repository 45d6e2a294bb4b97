// The terms of the plan that tests begin with: flexible, at a ten-thousandth a day, for everybody
// and without a bound on its pool.
import { PlanType } from '../../src/core/earn/plan.ts';

/** 3.65 % a year. */
export const RATE = 3_650_000;

export const FLEXIBLE_PLAN = {
  type: 'createPlan',
  planType: PlanType.flexible,
  minLockDay: 0,
  maxLockDay: 0,
  rewardFrequency: 1,
  autoCompound: false,
  minRate: RATE,
  maxRate: RATE,
  poolCapacity: null,
  redeemLockHours: 0,
  supportEarlyRedemption: true,
  supportAutoRenew: false,
  requiresKyc: false,
  label: '',
  booster: null,
  open: true,
} as const;
