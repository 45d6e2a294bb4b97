// What the arithmetic of interest promises for any amounts, rates and days: entries add up to the
// exact figure truncated once, and no way of splitting money earns a unit more.
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { dayInterest, termInterest } from '../../src/core/earn/interest.ts';
import { type Amount, amount } from '../../src/core/units.ts';
import { YEAR } from './earn-state.ts';

/** From one unit to far beyond 2^53, each size alike. */
const amounts = fc
  .tuple(fc.integer({ min: 1, max: 100 }), fc.bigInt({ min: 0n, max: 2n ** 100n }))
  .map(([bits, n]) => 1n + (n & ((1n << BigInt(bits)) - 1n)));
const rates = fc.oneof(
  fc.constantFrom(0, 1, 99_999_999, 1_000_000_000),
  fc.integer({ min: 0, max: 1_000_000_000 }),
);
const days = fc.integer({ min: 1, max: 400 });

const interestOf = (principal: bigint, rate: number, lockDay: number): bigint =>
  BigInt(termInterest(amount(principal), rate, lockDay));

/** Entries of days with these bases and rates, as the core makes them one after the other. */
function entriesOf(bases: readonly (readonly [bigint, number])[]): { sum: bigint; carry: bigint } {
  let carry = 0;
  let sum = 0n;
  for (const [basis, rate] of bases) {
    const day = dayInterest(amount(basis), rate, carry);
    expect(day.carry).toBeGreaterThanOrEqual(0);
    sum += BigInt(day.interest);
    carry = day.carry;
  }
  return { sum, carry: BigInt(carry) };
}

describe('interest', () => {
  test('the entries of a term add up to the figure of the preview', () => {
    fc.assert(
      fc.property(amounts, rates, days, (principal, rate, lockDay) => {
        const entries = entriesOf(
          Array.from({ length: lockDay }, () => [principal, rate] as const),
        );
        expect(entries.sum).toBe(interestOf(principal, rate, lockDay));
        expect(entries.sum).toBe((principal * BigInt(rate) * BigInt(lockDay)) / YEAR);
      }),
    );
  });

  test('whatever the days, their entries and the last fraction are the exact sum', () => {
    const bases = fc.array(fc.tuple(amounts, rates), { maxLength: 60 });
    fc.assert(
      fc.property(bases, (each) => {
        const exact = each.reduce((sum, [basis, rate]) => sum + basis * BigInt(rate), 0n);
        const { sum, carry } = entriesOf(each);
        expect(sum * YEAR + carry).toBe(exact);
      }),
    );
  });

  test('nobody gains a unit by splitting an amount', () => {
    fc.assert(
      fc.property(amounts, amounts, rates, days, (a, b, rate, lockDay) => {
        const split = interestOf(a, rate, lockDay) + interestOf(b, rate, lockDay);
        const whole = interestOf(a + b, rate, lockDay);
        expect(split <= whole && whole - split <= 1n).toBe(true);
      }),
    );
  });

  test('nor by splitting a term', () => {
    fc.assert(
      fc.property(amounts, rates, days, days, (principal, rate, first, second) => {
        const split = interestOf(principal, rate, first) + interestOf(principal, rate, second);
        const whole = interestOf(principal, rate, first + second);
        expect(split <= whole && whole - split <= 1n).toBe(true);
      }),
    );
  });

  test('the form of an interest is canonical', () => {
    fc.assert(
      fc.property(amounts, rates, (principal, rate) => {
        const interest: Amount = dayInterest(amount(principal), rate, 0).interest;
        expect(amount(BigInt(interest))).toBe(interest);
      }),
    );
  });
});
