// The earn calls: plans, previews, the customer's own subscriptions, their interest and how it came about.
import type { Decimal } from '../exact/decimal.ts';
import { callEarn } from './transport.ts';

/** 1 flexible, 2 fixed, 3 customized. */
export type PlanType = '1' | '2' | '3';
/** 0 earns, 1 all of it is on its way back, 2 a part is, 3 it is over. */
export type SubscriptionStatus = '0' | '1' | '2' | '3';

/** A plan that takes new money. Rates are annual; what does not apply to the type is null. */
export interface Plan {
  readonly planId: string;
  readonly planName: string;
  readonly planType: PlanType;
  readonly coin: string;
  readonly label: string;
  readonly apr: Decimal | null;
  readonly minApr: Decimal | null;
  readonly maxApr: Decimal | null;
  readonly lockDay: string | null;
  readonly minLockDay: string | null;
  readonly maxLockDay: string | null;
  readonly userAmountMin: Decimal;
  readonly userAmountMax: Decimal;
  readonly supportEarlyRedemption: boolean;
  readonly supportAutoRenew: boolean;
}

/** What the booster of a previewed amount needs and adds; the interest is of the plan's own coin. */
export interface BoosterPreview {
  readonly apy: Decimal;
  readonly boosterAmount: Decimal;
  readonly coin: string;
  readonly interestAmount: Decimal;
}

/** What a subscription made now would earn: in its term, or in one reward period of a flexible plan. */
export interface ApplyPreview {
  readonly planId: string;
  readonly planType: PlanType;
  readonly coin: string;
  readonly amount: Decimal;
  /** The caller's rate, after the margin of the caller's enterprise. */
  readonly apy: Decimal;
  readonly totalApy: Decimal;
  readonly lockDay: string | null;
  readonly interestAmount: Decimal;
  readonly totalInterestAmount: Decimal;
  /** Days from one payout to the next. */
  readonly rewardFrequency: string;
  /** What is held of a flexible plan already. */
  readonly appliedAmount: Decimal | null;
  readonly userAmountMin: Decimal;
  readonly userAmountMax: Decimal;
  readonly startDate: string;
  readonly endDate: string | null;
  readonly boosterInfo: BoosterPreview | null;
  readonly supportAutoRenew: boolean;
}

interface SubscriptionFields {
  readonly applyId: string;
  readonly planId: string;
  readonly planName: string;
  readonly planType: PlanType;
  readonly coin: string;
  /** What earns; where nothing does any more, what is on its way back, or was held at most. */
  readonly amount: Decimal;
  readonly apy: Decimal;
  readonly startDate: string;
  readonly endDate: string | null;
  readonly lockDay: string | null;
  readonly rewardFrequency: string;
  readonly status: SubscriptionStatus;
  readonly supportEarlyRedemption: boolean;
  readonly totalEarnedAmount: Decimal;
}

export interface CurrentSubscription extends SubscriptionFields {
  readonly autoCompound: boolean;
  readonly hadBooster: boolean;
}

export interface Redemption {
  readonly amount: Decimal;
  readonly createTime: string;
  /** Hours. */
  readonly redeemLockTime: string;
  /** 1 on its way, 2 credited. */
  readonly status: '1' | '2';
}

export interface Subscription extends SubscriptionFields {
  readonly redeemHistories: readonly Redemption[];
  readonly autoRenew: boolean;
}

/** The interest of one UTC day, with the booster's; `date` is 00:00 of it. */
export interface InterestEntry {
  readonly coin: string;
  readonly date: string;
  readonly earnedAmount: Decimal;
}

export interface Page<T> {
  readonly items: readonly T[];
  readonly currentPage: string;
  readonly pageSize: string;
  readonly totalNum: string;
  readonly totalPage: string;
}

/** One rate's part of a day. Fractions are `numerator/denominator` in whole coins, of one denominator. */
export interface ExplainedRate {
  readonly rate: Decimal;
  readonly exact: Decimal;
  readonly numerator: string;
  readonly denominator: string;
  readonly carriedIn: string;
  readonly earnedAmount: Decimal;
  readonly carriedOut: string;
}

export interface Explanation extends ExplainedRate {
  readonly applyId: string;
  readonly date: string;
  readonly coin: string;
  readonly principalBasis: Decimal;
  readonly dayCount: string;
  readonly booster: ExplainedRate | null;
}

export interface RedeemPreview {
  readonly boosterAmount: Decimal | null;
  readonly boosterCoin: string | null;
  readonly earnedAmount: Decimal;
  /** What ending a term early gives up, paid and unpaid; null for flexible. */
  readonly forfeitedEarningAmount: Decimal | null;
  /** Hours. */
  readonly timeToRedeem: string;
}

export interface Application {
  readonly planId: string;
  readonly amount: Decimal;
  /** Only of customized plans. */
  readonly lockDay?: string;
  readonly autoRenew?: boolean;
  readonly boosterAmount?: Decimal;
  /** Adds to this flexible subscription, or is refused. */
  readonly applyId?: string;
}

type Signal = AbortSignal | undefined;

export const plans = (signal?: Signal) =>
  callEarn<readonly Plan[]>('GET', '/plan/list', { signal });

/** What `plan` answers of a plan that may be closed; it has no name there. */
export type PlanTerms = Omit<Plan, 'planName'>;

export const plan = (planId: string, signal?: Signal) =>
  callEarn<PlanTerms>('GET', '/plan/detail', { query: { planId }, signal });

export interface PreviewQuery {
  readonly planId: string;
  readonly amount?: Decimal | undefined;
  /** Of customized plans; the shortest term unless given. */
  readonly day?: string | undefined;
}

export const applyPreview = (query: PreviewQuery, signal?: Signal) =>
  callEarn<ApplyPreview>('GET', '/apply/preview', { query: { ...query }, signal });

export const apply = (application: Application, idempotencyKey: string) =>
  callEarn<{ readonly applyId: string; readonly amount: Decimal }>('POST', '/plan/apply', {
    body: application,
    idempotencyKey,
  });

/** Newest first; those that are over are not among them. */
export const currentSubscriptions = (signal?: Signal) =>
  callEarn<readonly CurrentSubscription[]>('GET', '/apply/currentList', { signal });

export const subscription = (applyId: string, signal?: Signal) =>
  callEarn<Subscription>('GET', '/apply/detail', { query: { applyId }, signal });

/** Newest first; pages count from 1 and have at most 100 days. */
export const interest = (applyId: string, currentPage: number, pageSize: number, signal?: Signal) =>
  callEarn<Page<InterestEntry>>('GET', '/apply/interest', {
    query: { applyId, currentPage, pageSize },
    signal,
  });

export const explain = (applyId: string, date: string, signal?: Signal) =>
  callEarn<Explanation>('GET', '/apply/interest/explain', { query: { applyId, date }, signal });

/** Refuses what the redemption would refuse. Without `amount`: all of it. */
export const redeemPreview = (applyId: string, amount?: Decimal, signal?: Signal) =>
  callEarn<RedeemPreview>('GET', '/redeem/preview', { query: { applyId, amount }, signal });

export const redeem = (applyId: string, amount: Decimal, idempotencyKey: string) =>
  callEarn<true>('POST', '/apply/redeem', { body: { applyId, amount }, idempotencyKey });

export const setAutoRenew = (applyId: string, autoRenew: boolean) =>
  callEarn<true>('POST', '/plan/detail/edit', { body: { applyId, autoRenew } });
