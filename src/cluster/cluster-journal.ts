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
import { writeDurably } from './durably.ts';
import { type ClusterStore, StoreError } from './store.ts';

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
  #inFlight: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  constructor(options: ClusterJournalOptions) {
    this.#options = options;
  }

  /** Like Journal.append. `fenced`, `uncertain` and `io` are final. */
  append(batch: JournalBatch): Promise<JournalHead> {
    const appending = this.#append(batch);
    this.#inFlight = appending.catch(() => undefined);
    return appending;
  }

  /** The term is over. Resolves when this journal writes to the node's files no more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#inFlight;
  }

  async #append(batch: JournalBatch): Promise<JournalHead> {
    const { local, onDurable } = this.#options;
    requireNext(local.head.seq, batch);
    // The caller uses its memory again for the next batch.
    const payload = new Uint8Array(batch.payload);
    const chainHash = nextChainHash(local.head.chainHash, batch);
    const record = { ...batch, payload, chainHash };
    await this.#store(record);
    // The node gets the record again, from the store.
    if (this.#isClosed) throw new JournalError('uncertain', 'The term is over.');
    const head = await this.#keep(record);
    onDurable(record);
    return head;
  }

  async #store(record: JournalRecord): Promise<void> {
    const { store, epoch, leaseLeft } = this.#options;
    try {
      await writeDurably({
        attempt: () => store.append(record),
        isMade: async () => {
          await store.renew(epoch);
          return sameBytes((await store.head()).chainHash, record.chainHash);
        },
        isOver: () => this.#isClosed || leaseLeft() <= 0,
      });
    } catch (error) {
      throw error instanceof StoreError ? journalErrorOf(error) : error;
    }
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

const KINDS = { fenced: 'fenced', full: 'full', unreachable: 'uncertain', rejected: 'io' } as const;

const journalErrorOf = (cause: StoreError): JournalError =>
  new JournalError(KINDS[cause.kind], cause.message, { cause });
