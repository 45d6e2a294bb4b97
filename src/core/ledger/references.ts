// External transfers by reference. A reference names one transfer forever, so a repeated credit is
// safe.
import { integer, money, record, signed, text } from '../codec.ts';
import { Fact, type StateHash } from '../state-hash.ts';
import type { Amount } from '../units.ts';

export interface RecordedTransfer {
  readonly reference: string;
  readonly transferId: number;
  readonly seq: number;
  /** The account's owner: a uid, or a plan's (earn/plan.ts). */
  readonly owner: number;
  readonly assetId: number;
  /** Positive: credit. Negative: debit. */
  readonly amount: Amount;
}

export const RECORDED_TRANSFER = record<RecordedTransfer>({
  reference: text,
  transferId: integer,
  seq: integer,
  owner: signed,
  assetId: integer,
  amount: money,
});

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
    RECORDED_TRANSFER.mix(hash, transfer);
    hash.add();
  }

  all(): IterableIterator<RecordedTransfer> {
    return this.#transfers.values();
  }
}
