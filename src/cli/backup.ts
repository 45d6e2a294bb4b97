// agio backup: a consistent copy of a data directory, of a running server too. Nothing is locked,
// so the order of copying is what makes it consistent: identity first, since a person may be
// missing whom the journal knows but not the reverse; then the snapshots, which must not be ahead
// of the journal; the journal last. Views are rebuilt at restore.
import { Database } from 'bun:sqlite';
import {
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { defineCommand } from 'citty';
import { snapshotDirectory, snapshotPath, snapshotSeqs } from '../engine/snapshot-store.ts';
import { identityPath } from '../identity/identity.ts';
import { masterKeyFile } from '../identity/master-key.ts';
import { PRIVATE_DIRECTORY, syncDirectory } from '../identity/storage/private-file.ts';
import { BASE_NAME, readBase } from '../journal/base.ts';
import { NodeDisk } from '../journal/node-disk.ts';
import { journalDirectory, openJournalReader } from '../journal/open-journal.ts';
import { listSegments, segmentName } from '../journal/segment.ts';
import { about, CliError } from './command.ts';
import { DATA_ARG, dataDirectory } from './data-directory.ts';
import { ARCHIVE_ARG, archiveDirectory } from './history.ts';
import { grouped, Progress, print } from './output.ts';
import { sandboxFile } from './sandbox-access.ts';
import { verifyData } from './verification.ts';
import { checkLine } from './verify.ts';

export const backupCommand = defineCommand({
  meta: about(
    'backup',
    'Copies a data directory, of a running server too, and verifies the copy',
    ['agio backup /mnt/backup/monday', 'agio backup /mnt/backup/monday --include-key'],
    {
      notes:
        'The copy is a data directory: to restore it, copy it to where the server looks.\n' +
        'What was archived is not in it: keep the archive as well, and name it with --archive.\n' +
        'Without the master key it can be neither started nor verified: keep that key elsewhere.',
    },
  ),
  args: {
    target: { type: 'positional', required: true, description: 'The directory to make.' },
    ...DATA_ARG,
    ...ARCHIVE_ARG,
    'include-key': {
      type: 'boolean',
      description: 'Also what opens it: master.key, and a sandbox’s sandbox.json.',
    },
  },
  async run({ args }) {
    const source = dataDirectory(args);
    const target = resolve(args.target);
    if (existsSync(target))
      throw new CliError(`${target} exists already: a backup is a new directory.`);
    if (`${target}/`.startsWith(`${source}/`)) {
      throw new CliError(`${target} lies in ${source} itself, and would be lost with it.`);
    }
    // Under another name until it is proved, so that nobody takes a part for the whole.
    const partial = `${target}.partial`;
    rmSync(partial, { recursive: true, force: true });
    mkdirSync(partial, { recursive: true, mode: PRIVATE_DIRECTORY });
    try {
      await copyUntruncated(source, partial, args['include-key'] === true);
      const ok = await proves(partial, source, archiveDirectory(args));
      if (!ok) throw new CliError(`The copy is not good and was removed; verify ${source} itself.`);
      renameSync(partial, target);
      syncDirectory(resolve(target, '..'));
    } catch (error) {
      rmSync(partial, { recursive: true, force: true });
      throw error;
    }
    print(`${target} is a backup of ${source}.`);
  },
});

/** A server may truncate its journal meanwhile; then the copies do not belong together. */
async function copyUntruncated(source: string, target: string, withKey: boolean): Promise<void> {
  const journal = new NodeDisk(journalDirectory(source));
  const begins = async () => (await readBase(journal))?.nextSeq;
  for (;;) {
    const before = await begins();
    let failure: unknown;
    await copyAll(source, target, withKey).catch((error: unknown) => {
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

async function copyAll(source: string, target: string, withKey: boolean): Promise<void> {
  copyIdentity(source, target);
  copySnapshots(source, target);
  await copyJournal(source, target);
  if (withKey) {
    for (const file of [masterKeyFile(source), sandboxFile(source)]) {
      if (existsSync(file)) copyDurably(file, join(target, basename(file)));
    }
  }
  syncDirectory(target);
}

/** SQLite makes the copy, so it is of one moment whatever is being written. */
function copyIdentity(source: string, target: string): void {
  const from = identityPath(source);
  if (!existsSync(from)) return;
  const to = identityPath(target);
  closeSync(openSync(to, 'wx', 0o600));
  const database = new Database(from, { readonly: true });
  try {
    database.run('PRAGMA busy_timeout = 5000');
    database.query('VACUUM INTO ?').run(to);
  } finally {
    database.close();
  }
  syncFile(to);
}

function copySnapshots(source: string, target: string): void {
  const [from, to] = [snapshotDirectory(source), snapshotDirectory(target)];
  mkdirSync(to, { mode: PRIVATE_DIRECTORY });
  for (const seq of snapshotSeqs(from)) {
    try {
      copyDurably(snapshotPath(from, seq), snapshotPath(to, seq));
    } catch (error) {
      // The server has meanwhile written a newer one and removed this; the journal has it all.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
  syncDirectory(to);
}

/**
 * Reads the journal to its end, which checks it, and copies the files up to that place: bytes
 * before it never change, and what a server appends meanwhile must not be in the copy in part.
 */
async function copyJournal(source: string, target: string): Promise<void> {
  const [from, to] = [journalDirectory(source), journalDirectory(target)];
  mkdirSync(to, { mode: PRIVATE_DIRECTORY });
  const progress = new Progress();
  const reader = openJournalReader(source);
  try {
    const base = await reader.base();
    for await (const records of reader.read(base.nextSeq)) {
      progress.update(() => `reading the journal: ${grouped(records.at(-1)!.firstSeq)} commands`);
    }
    const end = reader.position;
    if (end === undefined) return;
    const all = await listSegments(new NodeDisk(from));
    const segments = all.filter((seq) => seq >= base.nextSeq && seq <= end.segment);
    // Only a journal that was never opened by a version with a base has none.
    const baseFile = join(from, BASE_NAME);
    if (existsSync(baseFile)) copyDurably(baseFile, join(to, BASE_NAME));
    for (const [at, seq] of segments.entries()) {
      progress.update(() => `copying the journal: file ${at + 1} of ${segments.length}`);
      const name = segmentName(seq);
      copyDurably(join(from, name), join(to, name), seq === end.segment ? end.offset : undefined);
    }
  } finally {
    progress.clear();
    await reader.close();
  }
  syncDirectory(to);
}

/** Copies a file, or its first `length` bytes. */
function copyDurably(from: string, to: string, length?: number): void {
  copyFileSync(from, to);
  const file = openSync(to, 'r+');
  try {
    if (length !== undefined && statSync(to).size > length) ftruncateSync(file, length);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function syncFile(path: string): void {
  const file = openSync(path, 'r+');
  fsyncSync(file);
  closeSync(file);
}

async function proves(
  directory: string,
  keyDirectory: string,
  archive: string | null,
): Promise<boolean> {
  const progress = new Progress();
  let ok = true;
  for await (const check of verifyData({
    directory,
    keyDirectory,
    archive,
    onProgress: (text) => progress.update(text),
  })) {
    progress.clear();
    print(checkLine(check));
    ok &&= check.ok;
  }
  return ok;
}
