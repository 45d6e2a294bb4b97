// Closing a day for one subscription: interest, a due payout, the end of the term. Each day is
// closed once, in order: by the timers, or by an earlier command about the subscription.
import { assert } from '../assert.ts';
import { dayOf } from '../calendar.ts';
import { AccountCode } from '../ledger/account-code.ts';
import type { State } from '../state.ts';
import { type Amount, add, ZERO } from '../units.ts';
import { dayInterest } from './interest.ts';
import { payOut } from './payout.ts';
import { planOwner } from './plan.ts';
import { endDayOf, marginOn, rateOn, type Subscription } from './subscription.ts';
import { forgetIfDone, giveBack, isRenewable, renew } from './term.ts';

/** Closes every day of the subscription that is over. Returns whether it is still there. */
export function bringUpToDate(state: State, subscription: Subscription): boolean {
  const today = dayOf(state.time);
  while (subscription.nextDay < today) {
    if (!closeDay(state, subscription, subscription.nextDay)) return false;
  }
  return true;
}

/** Closes `day`, which must be the next. Returns whether the subscription is still there. */
export function closeDay(state: State, subscription: Subscription, day: number): boolean {
  assert(subscription.nextDay === day, 'each day of a subscription is closed once, in order');
  subscription.nextDay = day + 1;
  if (day >= subscription.startDay && subscription.principal > 0) {
    accrue(state, subscription, day);
  }
  const atEnd = endDayOf(subscription) === day + 1 && subscription.principal > 0;
  if (atEnd || subscription.overdueNo > 0 || isPayoutDay(subscription, day)) {
    payOut(state, subscription);
  }
  if (atEnd) endTerm(state, subscription, day + 1);
  subscription.basis = subscription.principal;
  if (forgetIfDone(state, subscription)) return false;
  state.earn.subscriptions.changed(subscription);
  return true;
}

function isPayoutDay({ startDay, plan }: Subscription, day: number): boolean {
  const days = day - startDay + 1;
  return days > 0 && days % plan.rewardFrequency === 0;
}

/** The day's interest for the owner, for the owner's booster, and for the enterprise. */
function accrue(state: State, subscription: Subscription, day: number): void {
  const { basis, carry, booster, share, plan } = subscription;
  const rate = rateOn(subscription, day);
  const own = dayInterest(basis, rate, carry);
  subscription.carry = own.carry;
  const boosterCarry = booster?.carry ?? 0;
  let boosterInterest: Amount = ZERO;
  if (booster !== null) {
    const boosted = dayInterest(basis, booster.rate, booster.carry);
    booster.carry = boosted.carry;
    boosterInterest = boosted.interest;
  }
  const earned = add(own.interest, boosterInterest);
  let expense = earned;
  if (share !== null) {
    const kept = dayInterest(basis, marginOn(subscription, day), share.carry);
    share.carry = kept.carry;
    share.accrued = add(share.accrued, kept.interest);
    share.earned = add(share.earned, kept.interest);
    expense = add(expense, kept.interest);
  }
  subscription.accrued = add(subscription.accrued, earned);
  subscription.earned = add(subscription.earned, earned);
  const { interestExpense, interestPayable } = AccountCode;
  const owner = planOwner(plan.planId);
  state.ledger.move(owner, plan.assetId, interestExpense, interestPayable, expense);
  if (!state.eventFilter.includesOwner(subscription.uid)) return;
  state.events.push({
    type: 'interestAccrued',
    applyId: subscription.applyId,
    uid: subscription.uid,
    assetId: plan.assetId,
    day,
    basis,
    rate,
    carry,
    interest: own.interest,
    boosterRate: subscription.boosterRate,
    boosterCarry,
    boosterInterest,
    transactTime: state.time,
  });
}

function endTerm(state: State, subscription: Subscription, day: number): void {
  if (subscription.autoRenew && isRenewable(state, subscription, day)) {
    renew(state, subscription, day);
  } else {
    giveBack(state, subscription);
  }
}
