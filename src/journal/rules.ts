// The rules that every journal shares: the form and order of batches, and the wording of errors.
import { assert } from '../core/assert.ts';
import {
  corrupt,
  type DurabilityEvidence,
  type JournalBatch,
  JournalError,
  type JournalErrorPlace,
} from './journal.ts';

/** More than one group commit, and a bound for a damaged length. */
export const MAX_PAYLOAD_BYTES = 2 * 1024 * 1024;

const MAX_U32 = 0xffff_ffff;

/** Asserts the form of a batch, not its place. */
function assertBatch(batch: JournalBatch): void {
  const { firstSeq, count, epoch, payload } = batch;
  assert(Number.isSafeInteger(firstSeq) && firstSeq >= 1, 'a batch starts at seq 1 or later');
  assert(Number.isInteger(count) && count >= 1, 'a batch holds at least one command');
  assert(count <= MAX_U32, 'the number of commands in a batch fits in 32 bits');
  assert(Number.isSafeInteger(firstSeq + count), 'the last seq of a batch is a safe integer');
  assert(Number.isInteger(epoch) && epoch >= 0, 'an epoch is a natural number');
  assert(epoch <= MAX_U32, 'an epoch fits in 32 bits');
  assert(payload.length >= 1, 'a payload is not empty');
  assert(payload.length <= MAX_PAYLOAD_BYTES, 'a payload is at most 2 MiB');
}

/** Rejects a batch that does not continue the journal, the one check that all journals share. */
export function requireNext(headSeq: number, batch: JournalBatch): void {
  assertBatch(batch);
  if (batch.firstSeq === headSeq + 1) return;
  const message =
    `The batch starts at command ${batch.firstSeq} but the journal ends at ${headSeq}; ` +
    'start agio again so that it continues from the journal.';
  throw new JournalError('sequence', message);
}

/** The error of a read from before what is kept, the same for all journals. */
export function truncatedAway(fromSeq: number, firstKept: number, place: string): JournalError {
  const message =
    `The journal in ${place} begins at command ${firstKept}; the commands from ${fromSeq} on ` +
    'were archived: name their archive with --archive DIR or AGIO_ARCHIVE.';
  return new JournalError('sequence', message);
}

/** The error of an undamaged journal that ends before its durability evidence. */
export function olderBackup(
  place: string,
  headSeq: number,
  evidence: readonly DurabilityEvidence[],
): JournalError {
  const newer = evidence.filter(({ seq }) => seq > headSeq);
  const files = newer.map(({ files: each }) => each).join(', ');
  const uptoSeq = Math.max(...newer.map(({ seq }) => seq));
  const message =
    `The journal in ${place} ends at command ${headSeq}, but ${files} went up to command ` +
    `${uptoSeq}: the journal was restored from an older backup. Restore the newest backup, all ` +
    `files of it. To go on from command ${headSeq} and lose what came after it, first move ` +
    `these away: ${files}`;
  return corrupt(message, place);
}

export function closedError(place: string): JournalError {
  return new JournalError('closed', `The journal in ${place} is closed; open it again to use it.`);
}

/** Errors that a later attempt may not meet: space, a read-only disk, descriptors. */
const NO_ROOM: readonly unknown[] = ['ENOSPC', 'EDQUOT', 'EROFS', 'EMFILE', 'ENFILE'];

/** True if a file could not be made for want of room, by the system's code. */
export const hasNoRoom = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && NO_ROOM.includes(error.code);

/** The error when the next file of the journal does not fit. */
export function fullError(cause: unknown, directory: string): JournalError {
  const why = cause instanceof Error ? cause.message : String(cause);
  const message = `There is no room for the next journal file in ${directory} (${why}); make room.`;
  return new JournalError('full', message, { file: directory, cause });
}

/** Wraps the error of a medium as `io`; a JournalError stays as it is. */
export function ioError(
  action: string,
  cause: unknown,
  place: JournalErrorPlace = {},
): JournalError {
  if (cause instanceof JournalError) return cause;
  const where = place.file === undefined ? '' : ` ${place.file}`;
  const at = place.offset === undefined ? '' : ` at byte ${place.offset}`;
  const why = cause instanceof Error ? cause.message : String(cause);
  const isDenied = /^(EACCES|EPERM)$/.test(String((cause as NodeJS.ErrnoException).code));
  const remedy = isDenied
    ? 'let this user read and write there, or run agio as the owner'
    : "check the disk's health and free space, then start agio again";
  const message = `${action}${where}${at} failed (${why}); ${remedy}.`;
  return new JournalError('io', message, { ...place, cause });
}
