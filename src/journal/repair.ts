// Opening a file journal: verifies the chain, cuts the torn end of a crash, and makes the rest
// durable. Only the end of the newest segment can be torn, since one append is in flight at a time.
// Anything else that is unreadable is damage and stops the start.
import { assert } from '../core/assert.ts';
import { BASE_NAME, GENESIS, readBase, writeBase } from './base.ts';
import { type Disk, type DiskFile, pathOf, readBytes, readWindows, WINDOW_BYTES } from './disk.ts';
import { FileJournalReader, type ReaderPosition } from './file-journal-reader.ts';
import { type DurabilityEvidence, durableSeqOf, type JournalHead } from './journal.ts';
import { type ChainPoint, genesisHash } from './record.ts';
import { ioError } from './rules.ts';
import { listSegments, segmentName } from './segment.ts';
import { TEMPORARY_NAMES } from './segment-preparer.ts';

export interface ActiveSegment {
  readonly path: string;
  readonly file: DiskFile;
  readonly size: number;
  end: number;
}

export interface Recovery {
  /** The first seqs of all segments, ascending; the last is the active one. */
  readonly segments: number[];
  /** Undefined when the journal is empty. */
  readonly active: ActiveSegment | undefined;
  readonly head: JournalHead;
  /** The bytes of a torn, never acknowledged record that were cut. */
  readonly cutBytes: number;
}

/** Throws `corrupt` or `io`, and changes nothing in a journal that it rejects. */
export async function recover(
  disk: Disk,
  evidence: readonly DurabilityEvidence[] = [],
): Promise<Recovery> {
  try {
    const named = (await disk.list()).includes(BASE_NAME);
    const base = named ? await readBase(disk) : undefined;
    const end = await verify(disk, base ?? GENESIS, evidence);
    if (base === undefined && end !== undefined) await writeBase(disk, GENESIS);
    await removeLeftovers(disk, base ?? GENESIS);
    const segments = await listSegments(disk);
    if (end === undefined) {
      const head = { seq: 0, chainHash: genesisHash() };
      return { segments, active: undefined, head, cutBytes: 0 };
    }
    const { active, cutBytes } = await reopen(disk, end);
    return { segments, active, head: { seq: end.nextSeq - 1, chainHash: end.chainHash }, cutBytes };
  } catch (error) {
    throw ioError('Opening the journal in', error, { file: disk.directory });
  }
}

/** Removes what a crash may leave: files without a name of their own, and archived segments. */
async function removeLeftovers(disk: Disk, base: ChainPoint): Promise<void> {
  const names = await disk.list();
  for (const name of TEMPORARY_NAMES) if (names.includes(name)) await disk.remove(name);
  for (const firstSeq of await listSegments(disk)) {
    if (firstSeq < base.nextSeq) await disk.remove(segmentName(firstSeq));
  }
  // Also makes the newest segment's name durable, which the last process may not have come to.
  await disk.syncDirectory();
}

/** Verifies every record and returns the end of the chain; undefined for an empty journal. */
async function verify(
  disk: Disk,
  base: ChainPoint,
  evidence: readonly DurabilityEvidence[],
): Promise<ReaderPosition | undefined> {
  await using reader = new FileJournalReader(disk, evidence);
  for await (const group of reader.read(base.nextSeq, durableSeqOf(evidence))) {
    assert(group.length > 0, 'no group is empty');
  }
  const next = reader.position?.nextSeq ?? base.nextSeq;
  for await (const group of reader.read(next)) assert(group.length > 0, 'no group is empty');
  return reader.position;
}

/** Makes what was found durable and everything behind it zero. */
async function reopen(
  disk: Disk,
  end: ReaderPosition,
): Promise<{ active: ActiveSegment; cutBytes: number }> {
  const name = segmentName(end.segment);
  const file = await disk.open(name, 'write');
  try {
    const size = await file.size();
    // The last record may be in the page cache only, and after a failed sync the system can take
    // unwritten pages for clean. Writing the same bytes again makes them durable in every case.
    const last = await readBytes(file, end.lastOffset, end.offset - end.lastOffset);
    await file.write(last, end.lastOffset);
    const cutBytes = await clearFrom(file, end.offset, size);
    return { active: { path: pathOf(disk, name), file, size, end: end.offset }, cutBytes };
  } catch (error) {
    await file.close().catch(() => undefined);
    throw error;
  }
}

/**
 * Zeros the bytes after `offset`, so that remains of an older record never follow a later one.
 * Returns how many bytes were not zero.
 */
async function clearFrom(file: DiskFile, offset: number, size: number): Promise<number> {
  let end = offset;
  for await (const { at, bytes } of readWindows(file, offset, size)) {
    let { length } = bytes;
    while (length > 0 && bytes[length - 1] === 0) length--;
    if (length > 0) end = at + length;
  }
  for (let at = offset; at < end; at += WINDOW_BYTES) {
    await file.write(new Uint8Array(Math.min(WINDOW_BYTES, end - at)), at);
  }
  return end - offset;
}
