// Sweeps: cancels of many orders. The first command cancels what the work of one command covers,
// oldest first; the runTimers commands cancel the rest, with other customers' commands in between.
import { code, integer, mixFact, record, type ValueOf } from '../codec.ts';
import type { CloseReason } from '../fix.ts';
import { IndexedHeap } from '../indexed-heap.ts';
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
  /** The user whose orders are next: its own, or those of each user in turn. */
  nextUid: integer,
});

export class Sweeps {
  readonly #hash: StateHash;
  /** By their numbers, in order of arrival. */
  readonly #order = new IndexedHeap();
  readonly #sweeps = new Map<number, Sweep>();
  readonly #numbers = new Map<string, number>();
  #nextNumber = 0;

  constructor(hash: StateHash) {
    this.#hash = hash;
  }

  get size(): number {
    return this.#order.size;
  }

  /** In order of arrival. */
  get pending(): readonly Sweep[] {
    return this.#order.all().map((number) => this.#sweeps.get(number)!);
  }

  /** A repeated sweep replaces its predecessor, since it covers the same orders and more. */
  add(sweep: Sweep): void {
    const key = keyOf(sweep);
    const earlier = this.#numbers.get(key);
    if (earlier !== undefined) this.#remove(earlier);
    const number = this.#nextNumber++;
    this.#order.add(number, number);
    this.#sweeps.set(number, sweep);
    this.#numbers.set(key, number);
    mixFact(this.#hash, Fact.sweep, SWEEP, sweep).add();
  }

  /** True if orders of the sweep are left. */
  isPending(sweep: Sweep): boolean {
    return this.#numbers.has(keyOf(sweep));
  }

  take(): Sweep | undefined {
    return this.size === 0 ? undefined : this.#remove(this.#order.first);
  }

  #remove(number: number): Sweep {
    const sweep = this.#sweeps.get(number)!;
    this.#order.remove(number);
    this.#sweeps.delete(number);
    this.#numbers.delete(keyOf(sweep));
    mixFact(this.#hash, Fact.sweep, SWEEP, sweep).remove();
    return sweep;
  }
}

const keyOf = ({ uid, securityId, reason }: Sweep): string => `${uid}/${securityId}/${reason}`;
