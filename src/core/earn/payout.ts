// Paying interest: from the plan's reserve to the subscriber or into the principal, and the margin
// to the enterprise. Unpaid interest stays owed: it is tried again in order of waiting when the
// reserve is funded, and at each end of the subscription's days.
import { AccountCode } from '../ledger/account-code.ts';
import type { State } from '../state.ts';
import { type Amount, add, negate, subtract, ZERO } from '../units.ts';
import { addRefundable, enterpriseOwner } from './enterprise.ts';
import { currentTerms, type Plan, planAccount, planOwner, reserveOf } from './plan.ts';
import { emitMovement } from './report.ts';
import { isFlexible, type Subscription, setOverdue } from './subscription.ts';

/** True if the reserve can pay the interest of a subscription. */
export const isPayable = (
  { ledger }: State,
  { plan, accrued, marginAccrued }: Subscription,
): boolean => add(accrued, marginAccrued) <= reserveOf(ledger, plan);

/** Pays all that is owed, or nothing if the reserve is too small. Returns whether it paid all. */
export function payOut(state: State, subscription: Subscription): boolean {
  const { plan, accrued, marginAccrued, share } = subscription;
  const owed = add(accrued, marginAccrued);
  if (!isPayable(state, subscription)) {
    if (subscription.overdueNo === 0) setOverdue(subscription, state.earn.next.overdueNo++);
    return false;
  }
  setOverdue(subscription, 0);
  if (owed === 0) return true;
  const { ledger } = state;
  const payable = planAccount(ledger, plan, AccountCode.interestPayable);
  if (share !== null) {
    const enterprise = enterpriseOwner(share.enterpriseId);
    const kept = ledger.account(enterprise, plan.assetId, AccountCode.enterpriseMargin);
    ledger.transfer(payable, kept, marginAccrued);
    const ofTerm = subtract(marginAccrued, share.owed);
    addRefundable(state.earn.enterprises, subscription, ofTerm);
    share.paid = add(share.paid, ofTerm);
    share.accrued = ZERO;
    share.owed = ZERO;
  }
  payOwner(state, subscription, accrued);
  const { interestReserve, interestExpense } = AccountCode;
  ledger.move(planOwner(plan.planId), plan.assetId, interestReserve, interestExpense, owed);
  subscription.accrued = ZERO;
  subscription.owed = ZERO;
  return true;
}

function payOwner(state: State, subscription: Subscription, money: Amount): void {
  const { plan, uid } = subscription;
  const { ledger } = state;
  const payable = planAccount(ledger, plan, AccountCode.interestPayable);
  emitMovement(state, subscription, 'interest', plan.assetId, money);
  if (compounds(state, subscription, money)) {
    ledger.transfer(payable, ledger.account(uid, plan.assetId, AccountCode.earn), money);
    emitMovement(state, subscription, 'subscription', plan.assetId, negate(money));
    const { principal } = subscription;
    state.earn.subscriptions.setPrincipal(subscription, add(principal, money));
  } else {
    ledger.transfer(payable, ledger.account(uid, plan.assetId, AccountCode.available), money);
    // Only interest of this term can be taken back.
    subscription.paid = add(subscription.paid, subtract(money, subscription.owed));
  }
}

/** True if interest joins the principal: in a compounding plan, within its bounds. */
function compounds(state: State, subscription: Subscription, money: Amount): boolean {
  const { plan, uid, principal } = subscription;
  if (!plan.autoCompound || !isFlexible(subscription) || principal === 0) return false;
  const { poolCapacity, userAmountMax } = currentTerms(plan);
  if (poolCapacity !== null && add(plan.pool, money) > poolCapacity) return false;
  return add(state.earn.subscriptions.principalOf(uid, plan), money) <= userAmountMax;
}

/** A plan's reserve got money: pay the waiting subscriptions with the next timers. */
export function retryOverdue(state: State, plan: Plan): void {
  const { retrying } = state.earn;
  if (plan.overdue.size > 0 && !retrying.includes(plan.planId)) retrying.push(plan.planId);
}
