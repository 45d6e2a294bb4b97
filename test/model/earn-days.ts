// The model's passing of time: interest of a day, payouts, the end of a term, redemptions that are
// due, and what became payable because a reserve was filled.
import type { Branch } from './coverage.ts';
import {
  boosterNeeded,
  DAY,
  dayAt,
  isFlexible,
  type ModelPlan,
  type ModelRedemption,
  type ModelSubscription,
  minPrincipal,
  newestOf,
  owedTo,
  ownerRate,
  planRate,
  smallerOf,
  versionOn,
  YEAR,
} from './earn-state.ts';
import type { ExpectedEvent, ExpectedSubscription } from './expectation.ts';
import type { VenueState } from './state.ts';

type MovementKind = Extract<ExpectedEvent, { type: 'earnMoved' }>['kind'];

/** A line of the customer's statement; nothing is no line. */
export function emitMove(
  venue: VenueState,
  { applyId, uid }: ModelSubscription,
  kind: MovementKind,
  assetId: number,
  amount: bigint,
): void {
  if (amount === 0n) return;
  const { time: transactTime } = venue;
  venue.events.push({ type: 'earnMoved', kind, applyId, uid, assetId, amount, transactTime });
}

const isOver = (venue: VenueState, subscription: ModelSubscription): boolean => {
  const { owner, enterprise } = owedTo(subscription);
  const left = subscription.principal + owner + enterprise;
  return left === 0n && !venue.earn.awaitsCredit(subscription);
};

/** Annual rate of the owner: of the term, or of today; before the first day, of that. */
function presentRate({ plan, margin, rate, startDay }: ModelSubscription, time: number): bigint {
  const day = Math.max(dayAt(time), startDay);
  return isFlexible(plan) ? ownerRate(BigInt(versionOn(plan, day).minRate), margin) : rate;
}

/** Tells how a subscription stands, and forgets it when nothing is left of it. */
export function emitChange(venue: VenueState, subscription: ModelSubscription): void {
  const { plan, principal } = subscription;
  const over = isOver(venue, subscription);
  const redeeming = venue.earn.redeemingOf(subscription);
  const held = redeeming === 0n ? 0 : 2;
  const open = principal === 0n ? 1 : held;
  const event: ExpectedSubscription = {
    type: 'subscriptionChanged',
    applyId: subscription.applyId,
    uid: subscription.uid,
    planId: plan.planId,
    planType: plan.kind.planType,
    assetId: plan.kind.assetId,
    enterpriseId: subscription.enterpriseId,
    status: over ? 3 : open,
    principal,
    redeeming,
    rate: Number(presentRate(subscription, venue.time)),
    margin: Number(subscription.margin),
    boosterRate: Number(subscription.boosterRate),
    boosterAmount: subscription.boosterAmount,
    lockDay: subscription.lockDay,
    startDay: subscription.startDay,
    autoRenew: subscription.autoRenew,
    earned: subscription.earned,
    marginEarned: subscription.marginEarned,
    createTime: subscription.createTime,
    transactTime: venue.time,
  };
  venue.events.push(event);
  if (!over) return;
  const { earn } = venue;
  earn.subscriptions = earn.subscriptions.filter((one) => one !== subscription);
  plan.overdue = plan.overdue.filter((one) => one !== subscription);
}

/** Changes the principal during the current day, or at the opening of a later day. */
export function setPrincipal(
  subscription: ModelSubscription,
  principal: bigint,
  day: number,
  opening: boolean,
): void {
  subscription.principal = principal;
  subscription.changes.push({ day, opening, principal });
}

/** Does all due work in order of time, then pays overdue interest of funded plans. */
export function settleEarn(venue: VenueState): void {
  const { earn, time } = venue;
  for (;;) {
    const redemption = nextRedemption(earn.redemptions);
    const day = Math.min(...earn.subscriptions.map(({ nextDay }) => nextDay));
    const dayEnd = (day + 1) * DAY;
    const dueTime = redemption?.dueTime ?? Number.POSITIVE_INFINITY;
    if (Math.min(dueTime, dayEnd) > time) break;
    if (redemption === undefined || dueTime > dayEnd) {
      closeDayOfAll(venue, day);
      continue;
    }
    credit(venue, redemption);
    emitChange(venue, redemption.subscription);
  }
  for (const plan of earn.plans) {
    if (plan.refilled) payOverdue(venue, plan);
    plan.refilled = false;
  }
}

function nextRedemption(redemptions: readonly ModelRedemption[]): ModelRedemption | undefined {
  const byTime = [...redemptions].sort(
    (a, b) => a.dueTime - b.dueTime || a.redemptionId - b.redemptionId,
  );
  return byTime[0];
}

function closeDayOfAll(venue: VenueState, day: number): void {
  for (const subscription of [...venue.earn.subscriptions]) {
    if (subscription.nextDay === day) closeDay(venue, subscription, day);
  }
}

/** In queue order, until one cannot be paid. */
function payOverdue(venue: VenueState, plan: ModelPlan): void {
  venue.meet('payout: overdue, several paid together', plan.overdue.length > 1);
  while (plan.overdue.length > 0) {
    const subscription = plan.overdue[0];
    if (!payOut(venue, subscription, dayAt(venue.time), false)) {
      venue.meet('payout: overdue, the head cannot be paid');
      return;
    }
    venue.meet('payout: overdue, paid by a full reserve');
    if (isOver(venue, subscription)) emitChange(venue, subscription);
  }
}

function closeDay(venue: VenueState, subscription: ModelSubscription, day: number): void {
  const { plan, startDay, lockDay } = subscription;
  if (day >= startDay && subscription.principal > 0n) accrue(venue, subscription, day);
  const k = day - startDay + 1;
  const isLast = lockDay > 0 && day === startDay + lockDay - 1 && subscription.principal > 0n;
  const isDue = (k > 0 && k % plan.kind.rewardFrequency === 0) || isLast;
  const wasOverdue = plan.overdue.includes(subscription);
  if (isDue || wasOverdue) {
    const paid = payOut(venue, subscription, day + 1, true);
    venue.meet('payout: overdue, paid at a day close', paid && wasOverdue);
    const atEnd = isLast && k % plan.kind.rewardFrequency !== 0;
    venue.meet('payout: at the end of a term between two days of the frequency', atEnd);
    venue.meet('payout: on a day of the frequency', isDue && !atEnd);
  }
  if (isLast) endTerm(venue, subscription, day + 1);
  else if (isOver(venue, subscription)) emitChange(venue, subscription);
  subscription.changes = [{ day: day + 1, opening: true, principal: subscription.principal }];
  subscription.nextDay = day + 1;
}

/** A day adds to the exact sums of the term; its interest is what their whole parts grew by. */
function accrue(venue: VenueState, subscription: ModelSubscription, day: number): void {
  const { plan, sums, margin, boosterRate, applyId, uid, owed } = subscription;
  const basis = minPrincipal(subscription, day);
  const whole = isFlexible(plan)
    ? BigInt(versionOn(plan, day).minRate)
    : planRate(plan, subscription.terms, subscription.lockDay);
  const rate = ownerRate(whole, margin);
  const before = { ...sums };
  sums.base += basis * rate;
  sums.booster += basis * boosterRate;
  // Agreed upon at another rate, the margin may be more than the plan pays.
  sums.margin += basis * smallerOf(whole, margin);
  const grown = (kind: keyof typeof sums): bigint => sums[kind] / YEAR - before[kind] / YEAR;
  const interest = grown('base');
  const boosterInterest = grown('booster');
  const marginInterest = grown('margin');
  venue.meet('day: interest', interest > 0n);
  venue.meet('day: no whole unit', interest <= 0n);
  venue.meet('day: a smaller basis after a redemption', basis < subscription.changes[0].principal);
  venue.meet(
    'day: a rate of the plan’s new version',
    isFlexible(plan) && versionOn(plan, day) !== subscription.terms,
  );
  venue.meet('day: interest of a margin', marginInterest > 0n);
  venue.meet('day: interest of a booster', boosterInterest > 0n);
  venue.meet('day: interest beyond 2^53', interest > Number.MAX_SAFE_INTEGER);
  venue.meet('day: several days in one command', day < dayAt(venue.time) - 1);
  owed.owner += interest + boosterInterest;
  owed.enterprise += marginInterest;
  subscription.earned += interest + boosterInterest;
  subscription.marginEarned += marginInterest;
  venue.events.push({
    type: 'interestAccrued',
    applyId,
    uid,
    assetId: plan.kind.assetId,
    day,
    basis,
    rate: Number(rate),
    carry: Number(before.base % YEAR),
    interest,
    boosterRate: Number(boosterRate),
    boosterCarry: Number(before.booster % YEAR),
    boosterInterest,
    transactTime: venue.time,
  });
}

/**
 * Pays all that is owed, or queues it and returns false. Compounded interest is principal from
 * `day` on.
 */
export function payOut(
  venue: VenueState,
  subscription: ModelSubscription,
  day: number,
  opening: boolean,
): boolean {
  const { plan, enterpriseId, uid } = subscription;
  const { owner, enterprise } = owedTo(subscription);
  if (plan.reserve < owner + enterprise) {
    if (!plan.overdue.includes(subscription)) plan.overdue.push(subscription);
    venue.meet('payout: reserve too small');
    return false;
  }
  plan.overdue = plan.overdue.filter((one) => one !== subscription);
  plan.reserve -= owner + enterprise;
  const { assetId } = plan.kind;
  if (enterprise > 0n) {
    const { income } = venue.earn.enterprises[enterpriseId - 1];
    income.set(assetId, (income.get(assetId) ?? 0n) + enterprise);
  }
  emitMove(venue, subscription, 'interest', assetId, owner);
  const compounds = owner > 0n && mayCompound(venue, subscription, owner);
  venue.meet('payout: owed of an earlier term', subscription.owedBefore.owner > 0n);
  if (compounds) {
    venue.meet('payout: compounded');
    emitMove(venue, subscription, 'subscription', assetId, -owner);
    setPrincipal(subscription, subscription.principal + owner, day, opening);
  } else {
    venue.give(uid, assetId, owner);
    subscription.paid += subscription.owed.owner;
  }
  subscription.marginPaid += subscription.owed.enterprise;
  subscription.owed = { owner: 0n, enterprise: 0n };
  subscription.owedBefore = { owner: 0n, enterprise: 0n };
  return true;
}

function mayCompound(
  venue: VenueState,
  { plan, principal, uid }: ModelSubscription,
  interest: bigint,
): boolean {
  if (!plan.kind.autoCompound) return false;
  const { earn } = venue;
  const no = (branch: Branch): false => {
    venue.meet(branch);
    return false;
  };
  if (principal === 0n) return no('payout: not compounded, nothing is held any more');
  const { poolCapacity, userAmountMax } = newestOf(plan);
  const isFull = poolCapacity !== null && earn.principalIn(plan, null) + interest > poolCapacity;
  if (isFull) return no('payout: not compounded, the pool is full');
  const total = earn.principalIn(plan, uid) + interest;
  return total <= userAmountMax || no('payout: not compounded, the user has the most');
}

/** The day after the last of a term has come: another term, or the way home. */
function endTerm(venue: VenueState, subscription: ModelSubscription, nextStart: number): void {
  const { plan, principal, boosterAmount, terms, uid } = subscription;
  const unpaid = owedTo(subscription).owner > 0n;
  if (renews(venue, subscription, nextStart)) {
    venue.meet('term: renewed with its interest unpaid', unpaid);
    venue.meet('term: renewed with a booster', boosterAmount > 0n);
    startTerm(venue, subscription, versionOn(plan, nextStart), nextStart);
  } else {
    const { assetId } = plan.kind;
    setPrincipal(subscription, 0n, nextStart, true);
    venue.give(uid, assetId, principal);
    emitMove(venue, subscription, 'redemption', assetId, principal);
    venue.meet('term: ended with its interest unpaid', unpaid);
    venue.meet('term: ended with a booster', boosterAmount > 0n);
    if (boosterAmount > 0n) returnBooster(venue, subscription, terms.booster!.assetId);
  }
  emitChange(venue, subscription);
}

function renews(venue: VenueState, subscription: ModelSubscription, nextStart: number): boolean {
  const { plan, uid, principal, boosterAmount, terms, lockDay, autoRenew } = subscription;
  const next = versionOn(plan, nextStart);
  const { minLockDay, maxLockDay, assetId } = plan.kind;
  const no = (branch: Branch): false => {
    venue.meet(branch);
    return false;
  };
  if (!autoRenew) return no('term: ended, no auto renew');
  if (!next.open) return no('term: ended, plan closed');
  if (!next.supportAutoRenew) return no('term: ended, plan renews no more');
  if (venue.users.get(uid)!.suspended) return no('term: ended, its owner is suspended');
  if (next.requiresKyc && !venue.users.get(uid)!.kyc) return no('term: ended, not verified');
  if (planRate(plan, next, lockDay) === 0n) return no('term: ended, nothing is paid any more');
  const { margin } = nextMargin(venue, subscription, next);
  if (ownerRate(planRate(plan, next, lockDay), margin) === 0n) {
    return no('term: ended, the margin would take all');
  }
  if (margin > (subscription.consent ?? subscription.margin)) {
    return no('term: ended, a higher margin that nobody agreed to');
  }
  const total = venue.earn.principalIn(plan, uid);
  if (total > next.userAmountMax) return no('term: ended, the user has too much');
  if (lockDay < minLockDay || lockDay > maxLockDay) return false;
  if (boosterAmount > 0n) {
    const { booster } = next;
    if (booster === null || booster.assetId !== terms.booster!.assetId) {
      return no('term: ended, no booster any more');
    }
    const scales = [venue.assets[assetId].scale, venue.assets[booster.assetId].scale] as const;
    const needed = boosterNeeded(principal, booster.ratio, ...scales);
    if (boosterAmount < needed) return no('term: ended, booster too small');
  }
  const { poolCapacity } = next;
  const fits = poolCapacity === null || venue.earn.principalIn(plan, null) <= poolCapacity;
  return fits || no('term: ended, plan full');
}

/** The enterprise of the next term, and what it keeps. */
function nextMargin(
  venue: VenueState,
  subscription: ModelSubscription,
  terms: ModelSubscription['terms'],
): { readonly enterpriseId: number; readonly margin: bigint; readonly stays: boolean } {
  const { plan, uid, lockDay } = subscription;
  const owners = venue.users.get(uid)!.enterpriseId;
  // Only a subscription of its own members owes an enterprise.
  const stays = owedTo(subscription).enterprise > 0n && owners !== subscription.enterpriseId;
  if (stays) return { enterpriseId: subscription.enterpriseId, margin: 0n, stays };
  const agreed = venue.earn.enterprises[owners - 1]?.margins.get(plan.planId) ?? 0n;
  // Never more than the term pays.
  return {
    enterpriseId: owners,
    margin: smallerOf(agreed, planRate(plan, terms, lockDay)),
    stays,
  };
}

/** Unpaid interest of the term before is still owed, and is not a part of this one. */
function startTerm(
  venue: VenueState,
  subscription: ModelSubscription,
  terms: ModelSubscription['terms'],
  startDay: number,
): void {
  const { plan, lockDay, boosterAmount } = subscription;
  const { enterpriseId, margin, stays } = nextMargin(venue, subscription, terms);
  venue.meet('term: renewed under a higher margin, as agreed', margin > subscription.margin);
  subscription.consent = null;
  venue.meet('term: renewed with the margin of an enterprise unpaid', stays);
  const rate = ownerRate(planRate(plan, terms, lockDay), margin);
  venue.meet('term: renewed');
  venue.meet('term: renewed at other rates', rate !== subscription.rate);
  if (enterpriseId !== subscription.enterpriseId) {
    venue.meet('term: renewed into another enterprise');
    subscription.marginEarned = 0n;
  }
  subscription.terms = terms;
  subscription.enterpriseId = enterpriseId;
  subscription.margin = margin;
  subscription.rate = rate;
  subscription.boosterRate = boosterAmount > 0n ? BigInt(terms.booster!.rate) : 0n;
  subscription.startDay = startDay;
  subscription.sums = { base: 0n, booster: 0n, margin: 0n };
  subscription.owedBefore = owedTo(subscription);
  subscription.owed = { owner: 0n, enterprise: 0n };
  subscription.paid = 0n;
  subscription.marginPaid = 0n;
}

function returnBooster(venue: VenueState, subscription: ModelSubscription, assetId: number): void {
  const { boosterAmount, uid } = subscription;
  subscription.boosterAmount = 0n;
  subscription.boosterRate = 0n;
  subscription.sums.booster = 0n;
  venue.give(uid, assetId, boosterAmount);
  emitMove(venue, subscription, 'boosterReturn', assetId, boosterAmount);
}

/** A redemption that is due: the money is free. */
export function credit(venue: VenueState, redemption: ModelRedemption): void {
  const { subscription, amount, forfeited } = redemption;
  const { earn } = venue;
  const { plan, uid, terms } = subscription;
  earn.redemptions = earn.redemptions.filter((one) => one !== redemption);
  const { assetId } = plan.kind;
  const lasted = redemption.redeemLockHours > 0;
  venue.meet(lasted ? 'redeem: credited after the lock time' : 'redeem: credited immediately');
  const { startDay, lockDay } = subscription;
  venue.meet(
    'redeem: lock time past the end of the term',
    lasted && lockDay > 0 && redemption.dueTime > (startDay + lockDay) * DAY,
  );
  venue.give(uid, assetId, amount - forfeited);
  emitRedemption(venue, redemption, 2);
  emitMove(venue, subscription, 'redemption', assetId, amount);
  emitMove(venue, subscription, 'forfeit', assetId, -forfeited);
  if (redemption.withBooster) returnBooster(venue, subscription, terms.booster!.assetId);
}

export function emitRedemption(
  venue: VenueState,
  redemption: ModelRedemption,
  status: 1 | 2,
): void {
  const { redemptionId, subscription, amount, forfeited } = redemption;
  const { redeemLockHours, createTime } = redemption;
  const { applyId, uid, plan } = subscription;
  venue.events.push({
    type: 'redemptionChanged',
    redemptionId,
    applyId,
    uid,
    assetId: plan.kind.assetId,
    amount,
    forfeited,
    redeemLockHours,
    status,
    createTime,
    transactTime: venue.time,
  });
}
