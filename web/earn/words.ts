// Texts for plan types, terms, payout intervals and the status of a subscription.
import { type ApplyPreview, PlanType, SubscriptionStatus } from '../../src/sdk/index.ts';
import { type Decimal, isPositive, subtract } from '../exact/decimal.ts';
import { grouped, type Instant, percent } from '../exact/format.ts';
import type { Fact } from './facts.tsx';

/** The names of plan types on all pages. */
const TYPES: Readonly<Record<PlanType, string>> = {
  [PlanType.flexible]: 'Flexible',
  [PlanType.fixed]: 'Fixed term',
  [PlanType.customized]: 'Custom term',
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

export const days = (count: number): string => (count === 1 ? '1 day' : `${count} days`);

export const hours = (count: number): string => (count === 1 ? '1 hour' : `${count} hours`);

/** The parts of a rate: 10.00% and 2.00% from the booster. null without a booster. */
export function rateParts({
  apy,
  totalApy,
}: {
  readonly apy: Decimal;
  readonly totalApy: Decimal;
}): string | null {
  const booster = subtract(totalApy, apy);
  return isPositive(booster) ? `${percent(apy)} and ${percent(booster)} from the booster` : null;
}

/** The payout interval: every day, every 7 days, at the end. `lockDay`: null without a term. */
export function rhythmWord(every: number, lockDay: number | null): string {
  if (lockDay !== null && every >= lockDay) return 'at the end of the term';
  return every === 1 ? 'every day' : `every ${every} days`;
}

/** Whether interest is compounded; null while that is unknown. */
export type Compounds = boolean | null;

export interface OfferTerms {
  readonly plan: { readonly planType: PlanType };
  /** null for visitors. */
  readonly terms: Pick<ApplyPreview, 'autoCompound'> | null;
}

/** A term never compounds. Only the preview, which visitors lack, says it of a flexible plan. */
export const compoundsOf = ({ plan, terms }: OfferTerms): Compounds =>
  plan.planType === PlanType.flexible ? (terms?.autoCompound ?? null) : false;

/** How interest is paid, without a claim about unknown facts. */
export function interestFact(rhythm: string, compounds: Compounds): Fact {
  if (compounds === false) return { name: 'Interest is paid', value: rhythm };
  if (compounds === true) {
    return {
      name: 'Interest is added',
      value: `${rhythm}, to the amount`,
      meaning:
        'The plan compounds: each payout joins the principal and earns from that midnight. If the ' +
        'principal would exceed the plan’s maximum, it goes to your spot balance instead.',
    };
  }
  return {
    name: 'Interest',
    value: `credited ${rhythm}`,
    meaning:
      'If the plan compounds, interest joins the principal and earns. Otherwise it goes to your ' +
      'spot balance.',
  };
}

export interface TermBounds {
  readonly planType: PlanType;
  readonly lockDay: number | null;
  readonly minLockDay: number | null;
  readonly maxLockDay: number | null;
}

/** No fixed term, 30 days, 7 to 365 days. */
export function termWord({ planType, lockDay, minLockDay, maxLockDay }: TermBounds): string {
  if (planType === PlanType.flexible) return 'No fixed term';
  if (planType === PlanType.fixed) return days(lockDay ?? 0);
  return minLockDay === maxLockDay ? days(minLockDay ?? 0) : `${minLockDay} to ${maxLockDay} days`;
}

/** The time from a redemption to its credit. */
export const arrivalWord = (lockHours: number): string =>
  lockHours === 0 ? 'immediately' : `in ${hours(lockHours)}`;

/** The lock time as a fact, which customers see before they subscribe. */
export const arrivalFact = (lockHours: number): Fact => ({
  name: 'Arrives after redeeming',
  value: arrivalWord(lockHours),
  meaning:
    'From the request to your spot balance. Until then it does not earn, and you cannot undo it.',
});

/** The lock time as a sentence; empty if there is none. */
export const waitSentence = (lockHours: number): string =>
  lockHours === 0
    ? ''
    : `It arrives in your spot balance ${hours(lockHours)} after the request. Until then it does ` +
      'not earn, and you cannot undo it.';

/** The result of a redemption. `lockHours`: null while it is unknown. */
export function redeemedWords(
  { planType, amount, coin }: Redeemed,
  lockHours: number | null,
): string {
  const what =
    planType === PlanType.flexible ? `Redeemed ${grouped(amount)} ${coin}.` : 'Redeemed early.';
  if (lockHours === null) return what;
  return lockHours === 0
    ? `${what} The money is in your spot balance.`
    : `${what} The money arrives in your spot balance in ${hours(lockHours)}.`;
}

interface Redeemed {
  readonly planType: PlanType;
  readonly amount: Decimal;
  readonly coin: string;
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
  if (status === SubscriptionStatus.redeemed) return { text: 'Ended', tone: 'over' };
  if (status === SubscriptionStatus.redeeming) return { text: 'Redeeming', tone: 'waiting' };
  if (status === SubscriptionStatus.partiallyRedeeming)
    return { text: 'Earning, partly redeeming', tone: 'good' };
  if (Number(now) < Number(startDate)) {
    return { text: 'Starts at the next 00:00 UTC', tone: 'waiting' };
  }
  return { text: 'Earning', tone: 'good' };
}
