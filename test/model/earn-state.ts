// The earn side of the model: plain objects and arrays with bigints. Sums that the core keeps
// (pools, totals of a user, interest to pay) are added up whenever they are asked for, and interest
// is an exact fraction of a whole term instead of a remainder that is carried.
import type { PlanKind, PlanTerms } from '../../src/core/earn/plan.ts';

export const DAY = 86_400_000;
export const HOUR = 3_600_000;
/** A principal times an annual rate in 10^-8, summed over days, is this many times the interest. */
export const YEAR = 365n * 100_000_000n;

export const dayAt = (time: number): number => Math.floor(time / DAY);
const largerOf = (a: bigint, b: bigint): bigint => (a > b ? a : b);
export const smallerOf = (a: bigint, b: bigint): bigint => (a < b ? a : b);

export interface ModelVersion extends PlanTerms {
  readonly fromDay: number;
}

export interface ModelPlan {
  readonly planId: number;
  readonly kind: PlanKind;
  /** Oldest first. */
  readonly versions: ModelVersion[];
  /** The plan pays interest from it. */
  reserve: bigint;
  /** Interest that was due and could not be paid, first come, first served. */
  overdue: ModelSubscription[];
  /** Money came in since the overdue ones were last tried. */
  refilled: boolean;
}

/** Principal from a moment on: of a day's opening (00:00), or during that day. */
interface PrincipalChange {
  readonly day: number;
  readonly opening: boolean;
  readonly principal: bigint;
}

/** Σ principal × rate over the days of a term: interest so far = ⌊sum ÷ YEAR⌋. */
interface TermSums {
  base: bigint;
  booster: bigint;
  margin: bigint;
}

/** Interest that is owed: to the owner, and to the enterprise. */
export interface Debt {
  owner: bigint;
  enterprise: bigint;
}

export interface ModelSubscription {
  readonly applyId: number;
  readonly uid: number;
  readonly plan: ModelPlan;
  readonly createTime: number;
  enterpriseId: number;
  terms: ModelVersion;
  /** Annual rates in 10^-8; `rate` only of a term, a flexible one asks the plan day by day. */
  rate: bigint;
  margin: bigint;
  boosterRate: bigint;
  boosterAmount: bigint;
  principal: bigint;
  /** Since the opening of the first day that is not closed. */
  changes: PrincipalChange[];
  lockDay: number;
  startDay: number;
  nextDay: number;
  autoRenew: boolean;
  /** The margin that its owner said yes to for the next term; null: that of this one. */
  consent: bigint | null;
  sums: TermSums;
  /** Not paid yet: of this term, and of the terms before it. */
  owed: Debt;
  owedBefore: Debt;
  /** Both of this term. */
  paid: bigint;
  earned: bigint;
  /** For the present enterprise; and what it was paid of this term. */
  marginEarned: bigint;
  marginPaid: bigint;
}

export interface ModelRedemption {
  readonly redemptionId: number;
  readonly subscription: ModelSubscription;
  readonly amount: bigint;
  readonly forfeited: bigint;
  readonly withBooster: boolean;
  readonly createTime: number;
  readonly redeemLockHours: number;
  readonly dueTime: number;
}

interface ModelEnterprise {
  readonly enterpriseId: number;
  readonly name: string;
  selfTradePrevention: boolean;
  /** Annual rates in 10^-8 by planId. */
  readonly margins: Map<number, bigint>;
  /** Paid to it so far, by assetId. */
  readonly income: Map<number, bigint>;
}

export class EarnState {
  readonly plans: ModelPlan[] = [];
  readonly enterprises: ModelEnterprise[] = [];
  /** Oldest first; without those that are over. */
  subscriptions: ModelSubscription[] = [];
  /** Not credited yet, oldest first. */
  redemptions: ModelRedemption[] = [];
  nextApplyId = 1;
  nextRedemptionId = 1;

  plan(planId: number): ModelPlan | undefined {
    return this.plans.find((plan) => plan.planId === planId);
  }

  subscription(applyId: number): ModelSubscription | undefined {
    return this.subscriptions.find((subscription) => subscription.applyId === applyId);
  }

  of(uid: number): ModelSubscription[] {
    return this.subscriptions.filter((subscription) => subscription.uid === uid);
  }

  /** The principal that a plan has, of one user or of all. */
  principalIn(plan: ModelPlan, uid: number | null): bigint {
    let sum = 0n;
    for (const subscription of this.subscriptions) {
      const counts = uid === null || subscription.uid === uid;
      if (subscription.plan === plan && counts) sum += subscription.principal;
    }
    return sum;
  }

  /** True if a part of it is redeemed and has not arrived, even if only the forfeited part. */
  awaitsCredit(subscription: ModelSubscription): boolean {
    return this.redemptions.some((redemption) => redemption.subscription === subscription);
  }

  /** Principal that has left a subscription and is not credited. */
  redeemingOf(subscription: ModelSubscription): bigint {
    let sum = 0n;
    for (const redemption of this.redemptions) {
      if (redemption.subscription === subscription) sum += redemption.amount - redemption.forfeited;
    }
    return sum;
  }
}

export const newestOf = ({ versions }: ModelPlan): ModelVersion => versions[versions.length - 1];

/** The version that was in force when `day` began. */
export const versionOn = ({ versions }: ModelPlan, day: number): ModelVersion =>
  versions.findLast(({ fromDay }) => fromDay <= day)!;

export const isFlexible = ({ kind }: ModelPlan): boolean => kind.planType === 1;

/** The rate of a plan for a term of `lockDay` days, before a margin. */
export function planRate({ kind }: ModelPlan, terms: PlanTerms, lockDay: number): bigint {
  const low = BigInt(terms.minRate);
  const span = BigInt(kind.maxLockDay - kind.minLockDay);
  if (span === 0n) return low;
  const rise = (BigInt(terms.maxRate) - low) * BigInt(lockDay - kind.minLockDay);
  // The rate is not negative, so the division of the whole truncates downwards.
  return (low * span + rise) / span;
}

export const ownerRate = (rate: bigint, margin: bigint): bigint => largerOf(0n, rate - margin);

/** The booster that a principal needs, rounded up; scales are decimals of the two coins. */
export function boosterNeeded(
  principal: bigint,
  ratio: number,
  scale: number,
  boosterScale: number,
): bigint {
  const numerator = principal * BigInt(ratio) * 10n ** BigInt(boosterScale);
  const denominator = 10n ** BigInt(scale + 8);
  return (numerator + denominator - 1n) / denominator;
}

export const owedTo = ({ owed, owedBefore }: ModelSubscription): Debt => ({
  owner: owed.owner + owedBefore.owner,
  enterprise: owed.enterprise + owedBefore.enterprise,
});

/** The least principal from the opening of `day` to its end. */
export function minPrincipal({ changes }: ModelSubscription, day: number): bigint {
  let opening = 0n;
  for (const change of changes) {
    if (change.day < day || (change.day === day && change.opening)) opening = change.principal;
  }
  let least = opening;
  for (const change of changes) {
    if (change.day === day && !change.opening) least = smallerOf(least, change.principal);
  }
  return least;
}
