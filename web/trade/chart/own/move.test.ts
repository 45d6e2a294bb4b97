// New prices for open orders: on the grid, by pointer and by keys.
import { expect, test } from 'bun:test';
import { asked, keySteps, nearestPrice, stepPrice, tradesNow } from './move.ts';

const cents = { tick: '0.01', priceDecimals: 2 };
const halves = { tick: '0.5', priceDecimals: 1 };

test('a place on the chart gives the nearest price of the grid', () => {
  expect(nearestPrice(60000.0044, cents)).toBe('60000');
  expect(nearestPrice(60000.006, cents)).toBe('60000.01');
  expect(nearestPrice(100.24, halves)).toBe('100');
  expect(nearestPrice(100.26, halves)).toBe('100.5');
  expect(nearestPrice(7.4, { tick: '5', priceDecimals: 0 })).toBe('5');
  expect(nearestPrice(7.6, { tick: '5', priceDecimals: 0 })).toBe('10');
});

test('no price is zero or below', () => {
  expect(nearestPrice(-3, cents)).toBe('0.01');
  expect(nearestPrice(0.001, cents)).toBe('0.01');
  expect(stepPrice('0.01', -1, cents)).toBe('0.01');
  expect(stepPrice('3', -100, halves)).toBe('0.5');
});

test('keys move by one step, ten, a hundred, or a thousand', () => {
  const press = (key: string, shiftKey = false) => keySteps({ key, shiftKey });
  expect([press('ArrowUp'), press('ArrowDown')]).toEqual([1, -1]);
  expect([press('ArrowUp', true), press('PageDown'), press('PageUp', true)]).toEqual([
    10, -100, 1000,
  ]);
  expect([press('ArrowLeft'), press('Enter'), press('toString')]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  expect(stepPrice('60000', 10, cents)).toBe('60000.1');
});

test('a move to another price asks; one back to the same price does not', () => {
  const what = { orderId: 1, role: 'order', isFixed: false, side: 'buy' } as const;
  const mark = { ...what, field: 'price', price: '60000', quantity: '1' } as const;
  expect(asked({ mark, price: '60000.00' })).toBeNull();
  expect(asked({ mark, price: '60000.01' })).toEqual({ mark, price: '60000.01', phase: 'asking' });
});

test('an order that reaches the other side trades now', () => {
  const best = { bid: '99', ask: '101' };
  expect(tradesNow('buy', '101', best)).toBe(true);
  expect(tradesNow('buy', '100.99', best)).toBe(false);
  expect(tradesNow('sell', '99', best)).toBe(true);
  expect(tradesNow('sell', '99.01', best)).toBe(false);
  expect(tradesNow('buy', '1000', { bid: '99', ask: undefined })).toBe(false);
  expect(tradesNow('sell', '1', { bid: undefined, ask: '101' })).toBe(false);
});
