// Counts by key that decay with time, in a bounded memory: failed proofs, and written audit
// entries. A full memory forgets the count that changed longest ago.
import { BoundedMap } from './bounded-map.ts';

/** Tolerance of a level, since decay is fractional. */
export const ROUNDING = 1e-9;

/** A count that loses one in each `decayMs`. */
export interface Count {
  level: number;
  at: number;
}

/** Counts by key. `now` is a steady clock, ms; `max` is the number of counts in memory. */
export class DecayingCounter extends BoundedMap<string, Count> {
  readonly #now: () => number;

  constructor(now: () => number, max: number) {
    super(max);
    this.#now = now;
  }

  levelOf(key: string, decayMs: number): number {
    const count = this.get(key);
    if (count === undefined) return 0;
    return Math.max(0, count.level - (this.#now() - count.at) / decayMs);
  }

  /** Adds one; the returned function undoes that. */
  add(key: string, decayMs: number): () => void {
    const before = this.get(key);
    const counted = { level: this.levelOf(key, decayMs) + 1, at: this.#now() };
    this.set(key, counted);
    return () => {
      const count = this.get(key);
      if (count === undefined) return;
      // Without another change since, restore the count as it was, so that no wait begins again.
      const rest = count === counted ? before : { level: count.level - 1, at: count.at };
      if (rest === undefined || rest.level <= 0) this.delete(key);
      else this.set(key, rest);
    };
  }
}
