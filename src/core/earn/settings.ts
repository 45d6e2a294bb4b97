// Settings of a customer: auto-renew of a term, and an enterprise admin's margin of a plan.
import { dayOf } from '../calendar.ts';
import type { SetAutoRenew, SetMargin } from '../command.ts';
import { accepted, type OutcomeOf, rejected, rejectedAs } from '../outcome.ts';
import { type Measure, type Reject, rejection } from '../reject.ts';
import type { State } from '../state.ts';
import { DAY, SWITCH } from '../work.ts';
import { bringUpToDate, closeDay } from './day-close.ts';
import type { Enterprise } from './enterprise.ts';
import { currentTerms } from './plan.ts';
import { findOwn } from './redeem.ts';
import { emitSubscription } from './report.ts';
import { isFlexible, type Subscription } from './subscription.ts';
import { consentNow } from './term.ts';

/**
 * Closes the days that are over of all subscriptions that a command means, one turn of them: after
 * days without service there may be a hundred thousand. True if that was all.
 */
export function closeDaysOf(state: State, { uid, applyId }: SetAutoRenew): boolean {
  if (applyId !== 0) return true;
  const { work } = state;
  work.turn(() => closeSome(state, uid));
  const today = dayOf(state.time);
  return (
    work.left > 0 && state.earn.subscriptions.ofUser(uid).every((each) => each.nextDay >= today)
  );
}

/** Nobody pays for a day that the timers would close. */
function closeSome(state: State, uid: number): void {
  const { work } = state;
  const today = dayOf(state.time);
  for (const each of [...state.earn.subscriptions.ofUser(uid)]) {
    let isHeld = true;
    while (isHeld && each.nextDay < today && work.left > 0) {
      isHeld = closeDay(state, each, each.nextDay);
      work.left -= DAY;
      work.exempt += DAY;
    }
  }
}

/**
 * Switches auto-renew of one subscription, or of all of the user's terms that support it, whose
 * days are closed then.
 */
export function setAutoRenew(state: State, command: SetAutoRenew): OutcomeOf<'setAutoRenew'> {
  const { uid, applyId, autoRenew } = command;
  if (state.users[uid] === undefined) return rejectedAs('userUnknown');
  if (applyId === 0) {
    const own = [...state.earn.subscriptions.ofUser(uid)];
    const meant = own.filter((each) => renewFault(each, autoRenew) === null);
    for (const each of meant) switchTo(state, each, autoRenew);
    return accepted({ subscriptions: meant.length });
  }
  const found = findOwn(state, uid, applyId);
  if ('name' in found) return rejected(found);
  if (!bringUpToDate(state, found)) return rejectedAs('planUnknown', 'applyId');
  const fault = renewFault(found, autoRenew);
  if (fault !== null) return rejected(fault);
  switchTo(state, found, autoRenew);
  return accepted({ subscriptions: 1 });
}

function renewFault(subscription: Subscription, autoRenew: boolean): Reject | null {
  // A redeemed principal has no end of term.
  if (autoRenew && subscription.principal === 0) {
    return rejection('earnParameter', 'applyId', 'held');
  }
  if (isFlexible(subscription)) return rejection('earnParameter', 'applyId', 'term');
  const fits = !autoRenew || subscription.terms.supportAutoRenew;
  return fits ? null : rejection('earnParameter', 'autoRenew', 'supported');
}

/** Switching it on again accepts the present margin. */
function switchTo(state: State, subscription: Subscription, autoRenew: boolean): void {
  const consent = autoRenew ? consentNow(state, subscription) : null;
  if (subscription.autoRenew === autoRenew && subscription.consent === consent) return;
  state.work.left -= SWITCH;
  subscription.autoRenew = autoRenew;
  subscription.consent = consent;
  state.earn.subscriptions.changed(subscription);
  emitSubscription(state, subscription);
}

/** Sets the margin of a plan for subscriptions and terms that begin later. */
export function setMargin(state: State, command: SetMargin): OutcomeOf<'setMargin'> {
  const reject = checkMargin(state, command);
  if (reject !== null) return rejected(reject);

  // Cannot be rejected beyond this point.
  const { planId, margin } = command;
  const { margins } = administeredBy(state, command.uid)!;
  if (margin === 0) margins.delete(planId);
  else margins.set(planId, margin);
  return accepted({ planId });
}

export function checkMargin(state: State, { uid, planId, margin }: SetMargin): Reject | null {
  if (administeredBy(state, uid) === undefined) return rejection('notEnterpriseAdmin');
  const plan = state.earn.plans[planId];
  if (plan === undefined) return rejection('planUnknown', 'planId');
  const { minRate, maxRate } = currentTerms(plan);
  const most = Math.min(minRate, maxRate);
  if (Number.isSafeInteger(margin) && margin >= 0 && margin <= most) return null;
  const limit: Measure = { unit: 'rate', n: most };
  return rejection('earnParameter', 'margin', 'margin', { limit, nearest: limit });
}

/** The enterprise that a user administers. */
function administeredBy({ users, earn }: State, uid: number): Enterprise | undefined {
  const user = users[uid];
  return user?.enterpriseAdmin ? earn.enterprises[user.enterpriseId] : undefined;
}
