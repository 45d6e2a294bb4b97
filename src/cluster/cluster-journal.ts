// The journal of a node that leads a cluster: a batch is durable once the shared store has it. The
// node then writes it to its own files, from which its follower, replays and backups read.
import {
  type Journal,
  type JournalBatch,
  JournalError,
  type JournalHead,
  type JournalRecord,
} from '../journal/journal.ts';
import { nextChainHash, sameBytes } from '../journal/record.ts';
import { requireNext } from '../journal/rules.ts';
import { type ClusterStore, StoreError } from './store.ts';

/** Between two attempts to reach the store. */
const RETRY_MS = 50;

export interface ClusterJournalOptions {
  readonly store: Pick<ClusterStore, 'append' | 'renew' | 'head'>;
  /** The node's own files, at the end of the store's journal. */
  readonly local: Pick<Journal, 'append' | 'head'>;
  /** The term of this leader. */
  readonly epoch: number;
  /** Until the lease may have expired, ms. */
  readonly leaseLeft: () => number;
  /** A record is durable and in the node's files, and its commands are about to be applied. */
  readonly onDurable: (record: JournalRecord) => void;
}

export class ClusterJournal implements Pick<Journal, 'append'> {
  readonly #options: ClusterJournalOptions;

  constructor(options: ClusterJournalOptions) {
    this.#options = options;
  }

  /** As Journal.append. `fenced`, `uncertain` and `io` are final. */
  async append(batch: JournalBatch): Promise<JournalHead> {
    const { local, onDurable } = this.#options;
    requireNext(local.head.seq, batch);
    // The caller uses its memory again for the next batch.
    const payload = new Uint8Array(batch.payload);
    const chainHash = nextChainHash(local.head.chainHash, batch);
    const record = { ...batch, payload, chainHash };
    await this.#store(record);
    const head = await this.#keep(record);
    onDurable(record);
    return head;
  }

  async #store(record: JournalRecord): Promise<void> {
    const { store, leaseLeft } = this.#options;
    for (let isUncertain = false; ; ) {
      try {
        if (isUncertain && (await this.#isStored(record))) return;
        await store.append(record);
        return;
      } catch (error) {
        if (!(error instanceof StoreError) || error.kind === 'refused') throw error;
        if (error.kind === 'full') throw new JournalError('full', error.message);
        if (error.kind === 'fenced' && !isUncertain) throw ended('fenced', error);
        isUncertain = true;
        if (error.kind === 'fenced' || leaseLeft() <= 0) throw ended('uncertain', error);
      }
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }

  /** Whether an append without an answer was made. */
  async #isStored(record: JournalRecord): Promise<boolean> {
    const { store, epoch } = this.#options;
    // This write comes after the append, so its answer shows that the append survives a failover.
    await store.renew(epoch);
    return sameBytes((await store.head()).chainHash, record.chainHash);
  }

  async #keep(record: JournalRecord): Promise<JournalHead> {
    try {
      return await this.#options.local.append(record);
    } catch (cause) {
      // The batch is durable, so this must not look like a batch that was not written.
      const why = cause instanceof Error ? cause.message : String(cause);
      const message = `The journal files of this node cannot be written: ${why}`;
      throw new JournalError('io', message, { cause });
    }
  }
}

const ended = (kind: 'fenced' | 'uncertain', cause: StoreError): JournalError =>
  new JournalError(kind, cause.message, { cause });
