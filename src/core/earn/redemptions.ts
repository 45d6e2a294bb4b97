// Redemptions in their lock time: a binary heap by (dueTime, redemptionId).
import { Fact, type StateHash } from '../state-hash.ts';
import { REDEMPTION, type Redemption } from './subscription.ts';

export class Redemptions {
  readonly #hash: StateHash;
  readonly #heap: Redemption[] = [];

  constructor(hash: StateHash) {
    this.#hash = hash;
  }

  get first(): Redemption | undefined {
    return this.#heap[0];
  }

  add(redemption: Redemption): void {
    const heap = this.#heap;
    let at = heap.push(redemption) - 1;
    while (at > 0) {
      const parent = (at - 1) >>> 1;
      if (!isBefore(heap[at], heap[parent])) break;
      this.#swap(at, parent);
      at = parent;
    }
    this.#mix(redemption);
    this.#hash.add();
  }

  /** Removes the next one due, which must be there, and returns it. */
  takeFirst(): Redemption {
    const heap = this.#heap;
    const first = heap[0];
    const last = heap.pop()!;
    if (heap.length > 0) {
      heap[0] = last;
      this.#sink();
    }
    this.#mix(first);
    this.#hash.remove();
    return first;
  }

  #sink(): void {
    const heap = this.#heap;
    for (let at = 0; ; ) {
      let least = at;
      for (const child of [2 * at + 1, 2 * at + 2]) {
        if (child < heap.length && isBefore(heap[child], heap[least])) least = child;
      }
      if (least === at) return;
      this.#swap(at, least);
      at = least;
    }
  }

  #swap(a: number, b: number): void {
    const heap = this.#heap;
    [heap[a], heap[b]] = [heap[b], heap[a]];
  }

  /** In order of redemptionId. */
  all(): Redemption[] {
    return [...this.#heap].sort((a, b) => a.redemptionId - b.redemptionId);
  }

  #mix(redemption: Redemption): void {
    const hash = this.#hash;
    hash.begin(Fact.redemption);
    REDEMPTION.mix(hash, redemption);
  }
}

const isBefore = (a: Redemption, b: Redemption): boolean =>
  a.dueTime < b.dueTime || (a.dueTime === b.dueTime && a.redemptionId < b.redemptionId);
