// Typed amounts in locales with a comma or a point before decimals: the same number, or none; never
// another.
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { fromInput } from './decimal.ts';
import { fieldText, formFault, keptText, signOf, wholeFault } from './typed.ts';

const read = (typed: string, sign: '.' | ',', more = {}) =>
  fromInput(keptText(typed, { sign, ...more }));

test('the decimal separator depends on the language', () => {
  for (const language of ['de-DE', 'fr-FR', 'es-ES', 'pt-BR', 'ru-RU', 'tr-TR']) {
    expect(signOf(language)).toBe(',');
  }
  for (const language of ['en-US', 'en-GB', 'ja-JP', 'de-CH', 'ar-AE']) {
    expect(signOf(language)).toBe('.');
  }
});

describe('with a decimal comma', () => {
  test.each([
    ['1,5', '1.5'],
    ['0,001', '0.001'],
    [',5', '0.5'],
    ['5,', '5'],
    ['1,234', '1.234'],
    ['60131,22', '60131.22'],
    ['60.131,22', '60131.22'],
    ['1.234.567', '1234567'],
    ['1 234,5', '1234.5'],
    ['1\u202f234', '1234'],
    // The point has only one reading, such as in a figure copied from a page.
    ['0.5', '0.5'],
    ['0.123', '0.123'],
    ['60131.22', '60131.22'],
    ['60,131.22', '60131.22'],
    ['1,234,567', '1234567'],
  ])('%p is %p', (typed, value) => {
    expect(read(typed, ',')).toBe(value);
    expect(formFault(keptText(typed, { sign: ',' }), ',')).toBeNull();
  });

  test.each(['1.234', '61.234', '1,2,3', '1.2.3', '10.00,5', '-1', '1e3', 'x'])(
    '%p has no reading',
    (typed) => {
      expect(read(typed, ',')).toBeNull();
      expect(formFault(keptText(typed, { sign: ',' }), ',')).not.toBeNull();
    },
  );

  test('a pasted figure of these pages is not read as a thousandth', () => {
    expect(read('1,234', ',', { pasted: true })).toBeNull();
    expect(read('1,5', ',', { pasted: true })).toBe('1.5');
    expect(formFault(keptText('1.234', { sign: ',' }), ',')).toBe(
      '1.234 can mean 1234 or 1,234. Type the one that you mean.',
    );
    expect(formFault('x', ',')).toBe('Use digits, with a comma before decimals: 1234,5');
  });
});

test('with a decimal point, a comma separates thousands', () => {
  expect(read('1,234', '.')).toBe('1234');
  expect(read('1.234', '.')).toBe('1.234');
  expect(read("1'234.5", '.')).toBe('1234.5');
  for (const typed of ['1,5', '1.000,5', ',5']) expect(read(typed, '.')).toBeNull();
  expect(formFault('1,5', '.')).toBe('Use digits, with a point before decimals: 1234.5');
});

test('a whole number has no decimals with either separator', () => {
  const kept = (typed: string, sign: '.' | ',') => keptText(typed, { sign, whole: true });
  expect(fromInput(kept('1,000', '.'))).toBe('1000');
  expect(fromInput(kept('1.000', ','))).toBe('1000');
  expect(fromInput(kept('1,000', ','))).toBeNull();
  expect(fromInput(kept('1.000', '.'))).toBeNull();
  expect(wholeFault(kept('30', ','))).toBeNull();
  expect(wholeFault(kept('1,5', ','))).toBe('Use whole digits');
});

test('a field shows a value in the locale, and reads the same value back', () => {
  const decimal = fc
    .tuple(fc.nat(), fc.stringMatching(/^[0-9]{0,8}$/))
    .map(([whole, fraction]) => (fraction === '' ? `${whole}` : `${whole}.${fraction}`));
  for (const sign of ['.', ','] as const) {
    fc.assert(
      fc.property(decimal, (value) => read(fieldText(value, sign), sign) === fromInput(value)),
    );
  }
  expect(fieldText('60131.22', ',')).toBe('60131,22');
  expect(fieldText(keptText('1.234', { sign: ',' }), ',')).toBe('1.234');
});
