// Seeded randomness for tests: sfc32, the same numbers from the same seed on any machine. Nothing
// under test may draw from it; a failing run is repeated from its seed alone.

export class Prng {
  #a: number;
  #b: number;
  #c: number;
  #counter = 1;

  constructor(seed: number) {
    this.#a = seed | 0;
    this.#b = (seed / 4294967296) | 0;
    this.#c = 0x9e3779b9 | 0;
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

  /** A natural number below `n`, which is at most 2^53. */
  below(n: number): number {
    if (n <= 4294967296) return Math.floor((this.next() / 4294967296) * n);
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
}
