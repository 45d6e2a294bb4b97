// agio journal: moves the older part of the journal to an archive, and back. Archiving works beside
// a running server: this process copies and verifies, the server removes what it does not need.
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { stringify } from '../contract/json.ts';
import { durabilityEvidence } from '../engine/recovery.ts';
import {
  readSnapshot,
  snapshotDirectory,
  snapshotPath,
  snapshotSeqs,
} from '../engine/snapshot-store.ts';
import { type Truncation, truncateArchived } from '../engine/truncation.ts';
import { IdentityError } from '../identity/result.ts';
import { archiveSegments, type CopiedSegments, restoreSegments } from '../journal/archive.ts';
import { type DataLock, lockArchive, lockDataDirectory } from '../journal/data-lock.ts';
import { JournalError } from '../journal/journal.ts';
import { NodeDisk } from '../journal/node-disk.ts';
import { journalDirectory, openFileJournal } from '../journal/open-journal.ts';
import type { ChainPoint } from '../journal/record.ts';
import { appliedSeqOf } from '../views/verify.ts';
import { viewsPath } from '../views/view-store.ts';
import { CliError, command, group } from './command.ts';
import {
  DATA_ARG,
  dataDirectory,
  masterKeysOf,
  snapshotKeysOf,
  withLock,
} from './data-directory.ts';
import { copyCommand } from './journal-copy.ts';
import { skipCommand } from './journal-skip.ts';
import { grouped, Progress, print } from './output.ts';
import { SERVER_ARGS, Server } from './server.ts';

const archive = command({
  name: 'archive',
  summary: 'Copies closed journal files to an archive, verifies them there, then removes them here',
  examples: [
    'agio journal archive --to /mnt/archive',
    'agio journal archive --to /mnt/archive --data DIR',
  ],
  notes:
    'Works while the server runs, with its operator token, and while it is stopped. The files\n' +
    'that both kept snapshots need stay. A second run adds only what is new; one that was\n' +
    'interrupted is repeated. The archive is part of the history: keep it as safe as the\n' +
    'journal, and name it with --archive where history is rebuilt or proved.',
  args: {
    to: {
      type: 'string',
      valueHint: 'DIR',
      required: true,
      description: 'The archive, the same directory each time.',
    },
    ...SERVER_ARGS,
    ...DATA_ARG,
    'keep-journal': { type: 'boolean', description: 'Copy and verify only; remove nothing.' },
  },
  async run(args) {
    const directory = dataDirectory(args);
    const target = outside(directory, args.to);
    using lock = lockUnlessServed(directory);
    const copied = await copyClosed(directory, target);
    const keeps = args['keep-journal'] === true;
    const removal = keeps
      ? { firstSeq: null, why: null }
      : await truncate(directory, copied.archived, lock, () => new Server(args));
    const lastSeq = copied.archived.nextSeq - 1;
    if (args.json === true) {
      print(stringify({ archive: target, copied: copied.copied, lastSeq, ...removal }));
      return;
    }
    print(
      `${target} has every command up to ${grouped(lastSeq)}, verified; ` +
        `${grouped(copied.copied)} files were added.`,
    );
    if (removal.firstSeq !== null) {
      print(`The journal begins at command ${grouped(removal.firstSeq)}.`);
    }
    if (removal.why !== null) print(`Nothing was removed from the journal: ${removal.why}`);
  },
});

const restore = command({
  name: 'restore',
  summary: 'Copies archived journal files back, after which the journal is whole again',
  examples: ['agio journal restore --from /mnt/archive --data /srv/agio'],
  notes: 'The server must be stopped. The archive stays as it is.',
  args: {
    from: { type: 'string', valueHint: 'DIR', required: true, description: 'The archive.' },
    ...DATA_ARG,
  },
  async run(args) {
    const directory = dataDirectory(args);
    const source = resolve(args.from);
    if (!existsSync(source)) throw new CliError(`There is no archive ${source}.`);
    const { copied, archived } = await withLock(directory, async () => {
      const journal = await NodeDisk.create(journalDirectory(directory));
      using progress = new Progress();
      return await restoreSegments(new NodeDisk(source), journal, (done, all) =>
        progress.update(() => `restoring: file ${done + 1} of ${all}`),
      );
    });
    print(
      `${grouped(copied)} files were restored; the journal begins at command ${archived.nextSeq}.`,
    );
  },
});

/** The archive's path. Throws CliError when it is in the data directory. */
function outside(directory: string, chosen: string): string {
  const target = resolve(chosen);
  if (!`${target}/`.startsWith(`${directory}/`)) return target;
  throw new CliError(`${target} lies in ${directory} itself: choose a directory on another disk.`);
}

/** The lock on a data directory; null when a server has it. */
function lockUnlessServed(directory: string): DataLock | null {
  try {
    return lockDataDirectory(directory);
  } catch (error) {
    if (error instanceof JournalError && error.kind === 'locked') return null;
    throw error;
  }
}

async function copyClosed(directory: string, target: string): Promise<CopiedSegments> {
  const archiveDisk = await NodeDisk.create(target);
  using _lock = lockArchive(target);
  using progress = new Progress();
  const journal = new NodeDisk(journalDirectory(directory));
  return await archiveSegments(journal, archiveDisk, (done, all) =>
    progress.update(() => `archiving: file ${done + 1} of ${all}`),
  );
}

interface Removal {
  /** Where the journal begins now; null when nothing could be removed. */
  readonly firstSeq: number | null;
  readonly why: string | null;
}

/** Removes archived segments; a running server does it itself. */
async function truncate(
  directory: string,
  archived: ChainPoint,
  lock: DataLock | null,
  server: () => Server,
): Promise<Removal> {
  try {
    const fault = snapshotFault(directory);
    if (fault !== null) return { firstSeq: null, why: fault };
    const done =
      lock === null
        ? { firstSeq: await truncateByServer(server(), archived) }
        : await truncateHere(directory, archived, lock);
    return 'firstSeq' in done
      ? { firstSeq: done.firstSeq, why: null }
      : { firstSeq: null, why: done.rejected };
  } catch (error) {
    if (!(error instanceof CliError || error instanceof IdentityError)) throw error;
    return { firstSeq: null, why: error.message };
  }
}

async function truncateByServer(server: Server, archived: ChainPoint): Promise<number> {
  const body = {
    seq: archived.nextSeq - 1,
    chainHash: Buffer.from(archived.chainHash).toString('hex'),
  };
  const answer = await server.call('truncateJournal', body);
  return Number(answer.row.firstSeq);
}

async function truncateHere(
  directory: string,
  archived: ChainPoint,
  lock: DataLock,
): Promise<Truncation> {
  const evidence = durabilityEvidence(directory);
  await using journal = await openFileJournal(directory, { lock, evidence });
  return await truncateArchived(journal, {
    archived,
    snapshots: snapshotSeqs(snapshotDirectory(directory)),
    viewsSeq: appliedSeqOf(viewsPath(directory)),
  });
}

/** Why a start could not use the snapshots, or null. */
function snapshotFault(directory: string): string | null {
  const snapshots = snapshotDirectory(directory);
  const keys = snapshotKeysOf(masterKeysOf(directory));
  for (const seq of snapshotSeqs(snapshots)) {
    const path = snapshotPath(snapshots, seq);
    try {
      readSnapshot(path, keys);
    } catch (error) {
      // The server has taken a newer one and removed this.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') continue;
      return `${path} is not usable (${(error as Error).message}).`;
    }
  }
  return null;
}

export const journalCommand = group(
  'journal',
  'Archives, restores, moves and repairs the journal',
  [archive, restore, copyCommand, skipCommand],
);
