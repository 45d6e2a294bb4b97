// External transfers by reference. A reference names one transfer forever, so a repeated credit is
// safe.
import { integer, mixFact, money, record, signed, text, type ValueOf } from '../codec.ts';
import { Fact, type StateHash } from '../state-hash.ts';

export type RecordedTransfer = ValueOf<typeof RECORDED_TRANSFER>;

export const RECORDED_TRANSFER = record({
  reference: text,
  transferId: integer,
  seq: integer,
  /** The account's owner: a uid, or a plan's (earn/plan.ts). */
  owner: signed,
  assetId: integer,
  /** Positive: credit. Negative: debit. */
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
    mixFact(this.#hash, Fact.reference, RECORDED_TRANSFER, transfer).add();
  }

  all(): IterableIterator<RecordedTransfer> {
    return this.#transfers.values();
  }
}
