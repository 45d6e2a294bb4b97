// Errors of files that are derived from the journal, views and snapshots: which of them a later try
// may not meet again, and one word for each.
import { SQLiteError } from 'bun:sqlite';

export type DiskTrouble =
  | 'diskFull'
  | 'readOnly'
  | 'tooManyOpenFiles'
  | 'diskError'
  | 'fileBusy'
  | 'damaged'
  | 'archived';

/**
 * Views that are missing cannot be rebuilt: older commands were archived, and no archive is named.
 */
export class HistoryArchived extends Error {
  override readonly name = 'HistoryArchived';
}

const SYSTEM: Readonly<Record<string, DiskTrouble>> = {
  ENOSPC: 'diskFull',
  EDQUOT: 'diskFull',
  EROFS: 'readOnly',
  EACCES: 'readOnly',
  EPERM: 'readOnly',
  EMFILE: 'tooManyOpenFiles',
  ENFILE: 'tooManyOpenFiles',
  EIO: 'diskError',
};

/** By the beginning of SQLite's code, whose end says more. */
const SQLITE: readonly (readonly [string, DiskTrouble])[] = [
  ['SQLITE_FULL', 'diskFull'],
  ['SQLITE_READONLY', 'readOnly'],
  ['SQLITE_PERM', 'readOnly'],
  ['SQLITE_CANTOPEN', 'diskError'],
  ['SQLITE_IOERR', 'diskError'],
  ['SQLITE_BUSY', 'fileBusy'],
  ['SQLITE_CORRUPT', 'damaged'],
  ['SQLITE_NOTADB', 'damaged'],
];

/** The trouble with the disk or the file; null for an error that is about neither. */
export function diskTroubleOf(error: unknown): DiskTrouble | null {
  if (!(error instanceof Error)) return null;
  if (error instanceof HistoryArchived) return 'archived';
  const { code } = error as { code?: unknown };
  if (error instanceof SQLiteError) {
    return SQLITE.find(([start]) => String(code).startsWith(start))?.[1] ?? null;
  }
  const trouble = typeof code === 'string' ? SYSTEM[code] : undefined;
  return trouble ?? (error.cause === undefined ? null : diskTroubleOf(error.cause));
}
