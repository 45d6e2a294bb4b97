// Typed amounts in locales with a comma or a point before decimals: the same number, or none; never
// another.
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { fromInput } from './decimal.ts';
import { grouped } from './format.ts';
import { separatorsOf } from './locale.ts';
import {
  type Edit,
  edited,
  fieldText,
  formFault,
  keptText,
  shownText,
  wholeFault,
} from './typed.ts';

const read = (typed: string, sign: '.' | ',', more = {}) =>
  fromInput(keptText(typed, { sign, ...more }));

test('the decimal separator depends on the language', () => {
  for (const language of ['de-DE', 'fr-FR', 'es-ES', 'pt-BR', 'ru-RU', 'tr-TR']) {
    expect(separatorsOf(language).sign).toBe(',');
  }
  for (const language of ['en-US', 'en-GB', 'ja-JP', 'de-CH', 'ar-AE']) {
    expect(separatorsOf(language).sign).toBe('.');
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

test.each([
  ['1e-5', '0.00001'],
  ['1e-05', '0.00001'],
  ['5.0E-4', '0.0005'],
  ['5e4', '50000'],
  ['1234e-3', '1.234'],
  [' 1.5e+3 ', '1500'],
])('pasted %p is %p, and the field shows it', (pasted, value) => {
  for (const sign of ['.', ','] as const) {
    expect(read(pasted, sign, { pasted: true })).toBe(value);
    expect(read(pasted, sign)).toBeNull();
  }
  for (const language of ['en-US', 'de-DE']) {
    const separators = separatorsOf(language);
    const before = { text: '', kept: '' };
    const change = { before, after: pasted, caret: pasted.length };
    const field = edited(change, { pasted: true }, separators);
    expect(field.text).toBe(shownText(value, separators));
    expect(fromInput(field.kept)).toBe(value);
    expect(field.caret).toBe(field.text.length);
  }
});

test('a pasted exponent is bounded, and a whole number stays whole', () => {
  for (const pasted of ['1e60', '1e999999999', '1e', 'e5', '1.e5', '1,5e3', '-1e5']) {
    for (const sign of ['.', ','] as const) expect(read(pasted, sign, { pasted: true })).toBeNull();
  }
  const whole = { sign: ',', pasted: true, whole: true } as const;
  expect(wholeFault(keptText('3e1', whole))).toBeNull();
  expect(wholeFault(keptText('3e-1', whole))).not.toBeNull();
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

test.each([
  ['en-US', '1,234,567.5'],
  ['de-DE', '1.234.567,5'],
  ['es-ES', '1.234.567,5'],
  ['fr-FR', '1\u202f234\u202f567,5'],
  ['pl-PL', '1\u00a0234\u00a0567,5'],
  ['ar-EG', '1,234,567.5'],
])('a field and the pages in %p write %p', (language, text) => {
  const separators = separatorsOf(language);
  expect(shownText('1234567.5', separators)).toBe(text);
  expect(grouped('1234567.5', undefined, separators)).toBe(text);
  expect(fromInput(keptText(text, separators))).toBe('1234567.5');
});

/** Presses keys in a field, as a browser does. */
function press(start: string, keys: readonly string[], language: string): Edit {
  const separators = separatorsOf(language);
  const empty = { text: '', kept: '' };
  const caret = start.indexOf('|');
  let field = edited({ before: empty, after: start.replace('|', ''), caret }, {}, separators);
  for (const key of keys) {
    const deletesForward = key === 'Delete';
    const from = Math.max(field.caret - (key === 'Backspace' ? 1 : 0), 0);
    const inserted = key.length > 1 ? '' : key;
    const rest = field.text.slice(field.caret + (deletesForward ? 1 : 0));
    const after = field.text.slice(0, from) + inserted + rest;
    const place = from + inserted.length;
    field = edited({ before: field, after, caret: place, deletesForward }, {}, separators);
  }
  return field;
}

test.each([
  ['en-US', '|', ['1', '2', '3', '4', '5', '6', '7'], '1,234,567|'],
  ['en-US', '1234|', ['.', '5', '0'], '1,234.50|'],
  ['en-US', '12|34', ['9'], '12,9|34'],
  ['en-US', '|1234', ['9'], '9|1,234'],
  ['en-US', '1234|', ['Backspace'], '123|'],
  // A separator that is deleted comes back, and the caret goes past it.
  ['en-US', '1|234', ['Delete'], '1,|234'],
  ['en-US', '1|234', ['Delete', 'Delete'], '1|34'],
  ['en-US', '12345|', ['Backspace', 'Backspace', 'Backspace'], '12|'],
  ['en-US', '1234|', [',', '5'], '1234,5|'],
  ['en-US', '|', ['1', ',', '2', '3', '4'], '1,234|'],
  ['de-DE', '|', ['1', '2', '3', '4', ',', '5'], '1.234,5|'],
  ['de-DE', '|', ['1', '.', '2', '3', '4'], '1.234|'],
  ['de-DE', '1234|', ['.'], '1234.|'],
  ['fr-FR', '1234|', ['5'], '12\u202f345|'],
])('in %p, %p and the keys %p show %p', (language, start, keys, shown) => {
  const { text, caret } = press(start, keys, language);
  expect(`${text.slice(0, caret)}|${text.slice(caret)}`).toBe(shown);
});

test('grouping while typing never changes the number', () => {
  const digits = fc.array(fc.constantFrom(...'0123456789'), { minLength: 1, maxLength: 12 });
  for (const language of ['en-US', 'de-DE', 'fr-FR', 'de-CH']) {
    const { sign } = separatorsOf(language);
    fc.assert(
      fc.property(digits, digits, (whole, fraction) => {
        const { kept } = press('|', [...whole, sign, ...fraction], language);
        return fromInput(kept) === fromInput(`${whole.join('')}.${fraction.join('')}`);
      }),
    );
  }
});

test('a text with two readings stays as it was typed', () => {
  const separators = separatorsOf('de-DE');
  const typed = { before: { text: '', kept: '' }, after: '1.234', caret: 5 };
  expect(edited(typed, {}, separators)).toEqual({ text: '1.234', kept: '1.234?', caret: 5 });
  // The page wrote these separators, so they are not ambiguous.
  const grown = { before: { text: '1.234', kept: '1234' }, after: '1.2345', caret: 6 };
  expect(edited(grown, {}, separators)).toEqual({ text: '12.345', kept: '12345', caret: 6 });
});
