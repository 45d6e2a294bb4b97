// Commands whose work goes on in later commands: one whose order is in the middle of a match, and
// those that arrived behind it for the same account or instrument. They are executed in the order
// of their arrival as far as they share an account or an instrument, and answered when done.
import { boolean, type Codec, integer, list, type Mutable, record, type ValueOf } from './codec.ts';
import { COMMAND } from './command-form.ts';
import { Counts } from './counts.ts';
import type { Outcome } from './outcome.ts';
import { OUTCOME_TEXT } from './outcome-form.ts';
import { Fact, type StateHash } from './state-hash.ts';

export type PendingCommand = Mutable<ValueOf<typeof PENDING_COMMAND>>;

export const PENDING_COMMAND = record({
  seq: integer,
  command: COMMAND,
  /** The instruments that it uses, as far as they are known on arrival. */
  securityIds: list(integer),
  /** Its signature was used before: it waits for the outcome under its Idempotency-Key. */
  isRepeat: boolean,
  /** The outcomes of its executed entries; a command without entries is its only one. */
  outcomes: list(OUTCOME_TEXT) as Codec<Outcome[]>,
  /** The order of its last entry while this is in the middle of a match; else 0. */
  matchingOrderId: integer,
  /** Units so far. */
  work: integer,
});

/** A command that is done, though not by its own apply. */
export interface CompletedCommand {
  readonly seq: number;
  readonly outcome: Outcome;
  /** Units. */
  readonly work: number;
}

export class PendingCommands {
  readonly #all: PendingCommand[] = [];
  /** How many use an account or an instrument. */
  readonly #accounts = new Counts();
  readonly #instruments = new Counts();
  /** The subset of #instruments whose match has begun. */
  readonly #begun = new Counts();
  #writes = 0;

  get isEmpty(): boolean {
    return this.#all.length === 0;
  }

  get count(): number {
    return this.#all.length;
  }

  /** Their writes: each entry of a batch is one. */
  get writes(): number {
    return this.#writes;
  }

  /** In order of arrival. */
  get all(): readonly PendingCommand[] {
    return this.#all;
  }

  usesAccount(uid: number): boolean {
    return this.#accounts.has(uid);
  }

  usesInstrument(securityId: number): boolean {
    return this.#instruments.has(securityId);
  }

  /** True if a command that uses the instrument has executed entries: it is to be one piece. */
  hasBegunIn(securityId: number): boolean {
    return this.#begun.has(securityId);
  }

  /** A command has executed its first entry. */
  begin({ securityIds }: PendingCommand): void {
    for (const id of securityIds) this.#begun.add(id);
  }

  add(pending: PendingCommand): void {
    this.#all.push(pending);
    this.#count(pending, 1);
    if (pending.outcomes.length > 0) this.begin(pending);
  }

  remove(pending: PendingCommand): void {
    this.#all.splice(this.#all.indexOf(pending), 1);
    this.#count(pending, -1);
    if (pending.outcomes.length === 0) return;
    for (const id of pending.securityIds) this.#begun.remove(id);
  }

  #count({ command, securityIds }: PendingCommand, change: number): void {
    this.#writes += change * (command.type === 'orderBatch' ? command.entries.length : 1);
    if ('uid' in command) this.#accounts.add(command.uid, change);
    for (const id of securityIds) this.#instruments.add(id, change);
  }

  addTo(hash: StateHash): void {
    for (const { seq, outcomes, matchingOrderId, work } of this.#all) {
      hash.begin(Fact.pendingCommand);
      for (const n of [seq, outcomes.length, matchingOrderId, work]) hash.number(n);
      hash.add();
    }
  }
}
