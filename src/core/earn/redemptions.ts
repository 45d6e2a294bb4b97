// Redemptions in their lock time, in order of dueTime, then redemptionId.
import { IndexedHeap } from '../indexed-heap.ts';
import { Fact, type StateHash } from '../state-hash.ts';
import { REDEMPTION, type Redemption } from './subscription.ts';

export class Redemptions {
  readonly #hash: StateHash;
  readonly #byId = new Map<number, Redemption>();
  readonly #order = new IndexedHeap((a, b) => {
    const difference = this.#byId.get(a)!.dueTime - this.#byId.get(b)!.dueTime;
    return difference < 0 || (difference === 0 && a < b);
  });

  constructor(hash: StateHash) {
    this.#hash = hash;
  }

  get first(): Redemption | undefined {
    const { size, first } = this.#order;
    return size === 0 ? undefined : this.#byId.get(first);
  }

  add(redemption: Redemption): void {
    this.#byId.set(redemption.redemptionId, redemption);
    this.#order.add(redemption.redemptionId);
    this.#mix(redemption);
    this.#hash.add();
  }

  /** Removes the next one due, which must be there, and returns it. */
  takeFirst(): Redemption {
    const first = this.first!;
    this.#order.remove(first.redemptionId);
    this.#byId.delete(first.redemptionId);
    this.#mix(first);
    this.#hash.remove();
    return first;
  }

  /** In order of redemptionId. */
  all(): Redemption[] {
    return [...this.#byId.values()].sort((a, b) => a.redemptionId - b.redemptionId);
  }

  #mix(redemption: Redemption): void {
    const hash = this.#hash;
    hash.begin(Fact.redemption);
    REDEMPTION.mix(hash, redemption);
  }
}
