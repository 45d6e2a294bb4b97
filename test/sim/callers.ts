// The callers of simulated worlds: two sessions of each customer, so that an account also races
// with itself, and an operator. Their calls are the history for the checker.
import { expect } from 'bun:test';
import { historyFaults, inventedFaults } from '../harness/checker.ts';
import type { Call, History, Revocation } from '../harness/history.ts';
import type { JournalAudit } from '../harness/journal-audit.ts';
import { type Key, Sender, type Target, type World } from '../harness/sender.ts';
import { type Habits, Session } from '../harness/session.ts';
import type { Prng } from '../support/prng.ts';
import type { SimulatedTime } from './simulated-time.ts';

export interface CallersOptions<Node extends Target> {
  readonly time: SimulatedTime;
  readonly random: Prng;
  readonly world: World<Node>;
  readonly keys: readonly Key[];
  readonly habits: Habits;
  /** A pause before a call, ms. */
  readonly pause: () => number;
  /** The seq before any call. */
  readonly startSeq: number;
}

export class Callers<Node extends Target> {
  readonly calls: Call[] = [];
  readonly revocations: Revocation[] = [];
  readonly customers: readonly Session<Node>[];
  /** Acts for the operator. */
  readonly operator: Session<Node>;
  readonly #options: CallersOptions<Node>;

  constructor(options: CallersOptions<Node>) {
    this.#options = options;
    const { keys } = options;
    this.customers = keys.flatMap((key) => {
      const seen = { seq: 0 };
      return ['x', 'y'].map((which) => this.session(`${which}${key.uid}`, key, seen));
    });
    this.operator = this.session('operator', keys[0]!);
  }

  session(name: string, key: Key, seen = { seq: 0 }): Session<Node> {
    const { world, random, habits } = this.#options;
    return new Session(new Sender(name, key, world, this.calls, seen), world.nodes, random, habits);
  }

  /** Everybody calls, with pauses, at most `calls` times while `go` holds. */
  async call(calls: number, go: () => boolean, operate: () => Promise<unknown>): Promise<void> {
    const everybody = [...this.customers.map((session) => () => session.step()), operate];
    await Promise.all(
      everybody.map(async (callOnce) => {
        for (let n = 0; n < calls && go(); n++) {
          await this.#options.time.sleep(this.#options.pause());
          await callOnce();
        }
      }),
    );
  }

  /** Throws unless the journal, the audit log and what callers saw tell the same story. */
  judge(audit: JournalAudit, auditDetails: readonly string[]): void {
    const history: History = { ...this, hasCopies: true };
    expect(historyFaults(history, audit)).toEqual([]);
    expect(inventedFaults(this.calls, audit, this.#options.startSeq)).toEqual([]);
    audit.checkInvariants();
    // No transfer of the operator is in the journal without an entry in the audit log.
    const audited = new Set(auditDetails.map((text) => JSON.parse(text).reference as unknown));
    const transfers = this.calls.filter(({ kind }) => kind === 'transferFunds');
    const unaudited = transfers.filter(
      ({ name }) => audit.writesNamed(name).length > 0 && !audited.has(name),
    );
    expect(unaudited).toEqual([]);
  }

  count(outcome: Call['outcome']): number {
    return this.calls.filter((call) => call.outcome === outcome).length;
  }
}
