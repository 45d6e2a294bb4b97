// Where a replay of a data directory begins: at its first command, if the journal or an archive
// has it, or else at the oldest snapshot.
import type { State } from '../core/state.ts';
import {
  readSnapshot,
  type SnapshotKey,
  snapshotDirectory,
  snapshotPath,
  snapshotSeqs,
} from '../engine/snapshot-store.ts';
import type { HistoryReader } from '../journal/history-reader.ts';
import { JournalError, type JournalRecord, lastSeqOf } from '../journal/journal.ts';
import { CliError } from './command.ts';

export const ARCHIVE_ARG = {
  archive: {
    type: 'string',
    valueHint: 'DIR',
    description: 'The archive of the journal’s older part (AGIO_ARCHIVE).',
  },
} as const;

/** The directory of the archive that was named, or null. */
export const archiveDirectory = (choice: { readonly archive?: string | undefined }) =>
  choice.archive ?? (process.env.AGIO_ARCHIVE || null);

/** Where a replay begins. */
export interface Beginning {
  /** The first command that is read. */
  readonly firstSeq: number;
  /** Null when it begins before the first command of all. */
  readonly snapshot: {
    readonly seq: number;
    readonly chainHash: Uint8Array;
    readonly state: State;
  } | null;
}

/**
 * Where a replay of `history` begins. Throws CliError when neither the first command nor a snapshot
 * is there, and JournalError for a forged snapshot.
 */
export async function beginningOf(
  directory: string,
  history: HistoryReader,
  keys: readonly SnapshotKey[],
): Promise<Beginning> {
  const firstSeq = await history.firstSeq();
  if (firstSeq === 1) return { firstSeq, snapshot: null };
  const snapshots = snapshotDirectory(directory);
  for (const seq of snapshotSeqs(snapshots).reverse()) {
    const snapshot = seq < firstSeq ? null : usableSnapshot(snapshotPath(snapshots, seq), keys);
    if (snapshot !== null) return { firstSeq, snapshot };
  }
  throw new CliError(
    `The journal begins at command ${firstSeq} and no snapshot of a later command is usable: ` +
      'name the archive with --archive DIR or AGIO_ARCHIVE.',
  );
}

function usableSnapshot(path: string, keys: readonly SnapshotKey[]): Beginning['snapshot'] {
  try {
    return readSnapshot(path, keys);
  } catch (error) {
    if (error instanceof JournalError) throw error;
    // It is damaged, but a later one may be usable.
    return null;
  }
}

/** True if a replay from `beginning` applies this record; it checks the snapshot's own record. */
export function isAfter({ snapshot }: Beginning, record: JournalRecord): boolean {
  if (snapshot === null || record.firstSeq > snapshot.seq) return true;
  const ends = lastSeqOf(record) === snapshot.seq;
  if (ends && Buffer.compare(record.chainHash, snapshot.chainHash) !== 0) {
    throw new JournalError(
      'corrupt',
      `The snapshot at seq ${snapshot.seq} does not belong to this journal, which has another ` +
        'record there; restore both from one backup.',
    );
  }
  return false;
}
