// Typed amounts, rates, integers and references, as the values of a request.
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  FormReader,
  parseAmount,
  parseInteger,
  parseRate,
  parseReference,
  parseText,
  percentOf,
} from './parse.ts';

const FEE = { maximum: '100', below: true } as const;

describe('percents and rates', () => {
  test.each([
    ['0.1', '0.001'],
    ['4', '0.04'],
    ['.5', '0.005'],
    ['0', '0'],
    ['99.999999', '0.99999999'],
  ])('%p percent is the rate %p', (typed, rate) => {
    expect(parseRate(typed, FEE)).toEqual({ value: rate });
  });

  test('every rate of the wire survives being shown and typed again', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 99_999_999 }), (units) => {
        const digits = String(units).padStart(8, '0').replace(/0+$/, '');
        const rate = digits === '' ? '0' : `0.${digits}`;
        expect(parseRate(percentOf(rate), FEE)).toEqual({ value: rate });
      }),
    );
  });

  test.each([
    ['', 'Enter a percentage'],
    ['100', 'less than 100 %'],
    ['abc', 'Enter a number'],
    ['0.0000001', 'at most 6 decimals'],
  ])('%p is refused: %p', (typed, sentence) => {
    expect(parseRate(typed, FEE)).toEqual({ fault: expect.stringContaining(sentence) });
  });

  test('a bound that is included', () => {
    expect(parseRate('1000', { maximum: '1000' })).toEqual({ value: '10' });
    expect(parseRate('1000.1', { maximum: '1000' })).toEqual({ fault: 'Enter at most 1,000 %.' });
    expect(parseRate('0', { maximum: '1000', zero: false })).toEqual({
      fault: 'Enter a percentage above 0 %.',
    });
  });
});

describe('amounts', () => {
  test('as typed, on the scale of the asset', () => {
    expect(parseAmount(' 1.50 ', { decimals: 2 })).toEqual({ value: '1.5' });
    expect(parseAmount('0', { decimals: 2, zero: true })).toEqual({ value: '0' });
  });

  test.each([
    ['', 'Enter an amount.'],
    ['0.00', 'Enter a number above 0.'],
    ['1e3', 'Enter a number, such as 12.5.'],
    ['1.239', 'USDT has 2 decimals. Enter 1.23, for example.'],
  ])('%p is refused: %p', (typed, fault) => {
    expect(parseAmount(typed, { decimals: 2, asset: 'USDT' })).toEqual({ fault });
  });
});

test('whole numbers keep to their range', () => {
  const days = { minimum: 1, maximum: 36_500, unit: 'days' };
  expect(parseInteger('90', days)).toEqual({ value: 90 });
  for (const typed of ['', '0', '36501', '1.5', '-1']) {
    expect(parseInteger(typed, days)).toEqual({
      fault: 'Enter a whole number of days from 1 to 36,500.',
    });
  }
});

test('references and names', () => {
  expect(parseReference(' wire-1 ')).toEqual({ value: 'wire-1' });
  expect(parseReference('überweisung')).toHaveProperty('fault');
  expect(parseReference('x'.repeat(129))).toHaveProperty('fault');
  expect(parseText('  ', 'a name', 64)).toEqual({ fault: 'Enter a name.' });
  expect(parseText('x'.repeat(65), 'a name', 64)).toHaveProperty('fault');
});

test('a form with a fault is no request, and the first fault of a field stays', () => {
  const reader = new FormReader<'a' | 'b'>();
  reader.read('a', { value: 1 });
  reader.read('b', { fault: 'first' });
  reader.reject('b', 'second');
  expect(reader.isValid('a')).toBe(true);
  expect(reader.isValid('a', 'b')).toBe(false);
  expect(reader.finish({})).toEqual({ ok: false, faults: { b: 'first' } });
  expect(new FormReader().finish(7)).toEqual({ ok: true, body: 7 });
});
