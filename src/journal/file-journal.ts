// The journal in the files of one directory, which belongs to one process (data-lock.ts). It owns
// the steps of an append: a durable write, then the head moves; a new segment gets its name only
// when it is durable. It never repeats a failed step, since nobody knows what is on the device: it
// stops.
import { assert } from '../core/assert.ts';
import { GENESIS, writeBase } from './base.ts';
import { type Disk, pathOf } from './disk.ts';
import { HistoryReader } from './history-reader.ts';
import {
  type DurabilityEvidence,
  type Journal,
  type JournalBatch,
  JournalError,
  type JournalHead,
  type JournalRecord,
} from './journal.ts';
import { type ChainPoint, encodeRecord, recordBytes, sameBytes } from './record.ts';
import { type ActiveSegment, type Recovery, recover } from './repair.ts';
import { closedError, fullError, hasNoRoom, ioError, requireNext } from './rules.ts';
import {
  encodeSegmentHeader,
  SEGMENT_HEADER_BYTES,
  segmentName,
  startOfSegment,
} from './segment.ts';
import { type BlankSegment, SegmentPreparer } from './segment-preparer.ts';
import { addSetAside, readSetAside, type SetAside } from './set-aside.ts';

/** Large enough that a roll is rare, small enough that truncation gives back space steadily. */
const DEFAULT_SEGMENT_BYTES = 32 * 1024 * 1024;
/** Disks write whole sectors, so a segment consists of them. */
const SECTOR_BYTES = 512;
/** Batches up to this size are encoded in memory that is used again for each. */
const SCRATCH_BYTES = 1024 * 1024;

export interface FileJournalOptions {
  /** The size of a segment, rounded up to whole sectors; 32 MiB when it is left out. */
  readonly segmentBytes?: number;
  /**
   * The journal must have these commands. Without evidence an unreadable last record counts as torn
   * by a crash.
   */
  readonly evidence?: readonly DurabilityEvidence[];
  /** Archived segments are read from this directory. */
  readonly archive?: Disk;
  /** Called once when the journal has been closed, to release what was taken for it. */
  readonly onClosed?: () => void;
}

export class FileJournal implements Journal {
  /** The bytes of a torn, never acknowledged batch that opening has cut. */
  readonly cutBytes: number;
  readonly #disk: Disk;
  readonly #archive: Disk | undefined;
  readonly #preparer: SegmentPreparer;
  readonly #segments: number[];
  readonly #onClosed: (() => void) | undefined;
  readonly #scratch = new Uint8Array(SCRATCH_BYTES);
  #active: ActiveSegment | undefined;
  #head: JournalHead;
  #inFlight: Promise<JournalHead> | undefined;
  #truncation: Promise<void> = Promise.resolve();
  #failure: JournalError | undefined;
  #closing: Promise<void> | undefined;

  private constructor(
    disk: Disk,
    segmentBytes: number,
    found: Recovery,
    { archive, onClosed }: FileJournalOptions,
  ) {
    this.#disk = disk;
    this.#archive = archive;
    this.#onClosed = onClosed;
    this.#preparer = new SegmentPreparer(disk, segmentBytes);
    this.#segments = found.segments;
    this.#active = found.active;
    this.#head = found.head;
    this.cutBytes = found.cutBytes;
  }

  /**
   * Verifies the whole journal, cuts the torn end of a crash, and opens it for appends under the
   * caller's lock. Rejects with `corrupt` (file and offset, nothing changed) or `io`.
   */
  static async open(disk: Disk, options: FileJournalOptions = {}): Promise<FileJournal> {
    const sectors = Math.ceil((options.segmentBytes ?? DEFAULT_SEGMENT_BYTES) / SECTOR_BYTES);
    assert(sectors >= 1, 'a segment holds at least one sector');
    const segmentBytes = sectors * SECTOR_BYTES;
    const found = await recover(disk, options.evidence);
    const journal = new FileJournal(disk, segmentBytes, found, options);
    journal.#prepareInTime();
    return journal;
  }

  get head(): JournalHead {
    return this.#head;
  }

  /** The first seq that is kept, undefined while the journal is empty. */
  get firstSeq(): number | undefined {
    return this.#segments[0];
  }

  /** True if one of the files starts at this point of the chain. */
  async startsFileAt({ nextSeq, chainHash }: ChainPoint): Promise<boolean> {
    this.#requireOpen();
    if (!this.#segments.includes(nextSeq)) return false;
    return sameBytes((await startOfSegment(this.#disk, nextSeq)).chainHash, chainHash);
  }

  async append(batch: JournalBatch): Promise<JournalHead> {
    this.#requireOpen();
    if (this.#failure !== undefined) throw this.#stopped(this.#failure);
    assert(this.#inFlight === undefined, 'one append is in flight at a time');
    requireNext(this.#head.seq, batch);
    this.#inFlight = this.#write(batch);
    try {
      return await this.#inFlight;
    } finally {
      this.#inFlight = undefined;
    }
  }

  async #write(batch: JournalBatch): Promise<JournalHead> {
    const length = recordBytes(batch.payload.length);
    const record =
      length <= SCRATCH_BYTES ? this.#scratch.subarray(0, length) : new Uint8Array(length);
    const chainHash = encodeRecord(record, batch, this.#head.chainHash);
    const active = this.#active;
    if (active !== undefined && active.end + length <= active.size) {
      await this.#extend(active, record);
    } else {
      await this.#roll(batch.firstSeq, record);
    }
    this.#head = { seq: batch.firstSeq + batch.count - 1, chainHash };
    this.#prepareInTime();
    return this.#head;
  }

  /** The hot path: one durable write, which the event loop does not wait for. */
  async #extend(active: ActiveSegment, record: Uint8Array): Promise<void> {
    try {
      await active.file.write(record, active.end);
    } catch (error) {
      throw this.#fail(error, active.path, active.end);
    }
    active.end += record.length;
  }

  /** Starts the next segment with `record`, and names it only when both are durable. */
  async #roll(firstSeq: number, record: Uint8Array): Promise<void> {
    const name = segmentName(firstSeq);
    const path = pathOf(this.#disk, name);
    const end = SEGMENT_HEADER_BYTES + record.length;
    const before = this.#active;
    const blank = await this.#blankSegment(end);
    try {
      const header = encodeSegmentHeader({ nextSeq: firstSeq, chainHash: this.#head.chainHash });
      await blank.file.write(header, 0);
      await blank.file.write(record, SEGMENT_HEADER_BYTES);
      await this.#disk.rename(blank.name, name);
      await this.#disk.syncDirectory();
      if (before === undefined) await writeBase(this.#disk, GENESIS);
      // Nothing of it depends on this any more.
      await before?.file.close().catch(() => undefined);
    } catch (error) {
      await blank.file.close().catch(() => undefined);
      throw this.#fail(error, path, 0);
    }
    this.#active = { path, file: blank.file, size: blank.size, end };
    this.#segments.push(firstSeq);
  }

  /** No batch is at stake yet: a full disk is no failure. */
  async #blankSegment(bytes: number): Promise<BlankSegment> {
    try {
      return await this.#preparer.take(bytes);
    } catch (error) {
      const file = this.#disk.directory;
      throw hasNoRoom(error) ? fullError(error, file) : this.#fail(error, file, 0);
    }
  }

  /** Prepares the next segment once the active one is half full, which leaves time to finish it. */
  #prepareInTime(): void {
    const active = this.#active;
    if (active === undefined || active.end * 2 >= active.size) this.#preparer.start();
  }

  #fail(cause: unknown, file: string, offset: number): JournalError {
    this.#failure = ioError('Writing', cause, { file, offset });
    return this.#failure;
  }

  #stopped(failure: JournalError): JournalError {
    const { file, offset } = failure;
    return new JournalError('io', `The journal has stopped: ${failure.message}`, {
      file,
      offset,
      cause: failure,
    });
  }

  /** Throws `sequence` unless the commands from `seq` on are here or in the archive. */
  requireFrom(seq: number): Promise<void> {
    return new HistoryReader(this.#disk, this.#archive).requireFrom(seq);
  }

  read(fromSeq: number): AsyncIterable<JournalRecord[]> {
    return this.#readUpTo(fromSeq, this.#head.seq);
  }

  async *#readUpTo(fromSeq: number, uptoSeq: number): AsyncGenerator<JournalRecord[]> {
    this.#requireOpen();
    await using reader = new HistoryReader(this.#disk, this.#archive);
    for await (const group of reader.read(fromSeq, uptoSeq)) {
      yield group;
      this.#requireOpen();
    }
  }

  /** The commands that were set aside. */
  setAside(): Promise<SetAside[]> {
    return readSetAside(this.#disk);
  }

  /** Sets commands aside, durably. */
  addSetAside(entries: readonly SetAside[]): Promise<void> {
    return addSetAside(this.#disk, entries);
  }

  async truncateBefore(seq: number): Promise<void> {
    this.#requireOpen();
    // One after the other, so that segments always disappear from the oldest on.
    const previous = this.#truncation;
    this.#truncation = previous.catch(() => undefined).then(() => this.#removeBefore(seq));
    await this.#truncation;
  }

  async #removeBefore(seq: number): Promise<void> {
    const first = this.#segments.findLast((firstSeq) => firstSeq <= seq);
    if (first === undefined || first === this.#segments[0]) return;
    try {
      const start = await startOfSegment(this.#disk, first);
      // From here on the older segments are not part of the journal; the next start removes
      // leftovers.
      await writeBase(this.#disk, start);
      while (this.#segments[0]! < first) {
        await this.#disk.remove(segmentName(this.#segments[0]!));
        this.#segments.shift();
      }
      await this.#disk.syncDirectory();
    } catch (error) {
      throw ioError('Truncating the journal in', error, { file: this.#disk.directory });
    }
  }

  close(): Promise<void> {
    this.#closing ??= this.#finish();
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #finish(): Promise<void> {
    const failed = () => undefined;
    await this.#inFlight?.catch(failed);
    await this.#truncation.catch(failed);
    try {
      await this.#preparer.close();
      await this.#active?.file.close();
    } catch (error) {
      throw ioError('Closing the journal in', error, { file: this.#disk.directory });
    } finally {
      this.#onClosed?.();
    }
  }

  #requireOpen(): void {
    if (this.#closing !== undefined) throw closedError(this.#disk.directory);
  }
}
