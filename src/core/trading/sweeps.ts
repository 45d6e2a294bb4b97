// Sweeps: cancels of many orders. The first command cancels what the work of one command covers,
// oldest first; the runTimers commands cancel the rest, with other customers' commands in between.
import { code, integer, record, type ValueOf } from '../codec.ts';
import type { CloseReason } from '../fix.ts';
import { Fact, type StateHash } from '../state-hash.ts';

export type Sweep = ValueOf<typeof SWEEP>;

export const SWEEP = record({
  /** 0: every user; the operator cancels the orders of an instrument. */
  uid: integer,
  /** 0: every instrument. */
  securityId: integer,
  /** Later orders are not covered. */
  upToOrderId: integer,
  reason: code<CloseReason>(),
});

export class Sweeps {
  readonly #hash: StateHash;
  #pending: Sweep[] = [];

  constructor(hash: StateHash) {
    this.#hash = hash;
  }

  get pending(): readonly Sweep[] {
    return this.#pending;
  }

  /** A repeated sweep replaces its predecessor, since it covers the same orders and more. */
  add(sweep: Sweep): void {
    const at = this.#pending.findIndex((one) => isLike(one, sweep));
    if (at >= 0) this.#remove(at);
    this.#pending.push(sweep);
    this.#mix(sweep);
    this.#hash.add();
  }

  /** True if orders of the sweep are left. */
  isPending(sweep: Sweep): boolean {
    return this.#pending.some((one) => isLike(one, sweep));
  }

  take(): Sweep | undefined {
    return this.#pending.length === 0 ? undefined : this.#remove(0);
  }

  #remove(at: number): Sweep {
    const [sweep] = this.#pending.splice(at, 1);
    this.#mix(sweep);
    this.#hash.remove();
    return sweep;
  }

  #mix(sweep: Sweep): void {
    const hash = this.#hash;
    hash.begin(Fact.sweep);
    SWEEP.mix(hash, sweep);
  }
}

const isLike = (one: Sweep, other: Sweep): boolean =>
  one.uid === other.uid && one.securityId === other.securityId && one.reason === other.reason;
