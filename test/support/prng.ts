// Seeded randomness for tests: xoshiro128**, the same numbers from the same seed on any machine, so
// a failing run is repeated from its seed alone. Nothing under test may draw from it.

export class Prng {
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

  /** The next 32 bits. */
  next(): number {
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

  /** A natural number below `n`, which is at most 2^53. */
  below(n: number): number {
    if (n <= 0x1_0000_0000) return Math.floor((this.next() / 0x1_0000_0000) * n);
    return Number(this.belowBig(BigInt(n)));
  }

  /** A natural number below `n` of any size. */
  belowBig(n: bigint): bigint {
    let random = 0n;
    for (let bits = 1n; bits < n << 32n; bits <<= 32n)
      random = (random << 32n) | BigInt(this.next());
    return random % n;
  }

  /** An integer from `low` to `high`, both included. */
  between(low: number, high: number): number {
    return low + this.below(high - low + 1);
  }

  /** True once in `n` calls on average. */
  oneIn(n: number): boolean {
    return this.below(n) === 0;
  }

  /** True in `percent` of a hundred calls on average. */
  percent(percent: number): boolean {
    return this.below(100) < percent;
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)];
  }

  /** One of the choices, each as often as its weight says. */
  weighted<T>(choices: readonly (readonly [weight: number, choice: T])[]): T {
    let rest = this.below(choices.reduce((sum, [weight]) => sum + weight, 0));
    for (const [weight, choice] of choices) {
      if (rest < weight) return choice;
      rest -= weight;
    }
    return choices[choices.length - 1][1];
  }

  bytes(length: number): Uint8Array {
    return Uint8Array.from({ length }, () => this.next());
  }
}
