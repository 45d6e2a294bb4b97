// Dead man's switches: an account that does not renew its switch in time loses its open orders.
import { DAY_MS } from './calendar.ts';
import { integer, mixFact, record, type ValueOf } from './codec.ts';
import { IndexedHeap } from './indexed-heap.ts';
import { Fact, type StateHash } from './state-hash.ts';

export const MAX_CANCEL_ALL_AFTER_MS = DAY_MS;

/** Switches that one command fires. A network that fails may end the renewals of all accounts. */
export const FIRED_AT_ONCE = 1_000;

export const SWITCH = record({ uid: integer, deadline: integer });

export class DeadManSwitches {
  readonly #hash: StateHash;
  /** The uids by deadline. */
  readonly #uids = new IndexedHeap();

  constructor(hash: StateHash) {
    this.#hash = hash;
  }

  arm(uid: number, deadline: number): void {
    this.disarm(uid);
    this.#uids.add(uid, deadline);
    mixFact(this.#hash, Fact.deadManSwitch, SWITCH, { uid, deadline }).add();
  }

  disarm(uid: number): void {
    const deadline = this.#uids.keyOf(uid);
    if (deadline === undefined) return;
    this.#uids.remove(uid);
    mixFact(this.#hash, Fact.deadManSwitch, SWITCH, { uid, deadline }).remove();
  }

  /** The time before which nothing is due, Infinity when nothing is armed. */
  get earliest(): number {
    return this.#uids.firstKey;
  }

  /** Disarms and returns users whose time has come, in order of deadline, then uid. */
  takeDue(now: number): number[] {
    const due: number[] = [];
    while (due.length < FIRED_AT_ONCE && this.earliest <= now) {
      const uid = this.#uids.first;
      due.push(uid);
      this.disarm(uid);
    }
    return due;
  }

  /** In order of deadline, then uid. */
  all(): ValueOf<typeof SWITCH>[] {
    return this.#uids.all().map((uid) => ({ uid, deadline: this.#uids.keyOf(uid)! }));
  }
}
