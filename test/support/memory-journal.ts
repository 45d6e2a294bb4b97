// The journal in memory, for tests and simulations. It keeps every rule of the port; each record is
// a segment.
import { assert } from '../../src/core/assert.ts';
import type {
  Journal,
  JournalBatch,
  JournalHead,
  JournalRecord,
} from '../../src/journal/journal.ts';
import { genesisHash, nextChainHash } from '../../src/journal/record.ts';
import { closedError, requireNext, truncatedAway } from '../../src/journal/rules.ts';

const PLACE = 'memory';
/** The number of records that a file journal finds in one read of ordinary batches. */
const GROUP_RECORDS = 256;

export class MemoryJournal implements Journal {
  #records: JournalRecord[] = [];
  #head: JournalHead = { seq: 0, chainHash: genesisHash() };
  #inFlight: Promise<void> | undefined;
  #closed = false;

  get head(): JournalHead {
    return this.#head;
  }

  async append(batch: JournalBatch): Promise<JournalHead> {
    this.#requireOpen();
    assert(this.#inFlight === undefined, 'one append is in flight at a time');
    requireNext(this.#head.seq, batch);
    const { firstSeq, count, epoch } = batch;
    const payload = batch.payload.slice();
    const chainHash = nextChainHash(this.#head.chainHash, batch);
    // A caller sees the head move after the call, never within it, as with a disk.
    this.#inFlight = Promise.resolve();
    await this.#inFlight;
    this.#inFlight = undefined;
    this.#records.push({ firstSeq, count, epoch, payload, chainHash });
    this.#head = { seq: firstSeq + count - 1, chainHash };
    return this.#head;
  }

  read(fromSeq: number): AsyncIterable<JournalRecord[]> {
    return this.#readUpTo(fromSeq, this.#head.seq);
  }

  async *#readUpTo(fromSeq: number, uptoSeq: number): AsyncGenerator<JournalRecord[]> {
    this.#requireOpen();
    const wanted = Math.max(fromSeq, 1);
    if (wanted > uptoSeq) return;
    const firstKept = this.#records[0].firstSeq;
    if (wanted < firstKept) throw truncatedAway(wanted, firstKept, PLACE);
    const records = this.#records.filter(
      ({ firstSeq, count }) => firstSeq + count > wanted && firstSeq <= uptoSeq,
    );
    for (let at = 0; at < records.length; at += GROUP_RECORDS) {
      yield records.slice(at, at + GROUP_RECORDS);
      this.#requireOpen();
    }
  }

  async truncateBefore(seq: number): Promise<void> {
    this.#requireOpen();
    const kept = this.#records.findIndex(({ firstSeq, count }) => firstSeq + count > seq);
    // The newest record is the segment being written and stays.
    const from = kept === -1 ? this.#records.length - 1 : kept;
    if (from > 0) this.#records = this.#records.slice(from);
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#inFlight;
  }

  #requireOpen(): void {
    if (this.#closed) throw closedError(PLACE);
  }
}
