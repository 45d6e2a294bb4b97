// Which language a reader gets, and the plural forms of English.
import { expect, test } from 'bun:test';
import { languageFor, pluralIn } from './language.ts';

test('a reader gets a language that exists, by its primary tag, and English otherwise', () => {
  expect(languageFor(['en-GB'])).toBe('en');
  expect(languageFor(['tlh', 'EN-us'])).toBe('en');
  expect(languageFor(['tlh'])).toBe('en');
  expect(languageFor([])).toBe('en');
});

test('English has one form for 1 and another for all else', () => {
  const orders = (n: number) => pluralIn('en')(n, { one: '1 order', other: `${n} orders` });
  expect([0, 1, 2, 21].map(orders)).toEqual(['0 orders', '1 order', '2 orders', '21 orders']);
});
