// Opens journal files that are a copy: a node of a cluster writes them without syncs, since its
// store has every record. A loss of power can therefore damage any part of them.
import type { Disk } from './disk.ts';
import { FileJournal, type FileJournalOptions } from './file-journal.ts';
import { JournalError } from './journal.ts';

const DAMAGED_SUFFIX = '.damaged';

/**
 * Like FileJournal.open. Damaged files are set aside, the last ones only, and the copy begins again
 * without a record.
 */
export async function openCopy(
  disk: Disk,
  options: FileJournalOptions,
  onDamaged: (error: JournalError) => void,
): Promise<FileJournal> {
  try {
    return await FileJournal.open(disk, options);
  } catch (error) {
    if (!(error instanceof JournalError) || error.kind !== 'corrupt') throw error;
    onDamaged(error);
    for (const name of await disk.list()) {
      if (!name.endsWith(DAMAGED_SUFFIX)) await disk.rename(name, name + DAMAGED_SUFFIX);
    }
    return FileJournal.open(disk, options);
  }
}
