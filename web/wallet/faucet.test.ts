// An asset can be drawn again from 00:00 UTC.
import { expect, test } from 'bun:test';
import { isGiven, noted } from './faucet.ts';

const NOON = Date.UTC(2026, 10, 21, 12);
const MIDNIGHT = Date.UTC(2026, 10, 22);

test('an asset that was given is to be had again from the next midnight on', () => {
  const given = noted(new Map(), 'BTC', NOON);
  expect(isGiven(given, 'BTC', NOON)).toBe(true);
  expect(isGiven(given, 'BTC', MIDNIGHT - 1)).toBe(true);
  expect(isGiven(given, 'BTC', MIDNIGHT)).toBe(false);
  expect(isGiven(given, 'USDT', NOON)).toBe(false);
});

test('without a clock nothing is said to be given', () => {
  expect(isGiven(noted(new Map(), 'BTC', null), 'BTC', NOON)).toBe(false);
  expect(isGiven(noted(new Map(), 'BTC', NOON), 'BTC', null)).toBe(false);
});
