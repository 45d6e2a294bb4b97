// The journal of the cluster, applied by an exchange of the tests: which named write it has at
// which seq with which result, and the balances at any seq that a reader has seen.
import type { Command } from '../../src/core/command.ts';
import { EventFilter } from '../../src/core/event-filter.ts';
import { Exchange } from '../../src/core/exchange.ts';
import { checkInvariants } from '../../src/core/invariants.ts';
import { AccountCode } from '../../src/core/ledger/account-code.ts';
import { IN_PROGRESS, type Outcome } from '../../src/core/outcome.ts';
import type { State } from '../../src/core/state.ts';
import { emptyState } from '../../src/engine/snapshot-store.ts';
import { decodeBatch } from '../../src/journal/codec.ts';
import type { JournalRecord } from '../../src/journal/journal.ts';
import { nextChainHash, sameBytes } from '../../src/journal/record.ts';
import type { Balances, Call } from './history.ts';

/** A write that the journal has. */
export interface Applied {
  readonly kind: Call['kind'];
  readonly seq: number;
  readonly epoch: number;
  readonly accepted: boolean;
  /** The orderId or transferId of its result. */
  readonly id: number | null;
}

export class JournalAudit {
  readonly #exchange = new Exchange(emptyState(), EventFilter.none());
  readonly #writes = new Map<string, Applied[]>();
  /** By seq: commands that later commands continue. */
  readonly #inProgress = new Map<number, Command>();
  /** The names of writes that one term began and a later term completed. */
  readonly acrossTerms = new Set<string>();
  #chainHash: Uint8Array = new Uint8Array(32);
  #epoch = 0;

  get seq(): number {
    return this.#exchange.state.seq;
  }

  get chainHash(): Uint8Array {
    return this.#chainHash;
  }

  get epoch(): number {
    return this.#epoch;
  }

  stateHash(): string {
    return this.#exchange.state.stateHash();
  }

  /** True if a write of this name has begun, and goes on. */
  isInProgress(name: string): boolean {
    return [...this.#inProgress.values()].some((command) => nameOf(command)?.name === name);
  }

  /** Every write of this name, in the order of the journal. */
  writesNamed(name: string): readonly Applied[] {
    return this.#writes.get(name) ?? [];
  }

  get writes(): ReadonlyMap<string, readonly Applied[]> {
    return this.#writes;
  }

  /**
   * Applies the next records. Compares each read of balances with the state at its seq, and returns
   * what is wrong with the chain and the reads.
   */
  apply(records: readonly JournalRecord[], reads: readonly Call[] = []): string[] {
    const faults: string[] = [];
    const waiting = reads
      .filter(({ balances, seq }) => balances !== null && seq !== null && seq >= this.seq)
      .sort((a, b) => a.seq! - b.seq!);
    const check = (): void => {
      while (waiting[0]?.seq === this.seq) {
        faults.push(...balanceFaults(this.#exchange.state, waiting.shift()!));
      }
    };
    check();
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
    if (record.epoch > this.#epoch) this.#noteTerm();
    this.#epoch = record.epoch;
    this.#chainHash = record.chainHash;
    const header = { firstSeq: record.firstSeq, rules, time };
    this.#exchange.applyRecord(header, commands, (seq, command, outcome) => {
      if (outcome === IN_PROGRESS) this.#inProgress.set(seq, command);
      else this.#note(command, seq, outcome);
      // Such a command is answered with the seq of the one that completed it.
      for (const { seq: begun, outcome: last } of this.#exchange.completed) {
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
    if (named === null) return;
    const { name, kind } = named;
    const applied = {
      kind,
      seq,
      epoch: this.#epoch,
      accepted: outcome.ok,
      id: outcome.ok ? idOf(outcome.result) : null,
    };
    const others = this.#writes.get(name);
    if (others === undefined) this.#writes.set(name, [applied]);
    else others.push(applied);
  }
}

function nameOf(command: Command): { readonly name: string; readonly kind: Call['kind'] } | null {
  const { type } = command;
  switch (type) {
    case 'placeOrder':
    case 'cancelOrder':
      return { name: command.clOrdId, kind: type };
    case 'transferFunds':
      return { name: command.reference, kind: type };
    default:
      return null;
  }
}

function idOf(result: object): number | null {
  if ('transferId' in result) return result.transferId as number;
  return 'orderId' in result ? (result.orderId as number) : null;
}

function balanceFaults(state: State, { node, session, seq, balances }: Call): string[] {
  const { uid, of } = balances as Balances;
  return Object.entries(of).flatMap(([asset, [available, held]]) => {
    const { assetId } = state.assetNamed(asset)!;
    const own = [AccountCode.available, AccountCode.held].map((code) =>
      BigInt(state.ledger.balanceOf(uid, assetId, code)),
    );
    if (own[0] === available && own[1] === held) return [];
    const read = `${available} available and ${held} held`;
    return [
      `${session} read ${read} of ${asset} from ${node} at seq ${seq}; the journal has ` +
        `${own[0]} and ${own[1]} there`,
    ];
  });
}
