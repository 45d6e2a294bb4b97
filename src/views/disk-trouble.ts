// Errors of views and snapshots that a retry may not meet, with one name for each.
import { SQLiteError } from 'bun:sqlite';

export type DiskTrouble =
  | 'diskFull'
  | 'readOnly'
  | 'tooManyOpenFiles'
  | 'diskError'
  | 'fileBusy'
  | 'damaged'
  | 'archived'
  | 'stopped';

/** The views cannot be rebuilt: older commands were archived, and no archive is configured. */
export class HistoryArchived extends Error {
  override readonly name = 'HistoryArchived';
}

/** The last three processes ended while they wrote one command: views are not written again. */
export class HistoryStopped extends Error {
  override readonly name = 'HistoryStopped';
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

/** By the beginning of SQLite's code. */
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

/** The trouble with the disk or the file; null for any other error. */
export function diskTroubleOf(error: unknown): DiskTrouble | null {
  if (!(error instanceof Error)) return null;
  if (error instanceof HistoryArchived) return 'archived';
  if (error instanceof HistoryStopped) return 'stopped';
  const { code } = error as { code?: unknown };
  if (error instanceof SQLiteError) {
    return SQLITE.find(([start]) => String(code).startsWith(start))?.[1] ?? null;
  }
  const trouble = typeof code === 'string' ? SYSTEM[code] : undefined;
  return trouble ?? (error.cause === undefined ? null : diskTroubleOf(error.cause));
}
