// When a lease is over: it did not change while this process looked, for longer than a leader holds
// it after a renewal. Only steady clocks count, so the clocks of two database servers may differ.
import { type ClusterStore, FREE, KEPT, LEASE_MS, StoreError } from './store.ts';

/** The clocks of two machines do not run equally fast. */
const MARGIN_MS = 100;
const LOOK_MS = 250;

export class LeaseWatch {
  readonly #monotonic: () => number;
  #renewal = FREE;
  #since = 0;

  constructor(monotonic = () => performance.now()) {
    this.#monotonic = monotonic;
  }

  /** The store has this renewal of the lease. Returns whether nobody can hold the lease by it. */
  see(renewal: string): boolean {
    const now = this.#monotonic();
    if (renewal !== this.#renewal) {
      this.#renewal = renewal;
      this.#since = now;
    }
    if (renewal === KEPT) return false;
    return renewal === FREE || now - this.#since > LEASE_MS + MARGIN_MS;
  }
}

/**
 * Resolves with the renewal of a lease that nobody holds, once that is known. Rejects with a
 * StoreError `rejected` where a node leads.
 */
export async function endedLease(store: Pick<ClusterStore, 'readLease'>): Promise<string> {
  const watch = new LeaseWatch();
  for (let first: string | null = null; ; ) {
    const { lease } = await store.readLease();
    const renewal = lease?.renewal ?? FREE;
    first ??= renewal;
    if (watch.see(renewal)) return renewal;
    if (renewal !== first || renewal === KEPT) {
      const why = `${lease!.node} leads the cluster of this database`;
      throw new StoreError('rejected', `${why}: stop it first.`);
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}
