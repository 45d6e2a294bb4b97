// Redemptions in their lock time, in order of dueTime, then redemptionId.
import { mixFact } from '../codec.ts';
import { IndexedHeap } from '../indexed-heap.ts';
import { Fact, type StateHash } from '../state-hash.ts';
import { REDEMPTION, type Redemption } from './subscription.ts';

export class Redemptions {
  readonly #hash: StateHash;
  readonly #byId = new Map<number, Redemption>();
  readonly #order = new IndexedHeap();

  constructor(hash: StateHash) {
    this.#hash = hash;
  }

  get first(): Redemption | undefined {
    return this.#order.size === 0 ? undefined : this.#byId.get(this.#order.first);
  }

  add(redemption: Redemption): void {
    this.#byId.set(redemption.redemptionId, redemption);
    this.#order.add(redemption.redemptionId, redemption.dueTime);
    mixFact(this.#hash, Fact.redemption, REDEMPTION, redemption).add();
  }

  /** Removes the next one due, which must be there, and returns it. */
  takeFirst(): Redemption {
    const first = this.first!;
    this.#order.remove(first.redemptionId);
    this.#byId.delete(first.redemptionId);
    mixFact(this.#hash, Fact.redemption, REDEMPTION, first).remove();
    return first;
  }

  /** In order of redemptionId. */
  all(): Redemption[] {
    return [...this.#byId.values()].sort((a, b) => a.redemptionId - b.redemptionId);
  }
}
