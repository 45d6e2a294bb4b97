// The ladder against a sorted array: prices inserted and removed at both ends and in the middle,
// more of them than a run holds, on both sides.
import { describe, expect, test } from 'bun:test';
import { Prng } from '../../../test/support/prng.ts';
import { Side } from '../fix.ts';
import { ticks } from '../units.ts';
import { PriceLadder } from './price-ladder.ts';

const listOf = (ladder: PriceLadder): [number, number][] => {
  const list: [number, number][] = [];
  ladder.fromBest((level, price) => {
    list.push([price, level]);
    return true;
  });
  return list;
};

/** How each seed chooses prices: crowded, spread, rising, falling, and at the largest. */
const PATTERNS: readonly ((random: Prng, i: number) => number)[] = [
  (random) => 1 + random.below(600),
  (random) => 1 + random.below(2 ** 40),
  (random, i) => 1_000 + i + random.below(3),
  (random, i) => 10_000 - i + random.below(3),
  (random) => Number.MAX_SAFE_INTEGER - random.below(900),
];

describe('price ladder', () => {
  for (const [side, name] of [
    [Side.buy, 'bids'],
    [Side.sell, 'asks'],
  ] as const) {
    PATTERNS.forEach((priceFor, pattern) => {
      test(`${name} stay sorted, pattern ${pattern}`, () => {
        const random = new Prng(pattern * 2 + side);
        const ladder = new PriceLadder(side);
        const levels = new Map<number, number>();
        for (let i = 0; i < 4_000; i++) {
          const price = priceFor(random, i);
          const grow = random.percent(i < 2_500 ? 80 : 25);
          if (grow && !levels.has(price)) {
            levels.set(price, i);
            ladder.insert(ticks(price), i);
          } else if (!grow && levels.size > 0) {
            const gone = random.percent(30)
              ? bestOf(levels, side)
              : random.pick([...levels.keys()]);
            levels.delete(gone);
            ladder.remove(ticks(gone));
          }
          expect(ladder.size).toBe(levels.size);
          expect(ladder.find(ticks(price))).toBe(levels.get(price) ?? -1);
          if (i % 200 === 0) expect(listOf(ladder)).toEqual(sorted(levels, side));
          const best = levels.size === 0 ? -1 : levels.get(bestOf(levels, side))!;
          expect(ladder.best()).toBe(best);
        }
        for (const price of levels.keys()) ladder.remove(ticks(price));
        expect(listOf(ladder)).toEqual([]);
      });
    });
  }

  test('a walk ends when the visitor has seen enough', () => {
    const ladder = new PriceLadder(Side.sell);
    for (let price = 1; price <= 1_000; price++) ladder.insert(ticks(price), price);
    const seen: number[] = [];
    ladder.fromBest((_level, price) => {
      seen.push(price);
      return seen.length < 300;
    });
    expect(seen).toEqual(Array.from({ length: 300 }, (_, i) => i + 1));
  });

  test('a price has one level, and only a listed price can be removed', () => {
    const ladder = new PriceLadder(Side.buy);
    ladder.insert(ticks(5), 1);
    expect(() => ladder.insert(ticks(5), 2)).toThrow('a price has one level');
    expect(() => ladder.remove(ticks(6))).toThrow('a removed price has a level');
    ladder.remove(ticks(5));
    expect(() => ladder.remove(ticks(5))).toThrow('a removed price has a level');
  });

  test('a price has one level also where a full run is cut in two', () => {
    for (const side of [Side.buy, Side.sell]) {
      for (let price = 1; price <= 256; price++) {
        // A run is full with 256 prices: the next insert cuts it.
        const ladder = new PriceLadder(side);
        for (let each = 1; each <= 256; each++) ladder.insert(ticks(each), each);
        expect(() => ladder.insert(ticks(price), 0)).toThrow('a price has one level');
      }
    }
  });
});

const bestOf = (levels: ReadonlyMap<number, number>, side: Side): number =>
  [...levels.keys()].reduce((a, b) => (side === Side.buy ? Math.max(a, b) : Math.min(a, b)));

function sorted(levels: ReadonlyMap<number, number>, side: Side): [number, number][] {
  const list = [...levels].sort(([a], [b]) => a - b);
  return side === Side.buy ? list.reverse() : list;
}
