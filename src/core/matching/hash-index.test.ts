// The memory of the index, and the spread of its hashes; test/model finds orders by it.
import { describe, expect, test } from 'bun:test';
import { HashIndex, hashNumber } from './hash-index.ts';

describe('hash index', () => {
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
