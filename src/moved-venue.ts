// The mark in a data directory whose venue was moved into the database of a cluster. A start there
// would be a second venue with the same users and money, so the operator has to say that it may be.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { writePrivateFile } from './identity/storage/private-file.ts';
import { JournalError } from './journal/journal.ts';

/** The file of the mark. */
export const movedMark = (dataDir: string): string => join(dataDir, 'moved');

/** Called before the copy is complete: no moment has two venues that start. */
export function markMoved(dataDir: string, databaseUrl: string, now: number): void {
  const { hostname, pathname } = new URL(databaseUrl);
  const time = new Date(now).toISOString();
  writePrivateFile(movedMark(dataDir), `${time} to ${hostname}${pathname}\n`);
}

/** Throws JournalError for a moved venue. If the operator accepts it, the mark is removed. */
export function requireNotMoved(dataDir: string, isAccepted: boolean): void {
  const file = movedMark(dataDir);
  if (!existsSync(file)) return;
  if (isAccepted) {
    rmSync(file);
    return;
  }
  const what = readFileSync(file, 'utf8').trim();
  throw new JournalError(
    'locked',
    `The venue in ${dataDir} was moved into a database (${what}) and goes on there: a start here ` +
      'would be a second venue with the same users and money. If no node has served it there, ' +
      'or it comes back without what happened there, start once with --accept-moved.',
    { file },
  );
}
