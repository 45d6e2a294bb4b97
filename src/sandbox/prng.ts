// The randomness of the demo market: sfc32, the same numbers from the same seed on any machine. For
// show only: nothing secret and nothing of the exchange itself may draw from it.

export class Prng {
  #a: number;
  #b: number;
  #c = 0x9e3779b9 | 0;
  #counter = 1;

  constructor(seed: number, stream = 0) {
    this.#a = seed | 0;
    this.#b = stream | 0;
    // The first outputs of near seeds resemble each other; these are thrown away.
    for (let i = 0; i < 16; i++) this.next();
  }

  /** The next 32 bits. */
  next(): number {
    const sum = (this.#a + this.#b + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + sum) | 0;
    return sum >>> 0;
  }

  /**
   * A natural number below `n`, which is at most 2^32. The bias of the remainder does not matter
   * for show.
   */
  below(n: number): number {
    return this.next() % n;
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

  /**
   * How many misses precede the first hit when one call in `n` hits; `most` at most. Its mean is n
   * − 1.
   */
  misses(n: number, most: number): number {
    let count = 0;
    while (count < most && !this.oneIn(n)) count++;
    return count;
  }

  /** How many hits precede the first miss when one call in `n` hits; `most` at most. */
  hits(n: number, most: number): number {
    let count = 0;
    while (count < most && this.oneIn(n)) count++;
    return count;
  }

  /** One of the choices, each as often as its weight says. */
  weighted<T extends { readonly weight: number }>(choices: readonly [T, ...T[]]): T {
    let rest = this.below(choices.reduce((sum, { weight }) => sum + weight, 0));
    for (const choice of choices) {
      if (rest < choice.weight) return choice;
      rest -= choice.weight;
    }
    return choices[0];
  }

  /** Standard normal, nearly: in units of NORMAL_ONE, mean 0, at most 6 of them. */
  normal(): number {
    let sum = 0;
    for (let i = 0; i < 6; i++) {
      const bits = this.next();
      sum += (bits & 0xffff) + (bits >>> 16);
    }
    return sum - 12 * MEAN_OF_16_BITS;
  }
}

/**
 * One standard deviation of `normal`: twelve uniform numbers of 16 bits have the variance of
 * (2^16)².
 */
export const NORMAL_ONE = 65_536;
const MEAN_OF_16_BITS = 32_767.5;
