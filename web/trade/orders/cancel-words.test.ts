// What canceling all open orders is said to have come to.

import { expect, test } from 'bun:test';
import { OrdType, Side } from '../../../src/sdk/codes.ts';
import type { Order } from '../../../src/sdk/index.ts';
import { canceledOrderWords, canceledWords, countWords, MOST_SHOWN } from './cancel-words.ts';

const order = (orderId: number) => ({ orderId });

test('what is still open is said to be, and what was placed meanwhile does not count', () => {
  const before = [order(1), order(2)];
  expect(canceledWords(before, before)).toBe('No order canceled; 2 are still open');
  expect(canceledWords(before, [order(9)])).toBe('2 canceled');
});

test('of a full page it is not said that these were all', () => {
  const before = Array.from({ length: MOST_SHOWN }, (_, i) => order(i));
  expect(canceledWords(before, [])).toBe('At least 100 canceled');
});

test('one order that was canceled is named', () => {
  const one = {
    symbol: 'BTC-USDT',
    side: Side.buy,
    ordType: OrdType.limit,
    quoteOrderQty: null,
  } as Order;
  expect(canceledOrderWords({ ...one, orderQty: '0.05', price: '59000' })).toBe(
    'Canceled: Buy 0.05 BTC at 59,000 USDT.',
  );
});

test('the question names the count', () => {
  expect(countWords(1)).toBe('order');
  expect(countWords(3)).toBe('3 orders');
  expect(countWords(MOST_SHOWN)).toBe('100+ orders');
});
