// The sources of a customer's earn answers: previews, and subscriptions, live or redeemed.

import { DAY_MS } from '../../core/calendar.ts';
import { currentTerms, type Plan } from '../../core/earn/plan.ts';
import { type ApplyPreview, offeredRate, type RedeemPreview } from '../../core/earn/preview.ts';
import {
  isFlexible,
  rateOn,
  type Subscription,
  SubscriptionStatus,
  statusOf,
} from '../../core/earn/subscription.ts';
import { renewalOf } from '../../core/earn/term.ts';
import type { SubscriptionChanged } from '../../core/event.ts';
import type { State } from '../../core/state.ts';
import { type Amount, ZERO } from '../../core/units.ts';
import type { Source } from '../answer.ts';
import { type JsonOut, jsonUnits } from '../json.ts';
import {
  applyPreview,
  boosterInfo,
  currentSubscription,
  endedSubscription,
  redeemPreview,
  type SubscriptionView,
  subscription,
} from './answers.ts';

/** The envelope of a success; four calls also have `succ`. */
export const success = (data: JsonOut, withSucc = false): object => ({
  code: '0',
  msg: 'success',
  data,
  ...(withSucc ? { succ: true } : {}),
});

/** 00:00 UTC of a day, epoch ms. */
export const dateOf = (day: number): number => day * DAY_MS;
export const coinOf = ({ assets }: State, { assetId }: { readonly assetId: number }) =>
  assets[assetId]!;

/** A plan with its current terms, as answers have it. */
export const withTerms = (plan: Plan) => ({ ...plan, ...currentTerms(plan) });

/** The same with the rates that this user earns: without the margin of the user's enterprise. */
export function withOwnRates(state: State, uid: number, plan: Plan) {
  const terms = withTerms(plan);
  const { minRate, maxRate } = terms;
  const rateOf = (planRate: number) => offeredRate(state, uid, plan, planRate);
  return { ...terms, minRate: rateOf(minRate), maxRate: rateOf(maxRate) };
}

/** `today` is the UTC day of business time now. */
export function writeApplyPreview(state: State, preview: ApplyPreview, today: number) {
  const { plan, terms, lockDay } = preview;
  const startDay = today + 1;
  return applyPreview.write(
    {
      ...plan,
      ...terms,
      ...preview,
      startDay,
      endDay: lockDay === 0 ? null : startDay + lockDay,
      boosterInfo: writeBooster(state, preview),
    },
    coinOf(state, plan),
  );
}

function writeBooster(state: State, preview: ApplyPreview) {
  const { plan, terms, boosterInterest } = preview;
  if (terms.booster === null) return null;
  // Interest is always in the plan's coin.
  const interestAmount = jsonUnits(boosterInterest, coinOf(state, plan).scale);
  return boosterInfo.write({ ...preview, interestAmount }, coinOf(state, terms.booster));
}

export function writeRedeemPreview(state: State, preview: RedeemPreview) {
  const { boosterAssetId } = preview;
  const booster = boosterAssetId === null ? null : state.assets[boosterAssetId]!;
  return redeemPreview.write(
    {
      ...preview,
      boosterAmount:
        booster === null ? null : jsonUnits(preview.boosterAmount ?? ZERO, booster.scale),
      boosterCoin: booster?.name ?? null,
    },
    coinOf(state, preview.subscription.plan),
  );
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
export function viewOfLive(state: State, live: Subscription, today: number): SubscriptionView {
  const { applyId, plan, principal, redeeming } = live;
  return {
    applyId,
    plan,
    terms: isFlexible(live) ? currentTerms(plan) : live.terms,
    status: statusOf(live),
    amount: principal === 0 ? redeeming : principal,
    rate: rateOn(live, Math.max(today, live.startDay)),
    boosterRate: live.boosterRate,
    hadBooster: live.boosterAmount > 0,
    startDay: live.startDay,
    lockDay: live.lockDay,
    autoRenew: live.autoRenew,
    renewal: renewalOf(state, live),
    earned: live.earned,
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

/** The detail of a subscription, with its redemptions, newest first. */
export const writeSubscription = (
  state: State,
  view: SubscriptionView,
  redeemHistories: Source<typeof subscription>['redeemHistories'],
) => subscription.write({ ...view, redeemHistories }, coinOf(state, view.plan));

/** A subscription in the list of redeemed ones. */
export const writeEnded = (state: State, facts: ClosedFacts & { readonly transactTime: number }) =>
  endedSubscription.write(
    { ...viewOfClosed(state, facts), transactTime: facts.transactTime },
    coinOf(state, state.earn.plans[facts.planId]!),
  );

/** A subscription in the current list. */
export const writeCurrent = (state: State, view: SubscriptionView) =>
  currentSubscription.write(view, coinOf(state, view.plan));
