// Time in earn: closes days, credits redemptions and pays overdue interest, a slice at a time, so
// that orders come in between.
import type { State } from '../state.ts';
import { closeDay } from './day-close.ts';
import { payOut } from './payout.ts';
import { creditRedemption } from './redeem.ts';
import type { Subscription } from './subscription.ts';
import { forgetIfDone } from './term.ts';

/** Subscriptions and redemptions per command: a fraction of a millisecond of work. */
export const EARN_SLICE = 250;

/** Does up to a slice of what is due, in order of time. */
export function runEarnTimers(state: State): void {
  const { earn, time } = state;
  for (let budget = EARN_SLICE; budget > 0; budget--) {
    const redemptionDue = earn.redemptions.first?.dueTime ?? Number.POSITIVE_INFINITY;
    const { dayEnds } = earn;
    if (Math.min(redemptionDue, dayEnds) > time) {
      if (!payNextOverdue(state)) return;
    } else if (redemptionDue <= dayEnds) {
      creditRedemption(state);
    } else {
      closeNext(state);
    }
  }
}

/** Closes the day for the next subscription, or goes on to the next day. */
function closeNext(state: State): void {
  const { earn } = state;
  const next = earn.subscriptions.after(earn.closedUpTo);
  if (next === undefined) {
    earn.closingDay++;
    earn.closedUpTo = 0;
    return;
  }
  earn.closedUpTo = next.applyId;
  // A command about it may have closed the day before.
  if (next.nextDay === earn.closingDay) closeDay(state, next, earn.closingDay);
}

/** Pays the longest waiting subscription of a funded plan. Returns false when none is left. */
function payNextOverdue(state: State): boolean {
  const { earn } = state;
  const planId = earn.retrying[0];
  if (planId === undefined) return false;
  const { overdue } = earn.plans[planId]!;
  const isPaid = overdue.size > 0 && pay(state, earn.subscriptions.find(overdue.first)!);
  if (!isPaid) earn.retrying.shift();
  return true;
}

function pay(state: State, subscription: Subscription): boolean {
  if (!payOut(state, subscription)) return false;
  if (!forgetIfDone(state, subscription)) state.earn.subscriptions.changed(subscription);
  return true;
}
