// What is typed into the operator's forms, as what goes onto the wire.
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { amountOf, percentOf, Reading, rateOf, referenceOf, textOf, wholeOf } from './check.ts';

const FEE = { most: '100', below: true } as const;

describe('percents and rates', () => {
  test.each([
    ['0.1', '0.001'],
    ['4', '0.04'],
    ['.5', '0.005'],
    ['0', '0'],
    ['99.999999', '0.99999999'],
  ])('%p percent is the rate %p', (typed, rate) => {
    expect(rateOf(typed, FEE)).toEqual({ value: rate });
  });

  test('every rate of the wire survives being shown and typed again', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 99_999_999 }), (units) => {
        const digits = String(units).padStart(8, '0').replace(/0+$/, '');
        const rate = digits === '' ? '0' : `0.${digits}`;
        expect(rateOf(percentOf(rate), FEE)).toEqual({ value: rate });
      }),
    );
  });

  test.each([
    ['', 'Say how many'],
    ['100', 'below 100 %'],
    ['abc', 'A number'],
    ['0.0000001', 'At most 6 decimals'],
  ])('%p is refused: %p', (typed, sentence) => {
    expect(rateOf(typed, FEE)).toEqual({ fault: expect.stringContaining(sentence) });
  });

  test('a bound that is included', () => {
    expect(rateOf('1000', { most: '1000' })).toEqual({ value: '10' });
    expect(rateOf('1000.1', { most: '1000' })).toEqual({ fault: 'At most 1,000 %.' });
    expect(rateOf('0', { most: '1000', zero: false })).toEqual({ fault: 'It must be above 0 %.' });
  });
});

describe('amounts', () => {
  test('as typed, on the scale of the asset', () => {
    expect(amountOf(' 1.50 ', { decimals: 2 })).toEqual({ value: '1.5' });
    expect(amountOf('0', { decimals: 2, zero: true })).toEqual({ value: '0' });
  });

  test.each([
    ['', 'Say how much.'],
    ['0.00', 'It must be above 0.'],
    ['1e3', 'A number, such as 12.5.'],
    ['1.239', 'At most the 2 decimals of USDT: 1.23, for instance.'],
  ])('%p is refused: %p', (typed, fault) => {
    expect(amountOf(typed, { decimals: 2, asset: 'USDT' })).toEqual({ fault });
  });
});

test('whole numbers keep to their range', () => {
  const days = { least: 1, most: 36_500, unit: 'days' };
  expect(wholeOf('90', days)).toEqual({ value: 90 });
  for (const typed of ['', '0', '36501', '1.5', '-1']) {
    expect(wholeOf(typed, days)).toEqual({ fault: 'A whole number from 1 to 36,500 (days).' });
  }
});

test('references and names', () => {
  expect(referenceOf(' wire-1 ')).toEqual({ value: 'wire-1' });
  expect(referenceOf('überweisung')).toHaveProperty('fault');
  expect(referenceOf('x'.repeat(129))).toHaveProperty('fault');
  expect(textOf('  ', 'a name', 64)).toEqual({ fault: 'Give a name.' });
  expect(textOf('x'.repeat(65), 'a name', 64)).toHaveProperty('fault');
});

test('a form with a fault is no request, and the first fault of a field stays', () => {
  const reading = new Reading<'a' | 'b'>();
  reading.take('a', { value: 1 });
  reading.take('b', { fault: 'first' });
  reading.fault('b', 'second');
  expect(reading.isFine('a')).toBe(true);
  expect(reading.isFine('a', 'b')).toBe(false);
  expect(reading.finish({})).toEqual({ ok: false, faults: { b: 'first' } });
  expect(new Reading().finish(7)).toEqual({ ok: true, body: 7 });
});
