// The keyed hash: the published vectors are of bytes, so this holds what tables need: spread, and a
// seed that matters.
import { describe, expect, test } from 'bun:test';
import { FIXED_SEED, KeyedHash } from './keyed-hash.ts';

const texts = Array.from({ length: 10_000 }, (_, i) => `order-${i}`);
const lowBits = (hashes: readonly number[]): number => new Set(hashes.map((h) => h & 0xffff)).size;

describe('keyed hash', () => {
  const keyed = new KeyedHash(FIXED_SEED);
  const other = new KeyedHash({ ...FIXED_SEED, b: FIXED_SEED.b + 1 });

  test('of texts is spread, and apart for other users, lengths and seeds', () => {
    expect(lowBits(texts.map((text) => keyed.text(1, text)))).toBeGreaterThan(9_000);
    expect(keyed.text(1, 'a')).not.toBe(keyed.text(2, 'a'));
    expect(keyed.text(1, '')).not.toBe(keyed.text(1, '\0'));
    expect(keyed.text(1, 'abcd')).not.toBe(keyed.text(1, 'abcd\0'));
    expect(keyed.text(1, 'abcd')).not.toBe(other.text(1, 'abcd'));
    const meeting = texts.filter((text) => (keyed.text(1, text) & 0x3f) === 0);
    expect(new Set(meeting.map((text) => other.text(1, text) & 0x3f)).size).toBeGreaterThan(40);
  });

  test('every character of a text counts', () => {
    const text = 'abcdefghijk';
    const hashes = Array.from(text, (_, i) =>
      keyed.text(1, `${text.slice(0, i)}-${text.slice(i + 1)}`),
    );
    expect(new Set([...hashes, keyed.text(1, text)]).size).toBe(text.length + 1);
  });

  test('of words is spread, and each of the three counts', () => {
    const numbers = texts.map((_, i) => i);
    expect(lowBits(numbers.map((n) => keyed.words(n, 0, 0)))).toBeGreaterThan(9_000);
    expect(lowBits(numbers.map((n) => keyed.words(0, n, 0)))).toBeGreaterThan(9_000);
    expect(lowBits(numbers.map((n) => keyed.words(0, 0, n)))).toBeGreaterThan(9_000);
    expect(keyed.words(1, 2, 3)).not.toBe(other.words(1, 2, 3));
  });
});
