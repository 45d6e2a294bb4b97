// Seeded randomness: xoshiro128**, the same numbers from the same seed on any machine. It serves
// the appearance of the demo market; nothing secret and nothing of the exchange may draw from it.

const RANGE = 2 ** 32;

const rotateLeft = (n: number, bits: number): number => (n << bits) | (n >>> (32 - bits));

export class Prng {
  readonly #state: [number, number, number, number];

  constructor(seed: number) {
    // SplitMix32 spreads a small seed over the state, which must not be all zero.
    let x = seed | 0;
    const spread = (): number => {
      x = (x + 0x9e3779b9) | 0;
      let z = Math.imul(x ^ (x >>> 16), 0x21f0aaad);
      z = Math.imul(z ^ (z >>> 15), 0x735a2d97);
      return z ^ (z >>> 15);
    };
    this.#state = [spread(), spread(), spread(), spread()];
  }

  /** The next 32 bits. */
  next(): number {
    const s = this.#state;
    const result = Math.imul(rotateLeft(Math.imul(s[1], 5), 7), 9) >>> 0;
    const shifted = s[1] << 9;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= shifted;
    s[3] = rotateLeft(s[3], 11);
    return result;
  }

  /** A natural number below `n`, which is at most 2^32. */
  below(n: number): number {
    return Math.floor((this.next() / RANGE) * n);
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

  /** One of the choices, each as often as its weight says. */
  weighted<T>(choices: readonly (readonly [weight: number, choice: T])[]): T {
    let rest = this.below(choices.reduce((sum, [weight]) => sum + weight, 0));
    for (const [weight, choice] of choices) {
      if (rest < weight) return choice;
      rest -= weight;
    }
    throw new RangeError('There are no choices.');
  }

  /** Approximately standard normal: the sum of twelve uniform numbers. */
  normal(): number {
    let sum = -6;
    for (let i = 0; i < 12; i++) sum += this.next() / RANGE;
    return sum;
  }
}
