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

  test('of texts that a client has chosen to meet in an unkeyed hash is spread', () => {
    expect(new Set(MEETING.map((text) => fnv(3, text))).size).toBe(1);
    expect(lowBits(MEETING.map((text) => keyed.text(3, text)))).toBeGreaterThan(7_000);
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

/** Blocks of FNV-1a over the uid 3 and the text, in pairs that lead to the same next state. */
const PAIRS = ['7rnw opba', '53zx cpad', ...Array<string>(11).fill('33zx epad')].map((pair) =>
  pair.split(' '),
);

/** All texts that the pairs make: they have one hash in FNV-1a, which needs no seed to be known. */
const MEETING = PAIRS.reduce(
  (texts, pair) => texts.flatMap((text) => pair.map((block) => text + block)),
  [''],
);

const fnv = (uid: number, text: string): number => {
  let hash = uid;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash;
};
