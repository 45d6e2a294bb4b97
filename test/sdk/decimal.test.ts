// The SDK's decimals against an oracle of bigints: a value is an integer and a scale.
import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { decimalFault, withoutExponent } from '../../src/contract/decimal.ts';
import * as decimal from '../../src/sdk/decimal.ts';

const SCALE = 20;
const ONE = 10n ** BigInt(SCALE);
/** Decimal text with its value in units of 10^-20. */
const value = fc
  .tuple(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), fc.integer({ min: 0, max: SCALE }))
  .map(([digits, scale]) => {
    const sign = digits < 0n ? '-' : '';
    const padded = String(digits < 0n ? -digits : digits).padStart(scale + 1, '0');
    const cut = padded.length - scale;
    const text = scale === 0 ? padded : `${padded.slice(0, cut)}.${padded.slice(cut)}`;
    return { text: sign + text, units: digits * 10n ** BigInt(SCALE - scale) };
  });
const unitsOf = (text: string, scale = SCALE): bigint => {
  const [whole = '', fraction = ''] = text.replace('-', '').split('.');
  const units = BigInt(whole + fraction.padEnd(scale, '0'));
  return text.startsWith('-') ? -units : units;
};

test('sums, products and comparisons are exact', () => {
  fc.assert(
    fc.property(value, value, (a, b) => {
      expect(unitsOf(decimal.add(a.text, b.text))).toBe(a.units + b.units);
      expect(unitsOf(decimal.subtract(a.text, b.text))).toBe(a.units - b.units);
      expect(unitsOf(decimal.multiply(a.text, b.text), 2 * SCALE)).toBe(a.units * b.units);
      const order = a.units < b.units ? -1 : a.units > b.units ? 1 : 0;
      expect(decimal.compare(a.text, b.text)).toBe(order);
      expect(decimal.max(a.text, b.text)).toBe(order >= 0 ? a.text : b.text);
    }),
    { numRuns: 5000 },
  );
});

test('a division is cut off towards zero, and a floor is the multiple below', () => {
  fc.assert(
    fc.property(value, value, fc.integer({ min: 0, max: 12 }), (a, b, decimals) => {
      fc.pre(b.units !== 0n);
      const quotient = (a.units * 10n ** BigInt(decimals)) / b.units;
      expect(unitsOf(decimal.divideDown(a.text, b.text, decimals), decimals)).toBe(quotient);
      const [sum, step] = [a, b].map(({ text }) => text.replace('-', ''));
      const rest = unitsOf(sum!) % unitsOf(step!);
      expect(unitsOf(decimal.floorTo(sum!, step!))).toBe(unitsOf(sum!) - rest);
      expect(unitsOf(decimal.ceilTo(sum!, step!)) - unitsOf(sum!)).toBe(
        rest === 0n ? 0n : unitsOf(step!) - rest,
      );
    }),
    { numRuns: 5000 },
  );
  expect(decimal.divideDown('1', '3', 4)).toBe('0.3333');
  expect(() => decimal.divideDown('1', '0', 2)).toThrow(RangeError);
});

test('an exponent is read exactly, and as the server reads it', () => {
  fc.assert(
    fc.property(value, fc.integer({ min: -20, max: 20 }), ({ text }, exponent) => {
      const sent = `${text}e${exponent}`;
      const plain = decimal.multiply(sent, '1');
      expect(plain).toMatch(/^-?\d+(\.\d+)?$/);
      const power = exponent < 0 ? `0.${'1'.padStart(-exponent, '0')}` : `1${'0'.repeat(exponent)}`;
      expect(plain).toBe(decimal.multiply(text, power));
      const read = withoutExponent(sent);
      if (decimalFault(read) === null) expect(decimal.compare(read, sent)).toBe(0);
    }),
    { numRuns: 3000 },
  );
  expect(decimal.add('1e-05', '5.0E-4')).toBe('0.00051');
  expect(decimal.fixedDown('5e4', 2)).toBe('50000.00');
  expect(decimal.decimalsOf('1E-007')).toBe(7);
});

test('has one written form, and rejects text that is no decimal', () => {
  for (const text of [
    '',
    '.',
    'e5',
    '1e',
    '1e1.5',
    '1e100',
    ' 1',
    '0x1',
    'NaN',
    '1,5',
    '--1',
    '5.',
  ]) {
    expect(decimal.isDecimal(text)).toBe(false);
    expect(() => decimal.add(text, '1')).toThrow(TypeError);
  }
  expect(decimal.add('1.50', '-1.5')).toBe('0');
  expect(decimal.multiply('-0.10', '10')).toBe('-1');
  expect(decimal.fixedDown('1.999', 2)).toBe('1.99');
  expect(ONE).toBe(unitsOf('1'));
});
