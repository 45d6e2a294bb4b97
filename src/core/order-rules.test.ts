// The rules of order terms at their bounds, and as docs/orders.md states them.
import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { OrdType, Side, TimeInForce } from './fix.ts';
import * as rules from './order-rules.ts';

const { MAX_SAFE_INTEGER: MAX } = Number;

test('each type of order accepts its own times in force', () => {
  const accepted = Object.values(OrdType).map((ordType) =>
    Object.values(TimeInForce).filter((time) => rules.acceptsTime(ordType, time)),
  );
  expect(accepted).toEqual([
    [1, 3, 4],
    [1, 3, 4, 6],
    [1, 6],
    [1, 3, 4, 6],
  ]);
});

test('a stop that sells, and an order with a price, have a quantity', () => {
  const byQuote = (side: Side) =>
    Object.values(OrdType).filter((ordType) => rules.mayBeByQuote(ordType, side));
  expect(byQuote(Side.buy)).toEqual([OrdType.market, OrdType.stop]);
  expect(byQuote(Side.sell)).toEqual([OrdType.market]);
});

test('the smallest part of an iceberg is rounded up', () => {
  expect([100, 101, 250].map((quantity) => rules.minDisplay(quantity, 1))).toEqual([1, 2, 3]);
  expect(rules.minDisplay(100, 7)).toBe(7);
});

test('a nearest price is never 0, nor beyond the largest price', () => {
  expect([rules.nextTick(1, false), rules.nextTick(MAX, true)]).toEqual([null, null]);
  expect([rules.nextTick(2, false), rules.nextTick(MAX - 1, true)]).toEqual([1, MAX]);
});

test('docs/orders.md has the figures', () => {
  const text = readFileSync(`${import.meta.dir}/../../docs/orders.md`, 'utf8');
  expect(rules.MAX_ICEBERG_PARTS).toBe(100);
  expect(text).toContain('and a hundredth of `orderQty`');
  expect(text).toContain(`\`stopPx\` plus ${rules.PROTECTION_PERCENT - 100} %`);
});
