// Terms: how a new one begins, what its end gives back, and when a subscription has nothing left.
import { AccountCode } from '../ledger/account-code.ts';
import type { State } from '../state.ts';
import { type Amount, amount, powerOfTen, RATE_ONE, ZERO } from '../units.ts';
import { endRefundable } from './enterprise.ts';
import { currentTerms, type Plan, PlanType, type PlanVersion, rateFor, termsOn } from './plan.ts';
import { emitMovement, emitSubscription } from './report.ts';
import type { EnterpriseShare, Subscription } from './subscription.ts';

/** The enterprise's share in a term that begins now. A term's margin is at most its rate. */
export function shareOf(
  state: State,
  uid: number,
  plan: Plan,
  planRate: number,
): EnterpriseShare | null {
  const enterprise = state.earn.enterprises[state.users[uid]?.enterpriseId ?? 0];
  if (enterprise === undefined) return null;
  const agreed = enterprise.margins.get(plan.planId) ?? 0;
  const margin = plan.planType === PlanType.flexible ? agreed : Math.min(agreed, planRate);
  const { enterpriseId } = enterprise;
  return { enterpriseId, margin, carry: 0, accrued: ZERO, owed: ZERO, paid: ZERO, earned: ZERO };
}

/** The owner's rate, of what the plan pays. */
export const ownRate = (planRate: number, share: EnterpriseShare | null): number =>
  Math.max(0, planRate - (share?.margin ?? 0));

/** ⌈principal × ratio⌉ in units of the booster's coin; 0 without a booster. */
export function boosterRequired(
  state: State,
  plan: Plan,
  { booster }: PlanVersion,
  principal: Amount,
): Amount {
  if (booster === null) return ZERO;
  const scale = (assetId: number): bigint => BigInt(powerOfTen(state.assets[assetId]!.scale));
  const numerator = BigInt(principal) * BigInt(booster.ratio) * scale(booster.assetId);
  const denominator = BigInt(RATE_ONE) * scale(plan.assetId);
  return amount((numerator + denominator - 1n) / denominator);
}

/** True if the plan's terms on `day` would accept the same principal for the same term again. */
export function isRenewable(state: State, subscription: Subscription, day: number): boolean {
  const { plan, boosterAmount, principal, uid } = subscription;
  const terms = termsOn(plan, day);
  const user = state.users[uid]!;
  if (!terms.open || !terms.supportAutoRenew) return false;
  if (user.suspended || (terms.requiresKyc && !user.kyc)) return false;
  if (!isWorthRenewing(state, subscription, terms)) return false;
  if (state.earn.subscriptions.principalOf(uid, plan) > terms.userAmountMax) return false;
  if (terms.poolCapacity !== null && plan.pool > terms.poolCapacity) return false;
  if (boosterAmount === 0) return true;
  const same = terms.booster?.assetId === subscription.terms.booster!.assetId;
  return same && boosterAmount >= boosterRequired(state, plan, terms, principal);
}

/** No term renews without interest, or under a margin above the agreed one. */
function isWorthRenewing(state: State, subscription: Subscription, terms: PlanVersion): boolean {
  const { plan, lockDay } = subscription;
  const planRate = rateFor(plan, terms, lockDay);
  const share = shareAfter(state, subscription, planRate);
  if (ownRate(planRate, share) === 0) return false;
  return isAgreed(subscription, share);
}

const isAgreed = ({ consent, margin }: Subscription, share: EnterpriseShare | null): boolean =>
  (share?.margin ?? 0) <= (consent ?? margin);

export interface Renewal {
  /** The owner's annual rate of the next term, in 10^-8. */
  readonly rate: number;
  /** True if the owner has to agree to a higher margin; without it the term ends. */
  readonly consentNeeded: boolean;
}

/** The renewal at current terms; null where the owner requests none. */
export function renewalOf(state: State, subscription: Subscription): Renewal | null {
  const { plan, lockDay, autoRenew, principal } = subscription;
  if (!autoRenew || principal === 0) return null;
  const planRate = rateFor(plan, currentTerms(plan), lockDay);
  const share = shareAfter(state, subscription, planRate);
  return { rate: ownRate(planRate, share), consentNeeded: !isAgreed(subscription, share) };
}

/** The margin that switching auto-renew on accepts; null where the running term's is no less. */
export function consentNow(state: State, { uid, plan, margin }: Subscription): number | null {
  const enterprise = state.earn.enterprises[state.users[uid]!.enterpriseId];
  const now = enterprise?.margins.get(plan.planId) ?? 0;
  return now > margin ? now : null;
}

/** Begins the next term on `day` with the same principal, at that day's rates. */
export function renew(state: State, subscription: Subscription, day: number): void {
  const { subscriptions } = state.earn;
  const { plan, principal, lockDay, booster } = subscription;
  const terms = termsOn(plan, day);
  endRefundable(state.earn.enterprises, subscription);
  subscriptions.setPrincipal(subscription, ZERO);
  subscription.terms = terms;
  const planRate = rateFor(plan, terms, lockDay);
  subscription.share = shareAfter(state, subscription, planRate);
  subscription.consent = null;
  subscription.rate = ownRate(planRate, subscription.share);
  if (booster !== null) {
    subscription.booster = { rate: terms.booster!.rate, amount: booster.amount, carry: 0 };
  }
  subscription.startDay = day;
  subscription.carry = 0;
  subscription.paid = ZERO;
  subscription.owed = subscription.accrued;
  subscriptions.setPrincipal(subscription, principal);
  emitSubscription(state, subscription);
}

const shareAfter = (
  state: State,
  { share, uid, plan }: Subscription,
  planRate: number,
): EnterpriseShare | null => nextShare(share, shareOf(state, uid, plan, planRate));

/** A subscription stays with an enterprise while it owes that enterprise interest. */
function nextShare(
  before: EnterpriseShare | null,
  now: EnterpriseShare | null,
): EnterpriseShare | null {
  const isSame = before?.enterpriseId === now?.enterpriseId;
  if (before === null || (!isSame && before.accrued === 0)) return now;
  const { enterpriseId, accrued, earned } = before;
  const margin = isSame ? now!.margin : 0;
  return { enterpriseId, margin, carry: 0, accrued, owed: accrued, paid: ZERO, earned };
}

export function giveBack(state: State, subscription: Subscription): void {
  const { plan, uid, principal } = subscription;
  const { ledger } = state;
  endRefundable(state.earn.enterprises, subscription);
  ledger.move(uid, plan.assetId, AccountCode.earn, AccountCode.available, principal);
  state.earn.subscriptions.setPrincipal(subscription, ZERO);
  emitMovement(state, subscription, 'redemption', plan.assetId, principal);
  returnBooster(state, subscription, subscription.boosterAmount);
  emitSubscription(state, subscription);
}

/** Unlocks booster coins; nothing for zero. */
export function returnBooster(state: State, subscription: Subscription, money: Amount): void {
  if (money === 0) return;
  const { uid, terms } = subscription;
  const { assetId } = terms.booster!;
  const { ledger } = state;
  ledger.move(uid, assetId, AccountCode.booster, AccountCode.available, money);
  subscription.booster = null;
  emitMovement(state, subscription, 'boosterReturn', assetId, money);
}

/** Forgets a subscription of which nothing is left, not even a debt. Returns whether it did. */
export function forgetIfDone(state: State, subscription: Subscription): boolean {
  const { principal, redemptions, accrued, marginAccrued } = subscription;
  // A redemption may be on its way with nothing in it: all of it forfeited.
  if (principal !== 0 || redemptions > 0 || accrued !== 0 || marginAccrued !== 0) return false;
  state.earn.subscriptions.remove(subscription);
  emitSubscription(state, subscription, true);
  return true;
}
