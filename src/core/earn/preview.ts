// Previews of interest and redemptions, by the rules of the real commands.
import { accepted, type Outcome, rejected, rejectedAs } from '../outcome.ts';
import type { State } from '../state.ts';
import { type Amount, add, subtract, ZERO } from '../units.ts';
import { termInterest } from './interest.ts';
import { currentTerms, type Plan, PlanType, type PlanVersion, rateFor } from './plan.ts';
import { checkRedeem, collects, findOwn, forfeitedOf } from './redeem.ts';
import { checkDays, lockDayFault } from './subscribe.ts';
import { isFlexible, type Subscription } from './subscription.ts';
import { boosterRequired, ownRate, shareOf } from './term.ts';

export interface ApplyPreview {
  readonly plan: Plan;
  readonly terms: PlanVersion;
  readonly amount: Amount;
  /** Days; 0 for flexible. */
  readonly lockDay: number;
  /** Annual rates in 10^-8: the user's after the margin, and the booster's. */
  readonly rate: number;
  readonly boosterRate: number;
  /** For the whole term; of a flexible plan, of one reward period. */
  readonly interest: Amount;
  readonly boosterInterest: Amount;
  /** In units of the booster's coin; 0 without a booster. */
  readonly boosterRequired: Amount;
  /** The user's present principal in a flexible plan; null when nothing, or of another kind. */
  readonly appliedAmount: Amount | null;
}

/** `lockDay` 0: the caller sent none. */
export function previewApply(
  state: State,
  uid: number,
  planId: number,
  amount: Amount,
  lockDay: number,
): Outcome<ApplyPreview> {
  const plan = state.earn.plans[planId];
  if (plan === undefined || !currentTerms(plan).open) {
    return rejectedAs('planUnknown', 'planId');
  }
  const terms = currentTerms(plan);
  const days = lockDay === 0 ? plan.minLockDay : lockDay;
  const reject =
    plan.planType === PlanType.customized
      ? checkDays(plan, { lockDay: days })
      : lockDayFault(plan, lockDay);
  if (reject !== null) return rejected(reject);
  const held = state.earn.subscriptions.held(uid, plan);
  const rate = offeredRate(state, uid, plan, rateFor(plan, terms, days));
  const boosterRate = terms.booster?.rate ?? 0;
  const earning = days === 0 ? plan.rewardFrequency : days;
  return accepted({
    plan,
    terms,
    amount,
    lockDay: days,
    rate,
    boosterRate,
    interest: termInterest(amount, rate, earning),
    boosterInterest: termInterest(amount, boosterRate, earning),
    boosterRequired: boosterRequired(state, plan, terms, amount),
    appliedAmount: held?.principal ?? null,
  });
}

/**
 * The part of a plan's rate that a user earns. Funds added to a flexible subscription earn at its
 * rate.
 */
export function offeredRate(state: State, uid: number, plan: Plan, planRate: number): number {
  const held = state.earn.subscriptions.held(uid, plan);
  return ownRate(planRate, held?.share ?? shareOf(state, uid, plan, planRate));
}

export interface RedeemPreview {
  readonly subscription: Subscription;
  readonly earned: Amount;
  /** The interest that an early redemption forfeits, paid and unpaid; null for flexible. */
  readonly forfeited: Amount | null;
  readonly boosterAssetId: number | null;
  readonly boosterAmount: Amount | null;
  readonly redeemLockHours: number;
}

/** `amount` null: all. */
export function previewRedeem(
  state: State,
  uid: number,
  applyId: number,
  amount: Amount | null,
): Outcome<RedeemPreview> {
  const subscription = findOwn(state, uid, applyId);
  if ('name' in subscription) return rejected(subscription);
  const { plan, principal, earned, accrued, owed, boosterAmount, terms } = subscription;
  const reject = collects(subscription) ? null : checkRedeem(subscription, amount ?? principal);
  if (reject !== null) return rejected(reject);
  const flexible = isFlexible(subscription);
  const given = principal === 0 ? ZERO : add(subtract(accrued, owed), forfeitedOf(subscription));
  const boosted = boosterAmount > 0;
  return accepted({
    subscription,
    earned,
    forfeited: flexible ? null : given,
    boosterAssetId: boosted ? terms.booster!.assetId : null,
    boosterAmount: boosted ? boosterAmount : null,
    redeemLockHours: (flexible ? currentTerms(plan) : terms).redeemLockHours,
  });
}
