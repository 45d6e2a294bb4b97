// Hashes for tables with client-chosen keys: HalfSipHash-1-3 with a secret seed, so that nobody can
// construct collisions. The seed differs by process and affects neither the state hash nor
// snapshots.

export interface HashSeed {
  readonly a: number;
  readonly b: number;
}

/** For tests, and for whatever reads no client's data. A server passes a random seed. */
export const FIXED_SEED: HashSeed = { a: 0x243f6a88, b: 0x85a308d3 };

const FINAL_ROUNDS = 3;

/** The words of one hash: of a text of up to 255 characters, and its first word. */
const WORDS = new Int32Array(65);

export class KeyedHash {
  readonly #a: number;
  readonly #b: number;

  constructor(seed: HashSeed) {
    this.#a = seed.a | 0;
    this.#b = seed.b | 0;
  }

  words(first: number, second: number, third: number): number {
    WORDS[0] = first;
    WORDS[1] = second;
    WORDS[2] = third;
    return this.#hash(3);
  }

  /** The hash of an ASCII text within the space of one user; a word has four characters. */
  text(uid: number, text: string): number {
    const { length } = text;
    WORDS[0] = uid ^ (length << 24);
    const count = 1 + ((length + 3) >>> 2);
    for (let i = 1; i < count; i++) WORDS[i] = wordAt(text, (i - 1) << 2);
    return this.#hash(count);
  }

  #hash(count: number): number {
    let v0 = this.#a;
    let v1 = this.#b;
    let v2 = 0x6c796765 ^ v0;
    let v3 = 0x74656462 ^ v1;
    for (let i = 0; i < count + FINAL_ROUNDS; i++) {
      const word = i < count ? WORDS[i]! : 0;
      if (i === count) v2 ^= 0xff;
      v3 ^= word;
      v0 = (v0 + v1) | 0;
      v1 = ((v1 << 5) | (v1 >>> 27)) ^ v0;
      v0 = (v0 << 16) | (v0 >>> 16);
      v2 = (v2 + v3) | 0;
      v3 = ((v3 << 8) | (v3 >>> 24)) ^ v2;
      v0 = (v0 + v3) | 0;
      v3 = ((v3 << 7) | (v3 >>> 25)) ^ v0;
      v2 = (v2 + v1) | 0;
      v1 = ((v1 << 13) | (v1 >>> 19)) ^ v2;
      v2 = (v2 << 16) | (v2 >>> 16);
      v0 ^= word;
    }
    return v1 ^ v3;
  }
}

function wordAt(text: string, at: number): number {
  let word = text.charCodeAt(at);
  const end = Math.min(text.length, at + 4);
  for (let i = at + 1; i < end; i++) word |= text.charCodeAt(i) << ((i - at) << 3);
  return word;
}
