// Plans: the offers to customers. Each edit appends an immutable version of the terms. A running
// term keeps the promised version; a day of a flexible subscription earns at the version in force
// when it began.
import { boolean, code, integer, money, nullable, record, text, type ValueOf } from '../codec.ts';
import type { IndexedHeap } from '../indexed-heap.ts';
import { AccountCode } from '../ledger/account-code.ts';
import type { AccountId, Ledger } from '../ledger/ledger.ts';
import { Fact, type StateHash } from '../state-hash.ts';
import { type Amount, multiply, ZERO } from '../units.ts';

export const PlanType = { flexible: 1, fixed: 2, customized: 3 } as const;
export type PlanType = (typeof PlanType)[keyof typeof PlanType];

/** A second coin that is locked for the term of a subscription and raises its rate. */
export type BoosterTerms = ValueOf<typeof BOOSTER_TERMS>;

const BOOSTER_TERMS = record({
  assetId: integer,
  /** Whole booster coins for each whole coin subscribed, in 10^-8. */
  ratio: integer,
  /** The extra annual rate, in 10^-8. */
  rate: integer,
});

/** The terms that an amendment may change. */
export type PlanTerms = ValueOf<typeof PLAN_TERMS>;

export const PLAN_TERMS = record({
  planName: text,
  /** Simple annual rates in 10^-8, at the shortest and the longest term. */
  minRate: integer,
  maxRate: integer,
  /** A user's total principal in the plan, in units of its coin. */
  userAmountMin: money,
  userAmountMax: money,
  /** The principal of all users together; null: no bound. */
  poolCapacity: nullable(money),
  /** Hours between a redemption and its credit. */
  redeemLockHours: integer,
  supportEarlyRedemption: boolean,
  supportAutoRenew: boolean,
  requiresKyc: boolean,
  label: text,
  booster: nullable(BOOSTER_TERMS),
  /** A closed plan takes no new principal and renews nothing. */
  open: boolean,
});

/** The terms of a new plan that names none; the core rejects them without the rest. */
export const initialTerms = (planType: PlanType): PlanTerms => ({
  planName: '',
  minRate: 0,
  maxRate: 0,
  userAmountMin: ZERO,
  userAmountMax: ZERO,
  poolCapacity: null,
  redeemLockHours: 0,
  supportEarlyRedemption: planType === PlanType.flexible,
  supportAutoRenew: false,
  requiresKyc: false,
  label: '',
  booster: null,
  open: true,
});

/** The immutable terms of a plan. */
export type PlanKind = ValueOf<typeof PLAN_KIND>;

export const PLAN_KIND = record({
  planType: code<PlanType>(),
  assetId: integer,
  /** Days; equal unless the plan is customized, 0 when it is flexible. */
  minLockDay: integer,
  maxLockDay: integer,
  /** Days from one payout of interest to the next. */
  rewardFrequency: integer,
  /** Flexible plans only: interest is added to the principal instead of being paid out. */
  autoCompound: boolean,
});

/** A version of the terms in a snapshot. Its number is its place. */
export const PLAN_VERSION = record({
  /** The first day that a flexible subscription earns at it. */
  fromDay: integer,
  ...PLAN_TERMS.fields,
});

export interface PlanVersion extends ValueOf<typeof PLAN_VERSION> {
  /** From 0, in order. */
  readonly version: number;
}

export interface Plan extends PlanKind {
  /** Dense, from 1, in order of creation. */
  readonly planId: number;
  /** Oldest first; never empty. */
  readonly versions: PlanVersion[];
  /** The principal of all its subscriptions. */
  pool: Amount;
  /** Σ principal × annual rate of running terms, in units × 10^-8; flexible: see yearlyCostOf. */
  yearlyCost: Amount;
  /** The applyIds of subscriptions whose interest was due and could not be paid, by overdueNo. */
  readonly overdue: IndexedHeap;
}

/** Plans and enterprises own accounts as customers do; their owners are negative, uids are not. */
export const planOwner = (planId: number): number => -2 * planId;

export const planOf = (owner: number): number => owner / -2;

export const planAccount = (
  ledger: Ledger,
  { planId, assetId }: Plan,
  code:
    | typeof AccountCode.interestReserve
    | typeof AccountCode.interestPayable
    | typeof AccountCode.interestExpense,
): AccountId => ledger.account(planOwner(planId), assetId, code);

export const reserveOf = (ledger: Ledger, { planId, assetId }: Plan): Amount =>
  ledger.balanceOf(planOwner(planId), assetId, AccountCode.interestReserve);

/** The interest that the plan owes to its subscribers and their enterprises. */
export const payableOf = (ledger: Ledger, { planId, assetId }: Plan): Amount =>
  ledger.balanceOf(planOwner(planId), assetId, AccountCode.interestPayable);

/** The terms of a new subscription. */
export const currentTerms = (plan: Plan): PlanVersion => plan.versions[plan.versions.length - 1];

/** The terms in force when `day` began. */
export function termsOn(plan: Plan, day: number): PlanVersion {
  const { versions } = plan;
  let at = versions.length - 1;
  while (at > 0 && versions[at].fromDay > day) at--;
  return versions[at];
}

/** The current cost of a year of interest, in units × 10^-8. */
export const yearlyCostOf = (plan: Plan): Amount =>
  plan.planType === PlanType.flexible
    ? multiply(plan.pool, currentTerms(plan).minRate)
    : plan.yearlyCost;

/** The annual rate of a term, linear between the ends, truncated to 8 decimals. */
export function rateFor(plan: PlanKind, terms: PlanTerms, lockDay: number): number {
  const { minRate, maxRate } = terms;
  if (minRate === maxRate) return minRate;
  const { minLockDay, maxLockDay } = plan;
  const span = BigInt(maxLockDay - minLockDay);
  const rise = BigInt(maxRate - minRate) * BigInt(lockDay - minLockDay);
  // Truncated toward the lower end also where longer terms earn less.
  const step = rise / span - (rise < 0n && rise % span !== 0n ? 1n : 0n);
  return minRate + Number(step);
}

/** One fact for each version. */
export function hashPlan(hash: StateHash, plan: Plan): void {
  for (const version of plan.versions) {
    hash.begin(Fact.plan);
    hash.number(plan.planId);
    PLAN_KIND.mix(hash, plan);
    hash.number(version.version);
    PLAN_VERSION.mix(hash, version);
    hash.add();
  }
}
