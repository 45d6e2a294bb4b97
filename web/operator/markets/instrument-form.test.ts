// Forms about assets and pairs: the requests that they make, and the effects in sentences.
import { expect, test } from 'bun:test';
import { marketsText } from '../../messages/operator-markets.ts';
import { parseFields } from '../parts/fields.ts';
import {
  EMPTY_LISTING,
  finishAsset,
  finishListing,
  listingLayout,
  listingSentences,
} from './instrument-form.ts';

const VALUES = {
  ...EMPTY_LISTING,
  base: 'BTC',
  quote: 'USDT',
  quoteAssetIncrement: '0.01',
  baseAssetIncrement: '0.0001',
  baseAssetMinOrderSize: '0.0010',
};

function listing(values: typeof EMPTY_LISTING) {
  const layout = listingLayout(['BTC', 'USDT']);
  const result = parseFields<typeof values, Parameters<typeof finishListing>[0]>(
    layout(values),
    values,
  );
  if (!result.ok) throw new Error(JSON.stringify(result.faults));
  return finishListing(result.body);
}

test('a listing has its symbol, rates and amounts as text', () => {
  expect(listing(VALUES)).toEqual({
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
  });
});

test('the sentences about a listing are exact', () => {
  const sentences = listingSentences(listing({ ...VALUES, priceBand: '0' })).join('\n');
  expect(sentences).toContain('values are multiples of 0.000001 USDT');
  expect(sentences).toContain('1 USDT of 1,000 USDT for a taker');
  expect(sentences).toContain('no price band');
});

test('the effects of a status count the orders in the book', () => {
  const { statusEffects } = marketsText;
  expect(statusEffects('BTC-USDT', 1204).HALTED[1]).toContain('The 1,204 orders in the book stay');
  expect(statusEffects('BTC-USDT', 1).HALTED[1]).toContain('The 1 order in the book stays');
  expect(statusEffects('BTC-USDT', null).LIVE[0]).toContain('trades again');
});

test('the name of an asset can be typed in lower case', () => {
  expect(finishAsset({ asset: 'sol', scale: 9, fiat: false }).asset).toBe('SOL');
});
