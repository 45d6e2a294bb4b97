// Shares of a balance.

import { expect, test } from 'bun:test';
import { Side } from '../../../src/sdk/generated/codes.ts';
import { pairOf } from '../pair.ts';
import { EMPTY_DRAFT } from './draft.ts';
import { type Percent, withShare } from './share.ts';

const pair = pairOf({
  symbol: 'BTC-USDT',
  securityId: 1,
  securityType: 'SPOT_PAIR',
  instrumentStatus: 'LIVE',
  baseAssetIncrement: '0.001',
  quoteAssetIncrement: '0.01',
  baseAssetMinOrderSize: '0.001',
  quoteAssetMinOrderSize: '1',
  open: true,
  fiat: false,
});
const available = { base: '1.23456', quote: '1000.005' };

test('a sell takes a share of what there is, cut to the lot', () => {
  const sell = { ...EMPTY_DRAFT, side: Side.sell } as const;
  expect(withShare(sell, pair, available, 50, [])).toEqual({ basis: 'quantity', amount: '0.617' });
  expect(withShare(sell, pair, available, 100, [])).toEqual({ basis: 'quantity', amount: '1.234' });
});

test('a quarter and the whole of many digits are cut to the grid', () => {
  const sell = { ...EMPTY_DRAFT, side: Side.sell } as const;
  const shareOf = (base: string, percent: Percent, lot: string) =>
    withShare(sell, { ...pair, lot }, { base, quote: '0' }, percent, [])?.amount;
  expect(shareOf('10.123456789', 25, '0.000001')).toBe('2.530864');
  expect(shareOf('10.123456789', 100, '0.00000001')).toBe('10.12345678');
  expect(shareOf('0.1', 75, '0.1')).toBe('0');
});

test('a limit buy takes what its price allows, and nothing without a price', () => {
  const buy = { ...EMPTY_DRAFT, price: '100.01' };
  expect(withShare(buy, pair, available, 100, [])).toEqual({ basis: 'quantity', amount: '9.999' });
  expect(withShare(EMPTY_DRAFT, pair, available, 100, [])).toBeNull();
});

test('a market buy spends a total, or takes what the book gives for it', () => {
  const market = { ...EMPTY_DRAFT, kind: 'market' } as const;
  const byTotal = { ...market, basis: 'total' } as const;
  expect(withShare(byTotal, pair, available, 75, [])).toEqual({ basis: 'total', amount: '750' });
  expect(withShare(byTotal, pair, available, 100, [])).toEqual({ basis: 'total', amount: '1000' });
  const asks = [
    ['100', '5'],
    ['200', '5'],
  ] as const;
  expect(withShare(market, pair, available, 100, asks)).toEqual({
    basis: 'quantity',
    amount: '7.5',
  });
  expect(withShare(market, pair, available, 100, [])).toBeNull();
});
