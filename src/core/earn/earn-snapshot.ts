// Earn in a snapshot: plans with all their versions, enterprises, live subscriptions, redemptions on their way. Totals
// are not written; they follow from the subscriptions.

import { type BinaryReader, type BinaryWriter, readList, writeList } from '../binary.ts';
import { present } from '../present.ts';
import { ZERO } from '../units.ts';
import type { EarnState } from './earn-state.ts';
import { addRefundable, newEnterprise } from './enterprise.ts';
import { OverdueQueue } from './overdue.ts';
import type { BoosterTerms, Plan, PlanType, PlanVersion } from './plan.ts';
import {
  type EnterpriseShare,
  type LockedBooster,
  type Redemption,
  Subscription,
} from './subscription.ts';

export function writeEarn(out: BinaryWriter, earn: EarnState): void {
  writeList(out, present(earn.plans), writePlan);
  writeList(out, present(earn.enterprises), (o, { name, margins, selfTradePrevention }) => {
    o.text(name);
    o.boolean(selfTradePrevention);
    writeList(o, [...margins], (o2, [planId, margin]) => {
      o2.integer(planId);
      o2.integer(margin);
    });
  });
  const { applyId, redemptionId, overdueNo } = earn.next;
  for (const n of [applyId, redemptionId, overdueNo]) out.integer(n);
  out.integer(earn.closingDay);
  out.integer(earn.closedUpTo);
  writeList(out, earn.retrying, (o, planId) => o.integer(planId));
  writeSubscriptions(out, earn);
  writeList(out, earn.redemptions.all(), writeRedemption);
}

/** Format 2 has neither an enterprise's self-trade prevention nor a consent. */
const FORMAT_OF_CONSENT = 3;

export function readEarn(input: BinaryReader, earn: EarnState, format: number): void {
  readList(input, () => earn.plans.push(readPlan(input, earn.plans.length)));
  readList(input, () => {
    const enterprise = newEnterprise(earn.enterprises.length, input.text());
    if (format >= FORMAT_OF_CONSENT) enterprise.selfTradePrevention = input.boolean();
    readList(input, () => {
      const planId = input.integer();
      enterprise.margins.set(planId, input.integer());
    });
    earn.enterprises.push(enterprise);
  });
  earn.next.applyId = input.integer();
  earn.next.redemptionId = input.integer();
  earn.next.overdueNo = input.integer();
  earn.closingDay = input.integer();
  earn.closedUpTo = input.integer();
  readList(input, () => earn.retrying.push(input.integer()));
  const overdue: Subscription[] = [];
  readList(input, () => {
    const subscription = readSubscription(input, earn, format);
    earn.subscriptions.add(subscription);
    addRefundable(earn.enterprises, subscription, subscription.share?.paid ?? ZERO);
    if (subscription.overdueNo > 0) overdue.push(subscription);
  });
  overdue.sort((a, b) => a.overdueNo - b.overdueNo);
  for (const each of overdue) each.plan.overdue.add(each, (id) => earn.subscriptions.find(id));
  readList(input, () => earn.redemptions.add(readRedemption(input)));
}

function writePlan(out: BinaryWriter, plan: Plan): void {
  out.byte(plan.planType);
  out.integer(plan.assetId);
  out.integer(plan.minLockDay);
  out.integer(plan.maxLockDay);
  out.integer(plan.rewardFrequency);
  out.boolean(plan.autoCompound);
  writeList(out, plan.versions, writeVersion);
}

function readPlan(input: BinaryReader, planId: number): Plan {
  const plan: Plan = {
    planId,
    planType: input.byte() as PlanType,
    assetId: input.integer(),
    minLockDay: input.integer(),
    maxLockDay: input.integer(),
    rewardFrequency: input.integer(),
    autoCompound: input.boolean(),
    versions: [],
    pool: ZERO,
    yearlyCost: ZERO,
    overdue: new OverdueQueue(),
  };
  readList(input, () => plan.versions.push(readVersion(input, plan.versions.length)));
  return plan;
}

function writeVersion(out: BinaryWriter, version: PlanVersion): void {
  out.integer(version.fromDay);
  out.text(version.planName);
  out.integer(version.minRate);
  out.integer(version.maxRate);
  out.amount(version.userAmountMin);
  out.amount(version.userAmountMax);
  out.boolean(version.poolCapacity !== null);
  if (version.poolCapacity !== null) out.amount(version.poolCapacity);
  out.integer(version.redeemLockHours);
  out.boolean(version.supportEarlyRedemption);
  out.boolean(version.supportAutoRenew);
  out.boolean(version.requiresKyc);
  out.text(version.label);
  out.boolean(version.booster !== null);
  if (version.booster !== null) {
    out.integer(version.booster.assetId);
    out.integer(version.booster.ratio);
    out.integer(version.booster.rate);
  }
  out.boolean(version.open);
}

function readVersion(input: BinaryReader, version: number): PlanVersion {
  return {
    version,
    fromDay: input.integer(),
    planName: input.text(),
    minRate: input.integer(),
    maxRate: input.integer(),
    userAmountMin: input.amount(),
    userAmountMax: input.amount(),
    poolCapacity: input.boolean() ? input.amount() : null,
    redeemLockHours: input.integer(),
    supportEarlyRedemption: input.boolean(),
    supportAutoRenew: input.boolean(),
    requiresKyc: input.boolean(),
    label: input.text(),
    booster: input.boolean() ? readBooster(input) : null,
    open: input.boolean(),
  };
}

const readBooster = (input: BinaryReader): BoosterTerms => ({
  assetId: input.integer(),
  ratio: input.integer(),
  rate: input.integer(),
});

function writeSubscriptions(out: BinaryWriter, { subscriptions }: EarnState): void {
  out.integer(subscriptions.size);
  for (let s = subscriptions.after(0); s !== undefined; s = subscriptions.after(s.applyId)) {
    out.integer(s.applyId);
    out.integer(s.uid);
    out.integer(s.plan.planId);
    out.integer(s.terms.version);
    out.integer(s.rate);
    out.amount(s.principal);
    out.integer(s.lockDay);
    out.integer(s.startDay);
    out.integer(s.nextDay);
    out.boolean(s.autoRenew);
    out.integer(s.createTime);
    writeBoosterAndShare(out, s);
    out.amount(s.basis);
    out.integer(s.carry);
    for (const money of [s.accrued, s.owed, s.paid, s.earned, s.redeeming]) out.amount(money);
    out.integer(s.redemptions);
    out.integer(s.overdueNo);
    out.boolean(s.consent !== null);
    if (s.consent !== null) out.integer(s.consent);
  }
}

function writeBoosterAndShare(out: BinaryWriter, { booster, share }: Subscription): void {
  out.boolean(booster !== null);
  if (booster !== null) {
    out.integer(booster.rate);
    out.amount(booster.amount);
    out.integer(booster.carry);
  }
  out.boolean(share !== null);
  if (share !== null) {
    out.integer(share.enterpriseId);
    out.integer(share.margin);
    out.integer(share.carry);
    for (const money of [share.accrued, share.owed, share.paid, share.earned]) out.amount(money);
  }
}

function readSubscription(input: BinaryReader, { plans }: EarnState, format: number): Subscription {
  const applyId = input.integer();
  const uid = input.integer();
  const plan = plans[input.integer()]!;
  const subscription = new Subscription({
    applyId,
    uid,
    plan,
    terms: plan.versions[input.integer()],
    rate: input.integer(),
    principal: input.amount(),
    lockDay: input.integer(),
    startDay: input.integer(),
    nextDay: input.integer(),
    autoRenew: input.boolean(),
    createTime: input.integer(),
    booster: input.boolean() ? readLockedBooster(input) : null,
    share: input.boolean() ? readShare(input) : null,
  });
  subscription.basis = input.amount();
  subscription.carry = input.integer();
  subscription.accrued = input.amount();
  subscription.owed = input.amount();
  subscription.paid = input.amount();
  subscription.earned = input.amount();
  subscription.redeeming = input.amount();
  subscription.redemptions = input.integer();
  subscription.overdueNo = input.integer();
  if (format >= FORMAT_OF_CONSENT && input.boolean()) subscription.consent = input.integer();
  return subscription;
}

const readLockedBooster = (input: BinaryReader): LockedBooster => ({
  rate: input.integer(),
  amount: input.amount(),
  carry: input.integer(),
});

const readShare = (input: BinaryReader): EnterpriseShare => ({
  enterpriseId: input.integer(),
  margin: input.integer(),
  carry: input.integer(),
  accrued: input.amount(),
  owed: input.amount(),
  paid: input.amount(),
  earned: input.amount(),
});

function writeRedemption(out: BinaryWriter, redemption: Redemption): void {
  out.integer(redemption.redemptionId);
  out.integer(redemption.applyId);
  out.amount(redemption.amount);
  out.amount(redemption.forfeited);
  out.amount(redemption.boosterAmount);
  out.integer(redemption.createTime);
  out.integer(redemption.redeemLockHours);
  out.integer(redemption.dueTime);
}

const readRedemption = (input: BinaryReader): Redemption => ({
  redemptionId: input.integer(),
  applyId: input.integer(),
  amount: input.amount(),
  forfeited: input.amount(),
  boosterAmount: input.amount(),
  createTime: input.integer(),
  redeemLockHours: input.integer(),
  dueTime: input.integer(),
});
