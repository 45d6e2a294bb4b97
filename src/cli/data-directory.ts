// A data directory as the commands use it: named by --data, existing, and locked; and its
// sandbox.json, readable by its owner only, with the operator token and accounts of a sandbox.
import { accessSync, constants, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { State } from '../core/state.ts';
import { Follower } from '../engine/follower.ts';
import { durabilityEvidence, recover } from '../engine/recovery.ts';
import { type SnapshotKey, snapshotsOf } from '../engine/snapshot-store.ts';
import { derivedKeys, loadMasterKeys, type MasterKey, SNAPSHOTS } from '../identity/master-key.ts';
import { IdentityError } from '../identity/result.ts';
import { writePrivateFile } from '../identity/storage/private-file.ts';
import { type DataLock, lockDataDirectory } from '../journal/data-lock.ts';
import { asOwner, ownerOf } from '../journal/data-owner.ts';
import { journalDirectory, openFileJournal, openHistory } from '../journal/open-journal.ts';
import type { SandboxAccess } from '../sandbox/seed.ts';
import { viewsPath } from '../views/view-store.ts';
import { CliError } from './command.ts';
import { printError } from './output.ts';

export const DATA_ARG = {
  data: {
    type: 'string',
    valueHint: 'DIR',
    description: 'The data directory (AGIO_DATA, or ./data).',
  },
} as const;

/** Throws CliError when there is no venue in it. */
export function dataDirectory(choice: { readonly data?: string | undefined }): string {
  const directory = resolve(choice.data ?? (process.env.AGIO_DATA || './data'));
  try {
    accessSync(journalDirectory(directory), constants.R_OK | constants.X_OK);
    return directory;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EACCES') throw new CliError(denied(directory));
  }
  throw new CliError(
    `${directory} has no journal: it is not a data directory of agio. Name one with --data.`,
  );
}

/** Most directories are their owner's only, so another user sees nothing in them. */
function denied(directory: string): string {
  const owner = ownerOf(directory);
  const remedy = owner === undefined ? 'run the command as its owner.' : asOwner(owner);
  return `This user may not read ${directory}: ${remedy}`;
}

/**
 * Does work on a directory while no server can start on it. Throws JournalError `locked` when one
 * runs.
 */
export async function withLock<T>(
  directory: string,
  work: (lock: DataLock) => Promise<T>,
): Promise<T> {
  using lock = lockDataDirectory(directory);
  return await work(lock);
}

/** The master keys of a directory, as a server there would load them. Throws IdentityError. */
export const masterKeysOf = (directory: string): MasterKey[] =>
  loadMasterKeys({
    configured: process.env.AGIO_MASTER_KEY || null,
    dataDir: directory,
    mayCreate: false,
  });

/** The keys that authenticate snapshots. */
export const snapshotKeysOf = (masterKeys: readonly MasterKey[]): readonly SnapshotKey[] =>
  derivedKeys(masterKeys, SNAPSHOTS);

/** The same, or none without a master key: only a truncated journal needs them. */
export function snapshotKeysIfAny(directory: string): readonly SnapshotKey[] {
  try {
    return snapshotKeysOf(masterKeysOf(directory));
  } catch (error) {
    if (error instanceof IdentityError) return [];
    throw error;
  }
}

/** A venue's present state, and a follower that has reached it. */
export interface Venue {
  readonly state: State;
  readonly follower: Follower;
}

/**
 * Recovers a directory as a server would and gives it to `work`; the views are brought up to date
 * by it.
 */
export function withVenue<T>(
  directory: string,
  archive: string | null,
  work: (venue: Venue) => Promise<T>,
): Promise<T> {
  return withLock(directory, async (lock) => {
    const evidence = durabilityEvidence(directory);
    await using journal = await openFileJournal(directory, { lock, archive, evidence });
    const snapshots = snapshotsOf(directory, snapshotKeysOf(masterKeysOf(directory)));
    const { exchange } = await recover(journal, snapshots, printError);
    const follower = await Follower.open({
      journal: openHistory(directory, archive),
      viewsPath: viewsPath(directory),
      snapshots,
      snapshotEvery: Number.MAX_SAFE_INTEGER,
      onCommitted: () => {},
      onFailure: () => {},
      warn: printError,
    });
    try {
      follower.notifyDurable(journal.head.seq);
      return await work({ state: exchange.state, follower });
    } finally {
      await follower.abandon();
    }
  });
}

/** The accounts are missing after an interrupted first start. */
export interface SandboxFile extends Partial<SandboxAccess> {
  readonly operatorToken: string;
  /** Where the server listened when it was last started. */
  readonly url: string;
}

export const sandboxFile = (dataDir: string): string => join(resolve(dataDir), 'sandbox.json');

/** Undefined where there is none. Throws CliError where it is damaged, or the system's error. */
export function readSandboxFile(dataDir: string): SandboxFile | undefined {
  const file = sandboxFile(dataDir);
  const text = textOf(file);
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text) as SandboxFile;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new CliError(`${file} cannot be read (${why}); remove it, and the next start writes it.`);
  }
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const isMissing = ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code!);
    if (isMissing) return undefined;
    throw error;
  }
}

/** Only the process with the directory's lock may call it. */
export function writeSandboxFile(dataDir: string, content: SandboxFile): void {
  writePrivateFile(sandboxFile(dataDir), `${JSON.stringify(content, null, 2)}\n`);
}
