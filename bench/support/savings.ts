// The measured subscriptions: plans of every type with ample reserves, and ten subscriptions for
// each of many customers. Amounts have realistic sizes, and a few are beyond 2^53 units.
import type { Command, CreatePlan, SubscribePlan } from '../../src/core/command.ts';
import type { PlanTerms } from '../../src/core/earn/plan.ts';
import { amount } from '../../src/core/units.ts';

/** Subscriptions of one customer. */
export const EACH = 10;
const USDT = 1;

const TERMS: PlanTerms = {
  planName: 'Bench',
  minRate: 5_000_000,
  maxRate: 5_000_000,
  userAmountMin: amount(1),
  userAmountMax: amount(10n ** 18n),
  poolCapacity: null,
  redeemLockHours: 24,
  supportEarlyRedemption: true,
  supportAutoRenew: true,
  requiresKyc: false,
  label: '',
  booster: null,
  open: true,
};

interface Kind {
  readonly planType: 1 | 2 | 3;
  readonly lockDays: readonly [number, number];
  readonly rewardFrequency: number;
  readonly autoCompound: boolean;
}

/**
 * A third of the subscriptions is paid every day, a third compounds every day, a third is paid at
 * the end of its month.
 */
const KINDS: readonly Kind[] = [
  { planType: 1, lockDays: [0, 0], rewardFrequency: 1, autoCompound: true },
  { planType: 2, lockDays: [365, 365], rewardFrequency: 1, autoCompound: false },
  { planType: 3, lockDays: [30, 730], rewardFrequency: 30, autoCompound: false },
];

const planOf = (kind: Kind): CreatePlan => ({
  type: 'createPlan',
  planType: kind.planType,
  assetId: USDT,
  minLockDay: kind.lockDays[0],
  maxLockDay: kind.lockDays[1],
  rewardFrequency: kind.rewardFrequency,
  autoCompound: kind.autoCompound,
  ...TERMS,
  maxRate: kind.planType === 3 ? 9_000_000 : TERMS.maxRate,
  supportAutoRenew: kind.planType !== 1,
});

/**
 * One flexible plan for each subscription that a customer can have of one, since a second would add
 * to the first.
 */
const PLANS: readonly Kind[] = Array.from({ length: EACH }, (_, i) => KINDS[i % KINDS.length]);

/** Opens the plans and funds their reserves. */
export const PLAN_COMMANDS: readonly Command[] = PLANS.flatMap((kind, i): Command[] => [
  planOf(kind),
  {
    type: 'fundReserve',
    planId: i + 1,
    amount: amount(10n ** 20n),
    reference: `bench-reserve-${i}`,
  },
]);

/** The subscription number `number` (from 0), of the customer `uid`. */
export function subscribeCommand(uid: number, number: number): SubscribePlan {
  const plan = number % EACH;
  return {
    type: 'subscribePlan',
    uid,
    signature: null,
    idempotency: null,
    planId: plan + 1,
    // 100 to 1,100 USDT.
    amount: amount(10_000_000_000 + ((number * 7_919_777) % 100_000_000_000)),
    lockDay: PLANS[plan].planType === 3 ? 365 : 0,
    autoRenew: PLANS[plan].planType !== 1,
    boosterAmount: null,
    applyId: 0,
  };
}
