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

/** Places of the queue that may be empty. */
const MAX_EMPTY = 1_000;

export class Sweeps {
  readonly #hash: StateHash;
  /** In order of arrival; null for one that was replaced or taken. */
  #queue: (Sweep | null)[] = [];
  #head = 0;
  readonly #places = new Map<string, number>();

  constructor(hash: StateHash) {
    this.#hash = hash;
  }

  get size(): number {
    return this.#places.size;
  }

  /** In order of arrival. */
  get pending(): readonly Sweep[] {
    return this.#queue.slice(this.#head).filter((one) => one !== null);
  }

  /** A repeated sweep replaces its predecessor, since it covers the same orders and more. */
  add(sweep: Sweep): void {
    const key = keyOf(sweep);
    const place = this.#places.get(key);
    if (place !== undefined) this.#remove(place);
    this.#places.set(key, this.#queue.push(sweep) - 1);
    this.#mix(sweep);
    this.#hash.add();
  }

  /** True if orders of the sweep are left. */
  isPending(sweep: Sweep): boolean {
    return this.#places.has(keyOf(sweep));
  }

  take(): Sweep | undefined {
    while (this.#head < this.#queue.length) {
      if (this.#queue[this.#head] !== null) return this.#remove(this.#head);
      this.#head++;
    }
    return undefined;
  }

  #remove(place: number): Sweep {
    const sweep = this.#queue[place]!;
    this.#queue[place] = null;
    this.#places.delete(keyOf(sweep));
    this.#mix(sweep);
    this.#hash.remove();
    if (this.#queue.length > 2 * this.size + MAX_EMPTY) this.#pack();
    return sweep;
  }

  #pack(): void {
    this.#queue = [...this.pending];
    this.#head = 0;
    for (const [place, sweep] of this.pending.entries()) this.#places.set(keyOf(sweep), place);
  }

  #mix(sweep: Sweep): void {
    const hash = this.#hash;
    hash.begin(Fact.sweep);
    SWEEP.mix(hash, sweep);
  }
}

const keyOf = ({ uid, securityId, reason }: Sweep): string => `${uid}/${securityId}/${reason}`;
