// Every operation on amounts against bigint arithmetic, with inputs crowded around the borders
// where the representation changes from a number to a bigint.
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  type Amount,
  add,
  affordableLots,
  amount,
  divideDown,
  divideUp,
  lots,
  MAX_INTEGER,
  multiply,
  notional,
  powerOfTen,
  RATE_ONE,
  shareUp,
  subtract,
  ticks,
} from './units.ts';

const MAX = BigInt(MAX_INTEGER);
const border = fc.tuple(fc.constantFrom(0n, MAX, -MAX, 2n ** 63n), fc.bigInt(-3n, 3n));
/** Integers of any size and sign; every other one beside a border. */
const integer = fc.oneof(
  fc.bigInt(-(10n ** 45n), 10n ** 45n),
  fc.bigInt(-(2n ** 54n), 2n ** 54n),
  border.map(([at, off]) => at + off),
);
const natural = integer.map((n) => (n < 0n ? -n : n));
const positive = natural.map((n) => n + 1n);
const safe = fc.oneof(
  fc.maxSafeNat(),
  fc.nat(1_000_000),
  fc.nat(3).map((off) => MAX_INTEGER - off),
);
const rate = fc.oneof(fc.nat(RATE_ONE - 1), fc.constantFrom(0, 1, RATE_ONE - 1));

/** The amount is exactly `expected`, in its one form. */
function expectExactly(actual: Amount, expected: bigint): void {
  expect(BigInt(actual)).toBe(expected);
  expect(typeof actual).toBe(expected <= MAX && expected >= -MAX ? 'number' : 'bigint');
  expect(Object.is(actual, -0)).toBe(false);
}

const ceil = (a: bigint, b: bigint): bigint => (a + b - 1n) / b;

describe('amounts are exact', () => {
  test('add, subtract, multiply', () => {
    fc.assert(
      fc.property(integer, integer, (a, b) => {
        expectExactly(add(amount(a), amount(b)), a + b);
        expectExactly(subtract(amount(a), amount(b)), a - b);
        if (a !== 0n && b !== 0n) expectExactly(multiply(amount(a), amount(b)), a * b);
      }),
      { numRuns: 1_000 },
    );
  });

  test('division goes down or up as its name says', () => {
    fc.assert(
      fc.property(natural, positive, (a, b) => {
        expectExactly(divideDown(amount(a), amount(b)), a / b);
        expectExactly(divideUp(amount(a), amount(b)), ceil(a, b));
        expectExactly(divideDown(amount(a * b), amount(b)), a);
        expectExactly(divideUp(amount(a * b), amount(b)), a);
      }),
      { numRuns: 1_000 },
    );
  });

  test('comparison works across forms', () => {
    fc.assert(
      fc.property(integer, integer, (a, b) => {
        expect(amount(a) < amount(b)).toBe(a < b);
        expect(amount(a) === amount(b)).toBe(a === b);
        expect(amount(a) === amount(a + b - b)).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });

  test('powers of ten', () => {
    for (let exponent = 0; exponent <= 40; exponent++) {
      expectExactly(powerOfTen(exponent), 10n ** BigInt(exponent));
    }
  });
});

describe('conversions', () => {
  test('a notional is price × quantity × factor', () => {
    fc.assert(
      fc.property(safe, safe, positive, (price, quantity, factor) => {
        const expected = BigInt(price) * BigInt(quantity);
        expectExactly(notional(ticks(price), lots(quantity), amount(1)), expected);
        expectExactly(notional(ticks(price), lots(quantity), amount(factor)), expected * factor);
      }),
      { numRuns: 1_000 },
    );
  });

  test('affordable lots never cost more than the budget, and one more would', () => {
    const price = safe.map((n) => Math.max(n, 1));
    fc.assert(
      fc.property(natural, price, positive, safe, (budget, at, factor, most) => {
        const bought = affordableLots(amount(budget), ticks(at), amount(factor), lots(most));
        const cost = BigInt(at) * factor;
        expect(typeof bought).toBe('number');
        expect(BigInt(bought) * cost <= budget).toBe(true);
        expect(bought === most || (BigInt(bought) + 1n) * cost > budget).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });

  test('a share is rounded up, and never more than the whole', () => {
    fc.assert(
      fc.property(natural, rate, (money, r) => {
        const share = shareUp(amount(money), r);
        expectExactly(share, ceil(money * BigInt(r), BigInt(RATE_ONE)));
        expect(share <= amount(money)).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });
});
