// The earn calls: plans, previews, the customer's own subscriptions, their interest and how it came about.
import type * as sdk from '../../src/sdk/answers-earn.ts';
import type { CallOptions } from '../../src/sdk/index.ts';
import type { Decimal } from '../exact/decimal.ts';
import { client } from './clients.ts';
import { inTexts, type Texts } from './texts.ts';

/** 1 flexible, 2 fixed, 3 customized. */
export type PlanType = Texts<sdk.PlanType>;
/** 0 earns, 1 all of it is on its way back, 2 a part is, 3 it is over. */
export type SubscriptionStatus = Texts<sdk.SubscriptionStatus>;
/** A plan that takes new money. Rates are annual; what does not apply to the type is null. */
export type Plan = Texts<sdk.Plan>;
/** What `plan` answers of a plan that may be closed; it has no name there. */
export type PlanTerms = Texts<sdk.PlanDetail>;
/** What the booster of a previewed amount needs and adds; the interest is of the plan's own coin. */
export type BoosterPreview = Texts<sdk.BoosterInfo>;
/** What a subscription made now would earn: in its term, or in one reward period of a flexible plan. */
export type ApplyPreview = Texts<sdk.ApplyPreview>;
export type CurrentSubscription = Texts<sdk.CurrentSubscription>;
/** Hours of `redeemLockTime`; status 1 on its way, 2 credited. */
export type Redemption = Texts<sdk.Redemption>;
export type Subscription = Texts<sdk.Subscription>;
/** The interest of one UTC day, with the booster's; `date` is 00:00 of it. */
export type InterestEntry = Texts<sdk.InterestEntry>;
/** One rate's part of a day. Fractions are `numerator/denominator` in whole coins, of one denominator. */
export type ExplainedRate = Texts<sdk.ExplainedRate>;
export type Explanation = Texts<sdk.InterestExplanation>;
/** `timeToRedeem` in hours; `forfeitedEarningAmount`: what ending a term early gives up, null for flexible. */
export type RedeemPreview = Texts<sdk.RedeemPreview>;

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

export const plans = (options?: CallOptions) => inTexts(client.plans(options));

export const plan = (planId: string, options?: CallOptions) =>
  inTexts(client.plan({ planId }, options));

export interface PreviewQuery {
  readonly planId: string;
  readonly amount?: Decimal | undefined;
  /** Of customized plans; the shortest term unless given. */
  readonly day?: string | undefined;
}

export function applyPreview({ planId, amount, day }: PreviewQuery, options?: CallOptions) {
  const request = {
    planId,
    ...(amount === undefined || amount === '' ? {} : { amount }),
    ...(day === undefined || day === '' ? {} : { day: Number(day) }),
  };
  return inTexts(client.previewApply(request, options));
}

export function apply({ lockDay, ...application }: Application, idempotencyKey: string) {
  const days = lockDay === undefined ? {} : { lockDay: Number(lockDay) };
  return client.applyPlan({ ...application, ...days }, { idempotencyKey });
}

/** Newest first; those that are over are not among them. */
export const currentSubscriptions = (options?: CallOptions) =>
  inTexts(client.subscriptions(options));

export const subscription = (applyId: string, options?: CallOptions) =>
  inTexts(client.subscription({ applyId }, options));

/** Newest first; pages count from 1 and have at most 100 days. */
export const interest = (
  applyId: string,
  currentPage: number,
  pageSize: number,
  options?: CallOptions,
) => inTexts(client.interest({ applyId, currentPage, pageSize }, options));

export const explain = (applyId: string, date: string, options?: CallOptions) =>
  inTexts(client.explainInterest({ applyId, date: Number(date) }, options));

/** Refuses what the redemption would refuse. Without `amount`: all of it. */
export function redeemPreview(applyId: string, amount?: Decimal, options?: CallOptions) {
  const part = amount === undefined || amount === '' ? {} : { amount };
  return inTexts(client.previewRedeem({ applyId, ...part }, options));
}

export const redeem = (applyId: string, amount: Decimal, idempotencyKey: string) =>
  client.redeem({ applyId, amount }, { idempotencyKey });

export const setAutoRenew = (applyId: string, autoRenew: boolean) =>
  client.setAutoRenew({ applyId, autoRenew });
