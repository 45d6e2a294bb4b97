// Interest: simple, by UTC days, a 365th of the annual rate a day. The fraction below a unit is
// carried to the next day, so the entries of a term sum to the exact figure truncated once.
import { type Amount, add, amount, multiply, RATE_ONE } from '../units.ts';

/** One day's interest is principal (units) × annual rate (10^-8) ÷ this number. */
export const DAY_DENOMINATOR = 365 * RATE_ONE;
const DENOMINATOR = BigInt(DAY_DENOMINATOR);

/** A day's interest, and the fraction of a unit that is carried on: carry ÷ DAY_DENOMINATOR. */
export interface DayInterest {
  readonly interest: Amount;
  /** 0 ≤ carry < DAY_DENOMINATOR. */
  readonly carry: number;
}

/** ⌊(basis × rate + carry) ÷ DAY_DENOMINATOR⌋ and the remainder, for a rate in 10^-8. */
export function dayInterest(basis: Amount, rate: number, carry: number): DayInterest {
  const exact = add(multiply(basis, rate), carry as Amount);
  if (typeof exact === 'number') {
    const rest = exact % DAY_DENOMINATOR;
    return { interest: ((exact - rest) / DAY_DENOMINATOR) as Amount, carry: rest };
  }
  const numerator = BigInt(exact);
  const interest = numerator / DENOMINATOR;
  return { interest: amount(interest), carry: Number(numerator - interest * DENOMINATOR) };
}

/** The interest of a whole term: ⌊principal × rate × days ÷ 365⌋. */
export const termInterest = (principal: Amount, rate: number, days: number): Amount =>
  dayInterest(multiply(principal, rate), days, 0).interest;
