// A listing and its changes on paper: what fits together, and what the requests are.
import { describe, expect, test } from 'bun:test';
import type { ListedAsset, ListedInstrument } from '../../../src/sdk/index.ts';
import { marketsText } from '../../messages/operator-markets.ts';
import {
  EMPTY_LISTING,
  type ListingValues,
  listingSentences,
  parseAsset,
  parseListing,
  parseTerms,
  termsOf,
} from './instrument.ts';

const assets: readonly ListedAsset[] = [
  { assetId: 0, asset: 'BTC', scale: 8, fiat: false },
  { assetId: 1, asset: 'USDT', scale: 6, fiat: false },
];

const VALUES: ListingValues = {
  ...EMPTY_LISTING,
  base: 'BTC',
  quote: 'USDT',
  quoteAssetIncrement: '0.01',
  baseAssetIncrement: '0.0001',
  baseAssetMinOrderSize: '0.0010',
};

const faultsOf = (change: Partial<ListingValues>) => {
  const checked = parseListing({ ...VALUES, ...change }, assets);
  return checked.ok ? {} : checked.faults;
};

describe('a listing', () => {
  test('is a request with rates and amounts as text', () => {
    expect(parseListing(VALUES, assets)).toEqual({
      ok: true,
      body: {
        symbol: 'BTC-USDT',
        quoteAssetIncrement: '0.01',
        baseAssetIncrement: '0.0001',
        baseAssetMinOrderSize: '0.001',
        quoteAssetMinOrderSize: '1',
        makerFee: '0',
        takerFee: '0.001',
        selfTradePrevention: 'cancelNewest',
        priceBand: '0.1',
        instrumentStatus: 'LIVE',
      },
    });
  });

  test('price × quantity has to be exact in the quote asset', () => {
    expect(faultsOf({ quoteAssetIncrement: '0.001' })).toEqual({
      quoteAssetIncrement:
        'Enter at most 2 decimals: with the 4 of the quantity increment, price × quantity must ' +
        'fit the 6 decimals of USDT.',
    });
    expect(faultsOf({ baseAssetIncrement: '0.000000001' })).toHaveProperty('baseAssetIncrement');
  });

  test('the least quantity is on the grid', () => {
    expect(faultsOf({ baseAssetMinOrderSize: '0.00015' })).toEqual({
      baseAssetMinOrderSize: 'Enter a multiple of 0.0001, such as 0.0001.',
    });
    expect(faultsOf({ baseAssetMinOrderSize: '0.00005' })).toEqual({
      baseAssetMinOrderSize: 'Enter a multiple of 0.0001, such as 0.0001.',
    });
  });

  test('a pair has two assets, and fees are below everything', () => {
    expect(faultsOf({ quote: 'BTC' })).toHaveProperty('quote');
    expect(faultsOf({ base: '', takerFee: '100' })).toMatchObject({
      base: 'Choose the base asset.',
      takerFee: 'Enter less than 100 %.',
    });
  });

  test('is told in sentences, exactly', () => {
    const checked = parseListing({ ...VALUES, priceBand: '0' }, assets);
    const told = checked.ok ? listingSentences(checked.body).join('\n') : '';
    expect(told).toContain('values are multiples of 0.000001 USDT');
    expect(told).toContain('1 USDT of 1,000 USDT for a taker');
    expect(told).toContain('no price band');
  });
});

const LISTED = {
  symbol: 'BTC-USDT',
  quoteAsset: 'USDT',
  baseAssetIncrement: '0.0001',
  baseAssetMinOrderSize: '0.001',
  quoteAssetMinOrderSize: '1',
  makerFee: '0',
  takerFee: '0.001',
  selfTradePrevention: 'none',
  priceBand: '0.1',
} as ListedInstrument;

test('a change of terms sends what differs, and nothing else', () => {
  const values = termsOf(LISTED);
  expect(parseTerms(values, LISTED, assets)).toEqual({ ok: true, body: {} });
  const change = { ...values, takerFee: '0.2', selfTradePrevention: 'cancelBoth' } as const;
  expect(parseTerms(change, LISTED, assets)).toEqual({
    ok: true,
    body: { takerFee: '0.002', selfTradePrevention: 'cancelBoth' },
  });
  expect(parseTerms({ ...values, quoteAssetMinOrderSize: '0.0000001' }, LISTED, assets).ok).toBe(
    false,
  );
});

test('a halt says whom it meets', () => {
  expect(marketsText.statusEffects('BTC-USDT', 1204).HALTED.join(' ')).toContain(
    'The 1,204 orders in the book stay',
  );
  expect(marketsText.statusEffects('BTC-USDT', 1).HALTED.join(' ')).toContain(
    'The 1 order in the book stays',
  );
  expect(marketsText.statusEffects('BTC-USDT', null).LIVE[0]).toContain('trades again');
});

test('an asset has a name that is free, and a scale', () => {
  expect(parseAsset({ asset: 'sol ', scale: '9', fiat: false }, assets)).toEqual({
    ok: true,
    body: { asset: 'SOL', scale: 9, fiat: false },
  });
  expect(parseAsset({ asset: 'btc', scale: '19', fiat: false }, assets)).toEqual({
    ok: false,
    faults: {
      asset: 'BTC is already listed.',
      scale: 'Enter a whole number of decimals from 0 to 18.',
    },
  });
});
