// Sweeps: cancels of many orders, which may be more than one command may take. The first command
// cancels the oldest 10,000 orders; what is left is remembered here and canceled by the runTimers
// commands that follow, a slice each, with other customers' commands in between. No customer waits
// for another's hundred thousand orders.
import { integer, record } from '../codec.ts';
import type { CloseReason } from '../fix.ts';
import { Fact, type StateHash } from '../state-hash.ts';

/**
 * Orders canceled by one command: some milliseconds of work. Equal to the default of open orders an
 * account.
 */
export const SWEEP_SLICE = 10_000;

export interface Sweep {
  /** 0: every user; the operator cancels the orders of an instrument. */
  readonly uid: number;
  /** 0: every instrument. */
  readonly securityId: number;
  /** Orders that came later are not meant. */
  readonly upToOrderId: number;
  readonly reason: CloseReason;
}

export const SWEEP = record<Sweep>({
  uid: integer,
  securityId: integer,
  upToOrderId: integer,
  reason: integer,
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

  add(sweep: Sweep): void {
    this.#pending.push(sweep);
    this.#mix(sweep);
    this.#hash.add();
  }

  /** Removes and returns the oldest. */
  take(): Sweep | undefined {
    const sweep = this.#pending.shift();
    if (sweep === undefined) return undefined;
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
