// Redeeming: principal leaves a plan, waits for the plan's lock time, and is credited. Before the
// end of a term it leaves whole, and the interest of that term stays behind.
import { HOUR_MS } from '../calendar.ts';
import type { RedeemPlan } from '../command.ts';
import { AccountCode } from '../ledger/account-code.ts';
import { withPassing } from '../nearest.ts';
import { accepted, type OutcomeOf, rejected, rejectedAs } from '../outcome.ts';
import { asCount, inAsset, measures, type Reject, type RejectName, rejection } from '../reject.ts';
import type { State } from '../state.ts';
import { type Amount, add, negate, subtract, ZERO } from '../units.ts';
import { bringUpToDate } from './day-close.ts';
import { endRefundable, enterpriseOwner } from './enterprise.ts';
import { isPayable, payOut, retryOverdue } from './payout.ts';
import { currentTerms, type Plan, planAccount, planOwner } from './plan.ts';
import { emitMovement, emitRedemption, emitSubscription } from './report.ts';
import {
  type EnterpriseShare,
  isFlexible,
  type Redemption,
  type Subscription,
  setOverdue,
} from './subscription.ts';
import { forgetIfDone, returnBooster } from './term.ts';

/** Redeems a part of a flexible subscription, or all of any, or collects the last interest. */
export function redeemPlan(state: State, command: RedeemPlan): OutcomeOf<'redeemPlan'> {
  const { uid, amount } = command;
  if (state.users[uid] === undefined) return rejectedAs('userUnknown');
  if (amount <= 0) return rejectedAs('earnParameter', 'amount', 'positive');
  const found = findOwn(state, uid, command.applyId);
  if ('name' in found) return rejected(found);
  if (!bringUpToDate(state, found)) return rejectedAs('planUnknown', 'applyId');
  if (collects(found)) return collect(state, found);
  const reject = checkRedeem(found, amount);
  if (reject !== null) return rejected(reject);

  // Cannot be rejected beyond this point.
  const forfeited = isFlexible(found) ? takeOut(state, found, amount) : endEarly(state, found);
  const redemptionId = request(state, found, amount, forfeited);
  return accepted({ redemptionId });
}

/** The first rejection of a redemption. It does not count days that are still to be closed. */
export function checkRedeemPlan(state: State, command: RedeemPlan): Reject | null {
  const { uid, applyId, amount } = command;
  if (state.users[uid] === undefined) return rejection('userUnknown');
  if (amount <= 0) return rejection('earnParameter', 'amount', 'positive');
  const found = findOwn(state, uid, applyId);
  if ('name' in found) return found;
  if (!collects(found)) return checkRedeem(found, amount);
  return isPayable(state, found) ? null : rejection('interestUnpayable');
}

/** True if only interest is left, which any amount collects. */
export const collects = ({ principal, redemptions }: Subscription): boolean =>
  principal === 0 && redemptions === 0;

/** The live subscription, which is the user's own. */
export function findOwn(state: State, uid: number, applyId: number): Subscription | Reject {
  const found = state.earn.subscriptions.find(applyId);
  if (found === undefined) return rejection('planUnknown', 'applyId');
  return found.uid === uid ? found : rejection('notOwnSubscription', 'applyId');
}

/** Pending redemptions of one subscription at a time. */
export const MAX_REDEMPTIONS = 100;

/** Why this amount cannot be redeemed now, with one that can; null if it can. */
export function checkRedeem(subscription: Subscription, amount: Amount): Reject | null {
  const reject = firstReject(subscription, amount);
  if (reject === null) return null;
  return withPassing(reject, { amount }, (other) => firstReject(subscription, other.amount));
}

function firstReject(subscription: Subscription, amount: Amount): Reject | null {
  const { principal, terms, redemptions } = subscription;
  if (!isFlexible(subscription) && principal > 0 && !terms.supportEarlyRedemption) {
    return rejection('earlyRedemption', 'applyId');
  }
  if (amount > principal) return ofPrincipal('redeemAboveAmount', subscription, amount);
  if (redemptions >= MAX_REDEMPTIONS) {
    const limit = asCount(MAX_REDEMPTIONS);
    return rejection('tooManySubscriptions', 'applyId', 'redemptions', { limit });
  }
  if (isFlexible(subscription) || amount === principal) return null;
  return ofPrincipal('partialRedemption', subscription, amount);
}

function ofPrincipal(name: RejectName, { plan, principal }: Subscription, amount: Amount): Reject {
  const bounds = { limit: principal, value: amount, nearest: principal > 0 ? principal : null };
  return rejection(name, 'amount', 'principal', measures(inAsset, plan.assetId, bounds));
}

/** Only interest is left: pays it if the reserve can. */
function collect(state: State, subscription: Subscription): OutcomeOf<'redeemPlan'> {
  if (!payOut(state, subscription)) return rejectedAs('interestUnpayable');
  forgetIfDone(state, subscription);
  return accepted({ redemptionId: 0 });
}

/** Takes principal out of a flexible subscription; the last redemption also pays the interest. */
function takeOut(state: State, subscription: Subscription, amount: Amount): Amount {
  const principal = subtract(subscription.principal, amount);
  // Compounding was not told day by day: what was held before is known from here.
  if (subscription.plan.autoCompound) emitSubscription(state, subscription);
  state.earn.subscriptions.setPrincipal(subscription, principal);
  if (subscription.basis > principal) subscription.basis = principal;
  if (principal === 0) payOut(state, subscription);
  return ZERO;
}

/** Ends a term early: unpaid interest is dropped, paid interest goes back to the reserve. */
function endEarly(state: State, subscription: Subscription): Amount {
  const { plan, uid, owed, paid, share } = subscription;
  const { ledger } = state;
  const unpaid = subtract(subscription.accrued, owed);
  const unpaidMargin = share === null ? ZERO : subtract(share.accrued, share.owed);
  const { interestPayable, interestExpense } = AccountCode;
  const owner = planOwner(plan.planId);
  const dropped = add(unpaid, unpaidMargin);
  ledger.move(owner, plan.assetId, interestPayable, interestExpense, dropped);
  const forfeited = forfeitedOf(subscription);
  const principal = ledger.account(uid, plan.assetId, AccountCode.earn);
  ledger.transfer(principal, planAccount(ledger, plan, AccountCode.interestReserve), forfeited);
  subscription.earned = subtract(subscription.earned, add(unpaid, forfeited));
  subscription.accrued = owed;
  subscription.paid = subtract(paid, forfeited);
  if (share !== null) {
    endRefundable(state.earn.enterprises, subscription);
    giveUpMargin(state, plan, share);
  }
  if (owed === 0 && subscription.marginAccrued === 0) setOverdue(subscription, 0);
  state.earn.subscriptions.setPrincipal(subscription, ZERO);
  subscription.basis = ZERO;
  retryOverdue(state, plan);
  return forfeited;
}

/** The margin of a term without interest goes back. admin/income.ts left it in the account. */
function giveUpMargin(state: State, plan: Plan, share: EnterpriseShare): void {
  const { ledger } = state;
  const enterprise = enterpriseOwner(share.enterpriseId);
  const margin = ledger.account(enterprise, plan.assetId, AccountCode.enterpriseMargin);
  ledger.transfer(margin, planAccount(ledger, plan, AccountCode.interestReserve), share.paid);
  const unpaid = subtract(share.accrued, share.owed);
  share.earned = subtract(share.earned, add(unpaid, share.paid));
  share.accrued = share.owed;
  share.paid = ZERO;
}

/** Interest of this term that was paid out, as far as the principal covers it. */
export const forfeitedOf = ({ paid, principal }: Subscription): Amount =>
  paid < principal ? paid : principal;

/** Sends the redeemed amount on its way and returns the redemptionId. */
function request(
  state: State,
  subscription: Subscription,
  amount: Amount,
  forfeited: Amount,
): number {
  const { earn, time } = state;
  const { redeemLockHours } = isFlexible(subscription)
    ? currentTerms(subscription.plan)
    : subscription.terms;
  const redemption: Redemption = {
    redemptionId: earn.next.redemptionId++,
    applyId: subscription.applyId,
    amount,
    forfeited,
    boosterAmount: subscription.boosterAmount,
    createTime: time,
    redeemLockHours,
    dueTime: time + redeemLockHours * HOUR_MS,
  };
  const { ledger } = state;
  const { uid, plan } = subscription;
  const net = subtract(amount, forfeited);
  ledger.move(uid, plan.assetId, AccountCode.earn, AccountCode.redeeming, net);
  subscription.redeeming = add(subscription.redeeming, net);
  subscription.redemptions++;
  if (redeemLockHours === 0) {
    deliver(state, subscription, redemption);
  } else {
    earn.redemptions.add(redemption);
    earn.subscriptions.changed(subscription);
    emitRedemption(state, subscription, redemption, 1);
    emitSubscription(state, subscription);
  }
  return redemption.redemptionId;
}

export function creditRedemption(state: State): void {
  const redemption = state.earn.redemptions.takeFirst();
  deliver(state, state.earn.subscriptions.find(redemption.applyId)!, redemption);
}

function deliver(state: State, subscription: Subscription, redemption: Redemption): void {
  const { ledger } = state;
  const { uid, plan } = subscription;
  const { amount, forfeited, boosterAmount } = redemption;
  const net = subtract(amount, forfeited);
  ledger.move(uid, plan.assetId, AccountCode.redeeming, AccountCode.available, net);
  subscription.redeeming = subtract(subscription.redeeming, net);
  subscription.redemptions--;
  emitMovement(state, subscription, 'redemption', plan.assetId, amount);
  emitMovement(state, subscription, 'forfeit', plan.assetId, negate(forfeited));
  returnBooster(state, subscription, boosterAmount);
  emitRedemption(state, subscription, redemption, 2);
  if (forgetIfDone(state, subscription)) return;
  state.earn.subscriptions.changed(subscription);
  emitSubscription(state, subscription);
}
