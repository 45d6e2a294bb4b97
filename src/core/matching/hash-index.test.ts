// The index against a plain list of pairs, with few hashes and a small table, so that runs are
// long, wrap around the end of the table and are torn open in the middle.
import { describe, expect, test } from 'bun:test';
import { Prng } from '../../../test/support/prng.ts';
import { HashIndex, hashNumber } from './hash-index.ts';

const slotsOf = (index: HashIndex, hash: number): number[] => {
  const slots: number[] = [];
  for (let at = index.first(hash); at >= 0; at = index.next(hash, at)) slots.push(index.slotAt(at));
  return slots.sort((a, b) => a - b);
};

/** Hashes that fall into the same few homes, some of them at the end of a table of 1,024. */
const HASHES = [0, 1, 2, 1022, 1023, -1, -2, 1024, 2047, 2048, 0x7fffffff, -0x80000000, 4095];

describe('hash index', () => {
  for (const seed of [1, 2, 3]) {
    test(`finds what was added and not removed, seed ${seed}`, () => {
      const random = new Prng(seed);
      const index = new HashIndex();
      const entries: { hash: number; slot: number }[] = [];
      let nextSlot = 0;
      for (let i = 0; i < 6_000; i++) {
        // Grows to about two thousand entries, so that the table doubles twice on the way.
        if (entries.length < 10 || random.percent(i < 4_000 ? 75 : 30)) {
          const entry = { hash: random.pick(HASHES), slot: nextSlot++ };
          if (random.percent(80)) entry.hash = random.next() | 0;
          entries.push(entry);
          index.add(entry.hash, entry.slot);
        } else {
          const [gone] = entries.splice(random.below(entries.length), 1);
          index.remove(gone.hash, gone.slot);
        }
        const hash = random.percent(50) ? random.pick(HASHES) : random.pick(entries).hash;
        const expected = entries.filter((entry) => entry.hash === hash).map(({ slot }) => slot);
        expect(slotsOf(index, hash)).toEqual(expected.sort((a, b) => a - b));
      }
    });
  }

  test('does not grow while as many go as come', () => {
    const index = new HashIndex();
    for (let slot = 0; slot < 1_000; slot++) {
      index.add(slot, slot);
      index.remove(slot, slot);
    }
    // The home of −1 is the last place of the table, which had 64 in the beginning, of two words
    // each.
    index.add(-1, 7);
    expect(index.first(-1)).toBe(126);
  });

  test('an empty index has nothing', () => {
    expect(new HashIndex().first(0)).toBe(-1);
  });
});

describe('hashes', () => {
  test('of numbers are spread and the same for the same number', () => {
    const numbers = Array.from({ length: 10_000 }, (_, i) => i + 1);
    const low = new Set(numbers.map((n) => hashNumber(n, 0) & 0xffff));
    expect(low.size).toBeGreaterThan(9_000);
    const large = numbers.map((n) => hashNumber(2 ** 52 + n * 2 ** 20, 0) & 0xffff);
    expect(new Set(large).size).toBeGreaterThan(8_500);
    expect(hashNumber(2 ** 53 - 1, 5)).toBe(hashNumber(2 ** 53 - 1, 5));
  });

  test('numbers that collide under one seed do not collide under another', () => {
    const meeting = Array.from({ length: 1_000_000 }, (_, i) => i + 1).filter(
      (n) => (hashNumber(n, 0) & 0x3ff) === 0,
    );
    expect(meeting.length).toBeGreaterThan(800);
    expect(new Set(meeting.map((n) => hashNumber(n, 12_345) & 0x3ff)).size).toBeGreaterThan(500);
  });
});
