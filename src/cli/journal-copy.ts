// agio journal copy: moves a stopped venue between the files of one machine and the database of a
// cluster. Records keep their chain, and identity its rows and MAC, so both ends are the same
// venue. It must go on at one of them only.
import { existsSync, mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { fillFiles, recordsAfter } from '../cluster/catch-up.ts';
import { endedLease } from '../cluster/lease-watch.ts';
import { CopyTarget } from '../cluster/postgres/copy-target.ts';
import { PostgresStore } from '../cluster/postgres/postgres-store.ts';
import { KEPT } from '../cluster/store.ts';
import { durabilityEvidence } from '../engine/recovery.ts';
import { identityPath } from '../identity/identity.ts';
import type { MasterKey } from '../identity/master-key.ts';
import type { IdentityImage, IdentityRow, RowTarget } from '../identity/storage/change.ts';
import { IdentityStore } from '../identity/storage/identity-store.ts';
import { IdentityFile } from '../identity/storage/image.ts';
import { PRIVATE_DIRECTORY } from '../identity/storage/private-file.ts';
import type { HistoryReader } from '../journal/history-reader.ts';
import { type JournalHead, lastSeqOf } from '../journal/journal.ts';
import { openFileJournal, openHistory } from '../journal/open-journal.ts';
import { genesisHash, sameBytes } from '../journal/record.ts';
import { markMoved } from '../moved-venue.ts';
import { CliError, command } from './command.ts';
import { DATA_ARG, dataDirectory, masterKeysOf, withLock } from './data-directory.ts';
import { ARCHIVE_ARG, archiveDirectory } from './history.ts';
import { grouped, Progress, print } from './output.ts';
import { runChecks } from './verify.ts';

export const copyCommand = command({
  name: 'copy',
  summary: 'Moves a stopped venue into the empty database of a cluster, or back into files',
  examples: [
    'agio journal copy --to postgres://agio_node@db-1/agio --data /var/lib/agio/data',
    'agio journal copy --from postgres://agio_node@db-1/agio --data /var/lib/agio/single',
  ],
  notes:
    'Copies every command with its hash chain, and users, keys, sessions and audit log with\n' +
    'their MAC; then verifies the copy. A source of files is marked, and starts only with\n' +
    '--accept-moved. The venue must be stopped, and go on at one place only. An interrupted\n' +
    'copy is repeated. Every node needs the master key of the source. Where the older part of\n' +
    'the journal was archived, name it with --archive.',
  args: {
    to: { type: 'string', valueHint: 'URL', description: 'The database, empty and migrated.' },
    from: { type: 'string', valueHint: 'URL', description: 'The database of a stopped cluster.' },
    ...DATA_ARG,
    ...ARCHIVE_ARG,
  },
  run(args) {
    const { to, from } = args;
    if (to !== undefined && from === undefined) {
      const directory = dataDirectory(args);
      return withLock(directory, () => copyTo(to, directory, archiveDirectory(args)));
    }
    if (from !== undefined && to === undefined) return copyFrom(from, newDirectory(args.data));
    throw new CliError('Name the database: --to URL fills it, --from URL copies it to files.');
  },
});

async function copyTo(url: string, directory: string, archive: string | null): Promise<void> {
  const path = identityPath(directory);
  if (!existsSync(path)) throw new CliError(`${path} is missing: restore it from a backup.`);
  const image = verifiedImage(path, masterKeysOf(directory));
  await using store = new PostgresStore({ url, node: 'journal-copy' });
  using target = new CopyTarget(url);
  await using history = openHistory(directory, archive, durabilityEvidence(directory));
  await requireUnused(store, history);
  await target.hold(await heldByCopy(store));
  const head = await sendRecords(history, await store.head(), target);
  await target.addSetAside(await history.setAside());
  markMoved(directory, url, Date.now());
  await target.finish(image);
  await verifyDatabase(store, head, image);
  const commands = `${grouped(head.seq)} commands`;
  print(`The database has the ${commands} and the identity of ${directory}, verified.`);
  print('Start the nodes with empty data directories. This directory starts no more.');
}

/** The identity of a file, after a check of all of it. Throws IdentityError. */
function verifiedImage(path: string, masterKeys: readonly MasterKey[]): IdentityImage {
  using store = IdentityStore.inspect(path, { masterKeys, now: Date.now });
  store.verify();
  return store.image();
}

/** The renewal of the lease that a copy may take: that of an interrupted copy, or of no leader. */
async function heldByCopy(store: PostgresStore): Promise<string> {
  const { lease } = await store.readLease();
  return lease?.renewal === KEPT ? KEPT : endedLease(store);
}

/** Throws CliError unless the database has nothing but the beginning of this venue. */
async function requireUnused(store: PostgresStore, history: HistoryReader): Promise<void> {
  const { seq, chainHash } = await store.head();
  let isBeginning = seq === 0;
  let isPart = false;
  for await (const records of history.read(Math.max(1, seq))) {
    const last = records.find((record) => lastSeqOf(record) === seq);
    isBeginning ||= last !== undefined && sameBytes(last.chainHash, chainHash);
    isPart ||= records.some(({ firstSeq }) => firstSeq > seq);
    if (isPart || !isBeginning) break;
  }
  // A copy writes identity last.
  const isInUse = isPart && (await store.identityVersion()) > 0;
  if (isBeginning && !isInUse) return;
  throw new CliError(
    `The database has another venue, of ${grouped(seq)} commands: choose an empty database.`,
  );
}

/** Sends what comes after `head`; returns the head of the journal. */
async function sendRecords(
  history: HistoryReader,
  head: JournalHead,
  target: CopyTarget,
): Promise<JournalHead> {
  using progress = new Progress();
  let { seq, chainHash } = head;
  for await (const group of history.read(Math.max(1, seq))) {
    const next = group.filter((record) => record.firstSeq > seq);
    const last = next.at(-1);
    if (last === undefined) continue;
    await target.append(next);
    seq = lastSeqOf(last);
    chainHash = last.chainHash;
    progress.update(() => `copying the journal: ${grouped(seq)} commands`);
  }
  return { seq, chainHash };
}

/** Throws CliError where the database differs. */
async function verifyDatabase(
  store: PostgresStore,
  head: JournalHead,
  image: IdentityImage,
): Promise<void> {
  using progress = new Progress();
  const rest = await store.readIdentity(() => new OtherRows(image.rows));
  let end: JournalHead = { seq: 0, chainHash: genesisHash() };
  for await (const record of recordsAfter(store, end)) {
    end = { seq: lastSeqOf(record), chainHash: record.chainHash };
    progress.update(() => `verifying the database: ${grouped(end.seq)} commands`);
  }
  if (end.seq !== head.seq || !sameBytes(end.chainHash, head.chainHash)) {
    throw new CliError('The journal in the database differs: empty the database and copy again.');
  }
  if (rest.count > 0) {
    throw new CliError(
      'The database has another identity than this directory: a cluster has used it since the ' +
        'copy. Choose an empty database.',
    );
  }
}

/** Counts the rows that only one of two identities has. */
class OtherRows implements RowTarget {
  readonly #missing: Set<IdentityRow>;
  #more = 0;

  constructor(rows: readonly IdentityRow[]) {
    this.#missing = new Set(rows);
  }

  take(rows: readonly IdentityRow[]): void {
    for (const row of rows) if (!this.#missing.delete(row)) this.#more++;
  }

  get count(): number {
    return this.#missing.size + this.#more;
  }

  close(): void {}
}

/** Throws CliError where the directory has an identity, which a copy writes last. */
function newDirectory(data: string | undefined): string {
  const directory = resolve(data ?? (process.env.AGIO_DATA || './data'));
  if (!existsSync(identityPath(directory))) return directory;
  throw new CliError(`${directory} has a venue: name a new directory with --data.`);
}

async function copyFrom(url: string, directory: string): Promise<number> {
  await using store = new PostgresStore({ url, node: 'journal-copy' });
  await endedLease(store);
  mkdirSync(directory, { recursive: true, mode: PRIVATE_DIRECTORY });
  await withLock(directory, async (lock) => {
    const path = identityPath(directory);
    const identity = await store.readIdentity((head) => new IdentityFile(head, path));
    await using journal = await openFileJournal(directory, { lock });
    await fillFiles(store, journal, identity.head.journalSeq);
    await journal.addSetAside(await store.setAside());
    identity.save();
  });
  const checks = await runChecks({ directory, archive: null });
  if (!checks.every(({ ok }) => ok)) return 1;
  print(`${directory} is a data directory of one machine. Do not start the cluster again.`);
  return 0;
}
