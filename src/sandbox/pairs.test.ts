// The fair prices of the demo market: reproducible from the seed, lively, and bounded.
import { describe, expect, test } from 'bun:test';
import { DEMO_PAIRS, FairPrices, STEP_MS, twoDigits } from './pairs.ts';

const [BITCOIN] = DEMO_PAIRS;
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
    const prices = DEMO_PAIRS.map((pair) => [pair.symbol, fair.of(pair)]);
    expect(prices).toEqual([
      ['BTC-USDT', 6_000_000],
      ['ETH-USDT', 300_000],
      ['MMX-USDT', 2_500],
      ['BTC-AED', 22_035_000],
    ]);
    for (const [bitcoin, , , dirham] of pricesOf(1, 1000)) {
      expect(dirham).toBe(bitcoin! * 3.6725);
    }
  });

  test('continue from a price, within half to twice the anchor', () => {
    const fair = new FairPrices(1);
    fair.resume(BITCOIN, 5_800_000);
    expect(fair.of(BITCOIN)).toBe(5_800_000);
    fair.resume(BITCOIN, 1);
    expect(fair.of(BITCOIN)).toBe(3_000_000);
    fair.resume(BITCOIN, Number.MAX_SAFE_INTEGER);
    expect(fair.of(BITCOIN)).toBe(12_000_000);
  });

  test('stay near their anchor over a million steps', () => {
    const fair = new FairPrices(3);
    let low = fair.of(BITCOIN);
    let high = low;
    for (let step = 0; step < 1_000_000; step++) {
      fair.step();
      const price = fair.of(BITCOIN);
      low = Math.min(low, price);
      high = Math.max(high, price);
    }
    expect(low).toBeGreaterThan(BITCOIN.anchor * 0.75);
    expect(high).toBeLessThan(BITCOIN.anchor * 1.3);
  });

  test('move some basis points in a usual minute', () => {
    const fair = new FairPrices(5);
    const ranges = Array.from({ length: 1000 }, () => {
      const prices = Array.from({ length: STEPS_PER_MINUTE }, () => {
        fair.step();
        return fair.of(BITCOIN);
      });
      return ((Math.max(...prices) - Math.min(...prices)) * 10_000) / BITCOIN.anchor;
    }).sort((a, b) => a - b);
    expect(ranges[500]).toBeWithin(5, 15);
    expect(ranges[0]).toBeGreaterThan(1);
    expect(ranges[999]).toBeLessThan(60);
  });

  test('deviate as much in one long step as in many short ones', () => {
    const deviation = (stepMs: number): number => {
      const changes = Array.from({ length: 500 }, (_, seed) => {
        const fair = new FairPrices(seed);
        for (let ms = 0; ms < 60_000; ms += stepMs) fair.step(stepMs);
        return fair.of(BITCOIN) - BITCOIN.anchor;
      });
      return Math.sqrt(changes.reduce((sum, change) => sum + change ** 2, 0) / changes.length);
    };
    expect(deviation(60_000) / deviation(STEP_MS)).toBeWithin(0.85, 1.15);
  });
});

test('round figures keep two digits', () => {
  expect([7, 99, 123, 98_765].map(twoDigits)).toEqual([7, 99, 120, 98_000]);
});
