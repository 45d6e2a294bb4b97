// Interest against exact fractions, for any amounts, rates and days: entries add up to the exact
// figure truncated once, and no way of splitting money earns a unit more.
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { amount } from '../units.ts';
import { DAY_DENOMINATOR, dayInterest, termInterest } from './interest.ts';

const YEAR = BigInt(DAY_DENOMINATOR);

/** From one unit to far beyond 2^53, each size alike. */
const amounts = fc
  .tuple(fc.integer({ min: 1, max: 100 }), fc.bigInt({ min: 0n, max: 2n ** 100n }))
  .map(([bits, n]) => 1n + (n & ((1n << BigInt(bits)) - 1n)));
const rates = fc.oneof(
  fc.constantFrom(0, 1, 99_999_999, 1_000_000_000),
  fc.integer({ min: 0, max: 1_000_000_000 }),
);
const days = fc.integer({ min: 1, max: 3_650 });

const interestOf = (principal: bigint, rate: number, lockDay: number): bigint =>
  BigInt(termInterest(amount(principal), rate, lockDay));

/** The sum of the entries of days with these bases and rates, and the fraction that is left. */
function entriesOf(bases: readonly (readonly [bigint, number])[]): { sum: bigint; carry: bigint } {
  let carry = 0;
  let sum = 0n;
  for (const [basis, rate] of bases) {
    const day = dayInterest(amount(basis), rate, carry);
    expect(day.carry).toBeWithin(0, DAY_DENOMINATOR);
    expect(amount(BigInt(day.interest))).toBe(day.interest);
    sum += BigInt(day.interest);
    carry = day.carry;
  }
  return { sum, carry: BigInt(carry) };
}

describe('interest', () => {
  test('of a term is the exact figure truncated once', () => {
    fc.assert(
      fc.property(amounts, rates, days, (principal, rate, lockDay) => {
        const exact = (principal * BigInt(rate) * BigInt(lockDay)) / YEAR;
        expect(interestOf(principal, rate, lockDay)).toBe(exact);
      }),
    );
  });

  test('of days with any amounts and rates is, with the last fraction, the exact sum', () => {
    const bases = fc.array(fc.tuple(amounts, rates), { maxLength: 400 });
    fc.assert(
      fc.property(bases, (each) => {
        const exact = each.reduce((sum, [basis, rate]) => sum + basis * BigInt(rate), 0n);
        const { sum, carry } = entriesOf(each);
        expect(sum * YEAR + carry).toBe(exact);
      }),
    );
  });

  test('of a split amount or term is at most that of the whole, and at most a unit less', () => {
    const expectSplit = (parts: bigint, whole: bigint) =>
      expect(parts <= whole && whole - parts <= 1n).toBe(true);
    fc.assert(
      fc.property(amounts, amounts, rates, days, days, (a, b, rate, first, second) => {
        const amountParts = interestOf(a, rate, first) + interestOf(b, rate, first);
        expectSplit(amountParts, interestOf(a + b, rate, first));
        const termParts = interestOf(a, rate, first) + interestOf(a, rate, second);
        expectSplit(termParts, interestOf(a, rate, first + second));
      }),
    );
  });

  test('of one unit arrives when a whole unit is due, and not before', () => {
    // 5 % on 1 unit: a unit every 20 years of 365 days.
    const lockDay = 20 * 365;
    expect(interestOf(1n, 5_000_000, lockDay - 1)).toBe(0n);
    expect(interestOf(1n, 5_000_000, lockDay)).toBe(1n);
  });
});
