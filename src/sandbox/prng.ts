// The randomness of the demo market: sfc32, the same numbers from the same seed on any machine.
// It serves appearance only: nothing secret and nothing of the exchange may draw from it.

export class Prng {
  #a: number;
  #b: number;
  #c = 0x9e3779b9 | 0;
  #counter = 1;

  constructor(seed: number, stream = 0) {
    this.#a = seed | 0;
    this.#b = stream | 0;
    // The first outputs of similar seeds are similar.
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

  /** A natural number below `n`, which is at most 2^32. */
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

  /** How many hits precede the first miss when one call in `n` hits; at most `maximum`. */
  hits(n: number, maximum: number): number {
    let count = 0;
    while (count < maximum && this.oneIn(n)) count++;
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

  /** Approximately standard normal: the sum of twelve uniform numbers. */
  normal(): number {
    let sum = -6;
    for (let i = 0; i < 12; i++) sum += this.next() / 2 ** 32;
    return sum;
  }
}
