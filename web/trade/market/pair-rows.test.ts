// The list of pairs.
import { expect, test } from 'bun:test';
import type { Ticker } from '../../api/market.ts';
import { changeOf, foundPairs, type PairRow } from './pair-rows.ts';

const row = (symbol: string, change: string | null, volume: string): PairRow => ({
  symbol,
  status: 'LIVE',
  last: null,
  priceDecimals: 2,
  change,
  volume,
});
const rows = [
  row('ETH-USDT', '0.02', '900'),
  row('BTC-USDT', '-0.1', '10000'),
  row('NEW-USDT', null, '0'),
];
const names = (found: readonly PairRow[]) => found.map(({ symbol }) => symbol.slice(0, 3));

test('search forgives spelling', () => {
  for (const typed of ['btc us', 'btcusdt', 'BTC/USDT', 'btc-']) {
    expect(names(foundPairs(rows, typed, 'name', false))).toEqual(['BTC']);
  }
  expect(foundPairs(rows, 'doge', 'name', false)).toEqual([]);
});

test('sorted by name, change and volume, as numbers', () => {
  expect(names(foundPairs(rows, '', 'name', false))).toEqual(['BTC', 'ETH', 'NEW']);
  expect(names(foundPairs(rows, '', 'volume', true))).toEqual(['BTC', 'ETH', 'NEW']);
  expect(names(foundPairs(rows, '', 'change', true))).toEqual(['ETH', 'BTC', 'NEW']);
});

test('the change is a rate of the opening price', () => {
  const ticker = { openPrice: '60000', priceChange: '-1000' } as Ticker;
  expect(changeOf(ticker)).toBe('-0.016666');
  expect(changeOf({ ...ticker, openPrice: null, priceChange: null })).toBeNull();
  expect(changeOf(undefined)).toBeNull();
});
