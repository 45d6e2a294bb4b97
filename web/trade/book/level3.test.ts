// Orders of a level-3 book.

import { expect, test } from 'bun:test';
import type { Level3Level } from '../../../src/sdk/index.ts';
import { orderRows } from './level3.ts';

const levels: readonly Level3Level[] = [
  [
    '100',
    '3',
    [
      ['7', '7', '1', '1'],
      ['9', '9', '2', '2'],
    ],
  ],
  ['99', '5', [['4', '4', '1', '5']]],
];

test('each order has its place in its queue, and own ones are known', () => {
  expect(orderRows(levels, new Set(['9']), 10)).toEqual([
    { orderId: '7', price: '100', quantity: '1', place: 1, of: 2, own: false },
    { orderId: '9', price: '100', quantity: '2', place: 2, of: 2, own: true },
    { orderId: '4', price: '99', quantity: '5', place: 1, of: 1, own: false },
  ]);
});

test('no more than asked for', () => {
  expect(orderRows(levels, new Set(), 2).map(({ orderId }) => orderId)).toEqual(['7', '9']);
});
