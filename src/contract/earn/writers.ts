// Writes the answers of a customer's earn calls: plans, previews, subscriptions, interest. Dates
// are 00:00 UTC. Whether a time is a number or a text follows the tables of the contract.

import { DAY_MS } from '../../core/calendar.ts';
import { currentTerms, type Plan, PlanType, type PlanVersion } from '../../core/earn/plan.ts';
import type { ApplyPreview, RedeemPreview } from '../../core/earn/preview.ts';
import {
  endDayOf,
  isFlexible,
  rateOn,
  type Subscription,
  SubscriptionStatus,
  statusOf,
} from '../../core/earn/subscription.ts';
import { type Renewal, renewalOf } from '../../core/earn/term.ts';
import type { InterestAccrued, RedemptionChanged, SubscriptionChanged } from '../../core/event.ts';
import type { State } from '../../core/state.ts';
import { type Amount, add, ZERO } from '../../core/units.ts';
import type { AnswerValue } from '../answer.ts';
import { type JsonOut, jsonPercent, jsonRate, jsonUnits } from '../json.ts';
import type * as answers from './answers.ts';

/** The envelope of a success; four calls also have `succ`. */
export const success = (data: JsonOut, withSucc = false): object => ({
  code: '0',
  msg: 'success',
  data,
  ...(withSucc ? { succ: true } : {}),
});

/** 00:00 UTC of a day, epoch ms. */
export const dateOf = (day: number): number => day * DAY_MS;
const dateText = (day: number): string => String(dateOf(day));

export const coinOf = ({ assets }: State, { assetId }: { readonly assetId: number }) =>
  assets[assetId]!;

const ifType = <T>(plan: Plan, type: PlanType, value: T): T | null =>
  plan.planType === type ? value : null;

/** The fields of a plan for customers and for the operator. */
export function planFields(state: State, plan: Plan, terms: PlanVersion) {
  const { name, scale } = coinOf(state, plan);
  return {
    planId: String(plan.planId),
    planType: plan.planType,
    coin: name,
    label: terms.label,
    lockDay: ifType(plan, PlanType.fixed, plan.minLockDay),
    minLockDay: ifType(plan, PlanType.customized, plan.minLockDay),
    maxLockDay: ifType(plan, PlanType.customized, plan.maxLockDay),
    userAmountMin: jsonUnits(terms.userAmountMin, scale),
    userAmountMax: jsonUnits(terms.userAmountMax, scale),
    supportEarlyRedemption: terms.supportEarlyRedemption,
    supportAutoRenew: terms.supportAutoRenew,
    maxApr: ifType(plan, PlanType.customized, jsonRate(terms.maxRate)),
    minApr: ifType(plan, PlanType.customized, jsonRate(terms.minRate)),
    apr: plan.planType === PlanType.customized ? null : jsonRate(terms.minRate),
  };
}

/** A plan in the list. */
export function writePlan(state: State, plan: Plan): AnswerValue<typeof answers.plan> {
  const terms = currentTerms(plan);
  return { ...planFields(state, plan, terms), planName: terms.planName, applyId: null };
}

/** Terms that a customer must know before subscribing. */
export const advanceTerms = (
  { autoCompound }: Plan,
  { redeemLockHours, requiresKyc }: PlanVersion,
) => ({
  redeemLockHours,
  autoCompound,
  requiresKyc,
});

/**
 * The detail of a plan. The contract's table and sample spell two fields differently, so both
 * spellings are there.
 */
export function writePlanDetail(state: State, plan: Plan): AnswerValue<typeof answers.planDetail> {
  const terms = currentTerms(plan);
  const fields = planFields(state, plan, terms);
  const { minLockDay, apr } = fields;
  return { ...fields, minlockDay: minLockDay, apy: apr, ...advanceTerms(plan, terms) };
}

/** `today` is the UTC day of business time now. */
export function writeApplyPreview(
  state: State,
  preview: ApplyPreview,
  today: number,
): AnswerValue<typeof answers.applyPreview> {
  const { plan, terms, lockDay, rate, boosterRate, interest, boosterInterest } = preview;
  const { name, scale } = coinOf(state, plan);
  const startDay = today + 1;
  const totalRate = jsonRate(rate + boosterRate);
  return {
    planId: String(plan.planId),
    amount: jsonUnits(preview.amount, scale),
    coin: name,
    apr: jsonRate(rate),
    apy: jsonRate(rate),
    totalApr: totalRate,
    totalApy: totalRate,
    planType: plan.planType,
    lockDay: lockDay === 0 ? null : lockDay,
    interestAmount: jsonUnits(interest, scale),
    totalInterestAmount: jsonUnits(add(interest, boosterInterest), scale),
    rewardFrequency: plan.rewardFrequency,
    appliedAmount: preview.appliedAmount === null ? null : jsonUnits(preview.appliedAmount, scale),
    userAmountMin: jsonUnits(terms.userAmountMin, scale),
    userAmountMax: jsonUnits(terms.userAmountMax, scale),
    startDate: dateOf(startDay),
    endDate: lockDay === 0 ? null : dateOf(startDay + lockDay),
    boosterInfo: boosterInfo(state, preview),
    supportAutoRenew: terms.supportAutoRenew,
    ...advanceTerms(plan, terms),
  };
}

function boosterInfo(
  state: State,
  preview: ApplyPreview,
): AnswerValue<typeof answers.boosterInfo> | null {
  const { plan, terms, boosterRate, boosterRequired, boosterInterest } = preview;
  if (terms.booster === null) return null;
  const { name, scale } = coinOf(state, terms.booster);
  return {
    apy: jsonRate(boosterRate),
    boosterAmount: jsonUnits(boosterRequired, scale),
    coin: name,
    // Interest is always in the plan's coin.
    interestAmount: jsonUnits(boosterInterest, coinOf(state, plan).scale),
  };
}

export function writeRedeemPreview(
  state: State,
  preview: RedeemPreview,
): AnswerValue<typeof answers.redeemPreview> {
  const { scale } = coinOf(state, preview.subscription.plan);
  const { boosterAssetId, boosterAmount, forfeited } = preview;
  const booster = boosterAssetId === null ? null : state.assets[boosterAssetId]!;
  return {
    boosterAmount: booster === null ? null : jsonUnits(boosterAmount ?? ZERO, booster.scale),
    boosterCoin: booster?.name ?? null,
    earnedAmount: jsonUnits(preview.earned, scale),
    forfeitedEarningAmount: forfeited === null ? null : jsonUnits(forfeited, scale),
    timeToRedeem: preview.redeemLockHours,
  };
}

/** The parts of a subscription that its answers have, live or redeemed. */
export interface SubscriptionView {
  readonly applyId: number;
  readonly plan: Plan;
  /** For a running term its promised terms, else the plan's current ones. */
  readonly terms: PlanVersion;
  readonly status: SubscriptionStatus;
  readonly amount: Amount;
  readonly rate: number;
  /** The booster's addition; 0 without one. */
  readonly boosterRate: number;
  readonly hadBooster: boolean;
  readonly startDay: number;
  readonly lockDay: number;
  readonly autoRenew: boolean;
  readonly renewal: Renewal | null;
  readonly earned: Amount;
}

/** A subscription that is no longer live, as the views have it. */
type ClosedFacts = Pick<
  SubscriptionChanged,
  | 'applyId'
  | 'planId'
  | 'rate'
  | 'boosterRate'
  | 'boosterAmount'
  | 'startDay'
  | 'lockDay'
  | 'autoRenew'
  | 'earned'
> & { readonly maturityPrincipal: Amount };

/** A live subscription. Its amount is what earns, or what is being returned if nothing earns. */
export function viewOfLive(
  state: State,
  subscription: Subscription,
  today: number,
): SubscriptionView {
  const { applyId, plan, principal, redeeming } = subscription;
  return {
    applyId,
    plan,
    terms: isFlexible(subscription) ? currentTerms(plan) : subscription.terms,
    status: statusOf(subscription),
    amount: principal === 0 ? redeeming : principal,
    rate: rateOn(subscription, Math.max(today, subscription.startDay)),
    boosterRate: subscription.boosterRate,
    hadBooster: subscription.boosterAmount > 0,
    startDay: subscription.startDay,
    lockDay: subscription.lockDay,
    autoRenew: subscription.autoRenew,
    renewal: renewalOf(state, subscription),
    earned: subscription.earned,
  };
}

/** A redeemed subscription. Its amount is the maximum of its last term. */
export function viewOfClosed(state: State, facts: ClosedFacts): SubscriptionView {
  const plan = state.earn.plans[facts.planId]!;
  return {
    ...facts,
    plan,
    terms: currentTerms(plan),
    status: SubscriptionStatus.redeemed,
    amount: facts.maturityPrincipal,
    hadBooster: facts.boosterAmount > 0,
    renewal: null,
  };
}

/** The fields that the detail and the list of subscriptions share. */
function subscriptionFields(state: State, view: SubscriptionView) {
  const { plan, terms, lockDay } = view;
  const { name, scale } = coinOf(state, plan);
  const endDay = endDayOf(view);
  return {
    applyId: String(view.applyId),
    amount: jsonUnits(view.amount, scale),
    apy: jsonRate(view.rate),
    totalApy: jsonRate(view.rate + view.boosterRate),
    coin: name,
    startDate: dateText(view.startDay),
    endDate: endDay === null ? null : dateText(endDay),
    lockDay: lockDay === 0 ? null : lockDay,
    planId: String(plan.planId),
    planName: currentTerms(plan).planName,
    planType: plan.planType,
    rewardFrequency: plan.rewardFrequency,
    status: view.status,
    supportEarlyRedemption: terms.supportEarlyRedemption,
    totalEarnedAmount: jsonUnits(view.earned, scale),
  };
}

/** The detail of a subscription, with its redemptions, newest first. */
export function writeSubscription(
  state: State,
  view: SubscriptionView,
  redemptions: readonly Pick<
    RedemptionChanged,
    'amount' | 'createTime' | 'redeemLockHours' | 'status'
  >[],
): AnswerValue<typeof answers.subscription> {
  const { scale } = coinOf(state, view.plan);
  return {
    ...subscriptionFields(state, view),
    redeemHistories: redemptions.map((redemption) => ({
      amount: jsonUnits(redemption.amount, scale),
      createTime: String(redemption.createTime),
      redeemLockTime: redemption.redeemLockHours,
      status: redemption.status,
    })),
    autoRenew: view.autoRenew,
    renewal:
      view.renewal === null
        ? null
        : { apr: jsonRate(view.renewal.rate), consentNeeded: view.renewal.consentNeeded },
  };
}

/** A subscription in the current list. */
export const writeCurrent = (
  state: State,
  view: SubscriptionView,
): AnswerValue<typeof answers.currentSubscription> => ({
  ...subscriptionFields(state, view),
  apyPct: jsonPercent(view.rate),
  autoCompound: view.plan.autoCompound,
  hadBooster: view.hadBooster,
});

/** The interest of one day, including the booster's. */
export function writeInterest(
  state: State,
  entry: Pick<InterestAccrued, 'assetId' | 'day' | 'interest' | 'boosterInterest'>,
): AnswerValue<typeof answers.interestEntry> {
  const { name, scale } = coinOf(state, entry);
  return {
    coin: name,
    date: dateOf(entry.day),
    earnedAmount: jsonUnits(add(entry.interest, entry.boosterInterest), scale),
  };
}
