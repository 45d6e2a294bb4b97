// Counts that fade with time, in a bounded memory: what was guessed, and what of it was logged. When
// the memory is full, the count that changed longest ago is forgotten.

/** What a level may be off by, from fading in fractions. */
export const ROUNDING = 1e-9;

/** A count that loses one for each `fadeMs` that pass. */
export interface Count {
  level: number;
  at: number;
}

/** Counts by key. `now` is the wall clock, ms; `max` bounds how many are held. */
export class DecayingCounter {
  readonly #now: () => number;
  readonly #counts: Bounded<Count>;

  constructor(now: () => number, max: number) {
    this.#now = now;
    this.#counts = new Bounded(max);
  }

  get size(): number {
    return this.#counts.size;
  }

  get(key: string): Count | undefined {
    return this.#counts.get(key);
  }

  levelOf(key: string, fadeMs: number): number {
    const count = this.#counts.get(key);
    if (count === undefined) return 0;
    return Math.max(0, count.level - Math.max(0, this.#now() - count.at) / fadeMs);
  }

  /** Adds one, and returns what takes it back. */
  add(key: string, fadeMs: number): () => void {
    const before = this.#counts.get(key);
    const counted = { level: this.levelOf(key, fadeMs) + 1, at: this.#now() };
    this.#counts.set(key, counted);
    return () => {
      const count = this.#counts.get(key);
      if (count === undefined) return;
      // Nothing else happened meanwhile: as if this had not been, also for a wait that was over.
      const rest = count === counted ? before : { level: count.level - 1, at: count.at };
      if (rest === undefined || rest.level <= 0) this.#counts.delete(key);
      else this.#counts.set(key, rest);
    };
  }

  forget(key: string): void {
    this.#counts.delete(key);
  }
}

/** A map that forgets what was set longest ago when it is full. */
class Bounded<T> {
  readonly #max: number;
  readonly #map = new Map<string, T>();

  constructor(max: number) {
    this.#max = max;
  }

  get size(): number {
    return this.#map.size;
  }

  get(key: string): T | undefined {
    return this.#map.get(key);
  }

  set(key: string, value: T): void {
    // Deleted first, so that it moves to the end of the order in which the map forgets.
    this.#map.delete(key);
    if (this.#map.size >= this.#max) {
      const oldest = this.#map.keys().next();
      if (oldest.done !== true) this.#map.delete(oldest.value);
    }
    this.#map.set(key, value);
  }

  delete(key: string): void {
    this.#map.delete(key);
  }
}
