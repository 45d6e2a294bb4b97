// Dead man's switches: an account that does not renew its switch in time loses its open orders.
import { DAY_MS } from './calendar.ts';
import { IndexedHeap } from './indexed-heap.ts';
import { Fact, type StateHash } from './state-hash.ts';

export const MAX_CANCEL_ALL_AFTER_MS = DAY_MS;

/** Switches that one command fires. A network that fails may end the renewals of all accounts. */
export const FIRED_AT_ONCE = 1_000;

export class DeadManSwitches {
  readonly #hash: StateHash;
  readonly #deadlines = new Map<number, number>();
  /** The uids in order of deadline, then uid. */
  readonly #order = new IndexedHeap((a, b) => {
    const difference = this.#deadlines.get(a)! - this.#deadlines.get(b)!;
    return difference < 0 || (difference === 0 && a < b);
  });

  constructor(hash: StateHash) {
    this.#hash = hash;
  }

  arm(uid: number, deadline: number): void {
    this.disarm(uid);
    this.#deadlines.set(uid, deadline);
    this.#order.add(uid);
    this.#mix(uid, deadline);
    this.#hash.add();
  }

  disarm(uid: number): void {
    const deadline = this.#deadlines.get(uid);
    if (deadline === undefined) return;
    this.#order.remove(uid);
    this.#deadlines.delete(uid);
    this.#mix(uid, deadline);
    this.#hash.remove();
  }

  /** The time before which nothing is due, Infinity when nothing is armed. */
  get earliest(): number {
    const { size, first } = this.#order;
    return size === 0 ? Number.POSITIVE_INFINITY : this.#deadlines.get(first)!;
  }

  /** Disarms and returns users whose time has come, in order of deadline, then uid. */
  takeDue(now: number): number[] {
    const due: number[] = [];
    while (due.length < FIRED_AT_ONCE && this.earliest <= now) {
      const uid = this.#order.first;
      due.push(uid);
      this.disarm(uid);
    }
    return due;
  }

  /** [uid, deadline] in order of deadline, then uid. */
  all(): [number, number][] {
    return [...this.#deadlines].sort((a, b) => a[1] - b[1] || a[0] - b[0]);
  }

  #mix(uid: number, deadline: number): void {
    this.#hash.begin(Fact.deadManSwitch);
    this.#hash.number(uid);
    this.#hash.number(deadline);
  }
}
