// The model's earn commands of customers: subscribe, redeem, switch auto renew, and an enterprise's
// margin. Rejections in the order of the rules.
import type { RedeemPlan, SetAutoRenew, SetMargin, SubscribePlan } from '../../src/core/command.ts';
import { credit, emitChange, emitMove, emitRedemption, payOut, setPrincipal } from './earn-days.ts';
import {
  boosterNeeded,
  dayAt,
  HOUR,
  isFlexible,
  type ModelPlan,
  type ModelRedemption,
  type ModelSubscription,
  newestOf,
  owedTo,
  ownerRate,
  planRate,
  smallerOf,
} from './earn-state.ts';
import { type ExpectedOutcome, no, type Rejection, yes } from './expectation.ts';
import type { VenueState } from './state.ts';

export function subscribePlan(venue: VenueState, command: SubscribePlan): ExpectedOutcome {
  const { uid, planId } = command;
  const user = venue.users.get(uid);
  if (user === undefined) return no('userUnknown');
  const plan = venue.earn.plan(planId);
  if (plan === undefined || !newestOf(plan).open) return no('planUnknown', 'planId');
  const rejection =
    parameterFault(plan, command) ??
    namedFault(venue, plan, command) ??
    boosterFault(venue, plan, command) ??
    boundFault(venue, plan, command) ??
    balanceFault(venue, plan, command);
  if (rejection !== null) {
    meetRejection(venue, rejection);
    return rejection;
  }
  const held = isFlexible(plan)
    ? venue.earn.of(uid).find((one) => one.plan === plan && one.principal > 0n)
    : undefined;
  const subscription = held ?? subscribe(venue, plan, command);
  if (held !== undefined) {
    const named = command.applyId !== 0;
    venue.meet(named ? 'apply: added by name' : 'apply: added to a flexible one');
  }
  const added = BigInt(command.amount);
  const { assetId } = plan.kind;
  venue.give(uid, assetId, -added);
  setPrincipal(subscription, subscription.principal + added, dayAt(venue.time), false);
  emitMove(venue, subscription, 'subscription', assetId, -added);
  const { boosterAmount } = command;
  if (boosterAmount !== null) {
    const coin = subscription.terms.booster!.assetId;
    subscription.boosterAmount = BigInt(boosterAmount);
    venue.give(uid, coin, -BigInt(boosterAmount));
    emitMove(venue, subscription, 'boosterLock', coin, -BigInt(boosterAmount));
  }
  emitChange(venue, subscription);
  return yes({ applyId: subscription.applyId, amount: added });
}

function meetRejection(venue: VenueState, { name, field }: Rejection): void {
  venue.meet('apply: 40020 boosterAmount', name === 'earnBalance' && field === 'boosterAmount');
  if (name !== 'earnParameter') return;
  venue.meet(
    `apply: 40001 ${field as 'amount' | 'lockDay' | 'autoRenew' | 'applyId' | 'boosterAmount'}`,
  );
}

/** Its interest starts with the next day. */
function subscribe(venue: VenueState, plan: ModelPlan, command: SubscribePlan): ModelSubscription {
  const { uid } = command;
  const { enterpriseId } = venue.users.get(uid)!;
  const agreed = venue.earn.enterprises[enterpriseId - 1]?.margins.get(plan.planId) ?? 0n;
  const terms = newestOf(plan);
  const lockDay = termDays(plan, command);
  const margin = isFlexible(plan) ? agreed : smallerOf(agreed, planRate(plan, terms, lockDay));
  const today = dayAt(venue.time);
  const withBooster = command.boosterAmount !== null;
  const subscription: ModelSubscription = {
    applyId: venue.earn.nextApplyId++,
    uid,
    plan,
    createTime: venue.time,
    enterpriseId,
    terms,
    rate: ownerRate(planRate(plan, terms, lockDay), margin),
    margin,
    boosterRate: withBooster ? BigInt(terms.booster!.rate) : 0n,
    boosterAmount: 0n,
    principal: 0n,
    changes: [],
    lockDay,
    startDay: today + 1,
    nextDay: today,
    autoRenew: command.autoRenew,
    consent: null,
    sums: { base: 0n, booster: 0n, margin: 0n },
    owed: { owner: 0n, enterprise: 0n },
    owedBefore: { owner: 0n, enterprise: 0n },
    paid: 0n,
    earned: 0n,
    marginEarned: 0n,
    marginPaid: 0n,
  };
  meetNew(venue, subscription, command);
  venue.earn.subscriptions.push(subscription);
  return subscription;
}

function meetNew(
  venue: VenueState,
  { plan, uid, terms, margin, rate }: ModelSubscription,
  { amount, boosterAmount }: SubscribePlan,
): void {
  const { planType, assetId } = plan.kind;
  venue.meet(
    planType === 1
      ? 'apply: a new flexible one'
      : planType === 2
        ? 'apply: a new fixed one'
        : 'apply: a new customized one',
  );
  const before = venue.earn.of(uid).find((one) => one.plan === plan);
  venue.meet('apply: after one that is still redeeming', before?.principal === 0n);
  venue.meet('apply: an enterprise keeps a margin', margin > 0n);
  venue.meet('apply: the margin takes all of the rate', margin > 0n && rate === 0n);
  if (boosterAmount === null) return;
  const { assetId: coin, ratio } = terms.booster!;
  venue.meet('apply: with a booster');
  venue.meet('apply: with a booster of the same coin', coin === assetId);
  const { assets } = venue;
  const needed = boosterNeeded(BigInt(amount), ratio, assets[assetId].scale, assets[coin].scale);
  venue.meet('apply: with more booster than is needed', boosterAmount > needed);
}

const termDays = ({ kind }: ModelPlan, { lockDay }: SubscribePlan): number =>
  kind.planType === 3 ? lockDay : kind.minLockDay;

function parameterFault(plan: ModelPlan, command: SubscribePlan): Rejection | null {
  const { planType, minLockDay } = plan.kind;
  const { lockDay, autoRenew } = command;
  if (command.amount <= 0) return no('earnParameter', 'amount');
  const fits = planType === 3 ? lockDay !== 0 : lockDay === 0 || lockDay === minLockDay;
  if (!fits) return no('earnParameter', 'lockDay');
  const mayRenew = planType !== 1 && newestOf(plan).supportAutoRenew;
  return autoRenew && !mayRenew ? no('earnParameter', 'autoRenew') : null;
}

function namedFault(venue: VenueState, plan: ModelPlan, command: SubscribePlan): Rejection | null {
  if (command.applyId === 0) return null;
  const named = venue.earn.subscription(command.applyId);
  if (named === undefined) return no('planUnknown', 'applyId');
  if (named.uid !== command.uid) return no('notOwnSubscription', 'applyId');
  if (named.plan !== plan) return no('earnParameter', 'applyId');
  if (!isFlexible(plan)) return no('addFundsFlexibleOnly', 'applyId');
  return named.principal === 0n ? no('subscriptionNotHeld', 'applyId') : null;
}

function boosterFault(
  venue: VenueState,
  plan: ModelPlan,
  command: SubscribePlan,
): Rejection | null {
  const { boosterAmount, amount } = command;
  if (boosterAmount === null) return null;
  if (boosterAmount <= 0) return no('boosterAmount', 'boosterAmount');
  if (isFlexible(plan)) return no('boosterPlanType', 'boosterAmount');
  const { booster } = newestOf(plan);
  if (booster === null) return no('boosterUnsupported', 'boosterAmount');
  const scale = venue.assets[plan.kind.assetId].scale;
  const boosterScale = venue.assets[booster.assetId].scale;
  const needed = boosterNeeded(BigInt(amount), booster.ratio, scale, boosterScale);
  return boosterAmount < needed ? no('earnParameter', 'boosterAmount') : null;
}

function boundFault(venue: VenueState, plan: ModelPlan, command: SubscribePlan): Rejection | null {
  const { uid, lockDay } = command;
  const { requiresKyc, userAmountMin, userAmountMax, poolCapacity } = newestOf(plan);
  if (requiresKyc && !venue.users.get(uid)!.kyc) return no('kycRequired');
  const added = BigInt(command.amount);
  const total = venue.earn.principalIn(plan, uid) + added;
  if (total < userAmountMin) return no('belowUserMinimum', 'amount');
  if (total > userAmountMax) return no('aboveUserMaximum', 'amount');
  const { planType, minLockDay, maxLockDay } = plan.kind;
  if (planType === 3 && lockDay < minLockDay) return no('lockTooShort', 'lockDay');
  if (planType === 3 && lockDay > maxLockDay) return no('lockTooLong', 'lockDay');
  const pool = venue.earn.principalIn(plan, null) + added;
  return poolCapacity !== null && pool > poolCapacity ? no('poolFull', 'amount') : null;
}

/** A booster of the plan's own coin needs both. */
function balanceFault(
  venue: VenueState,
  plan: ModelPlan,
  command: SubscribePlan,
): Rejection | null {
  const { uid, boosterAmount } = command;
  const { assetId } = plan.kind;
  const amount = BigInt(command.amount);
  if (venue.freeOf(uid, assetId) < amount) return no('earnBalance', 'amount');
  if (boosterAmount === null) return null;
  const coin = newestOf(plan).booster!.assetId;
  const free = venue.freeOf(uid, coin) - (coin === assetId ? amount : 0n);
  return free < boosterAmount ? no('earnBalance', 'boosterAmount') : null;
}

export function redeemPlan(venue: VenueState, command: RedeemPlan): ExpectedOutcome {
  const { uid, applyId } = command;
  if (!venue.users.has(uid)) return no('userUnknown');
  const amount = BigInt(command.amount);
  if (amount <= 0n) return no('earnParameter', 'amount');
  const subscription = venue.earn.subscription(applyId);
  if (subscription === undefined) return no('planUnknown', 'applyId');
  if (subscription.uid !== uid) return no('notOwnSubscription', 'applyId');
  const { principal, plan } = subscription;
  if (principal === 0n && !venue.earn.awaitsCredit(subscription)) {
    if (!payOut(venue, subscription, dayAt(venue.time), false)) return no('interestUnpayable');
    venue.meet('payout: overdue, tried again by its owner');
    emitChange(venue, subscription);
    return yes({ redemptionId: 0 });
  }
  if (principal === 0n) {
    const nothing = venue.earn.redeemingOf(subscription) === 0n;
    venue.meet('redeem: again while nothing is on its way but what was taken', nothing);
    return no('redeemAboveAmount', 'amount');
  }
  if (isFlexible(plan)) return redeemFlexible(venue, subscription, amount);
  if (!subscription.terms.supportEarlyRedemption) return no('earlyRedemption');
  if (amount > principal) return no('redeemAboveAmount', 'amount');
  if (amount < principal) return no('partialRedemption', 'amount');
  return redeemEarly(venue, subscription);
}

function redeemFlexible(
  venue: VenueState,
  subscription: ModelSubscription,
  amount: bigint,
): ExpectedOutcome {
  const { principal, plan } = subscription;
  if (amount > principal) return no('redeemAboveAmount', 'amount');
  const today = dayAt(venue.time);
  const whole = amount === principal;
  venue.meet(whole ? 'redeem: all of a flexible one' : 'redeem: a part of a flexible one');
  venue.meet('redeem: all of it on the day of subscribing', whole && today < subscription.startDay);
  setPrincipal(subscription, principal - amount, today, false);
  const { redeemLockHours } = newestOf(plan);
  const redemptionId = sendBack(venue, subscription, amount, 0n, redeemLockHours);
  if (subscription.principal === 0n) payOut(venue, subscription, today, false);
  emitChange(venue, subscription);
  return yes({ redemptionId });
}

/** The term's interest is given back: what was not paid is not owed, what was comes off. */
function redeemEarly(venue: VenueState, subscription: ModelSubscription): ExpectedOutcome {
  const { plan, principal, owed, paid, terms } = subscription;
  meetEarly(venue, subscription);
  subscription.earned -= owed.owner;
  subscription.marginEarned -= owed.enterprise;
  subscription.owed = { owner: 0n, enterprise: 0n };
  const before = owedTo(subscription);
  if (before.owner + before.enterprise === 0n) {
    plan.overdue = plan.overdue.filter((one) => one !== subscription);
  }
  const forfeited = smallerOf(paid, principal);
  subscription.earned -= forfeited;
  const kept = subscription.marginPaid;
  subscription.marginEarned -= kept;
  subscription.marginPaid = 0n;
  if (kept > 0n) {
    const { income } = venue.earn.enterprises[subscription.enterpriseId - 1];
    income.set(plan.kind.assetId, income.get(plan.kind.assetId)! - kept);
    venue.meet('redeem: early, a paid margin is taken back');
  }
  plan.reserve += forfeited + kept;
  // Also without money: the one that leaves may have been the head, which could not be paid.
  plan.refilled = true;
  setPrincipal(subscription, 0n, dayAt(venue.time), false);
  const { redeemLockHours } = terms;
  const redemptionId = sendBack(venue, subscription, principal, forfeited, redeemLockHours);
  emitChange(venue, subscription);
  return yes({ redemptionId });
}

function meetEarly(
  venue: VenueState,
  { principal, owed, owedBefore, paid, startDay, boosterAmount, terms }: ModelSubscription,
): void {
  venue.meet('redeem: early');
  venue.meet('redeem: early, on the day of subscribing', dayAt(venue.time) < startDay);
  venue.meet('redeem: early, paid interest comes off', paid > 0n);
  const takesAll = paid >= principal;
  venue.meet('redeem: early, paid interest takes all', takesAll);
  const waits = takesAll && terms.redeemLockHours > 0;
  venue.meet('redeem: early, paid interest takes all, and it is on its way for hours', waits);
  venue.meet('redeem: early, unpaid interest is dropped', owed.owner > 0n);
  venue.meet('redeem: early, an earlier term’s interest stays owed', owedBefore.owner > 0n);
  venue.meet('redeem: early, with a booster', boosterAmount > 0n);
}

function sendBack(
  venue: VenueState,
  subscription: ModelSubscription,
  amount: bigint,
  forfeited: bigint,
  redeemLockHours: number,
): number {
  const redemption: ModelRedemption = {
    redemptionId: venue.earn.nextRedemptionId++,
    subscription,
    amount,
    forfeited,
    withBooster: subscription.boosterAmount > 0n,
    createTime: venue.time,
    redeemLockHours,
    dueTime: venue.time + redeemLockHours * HOUR,
  };
  venue.earn.redemptions.push(redemption);
  if (redeemLockHours === 0) credit(venue, redemption);
  else emitRedemption(venue, redemption, 1);
  return redemption.redemptionId;
}

export function setAutoRenew(venue: VenueState, command: SetAutoRenew): ExpectedOutcome {
  const { uid, applyId, autoRenew } = command;
  const user = venue.users.get(uid);
  if (user === undefined) return no('userUnknown');
  const set = (subscription: ModelSubscription): void => {
    const { plan, margin } = subscription;
    const asked = venue.earn.enterprises[user.enterpriseId - 1]?.margins.get(plan.planId) ?? 0n;
    const consent = autoRenew && asked > margin ? asked : null;
    venue.meet('auto renew: agrees to a higher margin', consent !== null);
    if (subscription.autoRenew === autoRenew && subscription.consent === consent) return;
    subscription.autoRenew = autoRenew;
    subscription.consent = consent;
    emitChange(venue, subscription);
  };
  const left = ({ principal }: ModelSubscription): boolean => autoRenew && principal === 0n;
  const able = (one: ModelSubscription): boolean =>
    !autoRenew || (one.terms.supportAutoRenew && !left(one));
  if (applyId === 0) {
    const meant = venue.earn.of(uid).filter((one) => !isFlexible(one.plan) && able(one));
    meant.forEach(set);
    venue.meet(autoRenew ? 'auto renew: all, on' : 'auto renew: all, off');
    return yes({ subscriptions: meant.length });
  }
  const subscription = venue.earn.subscription(applyId);
  if (subscription === undefined) return no('planUnknown', 'applyId');
  if (subscription.uid !== uid) return no('notOwnSubscription', 'applyId');
  if (isFlexible(subscription.plan) || left(subscription)) return no('earnParameter', 'applyId');
  if (!able(subscription)) return no('earnParameter', 'autoRenew');
  set(subscription);
  venue.meet('auto renew: one');
  return yes({ subscriptions: 1 });
}

export function setMargin(venue: VenueState, command: SetMargin): ExpectedOutcome {
  const { uid, planId, margin } = command;
  const user = venue.users.get(uid);
  const enterprise = venue.earn.enterprises[(user?.enterpriseId ?? 0) - 1];
  if (enterprise === undefined || !user!.enterpriseAdmin) return no('notEnterpriseAdmin');
  const plan = venue.earn.plan(planId);
  if (plan === undefined) return no('planUnknown', 'planId');
  const { minRate, maxRate } = newestOf(plan);
  const fits = margin >= 0 && margin <= Math.min(minRate, maxRate);
  if (!fits) return no('earnParameter', 'margin');
  enterprise.margins.set(planId, BigInt(margin));
  venue.meet('margin: set');
  return yes({ planId });
}
