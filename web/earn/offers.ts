// The open plans with this customer's rates: a member of an enterprise earns less than the plan's
// rate. Only the preview has the payout interval and the booster.
import { type ApplyPreview, type CallOptions, type Plan, PlanType } from '../../src/sdk/index.ts';
import { client } from '../api/clients.ts';
import { compare, type Decimal, max } from '../exact/decimal.ts';
import { rhythmWord } from './words.ts';

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

/** The payout interval, of the longest term; null for visitors. */
export const rhythmOf = ({ plan, terms }: Offer): string | null =>
  terms === null ? null : rhythmWord(terms.rewardFrequency, plan.lockDay ?? plan.maxLockDay);

export type Order = 'rate' | 'term' | 'coin';

export interface Choice {
  /** null: all. */
  readonly coin: string | null;
  readonly type: PlanType | null;
  readonly order: Order;
}

export const highest = ({ rate }: Offer): Decimal => max(rate.ofShortest, rate.ofLongest);

const shortest = ({ plan }: Offer): number => plan.lockDay ?? plan.minLockDay ?? 0;

const ORDERS: Readonly<Record<Order, (a: Offer, b: Offer) => number>> = {
  rate: (a, b) => compare(highest(b), highest(a)),
  term: (a, b) => shortest(a) - shortest(b),
  coin: (a, b) => a.plan.coin.localeCompare(b.plan.coin),
};

/** The filtered offers in order; among equals, the older plan comes first. */
export function chosen(offers: readonly Offer[], { coin, type, order }: Choice): readonly Offer[] {
  return offers
    .filter(({ plan }) => coin === null || plan.coin === coin)
    .filter(({ plan }) => type === null || plan.planType === type)
    .toSorted((a, b) => ORDERS[order](a, b) || Number(a.plan.planId) - Number(b.plan.planId));
}

export const coinsOf = (offers: readonly Offer[]): readonly string[] =>
  [...new Set(offers.map(({ plan }) => plan.coin))].toSorted();
