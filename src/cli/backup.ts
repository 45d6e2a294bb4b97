// agio backup: a consistent copy of a data directory, also of a running server. The order of
// copying makes it consistent without a lock: snapshots must not be ahead of the journal, and the
// journal has every user of identity, and no money of later ones.
import { Database } from 'bun:sqlite';
import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
} from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { fillFiles } from '../cluster/catch-up.ts';
import type { ClusterStore } from '../cluster/store.ts';
import { snapshotDirectory, snapshotPath, snapshotSeqs } from '../engine/snapshot-store.ts';
import { identityPath } from '../identity/identity.ts';
import { masterKeyFile } from '../identity/master-key.ts';
import { IdentityFile } from '../identity/storage/image.ts';
import { PRIVATE_DIRECTORY, PRIVATE_FILE, syncPath } from '../identity/storage/private-file.ts';
import { BASE_NAME, readBase } from '../journal/base.ts';
import { decodeBatch } from '../journal/codec.ts';
import { requireOwner } from '../journal/data-owner.ts';
import type { FileJournalReader } from '../journal/file-journal-reader.ts';
import { type JournalRecord, lastSeqOf } from '../journal/journal.ts';
import { NodeDisk } from '../journal/node-disk.ts';
import { journalDirectory, openFileJournal, openJournalReader } from '../journal/open-journal.ts';
import { listSegments, segmentName } from '../journal/segment.ts';
import { SET_ASIDE_NAME } from '../journal/set-aside.ts';
import { movedMark } from '../moved-venue.ts';
import { CliError, command } from './command.ts';
import { DATA_ARG, dataDirectory, masterKeysOf, sandboxFile } from './data-directory.ts';
import { DATABASE_ARG, databaseUrl, storeBeside } from './database.ts';
import { ARCHIVE_ARG, archiveDirectory } from './history.ts';
import { grouped, Progress, print } from './output.ts';
import { runChecks } from './verify.ts';

export const backupCommand = command({
  name: 'backup',
  summary: 'Copies a data directory, of a running server too, and verifies the copy',
  examples: ['agio backup /mnt/backup/monday', 'agio backup /mnt/backup/monday --include-key'],
  notes:
    'The copy is a data directory: to restore it, copy it to where the server looks.\n' +
    'What was archived is not in it: keep the archive as well, and name it with --archive.\n' +
    'Without the master key it can be neither started nor verified: keep that key elsewhere.\n' +
    'On a node of a cluster, identity comes from the database: the copy is a data directory of\n' +
    'one machine.',
  args: {
    target: { type: 'positional', required: true, description: 'The directory to make.' },
    ...DATA_ARG,
    ...ARCHIVE_ARG,
    ...DATABASE_ARG,
    'include-key': {
      type: 'boolean',
      description: 'Also what opens it: master.key, and a sandbox’s sandbox.json.',
    },
    quiet: { type: 'boolean', description: 'Print errors only, for cron.' },
  },
  async run(args) {
    const source = dataDirectory(args);
    requireOwner(source);
    // No copy is a backup until it is verified, which needs the key.
    masterKeysOf(source);
    const target = resolve(args.target);
    if (existsSync(target))
      throw new CliError(`${target} exists already: a backup is a new directory.`);
    if (`${target}/`.startsWith(`${source}/`)) {
      throw new CliError(`${target} lies in ${source}, and would be lost with it.`);
    }
    // It has another name until it is verified, so nobody mistakes a partial copy for a backup.
    const partial = `${target}.partial`;
    const url = databaseUrl(args);
    await using database = url === null ? null : storeBeside(source, url, 'backup');
    rmSync(partial, { recursive: true, force: true });
    mkdirSync(partial, { recursive: true, mode: PRIVATE_DIRECTORY });
    try {
      const withKey = args['include-key'] === true;
      await copyUntruncated({ source, target: partial, withKey, database });
      const archive = archiveDirectory(args);
      const options = { directory: partial, keyDirectory: source, archive };
      const checks = await runChecks(options, args.quiet !== true);
      const fault = checks.find(({ ok }) => !ok);
      if (fault !== undefined) {
        throw new CliError(
          fault.keyMissing
            ? `The copy was not verified and was removed: ${fault.text}`
            : `The copy failed verification and was removed; verify ${source}.`,
        );
      }
      renameSync(partial, target);
      syncPath(resolve(target, '..'));
    } catch (error) {
      rmSync(partial, { recursive: true, force: true });
      throw error;
    }
    if (args.quiet !== true) print(`${target} is a backup of ${source}.`);
  },
});

interface Copying {
  readonly source: string;
  readonly target: string;
  readonly withKey: boolean;
  /** The shared store, where the source is a node of a cluster. */
  readonly database: ClusterStore | null;
}

/** Copies again when a server has truncated its journal meanwhile. */
async function copyUntruncated(copying: Copying): Promise<void> {
  const { source, target } = copying;
  const journal = new NodeDisk(journalDirectory(source));
  const begins = async () => (await readBase(journal))?.nextSeq;
  for (;;) {
    const before = await begins();
    let failure: unknown;
    await copyAll(copying).catch((error: unknown) => {
      failure = error;
    });
    if ((await begins()) === before) {
      if (failure !== undefined) throw failure;
      return;
    }
    rmSync(target, { recursive: true });
    mkdirSync(target, { mode: PRIVATE_DIRECTORY });
  }
}

async function copyAll({ source, target, withKey, database }: Copying): Promise<void> {
  copySnapshots(source, target);
  await using reader = openJournalReader(source);
  await readToEnd(reader);
  if (database === null) {
    copyIdentity(source, target);
    await readToIdentity(reader, source, target);
  }
  await copyJournal(reader, source, target);
  if (database !== null) await completeCopy(database, target);
  const files = [
    // A copy from the database has what happened there, so it is no venue that was moved away.
    ...(database === null ? [movedMark(source)] : []),
    ...(withKey ? [masterKeyFile(source), sandboxFile(source)] : []),
  ];
  for (const file of files) {
    if (existsSync(file)) copyDurably(file, join(target, basename(file)));
  }
  syncPath(target);
}

/** Reads the journal to its end, which checks it. */
async function readToEnd(reader: FileJournalReader): Promise<void> {
  using progress = new Progress();
  for await (const records of reader.read((await reader.base()).nextSeq)) {
    progress.update(() => `reading the journal: ${grouped(records.at(-1)!.firstSeq)} commands`);
  }
}

/**
 * Reads on to what came meanwhile, up to the first command for a user who is not in the copy of
 * identity. A user is in the journal first, then in identity, and then has money: so the journal
 * before that command has every user of the copy, and no money of any other user.
 */
async function readToIdentity(
  reader: FileJournalReader,
  source: string,
  target: string,
): Promise<void> {
  const known = uidsIn(identityPath(target));
  const from = reader.position?.nextSeq ?? (await reader.base()).nextSeq;
  await using ahead = openJournalReader(source);
  let end = from - 1;
  find: for await (const records of ahead.read(from)) {
    for (const record of records) {
      if (uidsOf(record).some((uid) => !known.has(uid))) break find;
      end = lastSeqOf(record);
    }
  }
  for await (const _ of reader.read(from, end));
}

/** The users whom commands of a record are for. */
const uidsOf = ({ payload }: JournalRecord): number[] =>
  decodeBatch(payload).commands.flatMap((command) => ('uid' in command ? [command.uid] : []));

function uidsIn(path: string): ReadonlySet<number> {
  if (!existsSync(path)) return new Set();
  using database = new Database(path, { readonly: true });
  const rows = database.query<{ readonly uid: number }, []>('SELECT uid FROM users').all();
  return new Set(rows.map(({ uid }) => uid));
}

/** SQLite makes the copy, so it is of one moment. */
function copyIdentity(source: string, target: string): void {
  const from = identityPath(source);
  if (!existsSync(from)) return;
  const to = identityPath(target);
  closeSync(openSync(to, 'wx', PRIVATE_FILE));
  using database = new Database(from, { readonly: true });
  database.run('PRAGMA busy_timeout = 5000');
  database.query('VACUUM INTO ?').run(to);
  syncPath(to);
}

/** Adds the identity of the database, and its journal up to the same moment. */
async function completeCopy(database: ClusterStore, target: string): Promise<void> {
  const identity = await database.readIdentity(
    (head) => new IdentityFile(head, identityPath(target)),
  );
  identity.save();
  await using journal = await openFileJournal(target);
  await fillFiles(database, journal, identity.head.journalSeq);
  await journal.addSetAside(await database.setAside());
}

function copySnapshots(source: string, target: string): void {
  const [from, to] = [snapshotDirectory(source), snapshotDirectory(target)];
  mkdirSync(to, { mode: PRIVATE_DIRECTORY });
  for (const seq of snapshotSeqs(from)) {
    try {
      copyDurably(snapshotPath(from, seq), snapshotPath(to, seq));
    } catch (error) {
      // The server has written a newer one and removed this; the journal has it all.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
  syncPath(to);
}

/**
 * Copies the journal up to where it was read: bytes before it never change, and what a server
 * appends meanwhile must not be in the copy in part.
 */
async function copyJournal(
  reader: FileJournalReader,
  source: string,
  target: string,
): Promise<void> {
  const [from, to] = [journalDirectory(source), journalDirectory(target)];
  mkdirSync(to, { mode: PRIVATE_DIRECTORY });
  const end = reader.position;
  if (end === undefined) return;
  const { nextSeq } = await reader.base();
  const all = await listSegments(new NodeDisk(from));
  const segments = all.filter((seq) => seq >= nextSeq && seq <= end.segment);
  for (const name of [BASE_NAME, SET_ASIDE_NAME]) {
    if (existsSync(join(from, name))) copyDurably(join(from, name), join(to, name));
  }
  using progress = new Progress();
  for (const [at, seq] of segments.entries()) {
    progress.update(() => `copying the journal: file ${at + 1} of ${segments.length}`);
    const name = segmentName(seq);
    copyDurably(join(from, name), join(to, name), seq === end.segment ? end.offset : undefined);
  }
  syncPath(to);
}

/** Copies a file, or its first `length` bytes. */
function copyDurably(from: string, to: string, length?: number): void {
  copyFileSync(from, to);
  if (length !== undefined && statSync(to).size > length) truncateSync(to, length);
  syncPath(to);
}
