// Subscriptions: a customer's principal in a plan, and what it has earned. Which part of the interest is earned, accrued
// and paid is kept here for each subscription; the ledger has the sums (accounts.ts).
import type { Amount } from '../units.ts';
import { type Plan, PlanType, type PlanVersion } from './plan.ts';

/** As the spec numbers them; `redeemed` is ours. */
export const SubscriptionStatus = {
  /** Held and earning. */
  processing: 0,
  /** Nothing earns any more; what is left is on its way to the owner. */
  redeeming: 1,
  /** A part is on its way, the rest earns. */
  partiallyRedeeming: 2,
  redeemed: 3,
} as const;
export type SubscriptionStatus = (typeof SubscriptionStatus)[keyof typeof SubscriptionStatus];

/** Mutable on purpose: only the functions of earn/ change one, through Subscriptions.change. */
export interface Subscription {
  /** Increasing over all plans, in order of creation; `applyId` and `subscriptionId` on the wire. */
  readonly applyId: number;
  readonly uid: number;
  readonly plan: Plan;
  /** The enterprise that its owner belonged to when the term began; 0: none. */
  enterpriseId: number;
  /** The terms that were promised for this term. */
  terms: PlanVersion;
  /** Annual rate of the owner, after the enterprise's margin, in 10^-8. Of a flexible one it follows the plan (flexibleRate). */
  rate: number;
  /** The annual rate that the enterprise keeps, in 10^-8. */
  margin: number;
  /** The extra rate for the locked booster, in 10^-8; 0 without one. */
  boosterRate: number;
  /** What is locked of terms.booster's coin; returned with the principal. */
  boosterAmount: Amount;
  /** What earns, or will from the next midnight on. */
  principal: Amount;
  /** What earns today: the least principal that was held since midnight. */
  basis: Amount;
  /** Days of the term; 0 for flexible. */
  lockDay: number;
  /** The first day that earns, and the first that has no interest entry yet. */
  startDay: number;
  nextDay: number;
  /** Fractions of a unit carried on, as numerators over DAY_DENOMINATOR. */
  carry: number;
  boosterCarry: number;
  marginCarry: number;
  /** Interest that is earned and not yet paid, with the booster's. */
  accrued: Amount;
  /** The enterprise's share of the same days. */
  marginAccrued: Amount;
  /** What of both is left from earlier terms: an early redemption gives up only what this term has earned. */
  owed: Amount;
  marginOwed: Amount;
  /** Interest of this term that was paid out: what an early redemption takes back. */
  paid: Amount;
  /** All interest of all terms, less what was forfeited. */
  earned: Amount;
  /** All that the enterprise's margin has come to. */
  marginEarned: Amount;
  /** Principal that has left and is not credited yet. */
  redeeming: Amount;
  autoRenew: boolean;
  /** Its place in the queue of plan.overdue, in order; 0: nothing is overdue. */
  overdueNo: number;
  /** When it was created, business time, ms. */
  readonly createTime: number;
  /** What the state hash has of it. */
  hashA: number;
  hashB: number;
  /** The owner's neighbours, in order of creation. */
  older: Subscription | null;
  newer: Subscription | null;
}

export const isFlexible = ({ plan }: { readonly plan: Plan }): boolean =>
  plan.planType === PlanType.flexible;

/** The day after the last that earns; null for flexible. */
export const endDayOf = ({ startDay, lockDay }: Subscription): number | null =>
  lockDay === 0 ? null : startDay + lockDay;

export function statusOf({ principal, redeeming }: Subscription): SubscriptionStatus {
  if (principal === 0) return SubscriptionStatus.redeeming;
  return redeeming === 0 ? SubscriptionStatus.processing : SubscriptionStatus.partiallyRedeeming;
}

/** Principal on its way from a plan to its owner. */
export interface Redemption {
  /** Increasing, in order of request. */
  readonly redemptionId: number;
  readonly applyId: number;
  /** What was asked for. */
  readonly amount: Amount;
  /** What of it is taken back for interest that had been paid. */
  readonly forfeited: Amount;
  /** The booster that comes back with it. */
  readonly boosterAmount: Amount;
  readonly createTime: number;
  readonly redeemLockHours: number;
  /** When it is credited, business time, ms. */
  readonly dueTime: number;
}
