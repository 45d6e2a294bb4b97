// The prices of the demo market: the same for the same seed, alive within a minute, and bounded
// however long it runs.
import { describe, expect, test } from 'bun:test';
import { DEMO_PAIRS, FairPrices } from './demo-pairs.ts';
import { Prng } from './prng.ts';
import { RandomWalk, STEP_MS, SUBTICKS } from './random-walk.ts';

const TERMS = { anchor: 6_000_000 * SUBTICKS, volatility: 40_000, common: 90, own: 44 };
const STEPS_PER_MINUTE = 60_000 / STEP_MS;

function pricesOf(seed: number, steps: number): number[][] {
  const fair = new FairPrices(seed);
  return Array.from({ length: steps }, () => {
    fair.step();
    return DEMO_PAIRS.map((pair) => fair.of(pair));
  });
}

describe('fair prices', () => {
  test('follow from the seed alone', () => {
    const prices = pricesOf(7, 1000);
    expect(pricesOf(7, 1000)).toEqual(prices);
    expect(pricesOf(8, 1000)).not.toEqual(prices);
  });

  test('start at usual prices, and BTC-AED follows BTC-USDT', () => {
    const fair = new FairPrices(1);
    const decimal = DEMO_PAIRS.map((pair) => [pair.symbol, fair.of(pair) / SUBTICKS]);
    expect(decimal).toEqual([
      ['BTC-USDT', 6_000_000],
      ['ETH-USDT', 300_000],
      ['MMX-USDT', 2_500],
      ['BTC-AED', 22_035_000],
    ]);
    for (const [bitcoin, , , dirham] of pricesOf(1, 1000)) {
      expect(BigInt(dirham!)).toBe((BigInt(bitcoin!) * 36_725n) / 10_000n);
    }
  });

  test('go on from a price that is given, within the bounds', () => {
    const [pair] = DEMO_PAIRS;
    const fair = new FairPrices(1);
    fair.resume(pair, 5_800_000 * SUBTICKS);
    expect(fair.of(pair)).toBe(5_800_000 * SUBTICKS);
    fair.resume(pair, 1);
    expect(fair.of(pair)).toBe(3_000_000 * SUBTICKS);
    fair.resume(pair, Number.MAX_SAFE_INTEGER);
    expect(fair.of(pair)).toBe(12_000_000 * SUBTICKS);
  });
});

describe('random walk', () => {
  test('is an integer, and never far from its anchor, over a million steps', () => {
    const walk = new RandomWalk(TERMS, new Prng(3, 1));
    const market = new Prng(3, 2);
    let low = walk.price;
    let high = walk.price;
    for (let step = 0; step < 1_000_000; step++) {
      walk.step(market.normal());
      if (!Number.isSafeInteger(walk.price)) throw new Error(`step ${step}: ${walk.price}`);
      low = Math.min(low, walk.price);
      high = Math.max(high, walk.price);
    }
    // Half to twice the anchor is certain; within a sixth of these bounds is what the draw to the
    // anchor makes likely.
    expect(low).toBeGreaterThan(TERMS.anchor * 0.75);
    expect(high).toBeLessThan(TERMS.anchor * 1.3);
  });

  test('moves some basis points in a usual minute', () => {
    const walk = new RandomWalk(TERMS, new Prng(5, 1));
    const market = new Prng(5, 2);
    const ranges = Array.from({ length: 1000 }, () => {
      const prices = Array.from({ length: STEPS_PER_MINUTE }, () => {
        walk.step(market.normal());
        return walk.price;
      });
      return ((Math.max(...prices) - Math.min(...prices)) * 10_000) / TERMS.anchor;
    }).sort((a, b) => a - b);
    expect(ranges[500]).toBeWithin(5, 15);
    expect(ranges[0]).toBeGreaterThan(1);
    expect(ranges[999]).toBeLessThan(60);
  });
});
