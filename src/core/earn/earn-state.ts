// What the core knows of earn: plans, enterprises, subscriptions, and how far the days are closed.
import { Fact, type StateHash } from '../state-hash.ts';
import type { Enterprise } from './enterprise.ts';
import { DAY_MS, type Plan } from './plan.ts';
import { Redemptions } from './redemptions.ts';
import { Subscriptions } from './subscriptions.ts';

export class EarnState {
  /** By planId; place 0 is empty. */
  readonly plans: (Plan | undefined)[] = [undefined];
  /** By enterpriseId; place 0 is empty. */
  readonly enterprises: (Enterprise | undefined)[] = [undefined];
  readonly subscriptions: Subscriptions;
  readonly redemptions: Redemptions;
  readonly next = { applyId: 1, redemptionId: 1, overdueNo: 1 };
  /** The first day that is not closed for every subscription; without subscriptions it means nothing. */
  closingDay = 0;
  /** The last applyId for which it is closed. */
  closedUpTo = 0;
  /** Plans whose reserve got money while subscribers wait for theirs, in order. */
  readonly retrying: number[] = [];

  constructor(hash: StateHash) {
    this.subscriptions = new Subscriptions(hash);
    this.redemptions = new Redemptions(hash);
  }

  /** Before this business time (ms) nothing is due: 0 for now, Infinity for never. */
  get nextDue(): number {
    if (this.retrying.length > 0) return 0;
    return Math.min(this.dayEnds, this.redemptions.first?.dueTime ?? Number.POSITIVE_INFINITY);
  }

  /** When the day ends that is closed next; Infinity when nobody earns. */
  get dayEnds(): number {
    if (this.subscriptions.size === 0) return Number.POSITIVE_INFINITY;
    return (this.closingDay + 1) * DAY_MS;
  }

  /** Mixes everything that is not kept incrementally. */
  addTo(hash: StateHash): void {
    for (const plan of this.plans) if (plan !== undefined) hashPlan(hash, plan);
    for (const enterprise of this.enterprises) {
      if (enterprise !== undefined) hashEnterprise(hash, enterprise);
    }
    hash.begin(Fact.earnCounter);
    const { applyId, redemptionId, overdueNo } = this.next;
    for (const n of [applyId, redemptionId, overdueNo]) hash.number(n);
    // Where nobody earns these say nothing, and are what they happen to be.
    if (this.subscriptions.size > 0) {
      hash.number(this.closingDay);
      hash.number(this.closedUpTo);
    }
    for (const planId of this.retrying) hash.number(planId);
    hash.add();
  }
}

function hashPlan(hash: StateHash, plan: Plan): void {
  for (const version of plan.versions) {
    hash.begin(Fact.plan);
    hash.number(plan.planId);
    hash.number(plan.planType);
    hash.number(plan.assetId);
    hash.number(plan.minLockDay);
    hash.number(plan.maxLockDay);
    hash.number(plan.rewardFrequency * 2 + (plan.autoCompound ? 1 : 0));
    hash.number(version.version);
    hash.number(version.fromDay);
    hash.text(version.planName);
    hash.number(version.minRate);
    hash.number(version.maxRate);
    hash.amount(version.userAmountMin);
    hash.amount(version.userAmountMax);
    hash.number(version.poolCapacity === null ? 0 : 1);
    if (version.poolCapacity !== null) hash.amount(version.poolCapacity);
    hash.number(version.redeemLockHours);
    const flags = [
      version.supportEarlyRedemption,
      version.supportAutoRenew,
      version.requiresKyc,
      version.open,
      version.booster !== null,
    ];
    hash.number(flags.reduce((bits, flag) => bits * 2 + (flag ? 1 : 0), 0));
    hash.text(version.label);
    if (version.booster !== null) {
      hash.number(version.booster.assetId);
      hash.number(version.booster.ratio);
      hash.number(version.booster.rate);
    }
    hash.add();
  }
}

function hashEnterprise(hash: StateHash, enterprise: Enterprise): void {
  const { enterpriseId, name, margins, selfTradePrevention } = enterprise;
  hash.begin(Fact.enterprise);
  hash.number(enterpriseId);
  hash.text(name);
  for (const [planId, margin] of [...margins].sort(([a], [b]) => a - b)) {
    hash.number(planId);
    hash.number(margin);
  }
  hash.add();
  if (!selfTradePrevention) return;
  hash.begin(Fact.enterpriseSelfTrade);
  hash.number(enterpriseId);
  hash.add();
}
