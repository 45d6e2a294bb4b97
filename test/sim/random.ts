// A small seeded generator (xoshiro128**) for tests: the same seed gives the same run on every
// machine, so a failing seed is a complete bug report. Not for secrets.

export class Random {
  readonly #state = new Uint32Array(4);

  constructor(seed: number) {
    // SplitMix32 spreads a small seed over the state, which must not be all zero.
    let x = seed >>> 0;
    for (let i = 0; i < 4; i++) {
      x = (x + 0x9e3779b9) >>> 0;
      let z = x;
      z = Math.imul(z ^ (z >>> 16), 0x21f0aaad);
      z = Math.imul(z ^ (z >>> 15), 0x735a2d97);
      this.#state[i] = z ^ (z >>> 15);
    }
  }

  /** A uniform 32-bit natural number. */
  bits(): number {
    const s = this.#state;
    const product = Math.imul(s[1], 5);
    const result = Math.imul((product << 7) | (product >>> 25), 9) >>> 0;
    const shifted = s[1] << 9;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= shifted;
    s[3] = (s[3] << 11) | (s[3] >>> 21);
    return result;
  }

  /** A natural number below `bound`, which is at most 2^32. */
  below(bound: number): number {
    return Math.floor((this.bits() / 0x1_0000_0000) * bound);
  }

  /** An integer from `low` to `high`, both included. */
  between(low: number, high: number): number {
    return low + this.below(high - low + 1);
  }

  /** True once in `times` on average. */
  oneIn(times: number): boolean {
    return this.below(times) === 0;
  }

  pick<T>(values: readonly T[]): T {
    return values[this.below(values.length)];
  }

  bytes(length: number): Uint8Array {
    const bytes = new Uint8Array(length);
    for (let i = 0; i < length; i++) bytes[i] = this.bits();
    return bytes;
  }
}
