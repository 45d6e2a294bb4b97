// Subscriptions: a customer's principal in a plan, and its interest. The ledger has only the sums
// of what is accrued, owed and paid (plan.ts).
import { boolean, integer, type Mutable, money, nullable, record, type ValueOf } from '../codec.ts';
import { type Amount, ZERO } from '../units.ts';
import { type Plan, PlanType, type PlanVersion, rateFor, termsOn } from './plan.ts';

/** The numbers of the spec; `redeemed` is ours. */
export const SubscriptionStatus = {
  /** Held and earning. */
  processing: 0,
  /** Nothing earns any more; what is left is on its way to the owner. */
  redeeming: 1,
  /** A part is on its way, the rest earns. */
  partiallyRedeeming: 2,
  redeemed: 3,
} as const;
export type SubscriptionStatus = (typeof SubscriptionStatus)[keyof typeof SubscriptionStatus];

/** A booster that is locked for the term; its coin is terms.booster's. */
export type LockedBooster = Mutable<ValueOf<typeof LOCKED_BOOSTER>>;

const LOCKED_BOOSTER = record({
  /** The extra annual rate, in 10^-8. */
  rate: integer,
  /** Returned with the principal. */
  amount: money,
  /** See Subscription.carry. */
  carry: integer,
});

/** The margin that the owner's enterprise keeps of a subscription. */
export type EnterpriseShare = Mutable<ValueOf<typeof ENTERPRISE_SHARE>>;

const ENTERPRISE_SHARE = record({
  enterpriseId: integer,
  /** The annual rate that it keeps, in 10^-8. */
  margin: integer,
  /** The same fields as a Subscription has, for the margin. */
  carry: integer,
  accrued: money,
  owed: money,
  paid: money,
  earned: money,
});

/** A subscription in a snapshot, which has its plan and the version of its terms before it. */
export const SUBSCRIPTION = record({
  applyId: integer,
  uid: integer,
  rate: integer,
  booster: nullable(LOCKED_BOOSTER),
  share: nullable(ENTERPRISE_SHARE),
  principal: money,
  basis: money,
  lockDay: integer,
  startDay: integer,
  nextDay: integer,
  carry: integer,
  accrued: money,
  owed: money,
  paid: money,
  earned: money,
  redeeming: money,
  redemptions: integer,
  autoRenew: boolean,
  overdueNo: integer,
  consent: nullable(integer),
  createTime: integer,
});

/** The part of a subscription that its owner sees as it is. */
export const REPORTED_SUBSCRIPTION = record({
  applyId: integer,
  uid: integer,
  enterpriseId: integer,
  principal: money,
  redeeming: money,
  /** Annual rates in 10^-8 of the enterprise and the booster. */
  margin: integer,
  boosterRate: integer,
  boosterAmount: money,
  /** Days; 0 for flexible. */
  lockDay: integer,
  startDay: integer,
  autoRenew: boolean,
  /** All interest so far without the forfeited, and all margin of this enterprise. */
  earned: money,
  marginEarned: money,
  createTime: integer,
});

export type NewSubscription = Pick<
  Subscription,
  | 'applyId'
  | 'uid'
  | 'plan'
  | 'terms'
  | 'rate'
  | 'booster'
  | 'share'
  | 'principal'
  | 'lockDay'
  | 'startDay'
  | 'nextDay'
  | 'autoRenew'
  | 'createTime'
>;

/** Only the functions of earn/ change one. Rare fields are separate objects, which saves memory. */
export class Subscription {
  /** Increasing over all plans; `applyId` and `subscriptionId` on the wire. */
  readonly applyId!: number;
  readonly uid!: number;
  readonly plan!: Plan;
  /** The terms that were promised for this term. */
  terms!: PlanVersion;
  /** Annual rate of the owner after the margin, in 10^-8, as the term began; see rateOn. */
  rate!: number;
  booster!: LockedBooster | null;
  /** null when the owner belonged to no enterprise when the term began. */
  share!: EnterpriseShare | null;
  /** The principal that earns, or will from the next midnight on. */
  principal!: Amount;
  /** The principal that earns today: the minimum held since midnight. */
  basis: Amount = ZERO;
  /** Days of the term; 0 for flexible. */
  readonly lockDay!: number;
  /** The first day that earns, and the first that is not closed. */
  startDay!: number;
  nextDay!: number;
  /** The fraction of a unit that is carried on, as a numerator over DAY_DENOMINATOR. */
  carry = 0;
  /** Interest that is earned and not yet paid, with the booster's. */
  accrued: Amount = ZERO;
  /** The part of `accrued` from earlier terms, which an early redemption does not give up. */
  owed: Amount = ZERO;
  /** Interest of this term that was paid out: what an early redemption takes back. */
  paid: Amount = ZERO;
  /** All interest of all terms, less what was forfeited. */
  earned: Amount = ZERO;
  /** Principal in redemption, less the forfeited part, and the number of these redemptions. */
  redeeming: Amount = ZERO;
  redemptions = 0;
  autoRenew!: boolean;
  /** Its place in plan.overdue: see setOverdue. */
  overdueNo = 0;
  /** The margin, in 10^-8, that the owner accepts for the next term; null: the present one. */
  consent: number | null = null;
  /** When it was created, business time, ms. */
  readonly createTime!: number;
  /** The two halves of its fact in the state hash. */
  hashA = 0;
  hashB = 0;
  /** The owner's neighbors, in order of creation. */
  older: Subscription | null = null;
  newer: Subscription | null = null;

  constructor(from: NewSubscription) {
    Object.assign(this, from);
  }

  get boosterRate(): number {
    return this.booster?.rate ?? 0;
  }
  get boosterAmount(): Amount {
    return this.booster?.amount ?? ZERO;
  }
  /** 0: none. */
  get enterpriseId(): number {
    return this.share?.enterpriseId ?? 0;
  }
  get margin(): number {
    return this.share?.margin ?? 0;
  }
  get marginAccrued(): Amount {
    return this.share?.accrued ?? ZERO;
  }
  get marginEarned(): Amount {
    return this.share?.earned ?? ZERO;
  }
}

export const isFlexible = ({ plan }: { readonly plan: Plan }): boolean =>
  plan.planType === PlanType.flexible;

/** Gives a subscription its place among those with overdue interest; 0: nothing is overdue. */
export function setOverdue(subscription: Subscription, overdueNo: number): void {
  const { applyId, plan } = subscription;
  if (subscription.overdueNo > 0) plan.overdue.remove(applyId);
  subscription.overdueNo = overdueNo;
  if (overdueNo > 0) plan.overdue.add(applyId, overdueNo);
}

/** The plan's rate for a day: the promised one of a term, the current one of a flexible plan. */
const planRateOn = ({ plan, terms, lockDay }: Subscription, day: number): number =>
  lockDay === 0 ? termsOn(plan, day).minRate : rateFor(plan, terms, lockDay);

/** The owner's annual rate for a day, after the enterprise's margin. */
export const rateOn = (subscription: Subscription, day: number): number =>
  isFlexible(subscription)
    ? Math.max(0, planRateOn(subscription, day) - subscription.margin)
    : subscription.rate;

/** The enterprise's annual rate for a day: never more than the plan pays. */
export const marginOn = (subscription: Subscription, day: number): number =>
  Math.min(planRateOn(subscription, day), subscription.margin);

/** The day after the last that earns; null for flexible. */
export const endDayOf = ({
  startDay,
  lockDay,
}: Pick<Subscription, 'startDay' | 'lockDay'>): number | null =>
  lockDay === 0 ? null : startDay + lockDay;

export function statusOf({ principal, redemptions }: Subscription): SubscriptionStatus {
  if (principal === 0) return SubscriptionStatus.redeeming;
  return redemptions === 0 ? SubscriptionStatus.processing : SubscriptionStatus.partiallyRedeeming;
}

/** Principal on its way from a plan to its owner. */
export type Redemption = ValueOf<typeof REDEMPTION>;

/** The part of a redemption that its owner sees. */
export const REPORTED_REDEMPTION = record({
  /** Increasing, in order of request. */
  redemptionId: integer,
  applyId: integer,
  amount: money,
  /** The part taken back for interest that had been paid. */
  forfeited: money,
  redeemLockHours: integer,
  createTime: integer,
});

export const REDEMPTION = record({
  ...REPORTED_REDEMPTION.fields,
  boosterAmount: money,
  /** When it is credited, business time, ms. */
  dueTime: integer,
});
