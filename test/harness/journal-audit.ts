// The journal of a world, applied by an exchange of the tests: which named write it has at which
// seq with which result, and the balances at any seq that a reader has seen.
import { writeBalances } from '../../src/contract/trading/account.ts';
import type { Command } from '../../src/core/command.ts';
import type { CoreEvent } from '../../src/core/event.ts';
import { EventFilter } from '../../src/core/event-filter.ts';
import { Exchange } from '../../src/core/exchange.ts';
import { checkInvariants } from '../../src/core/invariants.ts';
import { IN_PROGRESS, type Outcome, type Results } from '../../src/core/outcome.ts';
import type { State } from '../../src/core/state.ts';
import { emptyState } from '../../src/engine/snapshot-store.ts';
import { decodeBatch } from '../../src/journal/codec.ts';
import type { FileJournalReader } from '../../src/journal/file-journal-reader.ts';
import type { JournalRecord } from '../../src/journal/journal.ts';
import { nextChainHash, sameBytes } from '../../src/journal/record.ts';
import { exactNumbers } from './exact-json.ts';
import type { Call, WriteKind } from './history.ts';
import { batchId } from './order-calls.ts';

/** A write that the journal has. */
export interface AppliedWrite {
  readonly kind: WriteKind;
  /** The account; 0 if the command names none. */
  readonly uid: number;
  readonly seq: number;
  readonly epoch: number;
  readonly accepted: boolean;
  /** The id that its result gave; null for none. */
  readonly id: number | null;
}

export interface AuditOptions {
  /** The state hash that nodes had at a seq. */
  readonly hashes?: ReadonlyMap<number, string>;
  /** Receives the events of each command. */
  readonly onEvents?: (events: readonly CoreEvent[]) => void;
}

export class JournalAudit {
  readonly #options: AuditOptions;
  readonly #exchange: Exchange;
  readonly #writes = new Map<string, AppliedWrite[]>();
  /** By seq: commands that later commands continue. */
  readonly #inProgress = new Map<number, Command>();
  /** The names of writes that one term began and a later term completed. */
  readonly acrossTerms = new Set<string>();
  /** Commands that later commands completed. */
  inSlices = 0;
  /** Records with more than one command. */
  recordsOfMany = 0;
  #chainHash: Uint8Array = new Uint8Array(32);
  #epoch = 0;

  constructor(options: AuditOptions = {}) {
    this.#options = options;
    const filter = options.onEvents === undefined ? EventFilter.none() : EventFilter.all();
    this.#exchange = new Exchange(emptyState(), filter);
  }

  get seq(): number {
    return this.#exchange.state.seq;
  }

  get chainHash(): Uint8Array {
    return this.#chainHash;
  }

  get epoch(): number {
    return this.#epoch;
  }

  /** True if the last command left a day closed for some subscriptions and not for all. */
  get isDayHalfClosed(): boolean {
    return this.#exchange.state.earn.closedUpTo > 0;
  }

  stateHash(): string {
    return this.#exchange.state.stateHash();
  }

  /** True if a write of this name has begun, and goes on. */
  isInProgress(name: string): boolean {
    return [...this.#inProgress.values()].some((command) => nameOf(command)?.name === name);
  }

  /** Every write of this name, in the order of the journal. */
  writesNamed(name: string): readonly AppliedWrite[] {
    return this.#writes.get(name) ?? [];
  }

  get writes(): ReadonlyMap<string, readonly AppliedWrite[]> {
    return this.#writes;
  }

  /**
   * Applies the next records. Compares each read of balances with the state at its seq, and returns
   * what is wrong with the chain and the reads.
   */
  apply(records: readonly JournalRecord[], reads: readonly Call[] = []): string[] {
    const faults: string[] = [];
    const waiting = reads
      .filter(
        ({ kind, outcome, seq }) =>
          kind === 'balances' && outcome === 'acknowledged' && seq !== null && seq >= this.seq,
      )
      .sort((a, b) => a.seq! - b.seq!);
    const check = (): void => {
      const { hashes, onEvents } = this.#options;
      const known = hashes?.get(this.seq);
      if (known !== undefined && known !== this.stateHash()) {
        faults.push(`a node had the state ${known} at ${this.seq}, which is ${this.stateHash()}`);
      }
      onEvents?.(this.#exchange.events);
      while (waiting[0]?.seq === this.seq) {
        faults.push(...balanceFaults(this.#exchange.state, waiting.shift()!));
      }
    };
    while (waiting[0]?.seq === this.seq) {
      faults.push(...balanceFaults(this.#exchange.state, waiting.shift()!));
    }
    for (const record of records) {
      const fault = this.#chainFault(record);
      if (fault !== null) return [...faults, fault];
      this.#applyRecord(record, check);
    }
    for (const { node, seq } of waiting) {
      faults.push(`${node} answered a read at seq ${seq}, and the journal ends at ${this.seq}`);
    }
    return faults;
  }

  /** Applies what a reader has more than at the last time. */
  async applyAll(reader: FileJournalReader, reads: readonly Call[] = []): Promise<string[]> {
    const records: JournalRecord[] = [];
    try {
      for await (const group of reader.read(this.seq + 1)) {
        records.push(...group);
      }
    } finally {
      await reader.close();
    }
    return this.apply(records, reads);
  }

  /** Throws an InvariantError where a rule of the core does not hold. */
  checkInvariants(): void {
    checkInvariants(this.#exchange.state);
  }

  #chainFault(record: JournalRecord): string | null {
    const { firstSeq, epoch, chainHash } = record;
    if (firstSeq !== this.seq + 1) return `a record starts at ${firstSeq} after seq ${this.seq}`;
    if (epoch < this.#epoch) {
      return `term ${epoch} appended command ${firstSeq} after term ${this.#epoch} had begun`;
    }
    return sameBytes(chainHash, nextChainHash(this.#chainHash, record))
      ? null
      : `the record at ${firstSeq} does not continue the chain`;
  }

  #applyRecord(record: JournalRecord, afterEach: () => void): void {
    const { rules, time, commands } = decodeBatch(record.payload);
    if (commands.length > 1) this.recordsOfMany++;
    if (record.epoch > this.#epoch) this.#noteTerm();
    this.#epoch = record.epoch;
    this.#chainHash = record.chainHash;
    const header = { firstSeq: record.firstSeq, rules, time };
    this.#exchange.applyRecord(header, commands, (seq, command, outcome) => {
      if (outcome === IN_PROGRESS) this.#inProgress.set(seq, command);
      else this.#note(command, seq, outcome);
      // Such a command is answered with the seq of the one that completed it.
      for (const { seq: begun, outcome: last } of this.#exchange.completed) {
        this.inSlices++;
        this.#note(this.#inProgress.get(begun)!, seq, last);
        this.#inProgress.delete(begun);
      }
      afterEach();
    });
  }

  #noteTerm(): void {
    for (const command of this.#inProgress.values()) {
      const named = nameOf(command);
      if (named !== null) this.acrossTerms.add(named.name);
    }
  }

  #note(command: Command, seq: number, outcome: Outcome): void {
    const named = nameOf(command);
    // A command that an Idempotency-Key has met before does nothing.
    if (named === null || outcome.replayed) return;
    const { name, kind } = named;
    const id = outcome.ok ? idOf(kind, outcome.result) : null;
    const applied = {
      ...{ kind, id },
      uid: 'uid' in command ? command.uid : 0,
      seq,
      epoch: this.#epoch,
      // A batch of rejections has done nothing, and its repetition may do something.
      accepted: outcome.ok && id !== 0,
    };
    const others = this.#writes.get(name) ?? [];
    // A repeated transfer is answered with the first one.
    const isAgain = kind === 'transferFunds' && others.some((other) => other.id === id);
    if (!isAgain) this.#writes.set(name, [...others, applied]);
  }
}

function nameOf(command: Command): { readonly name: string; readonly kind: WriteKind } | null {
  const { type } = command;
  switch (type) {
    case 'placeOrder':
    case 'placeOco':
    case 'amendOrder':
    case 'cancelOrder':
    case 'massCancel':
      return { name: command.clOrdId, kind: type };
    case 'orderBatch':
    case 'cancelAllAfter':
    case 'subscribePlan':
    case 'redeemPlan':
      return command.idempotency && { name: command.idempotency.key, kind: type };
    case 'transferFunds':
      return { name: command.reference, kind: type };
    default:
      return null;
  }
}

function idOf(kind: WriteKind, result: object): number | null {
  if (kind === 'orderBatch') {
    const { outcomes } = result as Results['orderBatch'];
    return batchId(outcomes.map((outcome) => (outcome.ok ? outcome.result : {})));
  }
  const { transferId, applyId, orderId } = result as Record<string, number>;
  return transferId ?? (kind === 'subscribePlan' ? applyId! : (orderId ?? null));
}

function balanceFaults(state: State, { node, session, uid, seq, text }: Call): string[] {
  const own = JSON.stringify(writeBalances(state, uid));
  if (Bun.deepEquals(exactNumbers(text!), exactNumbers(own))) return [];
  return [`${session} read ${text} from ${node} at seq ${seq}; the journal has ${own} there`];
}
