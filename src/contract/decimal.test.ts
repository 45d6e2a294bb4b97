// Decimal text against an oracle that knows only bigints: a value is a pair of an integer and a
// scale.
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { Increment } from '../core/instrument.ts';
import type { Amount } from '../core/units.ts';
import { amount } from '../core/units.ts';
import {
  decimalFault,
  formatSteps,
  formatUnits,
  MAX_DIGITS,
  nearbyOnGrid,
  parseDecimal,
  parseIncrement,
  toSteps,
  toUnits,
  wholeNumber,
  withoutExponent,
} from './decimal.ts';

/** Decimal text with at most MAX_DIGITS digits, and its exact value as digits × 10^-scale. */
const decimalText = fc
  .tuple(
    fc.boolean(),
    fc.bigInt({ min: 0n, max: 10n ** 40n }),
    fc.integer({ min: 0, max: 12 }),
    fc.integer({ min: 0, max: 20 }),
  )
  .map(([negative, magnitude, shorten, scale]) => {
    const digits = magnitude / 10n ** BigInt(shorten * 3);
    const padded = digits.toString().padStart(scale + 1, '0');
    const cut = padded.length - scale;
    const body = scale === 0 ? padded : `${padded.slice(0, cut)}.${padded.slice(cut)}`;
    return { text: negative ? `-${body}` : body, digits: negative ? -digits : digits, scale };
  });

const increment: fc.Arbitrary<Increment> = fc.record({
  mantissa: fc.constantFrom(1, 2, 5, 25, 10, 125),
  decimals: fc.integer({ min: 0, max: 18 }),
});

/** a × 10^-s in units of 10^-decimals, or null when it has a digit beyond. */
function oracleUnits(digits: bigint, scale: number, decimals: number): bigint | null {
  const shifted = digits * 10n ** BigInt(decimals);
  const divisor = 10n ** BigInt(scale);
  return shifted % divisor === 0n ? shifted / divisor : null;
}

describe('grammar', () => {
  test.each(['1e3', '1E3', '1e+3', '-1.5e-7', '12e0'])('%s is exponent form', (text) => {
    expect(decimalFault(text)).toBe('exponent');
  });

  test('the number of digits is bounded, and a long text is rejected quickly', () => {
    expect(decimalFault('9'.repeat(MAX_DIGITS))).toBeNull();
    expect(decimalFault('9'.repeat(MAX_DIGITS + 1))).toBe('tooManyDigits');
    expect(decimalFault(`0.${'0'.repeat(MAX_DIGITS)}`)).toBe('tooManyDigits');
    expect(decimalFault(`${'9'.repeat(100_000)}e`)).toBe('malformed');
  });

  test('any text is either a fault or exactly what the JSON grammar calls a plain number', () => {
    const grammar = /^-?(0|[1-9]\d*)(\.\d+)?$/;
    const alphabet = fc.constantFrom(...'0123456789.-+eE x,_n\n١');
    const anyText = fc.string({ unit: alphabet, maxLength: 12 });
    fc.assert(
      fc.property(anyText, (text) => (decimalFault(text) === null) === grammar.test(text)),
      { numRuns: 20_000 },
    );
  });
});

describe('an exponent', () => {
  test.each([
    ['1e-05', '0.00001'],
    ['5.0E-4', '0.0005'],
    ['5e4', '50000'],
    ['1E+3', '1000'],
    ['-1.25e1', '-12.5'],
    ['0.00120e2', '0.12'],
    ['1.0E10', '10000000000'],
    ['0E-8', '0'],
    ['-0.0e999999999', '0'],
    ['1e-59', `0.${'0'.repeat(58)}1`],
    ['1e59', `1${'0'.repeat(59)}`],
  ])('%s is %s', (text, plain) => {
    expect(withoutExponent(text)).toBe(plain);
    expect(decimalFault(plain)).toBeNull();
  });

  test('keeps the value exactly, whatever the form', () => {
    const exponent = fc.integer({ min: -30, max: 30 });
    const form = fc.constantFrom('e', 'E', 'e+', 'E+0');
    fc.assert(
      fc.property(decimalText, exponent, form, ({ text, digits, scale }, shift, mark) => {
        const sent = `${text}${shift < 0 ? `${mark[0]}-0${-shift}` : mark + shift}`;
        const plain = withoutExponent(sent);
        if (plain === sent) return scale - shift > 0 || digits.toString().length + shift > 30;
        const parsed = parseDecimal(plain);
        if (typeof parsed === 'string') return parsed === 'tooManyDigits';
        // digits × 10^(shift - scale), both as integers of the smaller unit.
        const value = (parsed.negative ? -1n : 1n) * BigInt(parsed.digits);
        const low = Math.min(-parsed.scale, shift - scale);
        return (
          value * 10n ** BigInt(-parsed.scale - low) === digits * 10n ** BigInt(shift - scale - low)
        );
      }),
      { numRuns: 20_000 },
    );
  });

  test('is bounded before any digit is made', () => {
    for (const text of ['1e999999999', '1e-999999999', `1e${'9'.repeat(100)}`, '1e60', '12e-60']) {
      expect(withoutExponent(text).length).toBeLessThanOrEqual(text.length + MAX_DIGITS + 2);
      expect(decimalFault(withoutExponent(text))).toMatch(/^(exponent|tooManyDigits)$/);
    }
    const long = `${'9'.repeat(100_000)}e-5`;
    expect(withoutExponent(long)).toBe(long);
  });

  test.each(['01e2', '.5e1', '5.e1', '+1e2', '1e', '1e1.5', '1e+-2', '0x1e2', ' 1e2', '1e2 '])(
    '%s is left as it is, and is a fault',
    (text) => {
      expect(withoutExponent(text)).toBe(text);
      expect(decimalFault(text)).toBe('malformed');
    },
  );

  test.each([
    ['5.0', '5'],
    ['5e4', '50000'],
    ['1.0E10', '10000000000'],
    ['-3.00', '-3'],
    ['5.5', '5.5'],
    ['5e-1', '0.5'],
    ['x', 'x'],
  ])('the whole number of %s is %s', (text, digits) => expect(wholeNumber(text)).toBe(digits));
});

describe('units', () => {
  test('parse, convert and format agree with bigint arithmetic', () => {
    fc.assert(
      fc.property(decimalText, fc.integer({ min: 0, max: 18 }), (value, decimals) => {
        const parsed = parseDecimal(value.text);
        if (typeof parsed === 'string') throw new Error(parsed);
        const magnitude = value.digits < 0n ? -value.digits : value.digits;
        expect(BigInt(parsed.digits)).toBe(magnitude);
        expect(parsed.scale).toBe(value.scale);
        expect(parsed.negative).toBe(value.digits < 0n);
        const units = toUnits(value.text, decimals);
        const expected = oracleUnits(value.digits, value.scale, decimals);
        if (expected === null) {
          expect(units).toBe('offGrid');
        } else {
          expect(units).toBe(amount(expected));
          const back = formatUnits(units as Amount, decimals);
          expect(back).not.toMatch(/e|\.$|\.\d*0$|^-0$/);
          expect(toUnits(back, decimals)).toBe(units as Amount);
        }
      }),
      { numRuns: 100_000 },
    );
  });

  test('zero has one form', () => {
    expect(Object.is(toUnits('-0.00', 8), 0)).toBe(true);
    expect(formatUnits(0 as Amount, 8)).toBe('0');
  });

  test('text is plain at both ends of the range', () => {
    expect(formatUnits(1 as Amount, 18)).toBe('0.000000000000000001');
    expect(formatUnits(amount(10n ** 30n), 8)).toBe(`1${'0'.repeat(22)}`);
    expect(formatUnits(amount(-(10n ** 30n) - 1n), 2)).toBe(`-1${'0'.repeat(28)}.01`);
    expect(formatUnits(-1250 as Amount, 3)).toBe('-1.25');
  });
});

describe('steps of an increment', () => {
  test('a value on the grid is counted, one off it gets both neighbours', () => {
    fc.assert(
      fc.property(decimalText, increment, (value, grid) => {
        const result = toSteps(value.text, grid);
        if (value.digits <= 0n) {
          expect(result).toEqual({ ok: false, fault: 'notPositive' });
          return;
        }
        const numerator = value.digits * 10n ** BigInt(grid.decimals);
        const denominator = BigInt(grid.mantissa) * 10n ** BigInt(value.scale);
        const steps = numerator / denominator;
        if (steps >= BigInt(Number.MAX_SAFE_INTEGER)) {
          expect(result).toEqual({ ok: false, fault: 'tooLarge' });
        } else if (steps * denominator === numerator) {
          expect(result).toEqual({ ok: true, steps: Number(steps) });
        } else if (result.ok || result.fault !== 'offGrid') {
          throw new Error('expected an off-grid rejection');
        } else {
          const above = toSteps(result.above, grid);
          expect(above).toEqual({ ok: true, steps: Number(steps) + 1 });
          expect(result.below).toBe(formatSteps(Number(steps), grid));
        }
      }),
      { numRuns: 20_000 },
    );
  });

  test('a suggested value passes', () => {
    fc.assert(
      fc.property(decimalText, increment, (value, grid) => {
        const [nearest] = nearbyOnGrid(value.text, grid);
        const read = toSteps(nearest!, grid);
        expect(read.ok).toBe(true);
        const asked = toSteps(value.text, grid);
        if (asked.ok || asked.fault !== 'offGrid' || !read.ok) return;
        const numerator = value.digits * 10n ** BigInt(grid.decimals);
        const denominator = BigInt(grid.mantissa) * 10n ** BigInt(value.scale);
        const distance = (steps: number): bigint => {
          const n = BigInt(steps) * denominator - numerator;
          return n < 0n ? -n : n;
        };
        for (const other of [read.steps - 1, read.steps + 1].filter((steps) => steps > 0)) {
          expect(distance(read.steps) <= distance(other)).toBe(true);
        }
      }),
      { numRuns: 20_000 },
    );
  });

  test('the suggestion is the nearest accepted value, and the lower of two', () => {
    const lot = { mantissa: 5, decimals: 2 };
    expect(nearbyOnGrid('0.17', lot)[0]).toBe('0.15');
    expect(nearbyOnGrid('0.18', lot)[0]).toBe('0.2');
    expect(nearbyOnGrid('0.175', lot)[0]).toBe('0.15');
    expect(nearbyOnGrid('0.1750001', lot)[0]).toBe('0.2');
    expect(nearbyOnGrid('0.18', lot)).toEqual(['0.2', '0.15']);
    expect(nearbyOnGrid('1e40'.replace('e40', '0'.repeat(40)), lot)[0]).toBe('450359962737049.5');
    expect(nearbyOnGrid('0.01', lot)[0]).toBe('0.05');
    expect(nearbyOnGrid('0', lot)[0]).toBe('0.05');
    expect(nearbyOnGrid('-3', lot)[0]).toBe('0.05');
    expect(nearbyOnGrid('1e3', lot)).toEqual([]);
    expect(toSteps('0.17', lot)).toEqual({
      ok: false,
      fault: 'offGrid',
      below: '0.15',
      above: '0.2',
    });
    expect(toSteps('0.01', lot)).toEqual({
      ok: false,
      fault: 'offGrid',
      below: '0',
      above: '0.05',
    });
  });
});

describe('increments', () => {
  test.each([
    ['0.01', { mantissa: 1, decimals: 2 }],
    ['0.0250', { mantissa: 25, decimals: 3 }],
    ['1', { mantissa: 1, decimals: 0 }],
    ['10.00', { mantissa: 10, decimals: 0 }],
  ] as const)('%s', (text, expected) => expect(parseIncrement(text)).toEqual(expected));

  test('rejects text that is no increment', () => {
    expect(parseIncrement('0')).toBe('notPositive');
    expect(parseIncrement('-0.1')).toBe('notPositive');
    expect(parseIncrement('9'.repeat(20))).toBe('tooLarge');
    expect(parseIncrement('1e-2')).toBe('exponent');
  });
});
