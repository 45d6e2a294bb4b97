// The bound of one page of aggregates: large ones end it early, and each is whole.
import { expect, test } from 'bun:test';
import { amount, lots, ticks } from '../core/units.ts';
import { AggregateWalk } from './agg-trades.ts';

const SIZE = 1_500;
const AGGREGATES = 20;

/** Trades 1 to 30,000, in aggregates of 1,500. */
const ROWS = Array.from({ length: SIZE * AGGREGATES }, (_, i) => ({
  tradeId: i + 1,
  aggTradeId: i - (i % SIZE) + 1,
  price: ticks(5),
  quantity: lots(2),
  quoteAmount: amount(10),
  takerSide: 1 as const,
  transactTime: 7,
}));

const walk = new AggregateWalk(
  (_, before, limit) => {
    const end = Math.min(before - 1, ROWS.length);
    return ROWS.slice(Math.max(0, end - limit), end).reverse();
  },
  (_, from, limit) => ROWS.slice(from - 1, from - 1 + limit),
);

test('a page ends after 20,000 trades, and the next one goes on', () => {
  const first = walk.from(1, 1, 1000);
  expect(first).toHaveLength(Math.ceil(20_000 / SIZE));
  const second = walk.from(1, first.at(-1)!.lastTradeId + 1, 1000);
  const all = [...first, ...second];
  expect(all.map(({ aggTradeId }) => aggTradeId)).toEqual(
    Array.from({ length: AGGREGATES }, (_, i) => i * SIZE + 1),
  );
  for (const { aggTradeId, lastTradeId, quantity, quoteAmount } of all) {
    expect(lastTradeId - aggTradeId).toBe(SIZE - 1);
    expect({ quantity, quoteAmount }).toEqual({
      quantity: amount(2 * SIZE),
      quoteAmount: amount(10 * SIZE),
    });
  }
  const newest = walk.newest(1, 1000);
  expect(newest).toEqual(all.slice(-newest.length));
  expect(newest).toHaveLength(first.length);
});
