// Look-ups stay short; test/model finds and removes orders by the index.
import { describe, expect, test } from 'bun:test';
import { HashChains, NONE } from './hash-chains.ts';
import { FIXED_SEED, KeyedHash } from './keyed-hash.ts';

describe('hash chains', () => {
  test('an empty index has nothing', () => {
    expect(new HashChains().first(0)).toBe(NONE);
  });

  test('entries of one hash are one step for all others of their bucket', () => {
    const index = new HashChains();
    for (let slot = 0; slot < 10_000; slot++) index.add(64, slot);
    index.add(0, 10_000);
    expect(index.stepsTo(0)).toBeLessThanOrEqual(2);
    expect(index.stepsTo(64)).toBeLessThanOrEqual(2);
    for (let slot = 0; slot < 10_000; slot++) index.remove(slot);
    expect(index.first(64)).toBe(NONE);
    expect(index.first(0)).toBe(10_000);
  });

  test('stay short while they grow to 100,000', () => {
    const index = new HashChains();
    const keyed = new KeyedHash(FIXED_SEED);
    const hashOf = (slot: number): number => keyed.words(slot, 0, 0);
    for (let slot = 0; slot < 100_000; slot++) index.add(hashOf(slot), slot);
    let steps = 0;
    for (let slot = 0; slot < 100_000; slot++) {
      steps += index.stepsTo(hashOf(slot));
      expect(index.first(hashOf(slot))).toBe(slot);
    }
    expect(steps / 100_000).toBeLessThan(2);
  });
});
