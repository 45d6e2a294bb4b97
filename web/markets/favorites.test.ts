// The list of favorite pairs.
import { expect, test } from 'bun:test';

Object.assign(globalThis, {
  window: globalThis.window ?? { addEventListener: () => undefined },
  localStorage: globalThis.localStorage ?? { getItem: () => null },
});
const { parseFavorites, toggled } = await import('./favorites.tsx');

test('a stored list is read, and anything else is left out', () => {
  expect(parseFavorites(null)).toEqual([]);
  expect(parseFavorites('BTC-USDT ETH-USDT BTC-USDT')).toEqual(['BTC-USDT', 'ETH-USDT']);
  expect(parseFavorites('{"a":1} <b> BTC-USDT')).toEqual(['BTC-USDT']);
});

test('a star adds a pair, and removes it again', () => {
  const one = toggled([], 'BTC-USDT');
  expect(one).toEqual(['BTC-USDT']);
  expect(toggled(toggled(one, 'ETH-USDT'), 'BTC-USDT')).toEqual(['ETH-USDT']);
});
