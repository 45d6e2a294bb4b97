// The depth of a book: totals, the range that is shown, and the exact figures of a level.
import { describe, expect, test } from 'bun:test';
import {
  depthFigures,
  depthPoints,
  depthRange,
  levelAt,
  moveLevel,
  roundSteps,
} from './depth-data.ts';

const BOOK = {
  bids: [
    ['100', '1'],
    ['99.5', '2'],
    ['98', '4'],
  ],
  asks: [
    ['101', '0.1'],
    ['102', '0.2'],
  ],
} as const;
const [bids, asks] = [depthPoints(BOOK.bids), depthPoints(BOOK.asks)];

test('totals run from the best price', () => {
  expect(bids.map(({ total }) => total)).toEqual([1, 3, 7]);
});

test('figures up to a level are exact', () => {
  expect(depthFigures(BOOK, { side: 'asks', index: 1 })).toEqual({
    price: '102',
    quantity: '0.3',
    cost: '30.5',
    distance: '0.014925',
  });
  expect(depthFigures(BOOK, { side: 'bids', index: 1 })).toMatchObject({
    quantity: '3',
    cost: '299',
    distance: '-0.00995',
  });
  expect(depthFigures(BOOK, { side: 'bids', index: 3 })).toBeNull();
  const oneSide = { bids: BOOK.bids, asks: [] };
  expect(depthFigures(oneSide, { side: 'bids', index: 0 })?.distance).toBeNull();
});

describe('the range', () => {
  test('is as wide on both sides and includes the levels', () => {
    const range = depthRange(bids, asks, 1)!;
    expect(range).toMatchObject({ low: 98, high: 103, mid: 100.5 });
    expect(range.deepest).toBeGreaterThan(7);
  });

  test('becomes narrower with the zoom, and so does the largest total', () => {
    const range = depthRange(bids, asks, 2)!;
    expect([range.low, range.high]).toEqual([99.25, 101.75]);
    expect(range.deepest).toBeLessThan(7);
  });

  test('leaves out a level that is much further away than the others', () => {
    const near = Array.from({ length: 20 }, (_, i) => [String(100 - i), '1'] as const);
    const range = depthRange(depthPoints([...near, ['1', '1']]), [], 1)!;
    expect(range.low).toBe(82);
  });

  test('of one side begins at its best price, and an empty book has none', () => {
    expect(depthRange([], asks, 1)).toMatchObject({ low: 100, mid: 101, high: 102 });
    expect(depthRange([], [], 1)).toBeNull();
  });
});

test('a price leads to the last level that a limit order reaches', () => {
  expect(levelAt(bids, asks, 99.6)).toEqual({ side: 'bids', index: 0 });
  expect(levelAt(bids, asks, 99.5)).toEqual({ side: 'bids', index: 1 });
  expect(levelAt(bids, asks, 1)).toEqual({ side: 'bids', index: 2 });
  expect(levelAt(bids, asks, 100.6)).toEqual({ side: 'asks', index: 0 });
  expect(levelAt(bids, asks, 500)).toEqual({ side: 'asks', index: 1 });
  expect(levelAt([], asks, 1)).toEqual({ side: 'asks', index: 0 });
  expect(levelAt([], [], 1)).toBeNull();
});

test('the keys lead from the best prices outwards, and across the spread', () => {
  const book = { bids, asks };
  expect(moveLevel(book, null, 1)).toEqual({ side: 'asks', index: 0 });
  expect(moveLevel(book, null, -1)).toEqual({ side: 'bids', index: 0 });
  expect(moveLevel(book, { side: 'asks', index: 0 }, -1)).toEqual({ side: 'bids', index: 0 });
  expect(moveLevel(book, { side: 'bids', index: 0 }, -1)).toEqual({ side: 'bids', index: 1 });
  expect(moveLevel(book, { side: 'bids', index: 2 }, -1)).toEqual({ side: 'bids', index: 2 });
  expect(moveLevel(book, { side: 'bids', index: 2 }, 99)).toEqual({ side: 'asks', index: 1 });
  expect(moveLevel({ bids: [], asks: [] }, null, 1)).toBeNull();
});

test('axes have round values', () => {
  expect(roundSteps(98, 103, 5)).toEqual([98, 99, 100, 101, 102, 103]);
  expect(roundSteps(0, 7.5, 4)).toEqual([0, 2, 4, 6]);
  expect(roundSteps(5, 5, 4)).toEqual([]);
});
