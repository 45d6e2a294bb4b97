// Exact decimal texts: the laws of arithmetic on random values, and the directions of rounding.
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import * as d from './decimal.ts';
import { compact, grouped, percent, signedPercent } from './format.ts';

const decimal = fc
  .tuple(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), fc.integer({ min: 0, max: 18 }))
  .map(([units, scale]) => {
    const digits = String(units < 0n ? -units : units).padStart(scale + 1, '0');
    const text = scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
    return units < 0n ? `-${text}` : text;
  });
const positive = decimal.map((value) => d.add(value.replace('-', ''), '0.1'));

describe('decimals', () => {
  test('subtraction undoes addition', () => {
    fc.assert(
      fc.property(decimal, decimal, (a, b) => d.compare(d.subtract(d.add(a, b), b), a) === 0),
    );
  });

  test('multiplication distributes over addition', () => {
    fc.assert(
      fc.property(decimal, decimal, decimal, (a, b, c) => {
        const left = d.multiply(a, d.add(b, c));
        return d.compare(left, d.add(d.multiply(a, b), d.multiply(a, c))) === 0;
      }),
    );
  });

  test('division rounds down', () => {
    fc.assert(
      fc.property(positive, positive, fc.integer({ min: 0, max: 12 }), (a, b, decimals) => {
        const quotient = d.divideDown(a, b, decimals);
        const step = decimals === 0 ? '1' : `0.${'0'.repeat(decimals - 1)}1`;
        return (
          d.compare(d.multiply(quotient, b), a) <= 0 &&
          d.compare(d.multiply(d.add(quotient, step), b), a) > 0
        );
      }),
    );
  });

  test('floorTo lowers a value by less than a step', () => {
    fc.assert(
      fc.property(positive, positive, (value, increment) => {
        const floor = d.floorTo(value, increment);
        const rest = d.subtract(value, floor);
        return !d.isNegative(rest) && d.compare(rest, increment) < 0;
      }),
    );
  });

  test('ceilTo raises a value by less than a step, and keeps a value on the grid', () => {
    fc.assert(
      fc.property(positive, positive, (value, increment) => {
        const ceiling = d.ceilTo(value, increment);
        const rise = d.subtract(ceiling, value);
        const isOnGrid = d.compare(d.ceilTo(ceiling, increment), ceiling) === 0;
        return !d.isNegative(rise) && d.compare(rise, increment) < 0 && isOnGrid;
      }),
    );
  });

  test.each([
    ['.5', '0.5'],
    ['5.', '5'],
    ['007.50', '7.5'],
    [' 1 ', '1'],
    ['60,131.22', '60131.22'],
    ['1,000', '1000'],
    ['1,234,567.8', '1234567.8'],
  ])('the input %p is %p', (typed, value) => {
    expect(d.fromInput(typed)).toBe(value);
  });

  test.each([
    '',
    '.',
    '-1',
    '1e3',
    '1,5',
    '1.000,5',
    '10,00',
    '1,0000',
    ',5',
    '0x10',
    'NaN',
    '1.2.3',
  ])('the input %p is no decimal', (typed) => {
    expect(d.fromInput(typed)).toBeNull();
  });

  test('arithmetic throws for a text that is no decimal', () => {
    expect(() => d.add('1e100', '1')).toThrow(TypeError);
  });
});

describe('formatted numbers', () => {
  test.each([
    [grouped('1234567.5'), '1,234,567.5'],
    [grouped('-1234.5', 2), '-1,234.50'],
    [grouped('0.129', 2), '0.12'],
    [percent('0.0365'), '3.65%'],
    [percent('0.04391061'), '4.391061%'],
    [signedPercent('-0.01239'), '−1.23%'],
    [signedPercent('0.5'), '+50.00%'],
    [signedPercent('0.00004'), '0.00%'],
    [signedPercent('-0.00004'), '0.00%'],
    [compact('1234567'), '1.23M'],
    [compact('999'), '999.00'],
    [compact('12345'), '12.34K'],
    [compact('76.989126'), '76.98'],
    [compact('3.727103'), '3.727'],
    [compact('5'), '5'],
    [compact('0.76989126'), '0.7698'],
    [compact('0.00123456'), '0.001234'],
    [compact('0'), '0'],
  ])('%p is %p', (shown, wanted) => {
    expect(shown).toBe(wanted);
  });
});
