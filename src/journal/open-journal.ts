// Where the journal lives in a data directory, and the two ways to open it there: for appends,
// under the directory's lock, and for reading beside the writer.
import { join, resolve } from 'node:path';
import { assert } from '../core/assert.ts';
import { type DataLock, lockDataDirectory } from './data-lock.ts';
import { FileJournal, type FileJournalOptions } from './file-journal.ts';
import { FileJournalReader } from './file-journal-reader.ts';
import { HistoryReader } from './history-reader.ts';
import type { DurabilityEvidence, JournalError } from './journal.ts';
import { NodeDisk } from './node-disk.ts';
import { openCopy } from './open-copy.ts';
import { ioError } from './rules.ts';

export interface OpenJournalOptions extends Omit<FileJournalOptions, 'archive'> {
  readonly archive?: string | null;
  /** For the files of a node of a cluster, whose store has every record: see openCopy. */
  readonly onDamaged?: ((error: JournalError) => void) | null;
  /** The caller's lock on the same directory, which stays the caller's to release. */
  readonly lock?: DataLock;
}

export function journalDirectory(dataDirectory: string): string {
  return join(resolve(dataDirectory), 'journal');
}

/**
 * Opens and verifies the journal, or creates it. Without `options.lock` it locks the directory
 * until the journal is closed.
 */
export async function openFileJournal(
  dataDirectory: string,
  options: OpenJournalOptions = {},
): Promise<FileJournal> {
  const { lock: callersLock, archive: archiveDirectory = null, onDamaged, ...rest } = options;
  const lock = callersLock ?? lockDataDirectory(dataDirectory);
  assert(lock.held, 'a journal is opened under a lock that is held');
  assert(lock.dataDirectory === resolve(dataDirectory), 'the lock covers the data directory');
  const release = callersLock === undefined ? () => lock.release() : undefined;
  try {
    const directory = journalDirectory(dataDirectory);
    const archive = archiveDisk(archiveDirectory);
    const opening = { ...rest, archive, onClosed: release };
    if (!onDamaged) return await FileJournal.open(await NodeDisk.create(directory), opening);
    return await openCopy(await NodeDisk.create(directory, false), opening, onDamaged);
  } catch (error) {
    release?.();
    throw ioError('Opening', error, { file: journalDirectory(dataDirectory) });
  }
}

/** A reader of the journal of `dataDirectory`, which needs no lock and sees what is written. */
export function openJournalReader(
  dataDirectory: string,
  evidence: readonly DurabilityEvidence[] = [],
): FileJournalReader {
  return new FileJournalReader(new NodeDisk(journalDirectory(dataDirectory)), evidence);
}

/** The journal with its archive as one history. */
export function openHistory(
  dataDirectory: string,
  archiveDirectory: string | null,
  evidence: readonly DurabilityEvidence[] = [],
): HistoryReader {
  const journal = new NodeDisk(journalDirectory(dataDirectory));
  return new HistoryReader(journal, archiveDisk(archiveDirectory), evidence);
}

const archiveDisk = (directory: string | null): NodeDisk | undefined =>
  directory === null ? undefined : new NodeDisk(directory);
