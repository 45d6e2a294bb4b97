// Parts of addresses.
import { expect, test } from 'bun:test';
import { decoded } from './decoded.ts';

test.each([
  ['BTC-USDT', 'BTC-USDT'],
  ['a%20b', 'a b'],
  ['%', '%'],
  ['%E0%A4%A', '%E0%A4%A'],
])('%p is %p', (part, whole) => {
  expect(decoded(part)).toBe(whole);
});
