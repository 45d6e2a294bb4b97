// The open plans with this customer's rates: a member of an enterprise earns less than the plan's
// rate. Only the preview has the payout interval and the booster.
import { type ApplyPreview, type CallOptions, type Plan, PlanType } from '../../src/sdk/index.ts';
import { client } from '../api/clients.ts';
import { compare, type Decimal, isZero, max } from '../exact/decimal.ts';
import { percent } from '../exact/format.ts';
import { earnText } from '../messages/earn.ts';
import {
  amountIn,
  aprWord,
  arrivalFact,
  compoundsOf,
  type Fact,
  interestFact,
  redeemFact,
  rhythmWord,
  termWord,
} from './words.ts';

export interface RateRange {
  /** The rates of the shortest and the longest term; equal if there is one rate. */
  readonly ofShortest: Decimal;
  readonly ofLongest: Decimal;
}

export interface Offer {
  readonly plan: Plan;
  readonly rate: RateRange;
  /** The customer's preview; null for visitors. */
  readonly terms: ApplyPreview | null;
}

/** The plan's own rates, for visitors. */
export function publicOffer(plan: Plan): Offer {
  const { apr, minApr, maxApr } = plan;
  return {
    plan,
    rate: { ofShortest: apr ?? minApr ?? '0', ofLongest: apr ?? maxApr ?? '0' },
    terms: null,
  };
}

async function ownOffer(plan: Plan, options: CallOptions): Promise<Offer> {
  const { planId, planType, maxLockDay } = plan;
  const [terms, longest] = await Promise.all([
    client.previewApply({ planId }, options),
    planType === PlanType.customized && maxLockDay !== null
      ? client.previewApply({ planId, day: maxLockDay }, options)
      : null,
  ]);
  const rate = { ofShortest: terms.apy, ofLongest: longest?.apy ?? terms.apy };
  return { plan, rate, terms };
}

/** All open plans. Leaves out a plan that was closed before its preview. */
export async function readOffers(
  loggedIn: boolean,
  options: CallOptions,
): Promise<readonly Offer[]> {
  const plans = await client.plans(options);
  if (!loggedIn) return plans.map(publicOffer);
  const settled = await Promise.allSettled(plans.map((plan) => ownOffer(plan, options)));
  const failed = settled.find((one) => one.status === 'rejected');
  const offers = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  if (offers.length === 0 && failed !== undefined) throw failed.reason;
  return offers;
}

/** 4.00%, or 3.00% – 9.00% for a customized plan. */
export function rateWord({ ofShortest, ofLongest }: RateRange): string {
  const [first, last] = [aprWord(ofShortest), aprWord(ofLongest)];
  return first === last ? first : earnText.offers.rateRange(first, last);
}

/** The payout interval, of the longest term; null for visitors. */
export const rhythmOf = ({ plan, terms }: Offer): string | null =>
  terms === null ? null : rhythmWord(terms.rewardFrequency, plan.lockDay ?? plan.maxLockDay);

/** The amount that all customers can still subscribe; null for visitors. */
export function capacityOf({ plan, terms }: Offer): string | null {
  if (terms === null) return null;
  const { capacityLeft } = terms;
  if (capacityLeft === null) return earnText.facts.unlimited;
  return isZero(capacityLeft) ? earnText.facts.full : amountIn(plan.coin, capacityLeft);
}

/** The terms of a plan, for its card and its page. */
export function factsOf(offer: Offer): readonly (Fact | null)[] {
  const { plan, terms } = offer;
  const { planType, coin, supportEarlyRedemption, supportAutoRenew } = plan;
  const t = earnText.facts;
  const isFlexible = planType === PlanType.flexible;
  const rhythm = rhythmOf(offer);
  const booster = terms?.boosterInfo ?? null;
  const capacity = capacityOf(offer);
  return [
    { name: t.term, value: termWord(plan) },
    { name: t.minimum, value: amountIn(coin, plan.userAmountMin) },
    { name: t.maximum, value: amountIn(coin, plan.userAmountMax), meaning: t.maximumMeaning },
    capacity === null ? null : { name: t.capacity, value: capacity, meaning: t.capacityMeaning },
    rhythm === null ? null : interestFact(rhythm, compoundsOf(offer)),
    redeemFact(planType, supportEarlyRedemption),
    terms !== null && (isFlexible || supportEarlyRedemption)
      ? arrivalFact(terms.redeemLockHours)
      : null,
    isFlexible
      ? null
      : {
          name: t.autoRenew,
          value: supportAutoRenew ? t.optional : earnText.no,
          meaning: t.autoRenewMeaning,
        },
    booster === null
      ? null
      : {
          name: t.booster,
          value: t.boosterValue(percent(booster.apy), booster.coin),
          meaning: t.boosterMeaning(booster.coin),
        },
    terms?.requiresKyc ? { name: t.openTo, value: t.verifiedCustomers } : null,
  ];
}

export interface Choice {
  /** '' for all. */
  readonly coin: string;
  /** A plan type, or all. */
  readonly type: string;
  readonly order: keyof typeof earnText.offers.orders;
}

const highest = ({ rate }: Offer): Decimal => max(rate.ofShortest, rate.ofLongest);

const shortest = ({ plan }: Offer): number => plan.lockDay ?? plan.minLockDay ?? 0;

const ORDERS: Readonly<Record<Choice['order'], (a: Offer, b: Offer) => number>> = {
  rate: (a, b) => compare(highest(b), highest(a)),
  term: (a, b) => shortest(a) - shortest(b),
  coin: (a, b) => a.plan.coin.localeCompare(b.plan.coin),
};

/** The filtered offers in order; among equals, the older plan comes first. */
export function chosen(offers: readonly Offer[], { coin, type, order }: Choice): readonly Offer[] {
  return offers
    .filter(({ plan }) => coin === '' || plan.coin === coin)
    .filter(({ plan }) => type === 'all' || plan.planType === Number(type))
    .toSorted((a, b) => ORDERS[order](a, b) || Number(a.plan.planId) - Number(b.plan.planId));
}

export const coinsOf = (offers: readonly Offer[]): readonly string[] =>
  [...new Set(offers.map(({ plan }) => plan.coin))].toSorted();
