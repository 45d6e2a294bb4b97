// Average cost, realized profit and equity, with figures that can be checked by hand.
import { expect, test } from 'bun:test';
import type { Fill } from '../../src/sdk/index.ts';
import { DAY_MS } from '../exact/format.ts';
import { ticksOf } from './equity-chart.tsx';
import { equityOf, mainPairOf, ownedPart, positionOf } from './portfolio.ts';

const fill = (side: 1 | 2, quantity: string, quoteAmount: string, fee = '0'): Fill =>
  ({
    ...{ symbol: 'BTC-USDT', side, quantity, quoteAmount, fee },
    feeAsset: side === 1 ? 'BTC' : 'USDT',
  }) as Fill;

test('two buys have a weighted average, and a sale realizes a profit against it', () => {
  const fills = [fill(1, '1', '100'), fill(1, '3', '500'), fill(2, '2', '400')];
  // 600 for 4 coins: 150 each. Two were sold for 400.
  expect(positionOf(fills)).toEqual({ quantity: '2', cost: '300', realized: '100' });
});

test('fees raise the cost of what is bought, and lower what a sale brings', () => {
  const fills = [fill(1, '1', '100', '0.2'), fill(2, '0.4', '80', '5')];
  // 0.8 coins cost 100: 125 each. The sale of 0.4, for 50, brought 75.
  expect(positionOf(fills)).toEqual({ quantity: '0.4', cost: '50', realized: '25' });
});

test('coins from elsewhere have no cost and make no profit', () => {
  expect(positionOf([fill(2, '5', '500')])).toEqual({ quantity: '0', cost: '0', realized: '0' });
  // Only one of the two coins was bought.
  const fills = [fill(1, '1', '100'), fill(2, '2', '300')];
  expect(positionOf(fills)).toEqual({ quantity: '0', cost: '0', realized: '50' });
});

test('everything bought and sold leaves no cost behind, whatever the quotients', () => {
  const fills = [fill(1, '3', '100'), fill(2, '1', '40'), fill(2, '1', '40'), fill(2, '1', '40')];
  expect(positionOf(fills)).toEqual({ quantity: '0', cost: '0', realized: '20' });
});

test('a withdrawal takes its share of the cost, without a profit', () => {
  const position = positionOf([fill(1, '4', '600'), fill(2, '1', '200')]);
  expect(ownedPart(position, '1')).toEqual({ quantity: '1', cost: '150', realized: '50' });
  expect(ownedPart(position, '9')).toBe(position);
});

test('the main pair of an asset is its first one', () => {
  const pairs = [{ symbol: 'BTC-USDT' }, { symbol: 'BTC-AED' }];
  expect(mainPairOf('BTC', pairs)).toBe('BTC-USDT');
  expect(mainPairOf('USDT', pairs)).toBeNull();
});

test('equity begins a day before the account had anything', () => {
  const points = equityOf({
    ...{ target: 'USDT', decimals: 2, now: 10 * DAY_MS + 5, days: 9, candles: new Map() },
    balances: new Map([['USDT', '5']]),
    entries: [{ type: 'credit', asset: 'USDT', amount: '5', time: 8 * DAY_MS }],
  });
  expect(points.map(({ value }) => value)).toEqual(['0', '5', '5', '5']);
  expect(points.map(({ deposited }) => deposited)).toEqual(['0', '5', '5', '5']);
});

test('equity walks the balances back, at the prices of each day', () => {
  const day = (n: number) => n * DAY_MS;
  const points = equityOf({
    ...{ target: 'USDT', decimals: 2, now: day(10) + 5, days: 3 },
    balances: new Map([
      ['BTC', '2'],
      ['USDT', '50'],
      ['XYZ', '7'],
    ]),
    // Yesterday 1 BTC was bought for 100, and 30 USDT went into Earn, which owns them now; the day
    // before, 150 USDT came in.
    entries: [
      { type: 'subscription', asset: 'USDT', amount: '-30', time: day(9) + 2 },
      { type: 'trade', asset: 'BTC', amount: '1', time: day(9) + 1 },
      { type: 'trade', asset: 'USDT', amount: '-100', time: day(9) + 1 },
      { type: 'credit', asset: 'USDT', amount: '150', time: day(8) },
    ],
    candles: new Map([
      [
        'BTC-USDT',
        [
          { openTime: day(7), open: '80', close: '90' },
          { openTime: day(9), open: '90', close: '100' },
          { openTime: day(10), open: '100', close: '120' },
        ],
      ],
    ]),
  });
  expect(points.map(({ value }) => value)).toEqual(['90', '240', '250', '290']);
  expect(points.map(({ deposited }) => deposited)).toEqual(['90', '240', '240', '240']);
  expect(points.map(({ time }) => time)).toEqual([day(8), day(9), day(10), day(10) + 5]);
});

test('an asset without a trade yet counts at its first price, so a deposit is no profit', () => {
  const points = equityOf({
    ...{ target: 'USDT', decimals: 2, now: 10 * DAY_MS, days: 3 },
    balances: new Map([['BTC', '2']]),
    entries: [{ type: 'credit', asset: 'BTC', amount: '2', time: 9 * DAY_MS - 1 }],
    candles: new Map([['BTC-USDT', [{ openTime: 9 * DAY_MS, open: '70', close: '75' }]]]),
  });
  expect(points.map(({ value }) => value)).toEqual(['0', '140', '150', '150']);
  expect(points.map(({ deposited }) => deposited)).toEqual(['0', '140', '140', '140']);
});

test.each([
  [0, 1_000_000, 3, ['0', '500,000', '1,000,000']],
  [0.972, 1.012, 4, ['0.98', '0.99', '1.00', '1.01']],
  [250, 250, 4, ['250']],
])('an axis from %p to %p has at most %p round ticks', (low, high, most, labels) => {
  expect(ticksOf(low, high, most).map(({ label }) => label)).toEqual(labels);
});
