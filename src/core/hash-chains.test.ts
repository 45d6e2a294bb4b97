// The index against a plain list: few hashes and many entries of each, removed from anywhere, while
// buckets divide.
import { describe, expect, test } from 'bun:test';
import { Prng } from '../../test/support/prng.ts';
import { HashChains, NONE } from './hash-chains.ts';
import { FIXED_SEED, KeyedHash } from './keyed-hash.ts';

const slotsOf = (index: HashChains, hash: number): number[] => {
  const slots: number[] = [];
  for (let at = index.first(hash); at !== NONE; at = index.older(at)) slots.push(at);
  return slots;
};

describe('hash chains', () => {
  for (const seed of [1, 2, 3]) {
    test(`have what was added and not removed, newest first, seed ${seed}`, () => {
      const random = new Prng(seed);
      const index = new HashChains();
      let entries: { hash: number; slot: number }[] = [];
      const free: number[] = [];
      let nextSlot = 0;
      for (let i = 0; i < 8_000; i++) {
        if (entries.length < 10 || random.percent(i < 5_000 ? 75 : 30)) {
          // Hashes that share their lower bits, and hashes of every kind.
          const hash = random.percent(50)
            ? random.below(40) << random.below(20)
            : random.next() | 0;
          const slot = free.pop() ?? nextSlot++;
          entries.push({ hash, slot });
          index.add(hash, slot);
        } else {
          const gone = random.pick(entries);
          entries = entries.filter((entry) => entry !== gone);
          index.remove(gone.slot);
          free.push(gone.slot);
        }
        const { hash } = random.pick(entries);
        const expected = entries.filter((entry) => entry.hash === hash).map(({ slot }) => slot);
        expect(slotsOf(index, hash)).toEqual(expected.reverse());
      }
    });
  }

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
