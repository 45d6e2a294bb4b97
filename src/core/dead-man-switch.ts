// Dead man's switches: an account that does not renew its switch in time loses its open orders.
import { DAY_MS } from './calendar.ts';
import { Fact, type StateHash } from './state-hash.ts';

export const MAX_CANCEL_ALL_AFTER_MS = DAY_MS;

export class DeadManSwitches {
  readonly #hash: StateHash;
  readonly #deadlines = new Map<number, number>();
  /** No deadline is before this; recomputed when something fires. */
  #earliest = Number.POSITIVE_INFINITY;

  constructor(hash: StateHash) {
    this.#hash = hash;
  }

  arm(uid: number, deadline: number): void {
    this.disarm(uid);
    this.#deadlines.set(uid, deadline);
    if (deadline < this.#earliest) this.#earliest = deadline;
    this.#mix(uid, deadline);
    this.#hash.add();
  }

  disarm(uid: number): void {
    const deadline = this.#deadlines.get(uid);
    if (deadline === undefined) return;
    this.#deadlines.delete(uid);
    this.#mix(uid, deadline);
    this.#hash.remove();
  }

  /** A time before which nothing is due, Infinity when nothing is armed. */
  get earliest(): number {
    return this.#deadlines.size === 0 ? Number.POSITIVE_INFINITY : this.#earliest;
  }

  /** Disarms and returns the users whose time has come, in order of deadline, then uid. */
  takeDue(now: number): number[] {
    if (now < this.earliest) return [];
    const armed = this.all();
    const due = armed.filter(([, deadline]) => deadline <= now).map(([uid]) => uid);
    for (const uid of due) this.disarm(uid);
    this.#earliest = armed[due.length]?.[1] ?? Number.POSITIVE_INFINITY;
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
