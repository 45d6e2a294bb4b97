// Explains one day's interest to the last digit: principal, rate, the exact value as a fraction,
// and what truncation carries from day to day. Anyone can recompute the entry from it.

import { DAY_DENOMINATOR, dayInterest } from '../../core/earn/interest.ts';
import type { InterestAccrued } from '../../core/event.ts';
import type { State } from '../../core/state.ts';
import { type Amount, multiply } from '../../core/units.ts';
import type { Source } from '../answer.ts';
import { jsonRate, jsonUnits } from '../json.ts';
import { invalidField, type Problem } from '../problem.ts';
import { type explainedRate, interestExplanation } from './answers.ts';
import { coinOf, dateOf } from './writers.ts';

/** Decimals of `exact`, which is truncated there. */
const EXACT_DECIMALS = 40;

/** The facts of an explanation: one entry of the interest view. */
type DayFacts = Pick<
  InterestAccrued,
  'applyId' | 'assetId' | 'day' | 'basis' | 'rate' | 'carry' | 'boosterRate' | 'boosterCarry'
>;

export function writeExplanation(state: State, facts: DayFacts) {
  const coin = coinOf(state, facts);
  const { basis, boosterRate, boosterCarry } = facts;
  const { scale } = coin;
  return interestExplanation.write(
    {
      ...facts,
      ...explainRate(basis, facts.rate, facts.carry, scale),
      dayCount: '365',
      rounding: `truncated to ${scale} decimals; the fraction is carried to the next day`,
      booster: boosterRate === 0 ? null : explainRate(basis, boosterRate, boosterCarry, scale),
    },
    coin,
  );
}

/**
 * One rate's part: exact + carriedIn = earnedAmount + carriedOut, in whole coins. All fractions
 * have one denominator, so that they add up as they stand.
 */
function explainRate(
  basis: Amount,
  rate: number,
  carry: number,
  scale: number,
): Source<typeof explainedRate> {
  const denominator = BigInt(DAY_DENOMINATOR) * 10n ** BigInt(scale);
  const numerator = BigInt(multiply(basis, rate));
  const { interest, carry: carriedOut } = dayInterest(basis, rate, carry);
  return {
    rate: jsonRate(rate),
    exact: decimalText(numerator, denominator),
    numerator: String(numerator),
    denominator: String(denominator),
    carriedIn: `${carry}/${denominator}`,
    earnedAmount: jsonUnits(interest, scale),
    carriedOut: `${carriedOut}/${denominator}`,
  };
}

/** A fraction ≥ 0 as a decimal text with EXACT_DECIMALS decimals. */
function decimalText(numerator: bigint, denominator: bigint): string {
  const digits = String((numerator * 10n ** BigInt(EXACT_DECIMALS)) / denominator);
  const text = digits.padStart(EXACT_DECIMALS + 1, '0');
  return `${text.slice(0, -EXACT_DECIMALS)}.${text.slice(-EXACT_DECIMALS)}`;
}

/**
 * The rejection of a day without an entry; `days` are the first and the last day with one, or null.
 */
export function unknownDay(day: number, days: readonly [number, number] | null): Problem {
  if (days === null) {
    return invalidField('date', 'be a day that earned; the subscription has no interest yet', {
      rule: 'accrued',
      value: dateOf(day),
    });
  }
  const [first, last] = days;
  const nearest = dateOf(day < first ? first : last);
  const limit = nearest;
  const range = `${dateOf(first)} (${isoDay(first)}) to ${dateOf(last)} (${isoDay(last)})`;
  const details = { rule: 'accrued', limit, value: dateOf(day), nearest };
  return invalidField('date', `be a day that earned, from ${range}`, details);
}

const isoDay = (day: number): string => new Date(dateOf(day)).toISOString().slice(0, 10);
