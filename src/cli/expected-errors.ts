// Errors that an operator can mend, as one sentence that says how. Any other error is a fault of
// the program, and is printed with its stack.
import { SQLiteError } from 'bun:sqlite';
import { LinkError } from '../cluster/link/transport.ts';
import { StoreError } from '../cluster/store.ts';
import { ClockError } from '../engine/clock.ts';
import { PoisonousCommandError } from '../engine/poisonous-command.ts';
import { IdentityError } from '../identity/result.ts';
import { JournalError } from '../journal/journal.ts';
import { AgioError } from '../sdk/errors.ts';
import { type DiskTrouble, diskTroubleOf, HistoryArchived } from '../views/disk-trouble.ts';
import { CliError } from './command.ts';

/** Their messages end in what the operator can do. */
const SENTENCES = [
  CliError,
  JournalError,
  IdentityError,
  ClockError,
  PoisonousCommandError,
  StoreError,
  LinkError,
  HistoryArchived,
  AgioError,
];

const REMEDIES: Readonly<Partial<Record<DiskTrouble, string>>> = {
  diskFull: 'make room on the disk',
  readOnly: 'let this user read and write there, run agio as the owner, or name another directory',
  tooManyOpenFiles: 'raise the limit of open files',
  diskError: 'check the path and the disk',
  fileBusy: 'end the other process that uses it',
  damaged: '"agio verify" names the damaged file; restore it from a backup',
};

/** null for a fault of the program. */
export function expectedSentence(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  if (SENTENCES.some((kind) => error instanceof kind)) return Bun.stripANSI(error.message);
  const trouble = diskTroubleOf(error);
  const remedy = (trouble === null ? null : REMEDIES[trouble]) ?? 'check the path';
  if (error instanceof SQLiteError)
    return `A database cannot be used (${error.message}): ${remedy}.`;
  return isSystemError(error) ? `${error.message}: ${remedy}.` : null;
}

/** A missing or unreadable file: the system's sentence names it. */
export function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'code' in error && 'errno' in error && 'syscall' in error;
}
