// The archive of a journal: a directory of closed segments, in the form of a journal, so that every
// reader reads it. This file copies segments there and back. It never removes any: the journal
// does, and only those before the point that archiveSegments has verified in the archive.
import { GENESIS, readBase, writeBase } from './base.ts';
import { type Disk, readBytes } from './disk.ts';
import { FileJournalReader } from './file-journal-reader.ts';
import { corrupt, type JournalError } from './journal.ts';
import { type ChainPoint, sameBytes } from './record.ts';
import { ioError } from './rules.ts';
import { listSegments, listSegmentsBesideWriter, segmentName, startOfSegment } from './segment.ts';

/** A copy that is not whole yet; a later run removes it. */
const TEMPORARY_SUFFIX = '.tmp';
const STEP_BYTES = 1024 * 1024;

export interface CopiedSegments {
  readonly copied: number;
  /** Everything before this point of the chain is in the archive, read back and verified. */
  readonly archived: ChainPoint;
}

/**
 * Copies closed segments to `archive` and verifies all of them there, beside a running server.
 * Throws `corrupt` for a bad copy or another history.
 */
export async function archiveSegments(
  journal: Disk,
  archive: Disk,
  onProgress: (done: number, all: number) => void = () => {},
): Promise<CopiedSegments> {
  try {
    const base = (await readBase(journal)) ?? GENESIS;
    const all = await listSegmentsBesideWriter(journal);
    const segments = all.filter((firstSeq) => firstSeq >= base.nextSeq);
    const active = segments.pop();
    const upto = active === undefined ? base : await startOfSegment(journal, active);
    await removeTemporaryFiles(archive);
    const last = (await listSegments(archive)).at(-1);
    const end = await continueAt(archive, base, upto, last);
    const starts = end.nextSeq === upto.nextSeq ? upto : await startIn(journal, segments, end);
    if (!sameBytes(starts.chainHash, end.chainHash)) throw different(archive, journal, end);
    const missing = segments.filter((firstSeq) => firstSeq >= end.nextSeq);
    for (const [index, firstSeq] of missing.entries()) {
      onProgress(index, missing.length);
      await copySegment(journal, archive, firstSeq);
    }
    // From the last segment that was there before, so that the new ones are seen to continue it.
    const from = Math.min(last ?? upto.nextSeq, segments[0] ?? upto.nextSeq);
    await verifyCopies(archive, from, upto, journal);
    return { copied: missing.length, archived: upto };
  } catch (error) {
    throw ioError('Archiving to', error, { file: archive.directory });
  }
}

/**
 * Copies missing segments back from `archive`, while nobody else uses the journal. A run that was
 * interrupted may be repeated.
 */
export async function restoreSegments(
  archive: Disk,
  journal: Disk,
  onProgress: (done: number, all: number) => void = () => {},
): Promise<CopiedSegments> {
  try {
    const begins = await beginningOf(archive);
    if (begins === undefined) throw emptyArchive(archive);
    await removeTemporaryFiles(journal);
    const base = await readBase(journal);
    const kept = (await listSegments(journal)).filter((seq) => seq >= (base?.nextSeq ?? 1));
    const first = kept[0] ?? Number.POSITIVE_INFINITY;
    const missing = (await listSegments(archive)).filter((firstSeq) => firstSeq < first);
    if (missing.length === 0) return { copied: 0, archived: base ?? GENESIS };
    const upto = kept[0] === undefined ? undefined : await startOfSegment(journal, kept[0]);
    await verifyCopies(archive, begins.nextSeq, upto, journal);
    const there = await listSegments(journal);
    for (const [index, firstSeq] of missing.entries()) {
      onProgress(index, missing.length);
      if (there.includes(firstSeq)) await journal.remove(segmentName(firstSeq));
      await copySegment(archive, journal, firstSeq);
    }
    // Until the base says so the copies are no part of the journal, and a start removes them.
    await writeBase(journal, begins);
    await verifyCopies(journal, begins.nextSeq, upto, archive);
    return { copied: missing.length, archived: begins };
  } catch (error) {
    throw ioError('Restoring to', error, { file: journal.directory });
  }
}

/** Where the archive begins; undefined for one that was never written to. */
export async function beginningOf(archive: Disk): Promise<ChainPoint | undefined> {
  const base = await readBase(archive);
  if (base !== undefined) return base;
  return (await listSegments(archive))[0] === 1 ? GENESIS : undefined;
}

/** Where the archive ends, behind its segment `last`. */
export async function endOf(archive: Disk, last: number): Promise<ChainPoint> {
  await using reader = new FileJournalReader(archive);
  for await (const group of reader.read(last)) void group;
  return reader.position!;
}

/** Where the archive continues; rejects one with missing segments. */
async function continueAt(
  archive: Disk,
  base: ChainPoint,
  upto: ChainPoint,
  last: number | undefined,
): Promise<ChainPoint> {
  const begins = await beginningOf(archive);
  if (begins === undefined) {
    await writeBase(archive, base);
    return base;
  }
  if (begins.nextSeq > base.nextSeq) {
    const why = `it begins at command ${begins.nextSeq}, and the journal at ${base.nextSeq}`;
    throw unfit(archive, why);
  }
  const end = last === undefined ? begins : await endOf(archive, last);
  if (end.nextSeq < base.nextSeq) {
    const why = `it ends at command ${end.nextSeq - 1}, and the journal begins at ${base.nextSeq}`;
    throw unfit(archive, why);
  }
  if (end.nextSeq > upto.nextSeq) {
    const why = `it goes up to command ${end.nextSeq - 1}, which the journal has not archived`;
    throw unfit(archive, why);
  }
  return end;
}

/** Where the journal's segment at `end` starts in the chain. */
function startIn(
  journal: Disk,
  segments: readonly number[],
  { nextSeq }: ChainPoint,
): Promise<ChainPoint> | ChainPoint {
  if (segments.includes(nextSeq)) return startOfSegment(journal, nextSeq);
  // No file of this journal begins there, so it is another history.
  return { nextSeq, chainHash: new Uint8Array() };
}

function unfit(archive: Disk, why: string): JournalError {
  const message =
    `The archive in ${archive.directory} does not continue this journal: ${why}. Name the ` +
    'archive that the journal was archived to before, or a new directory.';
  return corrupt(message, archive.directory);
}

function emptyArchive(archive: Disk): JournalError {
  const message = `${archive.directory} holds no archive of a journal; name one that does.`;
  return corrupt(message, archive.directory);
}

async function copySegment(from: Disk, to: Disk, firstSeq: number): Promise<void> {
  const name = segmentName(firstSeq);
  const source = await from.open(name, 'read');
  try {
    const size = await source.size();
    const copy = await to.open(name + TEMPORARY_SUFFIX, 'create');
    try {
      for (let at = 0; at < size; at += STEP_BYTES) {
        await copy.write(await readBytes(source, at, Math.min(STEP_BYTES, size - at)), at);
      }
    } finally {
      await copy.close();
    }
  } finally {
    await source.close();
  }
  await to.rename(name + TEMPORARY_SUFFIX, name);
  await to.syncDirectory();
}

/** Reads `disk` from its segment `from` on, which must lead to `upto` by the hash chain. */
async function verifyCopies(
  disk: Disk,
  from: number,
  upto: ChainPoint | undefined,
  other: Disk,
): Promise<void> {
  if (upto !== undefined && from >= upto.nextSeq) return;
  await using reader = new FileJournalReader(disk);
  const uptoSeq = upto === undefined ? Number.POSITIVE_INFINITY : upto.nextSeq - 1;
  for await (const group of reader.read(from, uptoSeq)) void group;
  if (upto === undefined) return;
  const { nextSeq, chainHash } = reader.position!;
  if (nextSeq === upto.nextSeq && sameBytes(chainHash, upto.chainHash)) return;
  throw different(disk, other, upto);
}

function different(disk: Disk, other: Disk, { nextSeq }: ChainPoint): JournalError {
  const message =
    `${disk.directory} and ${other.directory} hold different histories before command ` +
    `${nextSeq}; name the archive of this journal, or a new directory.`;
  return corrupt(message, disk.directory);
}

async function removeTemporaryFiles(disk: Disk): Promise<void> {
  for (const name of await disk.list()) {
    if (name.endsWith(`.seg${TEMPORARY_SUFFIX}`)) await disk.remove(name);
  }
}
