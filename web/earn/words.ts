// Plan types, terms, payouts and the status of a subscription as texts and facts.
import { type ApplyPreview, type Plan, PlanType, SubscriptionStatus } from '../../src/sdk/index.ts';
import * as d from '../exact/decimal.ts';
import { grouped, type Instant, percent, utcDay } from '../exact/format.ts';
import { earnText as t } from '../messages/earn.ts';

/** A name with a value; `meaning` explains the name in a tooltip. */
export interface Fact {
  readonly name: string;
  readonly value: string;
  readonly meaning?: string;
  /** total: stands out; loss: stands out in red. */
  readonly look?: 'total' | 'loss';
}

/** The names of plan types on all pages. */
const TYPES: Readonly<Record<PlanType, string>> = {
  [PlanType.flexible]: t.types.flexible,
  [PlanType.fixed]: t.types.fixed,
  [PlanType.customized]: t.types.customized,
};

export const typeWord = (type: PlanType): string => TYPES[type];

/** All plan types, as choices. */
export const TYPE_CHOICES: readonly { readonly value: PlanType; readonly label: string }[] = [
  PlanType.flexible,
  PlanType.fixed,
  PlanType.customized,
].map((value) => ({ value, label: TYPES[value] }));

/** The same as options of a control, whose values are texts. */
export const TYPE_OPTIONS = TYPE_CHOICES.map(({ value, label }) => ({
  value: String(value),
  label,
}));

export const amountIn = (coin: string, amount: d.Decimal): string => `${grouped(amount)} ${coin}`;

/**
 * A rate as the plan has it. A customized term has one in between, with up to eight digits: it is
 * cut to two.
 */
export const aprWord = (rate: d.Decimal): string =>
  percent(d.decimalsOf(rate) > 6 ? d.fixedDown(rate, 4) : rate);

/** The simple interest of `days` in units of the coin, rounded down. */
export const interestOfDays = (
  amount: d.Decimal,
  rate: d.Decimal,
  days: number,
  scale: number,
): d.Decimal => d.divideDown(d.multiply(d.multiply(amount, rate), String(days)), '365', scale);

/** The parts of a rate: 10.00% and 2.00% from the booster. null without a booster. */
export function rateParts({
  apy,
  totalApy,
}: {
  readonly apy: d.Decimal;
  readonly totalApy: d.Decimal;
}): string | null {
  const booster = d.subtract(totalApy, apy);
  return d.isPositive(booster) ? t.subscription.boosted(aprWord(apy), aprWord(booster)) : null;
}

/** The payout interval: every day, every 7 days, at the end. `lockDay`: null without a term. */
export const rhythmWord = (every: number, lockDay: number | null): string =>
  lockDay !== null && every >= lockDay ? t.facts.atEnd : t.facts.every(every);

/** True if interest is compounded; null while that is unknown. */
export type Compounds = boolean | null;

/** A plan with this customer's preview, which visitors lack. */
interface OfferTerms {
  readonly plan: Pick<Plan, 'planType'>;
  readonly terms: Pick<ApplyPreview, 'autoCompound'> | null;
}

/** A term never compounds. Only the preview says it of a flexible plan. */
export const compoundsOf = ({ plan, terms }: OfferTerms): Compounds =>
  plan.planType === PlanType.flexible ? (terms?.autoCompound ?? null) : false;

/** How interest is paid, without a claim about unknown facts. */
export function interestFact(rhythm: string, compounds: Compounds): Fact {
  if (compounds === false) return { name: t.facts.interestPaid, value: rhythm };
  if (compounds === true) {
    return {
      name: t.facts.interestAdded,
      value: t.facts.interestAddedHow(rhythm),
      meaning: t.facts.interestAddedMeaning,
    };
  }
  return {
    name: t.facts.interest,
    value: t.facts.interestHow(rhythm),
    meaning: t.facts.interestMeaning,
  };
}

/** No fixed term, 30 days, 7 to 365 days. */
export function termWord({
  planType,
  lockDay,
  minLockDay,
  maxLockDay,
}: Pick<Plan, 'planType' | 'lockDay' | 'minLockDay' | 'maxLockDay'>): string {
  if (planType === PlanType.flexible) return t.facts.noTerm;
  const [from, to] = [lockDay ?? minLockDay ?? 0, lockDay ?? maxLockDay ?? 0];
  return from === to ? t.days(from) : t.facts.termRange(from, to);
}

/** How much of a plan can be redeemed, and when. */
export function redeemFact(planType: PlanType, supportsEarly: boolean): Fact {
  if (planType === PlanType.flexible) return { name: t.facts.redeem, value: t.facts.anyAmount };
  return {
    name: t.facts.redeemEarly,
    value: supportsEarly ? t.facts.inFull : t.facts.notPossible,
  };
}

/** The time from a redemption to its credit. */
export const arrivalWord = (lockHours: number): string =>
  lockHours === 0 ? t.facts.immediately : t.facts.inHours(lockHours);

/** The lock time as a fact, which customers see before they subscribe. */
export const arrivalFact = (lockHours: number): Fact => ({
  name: t.facts.arrival,
  value: arrivalWord(lockHours),
  meaning: t.facts.arrivalMeaning,
});

/** The lock time as a sentence; empty if there is none. */
export const waitSentence = (lockHours: number): string =>
  lockHours === 0 ? '' : t.redeem.arrivesAfter(lockHours);

/** The facts of a term in time; `start` and `end` are 00:00 UTC of a day. */
export const midnightFact = (name: string, day: Instant): Fact => ({
  name,
  value: t.facts.midnight(utcDay(day)),
});

interface RedemptionFacts {
  readonly planType: PlanType;
  readonly amount: d.Decimal;
  readonly coin: string;
}

/** The result of a redemption. `lockHours`: null while it is unknown. */
export function redeemedText(
  { planType, amount, coin }: RedemptionFacts,
  lockHours: number | null,
): string {
  const what =
    planType === PlanType.flexible
      ? t.redeem.redeemed(amountIn(coin, amount))
      : t.redeem.redeemedEarly;
  if (lockHours === null) return what;
  return `${what} ${lockHours === 0 ? t.redeem.moneyThere : t.redeem.moneyArrives(lockHours)}`;
}

export interface StatusWord {
  readonly text: string;
  readonly tone: 'good' | 'waiting' | 'over';
}

/** `now`: business time; a subscription earns from the next UTC day. */
export function statusWord(
  { status, startDate }: { readonly status: SubscriptionStatus; readonly startDate: string },
  now: Instant,
): StatusWord {
  switch (status) {
    case SubscriptionStatus.redeemed:
      return { text: t.statuses.ended, tone: 'over' };
    case SubscriptionStatus.redeeming:
      return { text: t.statuses.redeeming, tone: 'waiting' };
    case SubscriptionStatus.partiallyRedeeming:
      return { text: t.statuses.partlyRedeeming, tone: 'good' };
    default:
      return Number(now) < Number(startDate)
        ? { text: t.statuses.starting, tone: 'waiting' }
        : { text: t.statuses.earning, tone: 'good' };
  }
}
