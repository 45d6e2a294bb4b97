// A read-only view of a file journal beside its writer, for the follower, verification and backups.
// It keeps its place, so that a poll reads only what is new. Recovery uses it as well: one piece of
// code decides what is good, torn or damaged.
import { assert } from '../core/assert.ts';
import { BASE_NAME, firstSegmentMissing, GENESIS, readBase } from './base.ts';
import { type Disk, pathOf } from './disk.ts';
import {
  corrupt,
  type DurabilityEvidence,
  type JournalError,
  type JournalRecord,
} from './journal.ts';
import { type ChainPoint, sameBytes } from './record.ts';
import { closedError, ioError, olderBackup, truncatedAway } from './rules.ts';
import {
  listSegmentsBesideWriter,
  SEGMENT_HEADER_BYTES,
  SegmentScanner,
  segmentName,
} from './segment.ts';
import { readSetAside, withSetAside } from './set-aside.ts';

export interface ReaderPosition extends ChainPoint {
  /** The first seq of the segment, which names its file. */
  readonly segment: number;
  readonly offset: number;
  /** Where the last record that was returned starts; equals `offset` when the segment gave none. */
  readonly lastOffset: number;
}

export class FileJournalReader {
  readonly #disk: Disk;
  readonly #setAsideDisk: Disk;
  readonly #evidence: readonly DurabilityEvidence[];
  #scanner: SegmentScanner | undefined;
  #reading = false;
  #closed = false;
  /** The step in progress, so that `close` never takes a file from under a read. */
  #step: Promise<unknown> = Promise.resolve();

  /**
   * Opens nothing before the first `read`. `evidence` is for the message about an older backup. An
   * archive has the list of commands that were set aside in its journal.
   */
  constructor(disk: Disk, evidence: readonly DurabilityEvidence[] = [], setAsideDisk = disk) {
    this.#disk = disk;
    this.#setAsideDisk = setAsideDisk;
    this.#evidence = evidence;
  }

  /** Undefined until a read has found a segment. */
  get position(): ReaderPosition | undefined {
    const at = this.#scanner;
    if (at === undefined) return undefined;
    const { firstSeq: segment, offset, lastOffset } = at;
    return { ...at.point, segment, offset, lastOffset };
  }

  /**
   * The verified records whose last seq is at least `fromSeq`, in groups. With `uptoSeq`, which
   * must be durable, a missing or damaged record up to it throws. Without it, reading ends behind
   * the last good record, which need not be durable; finding it reads the rest of the segment.
   */
  async *read(
    fromSeq: number,
    uptoSeq = Number.POSITIVE_INFINITY,
  ): AsyncGenerator<JournalRecord[]> {
    assert(!this.#reading, 'a journal reader serves one iteration at a time');
    if (this.#closed) throw closedError(this.#disk.directory);
    const wanted = Math.max(fromSeq, 1);
    if (wanted > uptoSeq) return;
    this.#reading = true;
    try {
      await this.#exclusively(() => this.#seek(wanted, uptoSeq));
      const setAside = await this.#exclusively(() => readSetAside(this.#setAsideDisk));
      for (;;) {
        const group = await this.#exclusively(() => this.#advance(uptoSeq));
        if (group === undefined) return;
        const asked = startingAt(group, wanted);
        if (asked.length === 0) continue;
        yield setAside.length === 0 ? asked : asked.map((one) => withSetAside(one, setAside));
      }
    } finally {
      this.#reading = false;
    }
  }

  /** Waits for a step in progress; an iteration that goes on afterwards throws `closed`. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#step.catch(() => undefined);
    const scanner = this.#scanner;
    this.#scanner = undefined;
    await scanner?.close();
  }

  /** Ignores a file that does not close: what was read is whole, and an error of reading counts. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close().catch(() => undefined);
  }

  #exclusively<T>(step: () => Promise<T>): Promise<T> {
    if (this.#closed) return Promise.reject(closedError(this.#disk.directory));
    const running = step();
    this.#step = running;
    return running;
  }

  get directory(): string {
    return this.#disk.directory;
  }

  async base(): Promise<ChainPoint> {
    return (await readBase(this.#disk)) ?? GENESIS;
  }

  /** Throws JournalError `sequence` unless the commands from `seq` on are in the journal. */
  async requireFrom(seq: number): Promise<void> {
    const { nextSeq } = await this.base();
    if (seq < nextSeq) throw truncatedAway(seq, nextSeq, this.#disk.directory);
  }

  /** Goes to the segment that holds `wanted`, which needs no disk where the last read stopped. */
  async #seek(wanted: number, uptoSeq: number): Promise<void> {
    if (this.#scanner?.point.nextSeq === wanted) return;
    for (;;) {
      const base = await readBase(this.#disk);
      const segments = await this.#list();
      const first = segments.findLast((firstSeq) => firstSeq <= wanted);
      const at = this.#scanner;
      // Further on in the segment that is open already.
      if (at !== undefined && at.firstSeq === first && at.point.nextSeq < wanted) return;
      this.#scanner = undefined;
      await at?.close();
      const begins = base ?? GENESIS;
      if (wanted < begins.nextSeq) {
        throw truncatedAway(wanted, begins.nextSeq, this.#disk.directory);
      }
      if (first === undefined || first < begins.nextSeq) {
        // The writer may have made the base or moved it since it was read.
        if ((await readBase(this.#disk))?.nextSeq !== base?.nextSeq) continue;
        if (base !== undefined || segments.length > 0)
          throw firstSegmentMissing(this.#disk, begins);
        if (uptoSeq !== Number.POSITIVE_INFINITY) throw this.#allMissing(uptoSeq);
        return;
      }
      this.#scanner = await this.#openListed(first);
      if (this.#scanner === undefined) continue;
      if (first === begins.nextSeq)
        requireContinues(this.#scanner, begins, pathOf(this.#disk, BASE_NAME));
      return;
    }
  }

  /** Opens a segment that was listed; undefined when the writer has truncated it since then. */
  async #openListed(firstSeq: number): Promise<SegmentScanner | undefined> {
    try {
      return await SegmentScanner.open(this.#disk, firstSeq);
    } catch (error) {
      if ((await this.#list()).includes(firstSeq)) throw error;
      return undefined;
    }
  }

  /**
   * The next group, or undefined at the end. A writer may be at work, so each finding that would
   * mean damage is followed by another look.
   */
  async #advance(uptoSeq: number): Promise<JournalRecord[] | undefined> {
    for (;;) {
      const scanner = this.#scanner;
      // The second saves the read that would only find out that nothing more was asked for.
      if (scanner === undefined || scanner.point.nextSeq > uptoSeq) return undefined;
      const first = await readOn(scanner, uptoSeq);
      if (first !== 'unreadable') return first;

      const segments = await this.#list();
      if (segments.includes(scanner.point.nextSeq) && scanner.point.nextSeq > scanner.firstSeq) {
        await this.#enter(scanner);
        continue;
      }
      const second = await readOn(scanner, uptoSeq);
      if (second !== 'unreadable') return second;
      const moreExists = segments.some((firstSeq) => firstSeq > scanner.firstSeq);
      if (moreExists || uptoSeq !== Number.POSITIVE_INFINITY) throw await this.#lost(scanner);

      const follows = await scanner.somethingFollows();
      const third = await readOn(scanner, uptoSeq);
      if (third !== 'unreadable') return third;
      // A segment has its name only when its first record is durable, so that one cannot be torn.
      if (follows || scanner.offset === SEGMENT_HEADER_BYTES) throw scanner.damaged();
      return undefined;
    }
  }

  /** Goes from the end of `before` to the segment that continues it, if that is still there. */
  async #enter(before: SegmentScanner): Promise<void> {
    const { nextSeq, chainHash } = before.point;
    const next = await this.#openListed(nextSeq);
    if (next === undefined) return;
    try {
      requireContinues(next, { nextSeq, chainHash }, before.path);
    } catch (error) {
      await next.close();
      throw error;
    }
    this.#scanner = next;
    await before.close();
  }

  async #list(): Promise<number[]> {
    try {
      return await listSegmentsBesideWriter(this.#disk);
    } catch (error) {
      throw ioError('Listing', error, { file: this.#disk.directory });
    }
  }

  /** A durable record is unreadable: it was truncated, or it is damaged. */
  async #lost(scanner: SegmentScanner): Promise<JournalError> {
    const segments = await this.#list();
    const { nextSeq } = scanner.point;
    if (segments.includes(scanner.firstSeq)) {
      const last = segments.at(-1) === scanner.firstSeq;
      if (!last || !(await scanner.endsCleanly())) return scanner.damaged();
      const evidence = this.#evidence.filter(({ seq }) => seq >= nextSeq);
      if (evidence.length === 0) return scanner.damaged();
      return olderBackup(this.#disk.directory, nextSeq - 1, evidence);
    }
    return truncatedAway(nextSeq, segments[0] ?? nextSeq, this.#disk.directory);
  }

  #allMissing(uptoSeq: number): JournalError {
    const { directory } = this.#disk;
    const message =
      `${directory} holds no journal segment although command ${uptoSeq} was made durable; ` +
      'restore the directory from a backup.';
    return corrupt(message, pathOf(this.#disk, segmentName(1)), 0);
  }
}

/** Throws `corrupt` unless the segment starts where `before`, a file of the journal, ends. */
function requireContinues(next: SegmentScanner, { chainHash }: ChainPoint, before: string): void {
  if (sameBytes(next.startHash, chainHash)) return;
  const message =
    `${next.path} does not continue the hash chain of ${before}; ` +
    'restore both files from one backup.';
  throw corrupt(message, next.path, 0);
}

/** The next group, `undefined` at `uptoSeq`, or 'unreadable'. */
async function readOn(
  scanner: SegmentScanner,
  uptoSeq: number,
): Promise<JournalRecord[] | undefined | 'unreadable'> {
  const group = await scanner.next(uptoSeq);
  if (group.length > 0) return group;
  return scanner.stop === 'enough' ? undefined : 'unreadable';
}

/** Leaves out the records that end before `fromSeq`. */
function startingAt(group: JournalRecord[], fromSeq: number): JournalRecord[] {
  if (group[0].firstSeq + group[0].count > fromSeq) return group;
  return group.filter((record) => record.firstSeq + record.count > fromSeq);
}
