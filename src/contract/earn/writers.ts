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
import type { State } from '../../core/state.ts';
import { type Amount, add, amount, RATE_DECIMALS, ZERO } from '../../core/units.ts';
import type { Written } from '../answer.ts';
import { type JsonNumber, type JsonOut, jsonUnits } from '../json.ts';
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

/** An annual rate as the contract writes it, and as a percentage. */
export const jsonRate = (rate: number): JsonNumber => jsonUnits(amount(rate), RATE_DECIMALS);
export const jsonPercent = (rate: number): JsonNumber => jsonUnits(amount(rate), RATE_DECIMALS - 2);

export const coinOf = ({ assets }: State, { assetId }: { readonly assetId: number }) =>
  assets[assetId]!;

const ifType = <T>(plan: Plan, type: PlanType, value: T): T | null =>
  plan.planType === type ? value : null;

/** The fields that the list and the detail of a plan share. */
function planFields(state: State, plan: Plan, terms: PlanVersion) {
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
  };
}

/** The one rate of a plan; null for a customized plan, which has a range. */
const onlyRate = ({ planType }: Plan, { minRate }: PlanVersion): JsonNumber | null =>
  planType === PlanType.customized ? null : jsonRate(minRate);

/** A plan in the list. */
export function writePlan(state: State, plan: Plan): Written<typeof answers.plan> {
  const terms = currentTerms(plan);
  return {
    ...planFields(state, plan, terms),
    planName: terms.planName,
    apr: onlyRate(plan, terms),
    applyId: null,
  };
}

/**
 * Additions of agio: what a customer must know before subscribing. Names and units are those of the
 * operator's calls.
 */
const beforehand = ({ autoCompound }: Plan, { redeemLockHours, requiresKyc }: PlanVersion) => ({
  redeemLockHours,
  autoCompound,
  requiresKyc,
});

/**
 * The detail of a plan. The contract's table and sample spell two fields differently, so both
 * spellings are there.
 */
export function writePlanDetail(state: State, plan: Plan): Written<typeof answers.planDetail> {
  const terms = currentTerms(plan);
  const fields = planFields(state, plan, terms);
  const rate = onlyRate(plan, terms);
  return {
    ...fields,
    minlockDay: fields.minLockDay,
    apr: rate,
    apy: rate,
    ...beforehand(plan, terms),
  };
}

/** `today` is the UTC day of business time now. */
export function writeApplyPreview(
  state: State,
  preview: ApplyPreview,
  today: number,
): Written<typeof answers.applyPreview> {
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
    ...beforehand(plan, terms),
  };
}

function boosterInfo(
  state: State,
  preview: ApplyPreview,
): Written<typeof answers.boosterInfo> | null {
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
): Written<typeof answers.redeemPreview> {
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

/** A subscription as its answers show it, live or redeemed. */
export interface Shown {
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

/** The stored facts of a subscription that is no longer live. */
export interface ClosedFacts {
  readonly applyId: number;
  readonly planId: number;
  readonly maturityPrincipal: Amount;
  readonly rate: number;
  readonly boosterRate: number;
  readonly boosterAmount: Amount;
  readonly startDay: number;
  readonly lockDay: number;
  readonly autoRenew: boolean;
  readonly earned: Amount;
}

/** A live subscription. Its amount is what earns, or what is being returned if nothing earns. */
export function shownLive(state: State, subscription: Subscription, today: number): Shown {
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
export function shownClosed(state: State, facts: ClosedFacts): Shown {
  const plan = state.earn.plans[facts.planId]!;
  return {
    applyId: facts.applyId,
    plan,
    terms: currentTerms(plan),
    status: SubscriptionStatus.redeemed,
    amount: facts.maturityPrincipal,
    rate: facts.rate,
    boosterRate: facts.boosterRate,
    hadBooster: facts.boosterAmount > 0,
    startDay: facts.startDay,
    lockDay: facts.lockDay,
    autoRenew: facts.autoRenew,
    renewal: null,
    earned: facts.earned,
  };
}

/** The fields that the detail and the list of subscriptions share. */
function subscriptionFields(state: State, shown: Shown) {
  const { plan, terms, lockDay } = shown;
  const { name, scale } = coinOf(state, plan);
  const endDay = endDayOf(shown);
  return {
    applyId: String(shown.applyId),
    amount: jsonUnits(shown.amount, scale),
    apy: jsonRate(shown.rate),
    totalApy: jsonRate(shown.rate + shown.boosterRate),
    coin: name,
    startDate: dateText(shown.startDay),
    endDate: endDay === null ? null : dateText(endDay),
    lockDay: lockDay === 0 ? null : lockDay,
    planId: String(plan.planId),
    planName: currentTerms(plan).planName,
    planType: plan.planType,
    rewardFrequency: plan.rewardFrequency,
    status: shown.status,
    supportEarlyRedemption: terms.supportEarlyRedemption,
    totalEarnedAmount: jsonUnits(shown.earned, scale),
  };
}

/** The facts of a redemption. */
export interface HistoryFacts {
  readonly amount: Amount;
  readonly createTime: number;
  readonly redeemLockHours: number;
  readonly status: 1 | 2;
}

/** The detail of a subscription, with its redemptions, newest first. */
export function writeSubscription(
  state: State,
  shown: Shown,
  redemptions: readonly HistoryFacts[],
): Written<typeof answers.subscription> {
  const { scale } = coinOf(state, shown.plan);
  return {
    ...subscriptionFields(state, shown),
    redeemHistories: redemptions.map((redemption) => ({
      amount: jsonUnits(redemption.amount, scale),
      createTime: String(redemption.createTime),
      redeemLockTime: redemption.redeemLockHours,
      status: redemption.status,
    })),
    autoRenew: shown.autoRenew,
    renewal:
      shown.renewal === null
        ? null
        : { apr: jsonRate(shown.renewal.rate), consentNeeded: shown.renewal.consentNeeded },
  };
}

/** A subscription in the current list. */
export const writeCurrent = (
  state: State,
  shown: Shown,
): Written<typeof answers.currentSubscription> => ({
  ...subscriptionFields(state, shown),
  apyPct: jsonPercent(shown.rate),
  autoCompound: shown.plan.autoCompound,
  hadBooster: shown.hadBooster,
});

/** The facts of an interest entry. */
export interface EntryFacts {
  readonly assetId: number;
  readonly day: number;
  readonly interest: Amount;
  readonly boosterInterest: Amount;
}

/** The interest of one day, including the booster's. */
export function writeInterest(
  state: State,
  entry: EntryFacts,
): Written<typeof answers.interestEntry> {
  const { name, scale } = coinOf(state, entry);
  return {
    coin: name,
    date: dateOf(entry.day),
    earnedAmount: jsonUnits(add(entry.interest, entry.boosterInterest), scale),
  };
}
