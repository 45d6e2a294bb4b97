// Segments: their names, their header, and the records of one. A segment gets its name when its
// header and first record are durable, so a named segment without them is damage.
import { assert } from '../core/assert.ts';
import { type Disk, type DiskFile, pathOf, readBytes, readWindows } from './disk.ts';
import { corrupt, type JournalError, type JournalRecord } from './journal.ts';
import {
  damagedHeader,
  decodePointHeader,
  encodePointHeader,
  POINT_HEADER_BYTES,
} from './point-header.ts';
import {
  type ChainPoint,
  type DecodeStop,
  decodeRecords,
  findRecord,
  genesisHash,
  recordBytes,
  sameBytes,
} from './record.ts';
import { ioError, MAX_PAYLOAD_BYTES } from './rules.ts';

export const SEGMENT_HEADER_BYTES = POINT_HEADER_BYTES;
/** The header is a point header (point-header.ts): seq and chain hash before the first record. */
const SEGMENT_MAGIC = 'AGIOJRNL';

/** Sixteen digits hold every safe integer, so that names sort as their numbers do. */
const SEQ_DIGITS = 16;
const SEGMENT_NAME = /^(\d{16})\.seg$/;

/** The first read at a tail: a group commit or two, since a follower polls there all the time. */
const FIRST_CHUNK_BYTES = 16 * 1024;
/** Reads grow to this while records keep coming; larger reads gain nothing and use memory. */
const MAX_CHUNK_BYTES = 1024 * 1024;

export function segmentName(firstSeq: number): string {
  return `${String(firstSeq).padStart(SEQ_DIGITS, '0')}.seg`;
}

/** The first seqs of all segments on `disk`, ascending. */
export async function listSegments(disk: Disk): Promise<number[]> {
  const found: number[] = [];
  for (const name of await disk.list()) {
    const match = SEGMENT_NAME.exec(name);
    if (match !== null) found.push(Number(match[1]));
  }
  return found.sort((a, b) => a - b);
}

/**
 * The segments, none missing before the last. A listing during writes may show only the younger of
 * two new segments; a second listing has every segment older than one in the first.
 */
export async function listSegmentsBesideWriter(disk: Disk): Promise<number[]> {
  const newest = (await listSegments(disk)).at(-1) ?? 0;
  return (await listSegments(disk)).filter((firstSeq) => firstSeq <= newest);
}

export function encodeSegmentHeader(start: ChainPoint): Uint8Array {
  return encodePointHeader(SEGMENT_MAGIC, start);
}

/** Where the segment named for `firstSeq` starts in the chain. */
export async function startOfSegment(disk: Disk, firstSeq: number): Promise<ChainPoint> {
  const scanner = await SegmentScanner.open(disk, firstSeq);
  try {
    return scanner.point;
  } finally {
    await scanner.close();
  }
}

/** Walks the records of one segment, checking each against its checksum and the chain. */
export class SegmentScanner {
  readonly path: string;
  readonly firstSeq: number;
  /** The chain hash that the segment's header gives as the one before its first record. */
  readonly startHash: Uint8Array;
  readonly size: number;
  readonly #file: DiskFile;
  #offset = SEGMENT_HEADER_BYTES;
  #lastOffset = SEGMENT_HEADER_BYTES;
  #point: ChainPoint;
  #stop: DecodeStop = 'short';
  #chunk = FIRST_CHUNK_BYTES;

  private constructor(path: string, file: DiskFile, size: number, start: ChainPoint) {
    this.path = path;
    this.#file = file;
    this.size = size;
    this.firstSeq = start.nextSeq;
    this.startHash = start.chainHash;
    this.#point = start;
  }

  /** Opens the segment named for `firstSeq`; its header must say the same. */
  static async open(disk: Disk, firstSeq: number): Promise<SegmentScanner> {
    const name = segmentName(firstSeq);
    const path = pathOf(disk, name);
    let file: DiskFile | undefined;
    try {
      file = await disk.open(name, 'read');
      const size = await file.size();
      const header = await readBytes(file, 0, Math.min(size, SEGMENT_HEADER_BYTES));
      const start = decodePointHeader(SEGMENT_MAGIC, header, path);
      if (start.nextSeq !== firstSeq) {
        const message =
          `${path} holds the segment that starts at command ${start.nextSeq}; ` +
          'give the file its old name again, or restore it from a backup.';
        throw corrupt(message, path, 16);
      }
      if (firstSeq === 1 && !sameBytes(start.chainHash, genesisHash())) {
        throw damagedHeader(path, 'is the first segment but continues another hash chain');
      }
      return new SegmentScanner(path, file, size, start);
    } catch (error) {
      // The operator needs the first error.
      await file?.close().catch(() => undefined);
      throw ioError('Reading', error, { file: path });
    }
  }

  /** The offset behind the last good record that was returned. */
  get offset(): number {
    return this.#offset;
  }

  /** The offset of the last good record that was returned, or `offset` when there was none. */
  get lastOffset(): number {
    return this.#lastOffset;
  }

  get point(): ChainPoint {
    return this.#point;
  }

  /** Why the last call of `next` returned no more records than it did. */
  get stop(): DecodeStop {
    return this.#stop;
  }

  /**
   * The next group of records with a last seq of at most `uptoSeq`; empty when none is readable.
   * Throws `corrupt` for a good record that belongs elsewhere.
   */
  async next(uptoSeq: number): Promise<JournalRecord[]> {
    let wanted = this.#chunk;
    for (;;) {
      const room = this.size - this.#offset;
      const bytes = await this.#read(this.#offset, Math.min(wanted, room));
      const group = decodeRecords(bytes, this.#point, room, uptoSeq);
      // A file that was cut while it is read ends as a torn record does: nothing more to ask for.
      const whole = bytes.length === Math.min(wanted, room);
      if (group.records.length === 0 && group.stop === 'short' && whole) {
        wanted = group.needed;
        continue;
      }
      if (group.records.length === 0 && group.stop === 'misplaced') throw this.#misplaced();
      const more = group.stop === 'short';
      this.#stop = group.stop;
      this.#chunk = more ? Math.min(this.#chunk * 4, MAX_CHUNK_BYTES) : FIRST_CHUNK_BYTES;
      this.#advance(group.records, group.consumed, group.next);
      return group.records;
    }
  }

  #advance(records: JournalRecord[], consumed: number, next: ChainPoint): void {
    const last = records.at(-1);
    if (last === undefined) return;
    this.#offset += consumed;
    this.#point = next;
    this.#lastOffset = this.#offset - recordBytes(last.payload.length);
    assert(this.#offset <= this.size, 'a record ends within its segment');
  }

  /** True if a good record starts at `offset` or anywhere after it in the segment. */
  async somethingFollows(): Promise<boolean> {
    // A record that begins in a window is whole in it.
    for await (const bytes of this.#rest(recordBytes(MAX_PAYLOAD_BYTES))) {
      if (findRecord(bytes, this.#point.nextSeq) !== -1) return true;
    }
    return false;
  }

  /** True if a good record ends at `offset` and nothing was ever written behind it. */
  async endsCleanly(): Promise<boolean> {
    if (this.#offset === SEGMENT_HEADER_BYTES) return false;
    for await (const bytes of this.#rest()) if (bytes.some((byte) => byte !== 0)) return false;
    return true;
  }

  async *#rest(overlap?: number): AsyncGenerator<Uint8Array> {
    try {
      const windows = readWindows(this.#file, this.#offset, this.size, overlap);
      for await (const { bytes } of windows) yield bytes;
    } catch (error) {
      throw ioError('Reading', error, { file: this.path, offset: this.#offset });
    }
  }

  /** The error for an unreadable record that was durable. */
  damaged(): JournalError {
    const message =
      `${this.path} is damaged at byte ${this.#offset}: command ${this.#point.nextSeq} is not ` +
      'readable although it was made durable; restore the file from a backup.';
    return corrupt(message, this.path, this.#offset);
  }

  #misplaced(): JournalError {
    const message =
      `${this.path} holds at byte ${this.#offset} a record that does not continue the hash chain ` +
      `at command ${this.#point.nextSeq}; restore the file from a backup.`;
    return corrupt(message, this.path, this.#offset);
  }

  async #read(offset: number, length: number): Promise<Uint8Array> {
    try {
      return await readBytes(this.#file, offset, length);
    } catch (error) {
      throw ioError('Reading', error, { file: this.path, offset });
    }
  }

  async close(): Promise<void> {
    try {
      await this.#file.close();
    } catch (error) {
      throw ioError('Closing', error, { file: this.path });
    }
  }
}
