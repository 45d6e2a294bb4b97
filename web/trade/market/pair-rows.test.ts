// The list of pairs.
import { expect, test } from 'bun:test';
import type { Instrument, Ticker } from '../../../src/sdk/index.ts';
import { changeOf, foundPairs, type PairRow, pairRows } from './pair-rows.ts';

const row = (symbol: string, change: string | null, volume: string): PairRow => ({
  symbol,
  status: 'LIVE',
  last: null,
  priceDecimals: 2,
  change,
  volume,
  ranked: volume,
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

test('volumes in different currencies are ranked by value', () => {
  const symbols = ['BTC-USDT', 'BTC-AED', 'ETH-BTC', 'NEW-AED', 'XYZ-EUR'];
  const instruments = symbols.map((symbol) => ({ symbol, quoteAssetIncrement: '0.01' }));
  const ticker = (symbol: string, lastPrice: string | null, quoteVolume: string) => ({
    symbol,
    lastPrice,
    quoteVolume,
    openPrice: null,
    priceChange: null,
  });
  const tickers = [
    ticker('BTC-USDT', '60000', '5000000'),
    // 4,500,000 USDT
    ticker('BTC-AED', '220000', '16500000'),
    // 6,000,000 USDT
    ticker('ETH-BTC', '0.05', '100'),
    ticker('NEW-AED', null, '0'),
    // No pair says what a EUR is worth.
    ticker('XYZ-EUR', '3', '90000000'),
  ];
  const all = pairRows(instruments as Instrument[], tickers as Ticker[]);
  expect(foundPairs(all, '', 'volume', true).map(({ symbol }) => symbol)).toEqual([
    'ETH-BTC',
    'BTC-USDT',
    'BTC-AED',
    'NEW-AED',
    'XYZ-EUR',
  ]);
  expect(all.find(({ symbol }) => symbol === 'BTC-AED')!.ranked).toBe('4500000');
});

test('the change is a rate of the opening price', () => {
  const ticker = { openPrice: '60000', priceChange: '-1000' } as Ticker;
  expect(changeOf(ticker)).toBe('-0.016666');
  expect(changeOf({ ...ticker, openPrice: null, priceChange: null })).toBeNull();
  expect(changeOf(undefined)).toBeNull();
});
