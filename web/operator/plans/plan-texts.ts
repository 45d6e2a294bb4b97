// A plan in words: its rate, its term, and what an offer or an edit does.
import { type OfferedBooster, type OfferedPlan, PlanType } from '../../../src/sdk/index.ts';
import * as d from '../../exact/decimal.ts';
import { grouped, percent } from '../../exact/format.ts';
import { plansText as text } from '../../messages/operator-plans.ts';
import { type ChangeList, changeLines } from '../parts/request-form.tsx';
import type { Offer, Terms } from './plan-form.ts';

type Rates = Pick<Terms, 'apr' | 'minApr' | 'maxApr'>;

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
    text.neverChanges,
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

const changesOf = (coin: string): ChangeList<Required<Terms>> => {
  const amount = (value: string | null) =>
    value === null ? text.unlimited : `${grouped(value)} ${coin}`;
  const yes = (value: boolean) => (value ? text.yes : text.no);
  const rate = (value: string | null) => (value === null ? '–' : percent(value));
  const name = (value: string) => (value === '' ? text.none : value);
  return [
    { field: 'planName', name: text.planName, write: name },
    { field: 'apr', name: text.apr, write: rate },
    { field: 'minApr', name: text.minApr, write: rate },
    { field: 'maxApr', name: text.maxApr, write: rate },
    { field: 'userAmountMin', name: text.userMin, write: amount },
    { field: 'userAmountMax', name: text.userMax, write: amount },
    { field: 'poolCapacity', name: text.capacity, write: amount },
    { field: 'redeemLockHours', name: text.lockHours, write: text.hours },
    { field: 'supportEarlyRedemption', name: text.early, write: yes },
    { field: 'supportAutoRenew', name: text.autoRenew, write: yes },
    { field: 'requiresKyc', name: text.kyc, write: yes },
    { field: 'label', name: text.label, write: name },
    {
      field: 'booster',
      name: text.booster,
      write: (value) => (value === null ? text.none : boosterText(value, coin)),
    },
  ];
};

/** Each term that changes, and from when it applies. */
export function editSentences(body: Terms, plan: OfferedPlan): string[] {
  const lines = changeLines<Required<Terms>>(body, plan, changesOf(plan.coin));
  if (Object.keys(body).length === 0) return lines;
  return [...lines, plan.planType === PlanType.flexible ? text.appliesFlexible : text.appliesTerms];
}
