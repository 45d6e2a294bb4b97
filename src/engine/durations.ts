// A histogram of durations, as Prometheus defines it. It counts in plain numbers, since it counts
// every order; a scrape formats them.

/** Upper bounds in ms, inclusive. */
export const BOUNDS_MS: readonly number[] = [
  0.25, 0.5, 1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000,
];

export class Durations {
  /** One for each bound, and one above them. */
  readonly #counts = new Float64Array(BOUNDS_MS.length + 1);
  #sum = 0;

  observe(ms: number): void {
    let i = 0;
    while (i < BOUNDS_MS.length && ms > BOUNDS_MS[i]!) i++;
    this.#counts[i]!++;
    this.#sum += ms;
  }

  get count(): number {
    return this.#counts.reduce((sum, count) => sum + count, 0);
  }

  /** ms. */
  get sum(): number {
    return this.#sum;
  }

  /** The cumulative count at each of BOUNDS_MS. */
  upToBounds(): number[] {
    let sum = 0;
    return BOUNDS_MS.map((_, i) => {
      sum += this.#counts[i]!;
      return sum;
    });
  }
}
