// A listing and its changes on paper: what fits together, and what the requests are.
import { describe, expect, test } from 'bun:test';
import type { Asset, Instrument } from '../../api/operator.ts';
import {
  EMPTY_LISTING,
  type ListingValues,
  listingSentences,
  statusConsequences,
  termsOf,
  toAsset,
  toListing,
  toTermsChange,
} from './instrument.ts';

const assets: readonly Asset[] = [
  { assetId: '0', asset: 'BTC', scale: '8', fiat: false },
  { assetId: '1', asset: 'USDT', scale: '6', fiat: false },
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
  const checked = toListing({ ...VALUES, ...change }, assets);
  return checked.ok ? {} : checked.faults;
};

describe('a listing', () => {
  test('is a request with rates and amounts as text', () => {
    expect(toListing(VALUES, assets)).toEqual({
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
        'At most 2 decimals: with the 4 of the quantity step they must fit into the 6 of USDT.',
    });
    expect(faultsOf({ baseAssetIncrement: '0.000000001' })).toHaveProperty('baseAssetIncrement');
  });

  test('the least quantity is on the grid', () => {
    expect(faultsOf({ baseAssetMinOrderSize: '0.00015' })).toEqual({
      baseAssetMinOrderSize: 'A multiple of 0.0001: 0.0001, for instance.',
    });
    expect(faultsOf({ baseAssetMinOrderSize: '0.00005' })).toEqual({
      baseAssetMinOrderSize: 'A multiple of 0.0001: 0.0001, for instance.',
    });
  });

  test('a pair has two assets, and fees are below everything', () => {
    expect(faultsOf({ quote: 'BTC' })).toHaveProperty('quote');
    expect(faultsOf({ base: '', takerFee: '100' })).toMatchObject({
      base: 'Choose what is traded.',
      takerFee: 'It must be below 100 %.',
    });
  });

  test('is told in sentences, exactly', () => {
    const checked = toListing({ ...VALUES, priceBand: '0' }, assets);
    const told = checked.ok ? listingSentences(checked.body).join('\n') : '';
    expect(told).toContain('the smallest step of value is 0.000001 USDT');
    expect(told).toContain('of 1,000 USDT the taker pays 1 USDT');
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
} as Instrument;

test('a change of terms sends what differs, and nothing else', () => {
  const values = termsOf(LISTED);
  expect(toTermsChange(values, LISTED, assets)).toEqual({ ok: true, body: {} });
  const change = { ...values, takerFee: '0.2', selfTradePrevention: 'cancelBoth' } as const;
  expect(toTermsChange(change, LISTED, assets)).toEqual({
    ok: true,
    body: { takerFee: '0.002', selfTradePrevention: 'cancelBoth' },
  });
  expect(toTermsChange({ ...values, quoteAssetMinOrderSize: '0.0000001' }, LISTED, assets).ok).toBe(
    false,
  );
});

test('a halt says whom it meets', () => {
  expect(statusConsequences('BTC-USDT', 'HALTED', 1204).join(' ')).toContain(
    'The 1,204 orders in the book stay where they are',
  );
  expect(statusConsequences('BTC-USDT', 'HALTED', 1).join(' ')).toContain(
    'The 1 order in the book stays where it is',
  );
  expect(statusConsequences('BTC-USDT', 'LIVE', null)[0]).toContain('trades again');
});

test('an asset has a name that is free, and a scale', () => {
  expect(toAsset({ asset: 'sol ', scale: '9', fiat: false }, assets)).toEqual({
    ok: true,
    body: { asset: 'SOL', scale: 9, fiat: false },
  });
  expect(toAsset({ asset: 'btc', scale: '19', fiat: false }, assets)).toEqual({
    ok: false,
    faults: {
      asset: 'BTC is listed already.',
      scale: 'A whole number from 0 to 18 (decimals).',
    },
  });
});
