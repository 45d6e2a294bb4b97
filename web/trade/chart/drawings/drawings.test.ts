// Drawings: their text in the browser, and the places of their points.
import { expect, test } from 'bun:test';
import {
  type Drawing,
  distanceTo,
  drawingsText,
  indexAt,
  MAX_DRAWINGS,
  parseDrawings,
  timeAt,
} from './drawings.ts';

const TREND: Drawing = {
  kind: 'trend',
  points: [
    { time: 1000, price: 60_000.5 },
    { time: 2000, price: 61_000 },
  ],
};

test('the text of drawings gives the drawings', () => {
  const all: Drawing[] = [TREND, { kind: 'horizontal', points: [{ time: 5, price: 7 }] }];
  expect(parseDrawings(drawingsText(all))).toEqual(all);
  expect(parseDrawings('')).toEqual([]);
});

test.each(['trend 1 2 3', 'trend 1 2 3 x', 'horizontal 1 -2', 'circle 1 2', 'toString 1'])(
  'leaves out %p',
  (text) => {
    expect(parseDrawings(`${text};${drawingsText([TREND])}`)).toEqual([TREND]);
  },
);

test('the newest drawings stay within the limit', () => {
  const many = Array.from({ length: MAX_DRAWINGS + 3 }, (_, i) => `horizontal ${i} 1`).join(';');
  expect(parseDrawings(many)).toHaveLength(MAX_DRAWINGS);
  expect(parseDrawings(many)[0]!.points[0]!.time).toBe(3);
});

test('a time has its index between candles, before them and after them', () => {
  // A gap of three candles without a trade.
  const axis = { times: [100, 200, 600, 700], stepMs: 100 };
  const pairs = [
    [0, -1],
    [100, 0],
    [150, 0.5],
    [400, 1.5],
    [700, 3],
    [950, 5.5],
  ] as const;
  for (const [time, index] of pairs) expect(indexAt(axis, time)).toBe(index);
  for (const index of [-3, 0, 2, 3, 9]) expect(indexAt(axis, timeAt(axis, index))).toBe(index);
});

test('the distance is that to the nearest place of the line', () => {
  const [from, to] = [
    { x: 0, y: 0 },
    { x: 10, y: 0 },
  ];
  expect(distanceTo({ x: 5, y: 3 }, from, to)).toBe(3);
  expect(distanceTo({ x: 13, y: 4 }, from, to)).toBe(5);
  expect(distanceTo({ x: 3, y: 4 }, from, from)).toBe(5);
});
