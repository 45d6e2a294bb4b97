// A plan in words: its rate, its term, and what an offer or an edit does.
import {
  type OfferedBooster,
  type OfferedPlan,
  type OperatorAmendPlanRequest,
  PlanType,
} from '../../../src/sdk/index.ts';
import * as d from '../../exact/decimal.ts';
import { grouped, percent } from '../../exact/format.ts';
import { forms } from '../../messages/operator-forms.ts';
import { plansText as text } from '../../messages/operator-plans.ts';
import type { Offer } from './plan-form.ts';

type Rates = Partial<Pick<OfferedPlan, 'apr' | 'minApr' | 'maxApr'>>;

export const rateText = ({ apr, minApr, maxApr }: Rates): string =>
  apr === undefined || apr === null
    ? text.rateRange(percent(minApr ?? '0'), percent(maxApr ?? '0'))
    : percent(apr);

export function termText({ lockDay, minLockDay, maxLockDay }: OfferedPlan): string {
  if (lockDay !== null) return text.days(lockDay);
  return minLockDay === null || maxLockDay === null
    ? text.none
    : text.dayRange(minLockDay, maxLockDay);
}

export const boosterText = ({ coin, ratio, apr }: OfferedBooster, of: string): string =>
  text.boosterText(percent(apr), grouped(ratio), coin, of);

/** The simple interest of a year on `principal`. */
const yearly = (principal: string, rate: string, coin: string): string =>
  text.yearly(`${grouped(d.multiply(principal, rate))} ${coin}`, `${grouped(principal)} ${coin}`);

/** The effect of an offer, in sentences. */
export function offerSentences(body: Offer): string[] {
  const { coin, planName, poolCapacity, booster, rewardFrequency = 1 } = body;
  const topRate = body.apr ?? body.maxApr ?? '0';
  const amount = (value: string) => `${grouped(value)} ${coin}`;
  const { userAmountMin, userAmountMax, requiresKyc = false } = body;
  return [
    text.offers(planName, rateText(body), coin, yearly('1000', topRate, coin)),
    termSentence(body),
    text.pays(rewardFrequency, body.autoCompound ?? false),
    text.perCustomer(grouped(userAmountMin), amount(userAmountMax), requiresKyc),
    poolCapacity === undefined
      ? text.noCapacity
      : text.capacityCost(amount(poolCapacity), yearly(poolCapacity, topRate, coin)),
    ...(booster === undefined ? [] : [text.boosterIs(boosterText(booster, coin))]),
    body.status === 'open' ? text.startsOpen : text.startsClosed,
  ];
}

/** The lock time applies to redemptions only: a term that ends is credited immediately. */
function termSentence(body: Offer): string {
  const { planType, lockDay, minLockDay = 0, maxLockDay = 0, redeemLockHours = 0 } = body;
  if (planType === PlanType.flexible) return text.flexibleTerm(redeemLockHours);
  const term = lockDay === undefined ? text.dayRange(minLockDay, maxLockDay) : text.days(lockDay);
  const { supportEarlyRedemption = false, supportAutoRenew = false } = body;
  return text.fixedTerm(term, supportEarlyRedemption, supportAutoRenew, redeemLockHours);
}

/** Each term that changes, and from when it applies. */
export function editSentences(
  changes: readonly string[],
  { booster }: OperatorAmendPlanRequest,
  plan: OfferedPlan,
): string[] {
  const write = (one: OfferedBooster | null) =>
    one === null ? text.none : boosterText(one, plan.coin);
  return [
    ...changes,
    ...(booster === undefined
      ? []
      : [forms.change(text.booster, write(plan.booster), write(booster as OfferedBooster | null))]),
    plan.planType === PlanType.flexible ? text.appliesFlexible : text.appliesTerms,
  ];
}
