// Rows of the book.
import { describe, expect, test } from 'bun:test';
import type { Level, Level3Level } from '../../../src/sdk/index.ts';
import {
  deepestOf,
  depthOf,
  groupLevels,
  groupSteps,
  orderRows,
  spreadOf,
  spreadText,
} from './rows.ts';

const bids: readonly Level[] = [
  ['100.07', '1'],
  ['100.01', '2'],
  ['99.99', '0.5'],
  ['90', '4'],
];
const asks: readonly Level[] = [
  ['100.08', '1'],
  ['100.1', '0.25'],
  ['100.11', '3'],
];

describe('grouping', () => {
  test('by the tick leaves every level alone and adds up', () => {
    expect(groupLevels(bids, 'bids', '0.01', 10)).toEqual([
      { price: '100.07', quantity: '1', cumulative: '1' },
      { price: '100.01', quantity: '2', cumulative: '3' },
      { price: '99.99', quantity: '0.5', cumulative: '3.5' },
      { price: '90', quantity: '4', cumulative: '7.5' },
    ]);
  });

  test('bids round down, asks up: no row shows a better price than there is', () => {
    expect(
      groupLevels(bids, 'bids', '0.1', 10).map(({ price, quantity }) => [price, quantity]),
    ).toEqual([
      ['100', '3'],
      ['99.9', '0.5'],
      ['90', '4'],
    ]);
    expect(
      groupLevels(asks, 'asks', '0.1', 10).map(({ price, quantity }) => [price, quantity]),
    ).toEqual([
      ['100.1', '1.25'],
      ['100.2', '3'],
    ]);
  });

  test('the last of a limited number of rows is complete', () => {
    const rows = groupLevels(bids, 'bids', '0.1', 1);
    expect(rows).toEqual([{ price: '100', quantity: '3', cumulative: '3' }]);
  });

  test('sums are exact beyond what a float holds', () => {
    const fine: readonly Level[] = [
      ['1', '9007199254740993.00000001'],
      ['1', '0.00000001'],
    ];
    expect(groupLevels(fine, 'asks', '1', 5)[0]!.quantity).toBe('9007199254740993.00000002');
  });

  test('an empty side has no rows and no depth', () => {
    expect(groupLevels([], 'bids', '1', 5)).toEqual([]);
    expect(deepestOf([], [])).toBe('0');
  });
});

test('the deepest row has the whole bar', () => {
  const rows = groupLevels(bids, 'bids', '0.01', 10);
  const deepest = deepestOf(rows, groupLevels(asks, 'asks', '0.01', 10));
  expect(deepest).toBe('7.5');
  expect(rows.map((row) => depthOf(row, deepest))).toEqual([0.13, 0.4, 0.47, 1]);
});

test('steps end at a hundredth of the price', () => {
  expect(groupSteps('0.01', '60000')).toEqual(['0.01', '0.1', '1', '10', '100']);
  expect(groupSteps('0.0001', '0.25')).toEqual(['0.0001', '0.001']);
  expect(groupSteps('0.01', null)).toEqual(['0.01']);
});

test('the spread needs both sides', () => {
  expect(spreadOf('100.07', '100.08')).toEqual({
    absolute: '0.01',
    mid: '100.075',
    rate: '0.000099',
  });
  expect(spreadOf(undefined, '1')).toBeNull();
});

const queues: readonly Level3Level[] = [
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
  expect(orderRows(queues, new Set(['9']), 10)).toEqual([
    { orderId: '7', price: '100', quantity: '1', place: 1, count: 2, own: false },
    { orderId: '9', price: '100', quantity: '2', place: 2, count: 2, own: true },
    { orderId: '4', price: '99', quantity: '5', place: 1, count: 1, own: false },
  ]);
});

test('no more than asked for', () => {
  expect(orderRows(queues, new Set(), 2).map(({ orderId }) => orderId)).toEqual(['7', '9']);
});

test.each([
  ['0.209489', '20.94%'],
  ['0.001', '0.10%'],
  ['0.000012', '0.0012%'],
  ['0', '0.00%'],
])('a spread of %p is %p', (rate, text) => {
  expect(spreadText(rate)).toBe(text);
});
