// A truncation removes segments whose copies in the archive are verified. It keeps the segments
// that the two snapshots and the views need for a start without the archive.
import type { FileJournal } from '../journal/file-journal.ts';
import type { ChainPoint } from '../journal/record.ts';

export interface TruncationRequest {
  /** archiveSegments has verified that everything before it is in the archive. */
  readonly archived: ChainPoint;
  /** The seqs of the kept snapshots, newest first. */
  readonly snapshots: readonly number[];
  /** How far the views have come. */
  readonly viewsSeq: number;
}

/** The first seq that is kept, or why nothing may be removed. */
export type Truncation = { readonly firstSeq: number } | { readonly rejected: string };

/** Removes what may be removed. Throws JournalError `io` or `closed`. */
export async function truncateArchived(
  journal: FileJournal,
  { archived, snapshots, viewsSeq }: TruncationRequest,
): Promise<Truncation> {
  if (!(await journal.startsFileAt(archived))) {
    return {
      rejected:
        `The journal has no file that begins at command ${archived.nextSeq} with that chain ` +
        'hash; archive again, and send what the archive then ends with.',
    };
  }
  const older = snapshots[1];
  if (older === undefined) {
    return {
      rejected:
        `A start without the archive needs two snapshots, and there are ${snapshots.length}; ` +
        'take another one (agio snapshot, or POST /operator/v1/snapshot), then archive again.',
    };
  }
  if (viewsSeq < older) {
    return {
      rejected:
        `The views are at command ${viewsSeq} and still need the journal from there on; wait ` +
        `until they have passed command ${older}, then archive again.`,
    };
  }
  // A start reads from the snapshot's own record on, which may be in the middle of a file.
  await journal.truncateBefore(Math.min(archived.nextSeq, older));
  return { firstSeq: journal.firstSeq! };
}
