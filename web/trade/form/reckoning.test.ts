// What an order comes to, and which ones are asked about before they are sent.

import { describe, expect, test } from 'bun:test';
import { OrdType, Side } from '../../../src/sdk/codes.ts';
import type { Level } from '../../../src/sdk/index.ts';
import { BOOK_DEPTH } from '../book/grouping.ts';
import { PAIR as pair } from './pair-of-tests.ts';
import { isWorse, type Market, reckon } from './reckoning.ts';
import { type NewOrder, POST_ONLY } from './submission.ts';

const rates = { makerFee: '0.001', takerFee: '0.002' };
const asks: readonly Level[] = [
  ['100', '1'],
  ['101.99', '1'],
  ['102', '1'],
  ['120', '5'],
];
const bids: readonly Level[] = [
  ['100', '1'],
  ['98', '1'],
];
const against = (
  levels: readonly Level[] | undefined,
  available: string | null = null,
): Market => ({ pair, levels, rates, available });
const market = (side: Side, orderQty: string): NewOrder => ({
  symbol: 'BTC-USDT',
  side,
  ordType: OrdType.market,
  orderQty,
});
const limit = (side: Side, price: string, orderQty: string): NewOrder => ({
  symbol: 'BTC-USDT',
  side,
  ordType: OrdType.limit,
  price,
  orderQty,
});
const concern = (order: NewOrder, levels: readonly Level[] | undefined) =>
  reckon(order, against(levels)).concern;

describe('who is asked', () => {
  test('nobody for a market order that moves the price by less than two percent', () => {
    expect(concern(market(Side.buy, '2'), asks)).toBeNull();
    expect(concern(market(Side.buy, '2.1'), asks)).toBe('slip');
    expect(concern(market(Side.sell, '1'), bids)).toBeNull();
    expect(concern(market(Side.sell, '1.5'), bids)).toBe('slip');
    const byTotal: NewOrder = {
      symbol: 'BTC-USDT',
      side: Side.buy,
      ordType: OrdType.market,
      quoteOrderQty: '201.99',
    };
    expect(concern(byTotal, asks)).toBeNull();
    expect(concern({ ...byTotal, quoteOrderQty: '500' }, asks)).toBe('slip');
  });

  test('nobody for a limit that waits, or crosses by five percent or less', () => {
    expect(concern(limit(Side.buy, '10', '5'), asks)).toBeNull();
    expect(concern(limit(Side.buy, '105', '1'), asks)).toBeNull();
    expect(concern(limit(Side.sell, '95', '1'), bids)).toBeNull();
    expect(concern(limit(Side.sell, '1000', '1'), bids)).toBeNull();
  });

  test('a limit that is far past the best price, however good the book looks', () => {
    expect(concern(limit(Side.buy, '105.02', '0.001'), asks)).toBe('limit');
    expect(concern(limit(Side.sell, '10', '0.001'), bids)).toBe('limit');
    expect(reckon(limit(Side.sell, '10', '0.001'), against(bids)).past).toBe('0.9');
  });

  test('a limit within five percent that moves the price by two', () => {
    expect(concern(limit(Side.buy, '103', '3'), asks)).toBe('slip');
  });

  test('nobody for a post-only order, which is rejected instead', () => {
    expect(concern({ ...limit(Side.sell, '10', '1'), execInst: POST_ONLY }, bids)).toBeNull();
  });

  test('where nobody can say how far it goes', () => {
    const flat = Array.from({ length: BOOK_DEPTH }, (_, i): Level => [`${1000 + i / 100}`, '1']);
    expect(concern(market(Side.buy, String(BOOK_DEPTH)), flat)).toBeNull();
    expect(concern(market(Side.buy, String(BOOK_DEPTH + 1)), flat)).toBe('depth');
    expect(concern(limit(Side.buy, '1010', String(BOOK_DEPTH + 1)), flat)).toBeNull();
    expect(concern(market(Side.buy, '1'), undefined)).toBe('unread');
  });

  test('who trades more than half of the balance immediately', () => {
    const deep: readonly Level[] = [['100', '50']];
    const asked = (order: NewOrder, available: string | null) =>
      reckon(order, against(deep, available)).concern;
    expect(asked(market(Side.buy, '9'), '1000')).toBe('share');
    expect(asked(market(Side.buy, '5'), '1000')).toBeNull();
    expect(asked(market(Side.sell, '9'), '10')).toBe('share');
    expect(reckon(market(Side.sell, '9'), against(deep, '10')).share).toBe('0.9');
    const byTotal: NewOrder = { ...market(Side.buy, '0'), quoteOrderQty: '900' };
    const { orderQty: _, ...spending } = byTotal;
    expect(asked(spending, '1000')).toBe('share');
    // What waits in the book can be canceled.
    expect(asked(limit(Side.buy, '90', '10'), '1000')).toBeNull();
    expect(asked(limit(Side.buy, '100', '9'), '1000')).toBe('share');
    expect(asked(market(Side.buy, '9'), null)).toBeNull();
    expect(asked(market(Side.buy, '9'), '0')).toBeNull();
  });

  test('nobody in an empty book: nothing trades, or the order waits', () => {
    expect(concern(market(Side.buy, '1'), [])).toBeNull();
    expect(concern(limit(Side.buy, '1000', '1'), [])).toBeNull();
  });
});

describe('what a limit promises', () => {
  test('a seller the limit and no more, less the higher fee, whatever the book has', () => {
    const { filled, walked } = reckon(limit(Side.sell, '50', '2'), against(bids));
    expect(filled).toEqual({ total: '100', mostFee: '0.2', received: '99.8' });
    expect(walked.received).toBe('197.604');
  });

  test('a buyer the quantity less the higher fee, and a total that is not exceeded', () => {
    const { filled } = reckon(limit(Side.buy, '200', '2'), against(asks));
    expect(filled).toEqual({ total: '400', mostFee: '0.004', received: '1.996' });
  });

  test('a market order promises nothing', () => {
    expect(reckon(market(Side.buy, '1'), against(asks)).filled).toBeNull();
  });
});

describe('a book that changes while somebody is asked', () => {
  const order = market(Side.buy, '2.1');
  const shown = reckon(order, against(asks));
  const worseBy = (last: string) =>
    isWorse(order, reckon(order, against([...asks.slice(0, 2), [last, '5']])), shown);

  test('counts when the worst price is worse by half a percent of what was shown', () => {
    expect(worseBy('102.51')).toBe(false);
    expect(worseBy('102.52')).toBe(true);
    expect(worseBy('100')).toBe(false);
    const sold = market(Side.sell, '1.5');
    const [before, after] = [bids, [bids[0]!, ['97.5', '1']] as const];
    expect(isWorse(sold, reckon(sold, against(after)), reckon(sold, against(before)))).toBe(true);
    expect(isWorse(sold, reckon(sold, against(before)), reckon(sold, against(after)))).toBe(false);
  });

  test('counts when it cannot be read any more, and not when it is empty', () => {
    expect(isWorse(order, reckon(order, against(undefined)), shown)).toBe(true);
    expect(isWorse(order, reckon(order, against([])), shown)).toBe(false);
  });

  test('does not count where nothing was known before, and now all is well', () => {
    const blind = reckon(order, against(undefined));
    expect(isWorse(order, reckon(order, against([['100', '9']])), blind)).toBe(false);
    expect(isWorse(order, shown, blind)).toBe(true);
  });

  test('does not count for a limit, which trades at its price or better', () => {
    const far = limit(Side.buy, '200', '1');
    const [before, now] = [reckon(far, against(asks)), reckon(far, against([['190', '9']]))];
    expect(isWorse(far, now, before)).toBe(false);
  });
});
