// One side of a book as a sorted list of prices, best price last, each with the handle of its
// level. The list is cut into runs of at most 256 prices, so that inserting among a million prices
// moves a few kilobytes. Sides differ only in the sign of the sort key.
import { assert } from '../assert.ts';
import { Side } from '../fix.ts';
import { type Ticks, ticks } from '../units.ts';

const RUN = 256;

interface Run {
  readonly keys: Float64Array;
  readonly levels: Int32Array;
  length: number;
}

const newRun = (capacity = RUN): Run => ({
  keys: new Float64Array(capacity),
  levels: new Int32Array(capacity),
  length: 0,
});

export class PriceLadder {
  readonly side: Side;
  readonly #sign: number;
  /** Never empty; every run but an only one has at least one price. */
  readonly #runs: Run[];
  #size = 0;

  /** `capacity`: of the first run, which grows. */
  constructor(side: Side, capacity = RUN) {
    this.side = side;
    this.#sign = side === Side.buy ? 1 : -1;
    this.#runs = [newRun(capacity)];
  }

  get size(): number {
    return this.#size;
  }

  /** The level of the best price, or −1 when the side is empty. */
  best(): number {
    const run = this.#runs[this.#runs.length - 1];
    return run.length === 0 ? -1 : run.levels[run.length - 1];
  }

  /** The level at a price, or −1. */
  find(price: Ticks): number {
    const key = price * this.#sign;
    const run = this.#runs[this.#runFor(key)];
    const at = position(run, key);
    return at < run.length && run.keys[at] === key ? run.levels[at] : -1;
  }

  insert(price: Ticks, level: number): void {
    const key = price * this.#sign;
    let index = this.#runFor(key);
    let run = this.#runs[index];
    if (run.length === run.keys.length) {
      if (run.length < RUN) this.#grow(index);
      else this.#split(index);
      if (index + 1 < this.#runs.length && key >= this.#runs[index + 1].keys[0]) index++;
      run = this.#runs[index];
    }
    const at = position(run, key);
    if (at < run.length) {
      assert(run.keys[at] !== key, 'a price has one level');
      run.keys.copyWithin(at + 1, at, run.length);
      run.levels.copyWithin(at + 1, at, run.length);
    }
    run.keys[at] = key;
    run.levels[at] = level;
    run.length++;
    this.#size++;
  }

  remove(price: Ticks): void {
    const key = price * this.#sign;
    const index = this.#runFor(key);
    const run = this.#runs[index];
    const at = position(run, key);
    assert(at < run.length && run.keys[at] === key, 'a removed price has a level');
    run.keys.copyWithin(at, at + 1, run.length);
    run.levels.copyWithin(at, at + 1, run.length);
    run.length--;
    this.#size--;
    if (run.length === 0 && this.#runs.length > 1) this.#runs.splice(index, 1);
  }

  /** The level of the best price that is not better than this one, or −1. */
  through(price: Ticks): number {
    const key = price * this.#sign;
    const run = this.#runs[this.#runFor(key)];
    const at = position(run, key);
    if (at < run.length && run.keys[at] === key) return run.levels[at];
    return at === 0 ? -1 : run.levels[at - 1];
  }

  /** Calls `visit` with levels from the best price on, until it returns false. */
  fromBest(visit: (level: number, price: Ticks) => boolean): void {
    for (let r = this.#runs.length - 1; r >= 0; r--) {
      const run = this.#runs[r];
      for (let i = run.length - 1; i >= 0; i--) {
        if (!visit(run.levels[i], ticks(run.keys[i] * this.#sign))) return;
      }
    }
  }

  /** The run that holds, or would hold, a key: the last whose first key is not above it. */
  #runFor(key: number): number {
    const runs = this.#runs;
    let low = 0;
    let high = runs.length - 1;
    // Most keys are near the best price, which is in the last run.
    if (key >= runs[high].keys[0]) return high;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (runs[middle].keys[0] <= key) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  #grow(index: number): void {
    const run = this.#runs[index];
    const grown = newRun(Math.min(2 * run.length, RUN));
    grown.keys.set(run.keys);
    grown.levels.set(run.levels);
    grown.length = run.length;
    this.#runs[index] = grown;
  }

  #split(index: number): void {
    const run = this.#runs[index];
    const upper = newRun();
    const half = RUN / 2;
    upper.keys.set(run.keys.subarray(half, RUN));
    upper.levels.set(run.levels.subarray(half, RUN));
    upper.length = RUN - half;
    run.length = half;
    this.#runs.splice(index + 1, 0, upper);
  }
}

/** The first place in the run whose key is not below `key`. */
function position(run: Run, key: number): number {
  const keys = run.keys;
  let low = 0;
  let high = run.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (keys[middle] < key) low = middle + 1;
    else high = middle;
  }
  return low;
}
