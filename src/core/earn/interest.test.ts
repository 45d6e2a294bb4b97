// Interest against exact fractions: a day, a term, and what is carried in between.
import { describe, expect, test } from 'bun:test';
import { Prng } from '../../../test/support/prng.ts';
import { type Amount, amount } from '../units.ts';
import { DAY_DENOMINATOR, dayInterest, termInterest } from './interest.ts';

const random = new Prng(20_260_101);
/** From one unit to far beyond 2^53, in every order of magnitude. */
const anyPrincipal = (): Amount =>
  amount(1n + random.belowBig(10n ** BigInt(1 + random.below(25))));
const anyRate = (): number => random.below(2) * random.below(1_000_000_001);

const D = BigInt(DAY_DENOMINATOR);
const exactTerm = (principal: Amount, rate: number, days: number): bigint =>
  (BigInt(principal) * BigInt(rate) * BigInt(days)) / D;

describe('interest', () => {
  test('of the days of a term adds up to the exact figure truncated once', () => {
    for (let i = 0; i < 300; i++) {
      const principal = anyPrincipal();
      const rate = anyRate();
      const days = random.between(1, 400);
      let sum = 0n;
      let carry = 0;
      for (let day = 1; day <= days; day++) {
        const one = dayInterest(principal, rate, carry);
        expect(one.carry).toBeGreaterThanOrEqual(0);
        expect(one.carry).toBeLessThan(DAY_DENOMINATOR);
        sum += BigInt(one.interest);
        carry = one.carry;
        expect(sum).toBe(exactTerm(principal, rate, day));
      }
      expect(termInterest(principal, rate, days)).toBe(amount(sum));
    }
  });

  test('of changing amounts and rates is the exact sum truncated once', () => {
    let numerator = 0n;
    let sum = 0n;
    let carry = 0;
    for (let day = 0; day < 3000; day++) {
      const basis = anyPrincipal();
      const rate = anyRate();
      const one = dayInterest(basis, rate, carry);
      carry = one.carry;
      sum += BigInt(one.interest);
      numerator += BigInt(basis) * BigInt(rate);
      expect(sum).toBe(numerator / D);
    }
  });

  test('of a split amount is never more than that of the whole', () => {
    for (let i = 0; i < 2000; i++) {
      const whole = anyPrincipal();
      const part = amount(random.belowBig(BigInt(whole) + 1n));
      const rest = amount(BigInt(whole) - BigInt(part));
      const rate = anyRate();
      const days = random.between(1, 3650);
      const apart = BigInt(termInterest(part, rate, days)) + BigInt(termInterest(rest, rate, days));
      expect(apart <= BigInt(termInterest(whole, rate, days))).toBe(true);
    }
  });

  test('of one unit arrives when a whole unit is due, and not before', () => {
    // 5 % on 1 unit: a unit every 20 years of 365 days.
    const days = 20 * 365;
    expect(termInterest(amount(1), 5_000_000, days - 1)).toBe(amount(0));
    expect(termInterest(amount(1), 5_000_000, days)).toBe(amount(1));
  });
});
