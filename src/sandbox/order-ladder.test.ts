// The quotes of the demo market: on the grid and apart from each other, deeper further out, and
// kept so by a few moves.
import { describe, expect, test } from 'bun:test';
import { Side } from '../core/fix.ts';
import { type Ticks, ticks } from '../core/units.ts';
import { DEMO_PAIRS, FairPrices, MIN_LOTS } from './demo-pairs.ts';
import { Ladder, LEVELS, type NewQuote, outwards, planSide, RANK } from './order-ladder.ts';
import { Prng } from './prng.ts';
import { SUBTICKS } from './random-walk.ts';

interface Order extends NewQuote {
  readonly placedAt: number;
}

const SIDES = [Side.buy, Side.sell] as const;
const standingOf = (quotes: readonly NewQuote[]): Order[] =>
  quotes.map((quote) => ({ ...quote, placedAt: quote.rank }));
const best = (side: Side, orders: readonly Order[]): Ticks => {
  const prices = orders.map(({ price }) => price);
  return ticks(side === Side.buy ? Math.max(...prices) : Math.min(...prices));
};

function build(ladder: Ladder, side: Side, fair: number, prng: Prng): Order[] {
  const situation = { side, fair, opposite: null, standing: [], refills: LEVELS, moves: 0 };
  const { cancels, quotes } = planSide<Order>(ladder, situation, prng);
  expect(cancels).toEqual([]);
  return standingOf(quotes);
}

const sizesOf = (orders: readonly Order[]): number =>
  orders.reduce((sum, { orderQty }) => sum + orderQty, 0);

describe.each(DEMO_PAIRS.map((pair) => [pair.symbol, pair] as const))('%s', (_, pair) => {
  const ladder = new Ladder(pair.shape);

  test('ranks and distances correspond', () => {
    for (let rank = 0; rank < LEVELS * RANK; rank += 37) {
      const back = ladder.rankOf(ladder.distanceOf(rank));
      expect(Math.abs(back - rank)).toBeLessThanOrEqual(2);
    }
    expect(ladder.rankOf(pair.shape.touch)).toBe(0);
    expect(ladder.rankOf(0)).toBeLessThan(0);
    expect(ladder.rankOf(Number.MAX_SAFE_INTEGER)).toBe(2 * LEVELS * RANK);
  });

  test('a new book has its depth on the grid, bids below asks', () => {
    const prng = new Prng(11);
    const fair = new FairPrices(11);
    for (let n = 0; n < 200; n++) {
      fair.step();
      const bids = build(ladder, Side.buy, fair.of(pair), prng);
      const asks = build(ladder, Side.sell, fair.of(pair), prng);
      expect([bids.length, asks.length]).toEqual([LEVELS, LEVELS]);
      expect(best(Side.buy, bids) * SUBTICKS).toBeLessThan(fair.of(pair));
      expect(best(Side.sell, asks) * SUBTICKS).toBeGreaterThan(fair.of(pair));
      for (const { price, orderQty } of [...bids, ...asks]) {
        expect(Number.isSafeInteger(price) && price > 0).toBe(true);
        expect(Number.isSafeInteger(orderQty) && orderQty >= MIN_LOTS).toBe(true);
      }
    }
  });

  test('what stands further out is larger', () => {
    const prng = new Prng(12);
    let [near, far] = [0, 0];
    for (let n = 0; n < 50; n++) {
      const asks = build(ladder, Side.sell, new FairPrices(1).of(pair), prng);
      near += sizesOf(asks.slice(0, 10));
      far += sizesOf(asks.slice(-10));
    }
    expect(far).toBeGreaterThan(2 * near);
  });

  test('an hour of the price moving leaves both sides in shape, by a few moves at a time', () => {
    const prng = new Prng(13);
    const fair = new FairPrices(13);
    const books = new Map(SIDES.map((side) => [side, build(ladder, side, fair.of(pair), prng)]));
    let changes = 0;
    for (let second = 0; second < 3600; second++) {
      fair.step();
      fair.step();
      for (const side of SIDES) {
        const standing = books.get(side)!;
        const situation = { side, fair: fair.of(pair), opposite: null, standing };
        const plan = planSide(ladder, { ...situation, refills: 14, moves: 2 }, prng);
        changes += plan.cancels.length;
        const kept = standing.filter((order) => !plan.cancels.includes(order));
        books.set(side, [...kept, ...standingOf(plan.quotes)]);
      }
      const [bids, asks] = SIDES.map((side) => books.get(side)!) as [Order[], Order[]];
      expect([bids.length, asks.length]).toEqual([LEVELS, LEVELS]);
      expect(best(Side.buy, bids)).toBeLessThan(best(Side.sell, asks));
      for (const side of SIDES) {
        const away = outwards(side) * (best(side, books.get(side)!) * SUBTICKS - fair.of(pair));
        // Two moves a second do not keep up with a run; the best price is then a little late.
        expect(ladder.rankOf(away)).toBeLessThan(6 * RANK);
      }
    }
    expect(changes / 3600).toBeLessThan(2.5);
  });
});

describe('a side', () => {
  const [pair] = DEMO_PAIRS;
  const ladder = new Ladder(pair.shape);
  const fair = 6_000_000 * SUBTICKS;

  test.each(SIDES)(
    'is quoted beside an order of the other side that stands in its way: %p',
    (side) => {
      const out = outwards(side);
      const inTheWay = ticks(6_000_000 + out * 10_000);
      const situation = { side, fair, opposite: inTheWay, refills: LEVELS, moves: 2 };
      const first = planSide<Order>(ladder, { ...situation, standing: [] }, new Prng(1));
      const standing = standingOf(first.quotes);
      expect(out * (best(side, standing) - inTheWay)).toBeGreaterThan(0);
      expect(out * (best(side, standing) - inTheWay)).toBeLessThan(1_000);
      const again = planSide(ladder, { ...situation, standing }, new Prng(2));
      expect(again).toEqual({ cancels: [], quotes: [] });
      const harmless = { ...situation, opposite: ticks(6_000_000 - out * 10_000), standing: [] };
      const usual = planSide<Order>(ladder, harmless, new Prng(1));
      expect(out * (best(side, standingOf(usual.quotes)) - 6_000_000)).toBeLessThan(1_000);
    },
  );

  test('withdraws what the price has come too close to, and refills what was filled', () => {
    const asks = build(ladder, Side.sell, fair, new Prng(4));
    const situation = { side: Side.sell, opposite: null, refills: 14, moves: 2 };
    const risen = fair + 1_500 * SUBTICKS;
    const moved = planSide(ladder, { ...situation, fair: risen, standing: asks }, new Prng(5));
    const passed = asks.filter(({ price }) => price * SUBTICKS <= risen);
    expect(passed.length).toBeGreaterThan(2);
    expect(moved.cancels).toEqual(expect.arrayContaining(passed));
    expect(moved.quotes.length).toBe(moved.cancels.length);

    const left = asks.slice(20);
    const refill = planSide(ladder, { ...situation, fair, standing: left }, new Prng(6));
    expect(refill.cancels).toEqual([]);
    expect(refill.quotes.length).toBe(14);
    expect(refill.quotes[0]!.rank).toBeLessThan(RANK);
  });
});
