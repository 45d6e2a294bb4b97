// Subscribing: the checks in their order, and the transfer of the principal into the plan.
import { dayOf } from '../calendar.ts';
import type { SubscribePlan } from '../command.ts';
import { AccountCode } from '../ledger/account-code.ts';
import { withPassing } from '../nearest.ts';
import { accepted, type OutcomeOf, rejected, rejectedAs } from '../outcome.ts';
import { asCount, inAsset, measures, type Reject, rejection } from '../reject.ts';
import type { State } from '../state.ts';
import { type Amount, add, negate, subtract, ZERO } from '../units.ts';
import { bringUpToDate } from './day-close.ts';
import { currentTerms, type Plan, PlanType, type PlanVersion, rateFor } from './plan.ts';
import { emitMovement, emitSubscription } from './report.ts';
import { isFlexible, Subscription } from './subscription.ts';
import { MAX_SUBSCRIPTIONS } from './subscriptions.ts';
import { boosterRequired, ownRate, shareOf } from './term.ts';

export function subscribePlan(state: State, command: SubscribePlan): OutcomeOf<'subscribePlan'> {
  if (state.users[command.uid] === undefined) return rejectedAs('userUnknown');
  const plan = state.earn.plans[command.planId];
  if (plan === undefined) return rejectedAs('planUnknown', 'planId');
  const { subscriptions } = state.earn;
  const named = command.applyId === 0 ? undefined : subscriptions.find(command.applyId);
  for (const own of [named, subscriptions.held(command.uid, plan)]) {
    if (own?.uid === command.uid) bringUpToDate(state, own);
  }
  const reject = checkSubscribe(state, command);
  if (reject !== null) return rejected(reject);

  // Cannot be rejected beyond this point.
  const terms = currentTerms(plan);
  const { amount } = command;
  const held = subscriptions.held(command.uid, plan);
  if (held !== null) {
    subscriptions.setPrincipal(held, add(held.principal, amount));
    subscriptions.changed(held);
  }
  const subscription = held ?? open(state, plan, terms, command);
  moveIn(state, subscription, command.boosterAmount ?? ZERO, amount);
  emitSubscription(state, subscription);
  return accepted({ applyId: subscription.applyId, amount });
}

/**
 * The first rejection of a subscription, with a nearest value that passes all checks. It does not
 * count days that are still to be closed.
 */
export function checkSubscribe(state: State, command: SubscribePlan): Reject | null {
  const reject = firstReject(state, command);
  if (reject === null) return null;
  return withPassing(reject, command, (other) => firstReject(state, other));
}

function firstReject(state: State, command: SubscribePlan): Reject | null {
  const user = state.users[command.uid];
  if (user === undefined) return rejection('userUnknown');
  const plan = state.earn.plans[command.planId];
  if (plan === undefined) return rejection('planUnknown', 'planId');
  const terms = currentTerms(plan);
  return (
    checkRequest(plan, terms, command) ??
    checkNamed(state, plan, command) ??
    checkBooster(state, plan, terms, command) ??
    (terms.requiresKyc && !user.kyc ? rejection('kycRequired') : null) ??
    checkBounds(state, plan, terms, command) ??
    checkDays(plan, command) ??
    checkCapacity(plan, terms, command) ??
    checkBalances(state, plan, terms, command) ??
    checkCount(state, plan, command)
  );
}

function open(state: State, plan: Plan, terms: PlanVersion, command: SubscribePlan): Subscription {
  const { earn, time } = state;
  const today = dayOf(time);
  if (earn.subscriptions.size === 0) {
    earn.closingDay = today;
    earn.closedUpTo = 0;
  }
  const { uid, amount } = command;
  const lockDay = lockDayOf(plan, command);
  const planRate = rateFor(plan, terms, lockDay);
  const share = shareOf(state, uid, plan, planRate);
  const { boosterAmount } = command;
  const subscription = new Subscription({
    applyId: earn.next.applyId++,
    uid,
    plan,
    terms,
    rate: ownRate(planRate, share),
    booster:
      boosterAmount === null
        ? null
        : { rate: terms.booster!.rate, amount: boosterAmount, carry: 0 },
    share,
    principal: amount,
    lockDay,
    startDay: today + 1,
    nextDay: today,
    autoRenew: command.autoRenew,
    createTime: time,
  });
  earn.subscriptions.add(subscription);
  return subscription;
}

function moveIn(state: State, subscription: Subscription, booster: Amount, money: Amount): void {
  const { uid, plan, terms } = subscription;
  const { ledger } = state;
  ledger.move(uid, plan.assetId, AccountCode.available, AccountCode.earn, money);
  emitMovement(state, subscription, 'subscription', plan.assetId, negate(money));
  if (booster === 0) return;
  const { assetId } = terms.booster!;
  ledger.move(uid, assetId, AccountCode.available, AccountCode.booster, booster);
  emitMovement(state, subscription, 'boosterLock', assetId, negate(booster));
}

/** The term: the plan's own unless the plan is customized. */
const lockDayOf = (plan: Plan, { lockDay }: { readonly lockDay: number }): number =>
  plan.planType === PlanType.customized ? lockDay : plan.minLockDay;

function checkRequest(plan: Plan, terms: PlanVersion, command: SubscribePlan): Reject | null {
  if (!terms.open) return rejection('planUnknown', 'planId');
  if (command.amount <= 0) return rejection('earnParameter', 'amount', 'positive');
  const fault = lockDayFault(plan, command.lockDay);
  if (fault !== null) return fault;
  if (!command.autoRenew) return null;
  if (plan.planType === PlanType.flexible) return rejection('earnParameter', 'autoRenew', 'term');
  return terms.supportAutoRenew ? null : rejection('earnParameter', 'autoRenew', 'supported');
}

/** A customized plan needs the days; for others they are fixed and may be repeated. */
export function lockDayFault(plan: Plan, lockDay: number): Reject | null {
  const ofPlan = plan.planType !== PlanType.customized;
  if (ofPlan ? lockDay === 0 || lockDay === plan.minLockDay : lockDay > 0) return null;
  const [value, nearest] = [asCount(lockDay), asCount(plan.minLockDay)];
  return rejection('earnParameter', 'lockDay', 'lockDay', { value, nearest });
}

function checkNamed({ earn }: State, plan: Plan, command: SubscribePlan): Reject | null {
  const { applyId, uid } = command;
  if (applyId === 0) return null;
  const named = earn.subscriptions.find(applyId);
  if (named === undefined) return rejection('planUnknown', 'applyId');
  if (named.uid !== uid) return rejection('notOwnSubscription', 'applyId');
  if (named.plan !== plan) return rejection('earnParameter', 'applyId', 'samePlan');
  if (!isFlexible(named)) return rejection('addFundsFlexibleOnly', 'applyId');
  return named.principal > 0 ? null : rejection('subscriptionNotHeld', 'applyId');
}

function checkBooster(
  state: State,
  plan: Plan,
  terms: PlanVersion,
  { boosterAmount, amount }: SubscribePlan,
): Reject | null {
  if (boosterAmount === null) return null;
  if (boosterAmount <= 0) return rejection('boosterAmount', 'boosterAmount');
  if (plan.planType === PlanType.flexible) return rejection('boosterPlanType', 'boosterAmount');
  const { booster } = terms;
  if (booster === null) return rejection('boosterUnsupported', 'boosterAmount');
  const required = boosterRequired(state, plan, terms, amount);
  if (boosterAmount >= required) return null;
  const bounds = { limit: required, value: boosterAmount, nearest: required };
  const inCoin = measures(inAsset, booster.assetId, bounds);
  return rejection('earnParameter', 'boosterAmount', 'boosterAmount', inCoin);
}

function checkBounds(
  state: State,
  plan: Plan,
  terms: PlanVersion,
  { uid, amount }: SubscribePlan,
): Reject | null {
  const { userAmountMin, userAmountMax } = terms;
  const before = state.earn.subscriptions.principalOf(uid, plan);
  const total = add(before, amount);
  const inCoin = (limit: Amount, nearest: Amount | null) =>
    measures(inAsset, plan.assetId, { limit, value: total, nearest });
  if (total < userAmountMin) {
    const bounds = inCoin(userAmountMin, subtract(userAmountMin, before));
    return rejection('belowUserMinimum', 'amount', 'userAmountMin', bounds);
  }
  if (total <= userAmountMax) return null;
  const room = subtract(userAmountMax, before);
  const bounds = inCoin(userAmountMax, room > 0 ? room : null);
  return rejection('aboveUserMaximum', 'amount', 'userAmountMax', bounds);
}

export function checkDays(plan: Plan, { lockDay }: { readonly lockDay: number }): Reject | null {
  if (plan.planType !== PlanType.customized) return null;
  const value = asCount(lockDay);
  if (lockDay < plan.minLockDay) {
    const limit = asCount(plan.minLockDay);
    return rejection('lockTooShort', 'lockDay', 'minLockDay', { limit, value, nearest: limit });
  }
  if (lockDay <= plan.maxLockDay) return null;
  const limit = asCount(plan.maxLockDay);
  return rejection('lockTooLong', 'lockDay', 'maxLockDay', { limit, value, nearest: limit });
}

function checkCapacity(
  plan: Plan,
  { poolCapacity }: PlanVersion,
  { amount }: SubscribePlan,
): Reject | null {
  if (poolCapacity === null || add(plan.pool, amount) <= poolCapacity) return null;
  const room = subtract(poolCapacity, plan.pool);
  // The capacity itself is the operator's affair; the room is what a customer can act on.
  const nearest = room > 0 ? inAsset(plan.assetId, room) : null;
  const value = inAsset(plan.assetId, amount);
  return rejection('poolFull', 'amount', 'poolCapacity', { value, nearest });
}

function checkBalances(
  state: State,
  plan: Plan,
  { booster }: PlanVersion,
  { uid, amount, boosterAmount }: SubscribePlan,
): Reject | null {
  const availableOf = (assetId: number): Amount =>
    state.ledger.balanceOf(uid, assetId, AccountCode.available);
  const available = availableOf(plan.assetId);
  if (amount > available) return shortage('amount', plan.assetId, available, amount);
  if (booster === null || boosterAmount === null) return null;
  const { assetId } = booster;
  // Principal and booster may be of the same coin.
  const rest = assetId === plan.assetId ? subtract(available, amount) : availableOf(assetId);
  if (boosterAmount <= rest) return null;
  return shortage('boosterAmount', assetId, rest, boosterAmount);
}

function checkCount({ earn }: State, plan: Plan, { uid }: SubscribePlan): Reject | null {
  const count = earn.subscriptions.countOf(uid);
  if (count < MAX_SUBSCRIPTIONS || earn.subscriptions.held(uid, plan) !== null) return null;
  const limit = asCount(MAX_SUBSCRIPTIONS);
  return rejection('tooManySubscriptions', 'planId', 'subscriptions', { limit });
}

function shortage(field: string, assetId: number, available: Amount, value: Amount): Reject {
  const nearest = available > 0 ? available : null;
  const inCoin = measures(inAsset, assetId, { limit: available, value, nearest });
  return rejection('earnBalance', field, 'available', inCoin);
}
