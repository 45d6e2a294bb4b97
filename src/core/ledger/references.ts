// External transfers by reference: a reference names one transfer for ever, so repeating a credit is safe.
import { Fact, type StateHash } from '../state-hash.ts';
import type { Amount } from '../units.ts';

export interface RecordedTransfer {
  readonly reference: string;
  readonly transferId: number;
  /** The command that moved the money. */
  readonly seq: number;
  /** The account's owner: a uid, or a plan's (earn/accounts.ts). */
  readonly owner: number;
  readonly assetId: number;
  /** Positive: credit. Negative: debit. */
  readonly amount: Amount;
}

export class TransferReferences {
  readonly #hash: StateHash;
  readonly #transfers = new Map<string, RecordedTransfer>();

  constructor(hash: StateHash) {
    this.#hash = hash;
  }

  find(reference: string): RecordedTransfer | undefined {
    return this.#transfers.get(reference);
  }

  record(transfer: RecordedTransfer): void {
    this.#transfers.set(transfer.reference, transfer);
    const hash = this.#hash;
    hash.begin(Fact.reference);
    hash.text(transfer.reference);
    hash.number(transfer.transferId);
    hash.number(transfer.seq);
    hash.amount(transfer.owner as Amount);
    hash.number(transfer.assetId);
    hash.amount(transfer.amount);
    hash.add();
  }

  /** In order of transfer. */
  all(): IterableIterator<RecordedTransfer> {
    return this.#transfers.values();
  }
}
