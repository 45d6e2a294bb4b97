// The estimate of an order, and which orders are risky enough to be confirmed.

import { describe, expect, test } from 'bun:test';
import { OrdType, Side } from '../../../src/sdk/generated/codes.ts';
import type { Level } from '../../../src/sdk/index.ts';
import { BOOK_DEPTH } from '../book/rows.ts';
import { type NewOrder, POST_ONLY } from './draft.ts';
import { estimateOrder, isWorse, type Market } from './estimate.ts';
import { PAIR as pair } from './test-pair.ts';

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
const risk = (order: NewOrder, levels: readonly Level[] | undefined) =>
  estimateOrder(order, against(levels)).risk;

describe('the risk of an order', () => {
  test('a market order is risky if it moves the price by two percent', () => {
    expect(risk(market(Side.buy, '2'), asks)).toBeNull();
    expect(risk(market(Side.buy, '2.1'), asks)).toBe('slippage');
    expect(risk(market(Side.sell, '1'), bids)).toBeNull();
    expect(risk(market(Side.sell, '1.5'), bids)).toBe('slippage');
    const byTotal: NewOrder = {
      symbol: 'BTC-USDT',
      side: Side.buy,
      ordType: OrdType.market,
      quoteOrderQty: '201.99',
    };
    expect(risk(byTotal, asks)).toBeNull();
    expect(risk({ ...byTotal, quoteOrderQty: '500' }, asks)).toBe('slippage');
  });

  test('a limit that waits, or crosses by five percent or less, is not', () => {
    expect(risk(limit(Side.buy, '10', '5'), asks)).toBeNull();
    expect(risk(limit(Side.buy, '105', '1'), asks)).toBeNull();
    expect(risk(limit(Side.sell, '95', '1'), bids)).toBeNull();
    expect(risk(limit(Side.sell, '1000', '1'), bids)).toBeNull();
  });

  test('a limit far past the best price is, even if the book looks good', () => {
    expect(risk(limit(Side.buy, '105.02', '0.001'), asks)).toBe('limit');
    expect(risk(limit(Side.sell, '10', '0.001'), bids)).toBe('limit');
    expect(estimateOrder(limit(Side.sell, '10', '0.001'), against(bids)).past).toBe('0.9');
  });

  test('a limit within five percent is, if it moves the price by two', () => {
    expect(risk(limit(Side.buy, '103', '3'), asks)).toBe('slippage');
  });

  test('a post-only order is not, because it is rejected instead', () => {
    expect(risk({ ...limit(Side.sell, '10', '1'), execInst: POST_ONLY }, bids)).toBeNull();
  });

  test('an order beyond the known book is', () => {
    const flat = Array.from({ length: BOOK_DEPTH }, (_, i): Level => [`${1000 + i / 100}`, '1']);
    expect(risk(market(Side.buy, String(BOOK_DEPTH)), flat)).toBeNull();
    expect(risk(market(Side.buy, String(BOOK_DEPTH + 1)), flat)).toBe('depth');
    expect(risk(limit(Side.buy, '1010', String(BOOK_DEPTH + 1)), flat)).toBeNull();
    expect(risk(market(Side.buy, '1'), undefined)).toBe('noBook');
  });

  test('an order that trades more than half of the balance immediately is', () => {
    const deep: readonly Level[] = [['100', '50']];
    const asked = (order: NewOrder, available: string | null) =>
      estimateOrder(order, against(deep, available)).risk;
    expect(asked(market(Side.buy, '9'), '1000')).toBe('share');
    expect(asked(market(Side.buy, '5'), '1000')).toBeNull();
    expect(asked(market(Side.sell, '9'), '10')).toBe('share');
    expect(estimateOrder(market(Side.sell, '9'), against(deep, '10')).share).toBe('0.9');
    const byTotal: NewOrder = { ...market(Side.buy, '0'), quoteOrderQty: '900' };
    const { orderQty: _, ...spending } = byTotal;
    expect(asked(spending, '1000')).toBe('share');
    // The user can cancel an order that waits in the book.
    expect(asked(limit(Side.buy, '90', '10'), '1000')).toBeNull();
    expect(asked(limit(Side.buy, '100', '9'), '1000')).toBe('share');
    expect(asked(market(Side.buy, '9'), null)).toBeNull();
    expect(asked(market(Side.buy, '9'), '0')).toBeNull();
  });

  test('no order is in an empty book: nothing trades, or the order waits', () => {
    expect(risk(market(Side.buy, '1'), [])).toBeNull();
    expect(risk(limit(Side.buy, '1000', '1'), [])).toBeNull();
  });
});

describe('what a limit guarantees', () => {
  test('a seller gets the limit less the higher fee, whatever the book has', () => {
    const { filled, taken } = estimateOrder(limit(Side.sell, '50', '2'), against(bids));
    expect(filled).toEqual({ total: '100', maxFee: '0.2', received: '99.8' });
    expect(taken.received).toBe('197.604');
  });

  test('a buyer gets the quantity less the higher fee, for a maximum total', () => {
    const { filled } = estimateOrder(limit(Side.buy, '200', '2'), against(asks));
    expect(filled).toEqual({ total: '400', maxFee: '0.004', received: '1.996' });
  });

  test('a market order guarantees nothing', () => {
    expect(estimateOrder(market(Side.buy, '1'), against(asks)).filled).toBeNull();
  });
});

describe('a book that changes during the confirmation', () => {
  const order = market(Side.buy, '2.1');
  const shown = estimateOrder(order, against(asks));
  const worseBy = (last: string) =>
    isWorse(order, estimateOrder(order, against([...asks.slice(0, 2), [last, '5']])), shown);

  test('is worse if the worst price moves by half a percent', () => {
    expect(worseBy('102.51')).toBe(false);
    expect(worseBy('102.52')).toBe(true);
    expect(worseBy('100')).toBe(false);
    const sold = market(Side.sell, '1.5');
    const [before, after] = [bids, [bids[0]!, ['97.5', '1']] as const];
    expect(
      isWorse(sold, estimateOrder(sold, against(after)), estimateOrder(sold, against(before))),
    ).toBe(true);
    expect(
      isWorse(sold, estimateOrder(sold, against(before)), estimateOrder(sold, against(after))),
    ).toBe(false);
  });

  test('is worse if it cannot be read, but not if it is empty', () => {
    expect(isWorse(order, estimateOrder(order, against(undefined)), shown)).toBe(true);
    expect(isWorse(order, estimateOrder(order, against([])), shown)).toBe(false);
  });

  test('is not worse if it was unknown before and the order is now safe', () => {
    const blind = estimateOrder(order, against(undefined));
    expect(isWorse(order, estimateOrder(order, against([['100', '9']])), blind)).toBe(false);
    expect(isWorse(order, shown, blind)).toBe(true);
  });

  test('is never worse for a limit, which trades at its price or better', () => {
    const far = limit(Side.buy, '200', '1');
    const [before, now] = [
      estimateOrder(far, against(asks)),
      estimateOrder(far, against([['190', '9']])),
    ];
    expect(isWorse(far, now, before)).toBe(false);
  });
});
