// Walking the book for an order that takes.

import { describe, expect, test } from 'bun:test';
import { Side } from '../../../src/sdk/generated/codes.ts';
import type { Level } from '../../../src/sdk/index.ts';
import { affordable, feeOn, type WalkTerms, walkQuantity, walkTotal } from './estimate.ts';

const asks: readonly Level[] = [
  ['100', '1'],
  ['101', '2'],
  ['110', '5'],
];
const buy: WalkTerms = { side: Side.buy, takerFee: '0.001', receivedScale: 8, priceDecimals: 4 };
const sell: WalkTerms = { ...buy, side: Side.sell };

describe('by quantity', () => {
  test('takes level by level; the average is cut, the fee is of what is received', () => {
    const walked = walkQuantity(asks, '2', buy);
    expect(walked).toEqual({
      quantity: '2',
      quote: '201',
      rest: '0',
      average: '100.5',
      worst: '101',
      slippage: '0.01',
      fee: '0.002',
      received: '1.998',
      exhausted: false,
    });
  });

  test('a book that is too thin leaves a rest', () => {
    const walked = walkQuantity(asks, '10', buy);
    expect([walked.quantity, walked.rest, walked.exhausted]).toEqual(['8', '2', true]);
  });

  test('exactly the whole book leaves none', () => {
    const walked = walkQuantity(asks, '8', buy);
    expect([walked.rest, walked.exhausted]).toEqual(['0', true]);
  });

  test('a limit stops where prices are worse', () => {
    expect(walkQuantity(asks, '10', buy, '101').quantity).toBe('3');
    expect(walkQuantity(asks, '10', buy, '99.99')).toMatchObject({ quantity: '0', average: null });
    const bids: readonly Level[] = [
      ['99', '1'],
      ['98', '1'],
    ];
    expect(walkQuantity(bids, '5', sell, '99')).toMatchObject({ quantity: '1', rest: '4' });
  });

  test('a seller receives quote, less the fee rounded up', () => {
    const walked = walkQuantity([['3.33333333', '0.00000001']], '0.00000001', sell);
    expect(walked.quote).toBe('0.0000000333333333');
    expect(walked.fee).toBe('0.00000001');
  });

  test('an empty book trades nothing', () => {
    expect(walkQuantity([], '1', buy)).toMatchObject({
      quantity: '0',
      average: null,
      worst: null,
      rest: '1',
      exhausted: true,
    });
  });
});

describe('by total', () => {
  test('never spends more, and buys whole lots', () => {
    const walked = walkTotal(asks, '150.5', '0.1', buy);
    // 100 for 1, then 4 lots of 10.1 each from 50.5: 5 lots would be 50.5 exactly.
    expect([walked.quantity, walked.quote, walked.rest]).toEqual(['1.5', '150.5', '0']);
    const less = walkTotal(asks, '150.4', '0.1', buy);
    expect([less.quantity, less.quote, less.rest]).toEqual(['1.4', '140.4', '10']);
  });

  test('stops at the first level that is too dear for a lot', () => {
    expect(walkTotal(asks, '5', '0.1', buy)).toMatchObject({ quantity: '0', rest: '5' });
  });

  test('spends what the whole book costs, and keeps the rest', () => {
    const walked = walkTotal(asks, '10000', '0.1', buy);
    expect([walked.quantity, walked.quote, walked.rest]).toEqual(['8', '852', '9148']);
    expect(walked.exhausted).toBe(true);
  });
});

test('what a budget affords is cut to whole lots', () => {
  expect(affordable('1000', '60000.01', '0.000001')).toBe('0.016666');
  expect(affordable('0', '1', '1')).toBe('0');
});

test('fees are rounded up', () => {
  expect(feeOn('1', '0.001', 2)).toBe('0.01');
  expect(feeOn('1', '0', 8)).toBe('0');
});
