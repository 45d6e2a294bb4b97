// Proves a data directory: the journal by its checksums and hash chain, the state by a replay, and
// snapshots, views, audit log and users against that state. The replay begins at the oldest
// snapshot where the first command was archived and no archive is named. It changes nothing.
import { existsSync } from 'node:fs';
import { recordsAfter } from '../cluster/catch-up.ts';
import type { ClusterStore, IdentityAtSeq } from '../cluster/store.ts';
import { InvariantError } from '../core/assert.ts';
import { InterestAudit } from '../core/earn/interest-audit.ts';
import { Exchange } from '../core/exchange.ts';
import { checkInvariants } from '../core/invariants.ts';
import { SnapshotFormatError } from '../core/snapshot.ts';
import type { State } from '../core/state.ts';
import { unownedUids } from '../engine/identity-facts.ts';
import { applyRecord, durabilityEvidence } from '../engine/recovery.ts';
import {
  emptyState,
  readSnapshot,
  type SnapshotKey,
  snapshotDirectory,
  snapshotPath,
  snapshotSeqs,
} from '../engine/snapshot-store.ts';
import { verifyViews } from '../engine/verify-views.ts';
import { type AuditHead, AuditLog } from '../identity/audit.ts';
import { identityPath } from '../identity/identity.ts';
import type { MasterKey } from '../identity/master-key.ts';
import { IdentityError, MasterKeyError } from '../identity/result.ts';
import { IdentityStore } from '../identity/storage/identity-store.ts';
import type { IdentityCopy } from '../identity/storage/image.ts';
import { Users, unownedText } from '../identity/users.ts';
import type { HistoryReader } from '../journal/history-reader.ts';
import { durableSeqOf, JournalError, lastSeqOf } from '../journal/journal.ts';
import { openHistory } from '../journal/open-journal.ts';
import { genesisHash } from '../journal/record.ts';
import { requireSigned, type SetAside } from '../journal/set-aside.ts';
import { ViewsOfOtherRelease, viewsPath } from '../views/view-store.ts';
import { CliError } from './command.ts';
import { masterKeysOf, snapshotKeysOf } from './data-directory.ts';
import { type Beginning, beginningOf, isAfter } from './history.ts';
import { grouped } from './output.ts';

export interface Check {
  readonly name: string;
  readonly ok: boolean;
  /** True if it fails only because no master key fits; what it would check may be intact. */
  readonly keyMissing?: true;
  /** The result, as a phrase. */
  readonly text: string;
}

const passed = (name: string, text: string): Check => ({ name, ok: true, text });
const failed = (name: string, text: string): Check => ({ name, ok: false, text });
const unchecked = (name: string, text: string): Check => ({
  ...failed(name, text),
  keyMissing: true,
});

/** True if the error says that no master key fits. */
const isOfKey = (error: Error): boolean =>
  error instanceof MasterKeyError || (error instanceof JournalError && error.kind === 'key');

/** Passes with the phrase of `prove`; fails with the message of a fault that it throws. */
function proved(
  name: string,
  Fault: typeof InvariantError | typeof IdentityError | typeof JournalError,
  prove: () => string,
): Check {
  try {
    return passed(name, prove());
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return isOfKey(error) ? unchecked(name, error.message) : failed(name, error.message);
  }
}

/** A journal head that was noted elsewhere. */
export interface NotedHead {
  readonly seq: number;
  /** Hex. */
  readonly chainHash: string;
}

/**
 * The part of a venue that only the database of its cluster has: identity, and the commands that
 * came after those of its journal files.
 */
export interface SharedVenue {
  readonly store: Pick<ClusterStore, 'read' | 'setAside'>;
  /** The journal counts up to the moment of this identity. */
  readonly identity: IdentityCopy<IdentityAtSeq>;
}

export interface VerificationOptions {
  readonly directory: string;
  readonly journalHead?: NotedHead | undefined;
  readonly auditHead?: AuditHead | undefined;
  /** The directory of the journal's archive; null for none. */
  readonly archive?: string | null;
  /** The directory of the master key; `directory` unless given. */
  readonly keyDirectory?: string;
  /** The rest of the venue, for the directory of a node of a cluster. */
  readonly shared?: SharedVenue | undefined;
  /** Receives the progress, now and then. */
  readonly onProgress?: (text: () => string) => void;
}

/** Where a record of the journal ended when it was replayed. */
interface Mark {
  readonly stateHash: string;
  readonly chainHash: Uint8Array;
}

interface History {
  readonly beginning: Beginning;
  readonly state: State;
  readonly chainHash: Uint8Array;
  /** By seq, of the snapshots and the noted head. */
  readonly marks: ReadonlyMap<number, Mark>;
  /** Null when the replay did not begin with the first command. */
  readonly interest: InterestAudit | null;
  readonly setAside: readonly SetAside[];
  /** The last command in the files; the rest is in the database of a cluster. */
  readonly filesSeq: number;
}

/**
 * One check after the other, each as soon as it is known. Without a good journal, what needs it is
 * left out.
 */
export async function* verifyData(options: VerificationOptions): AsyncGenerator<Check> {
  const { directory } = options;
  const snapshots = snapshotSeqs(snapshotDirectory(directory));
  const masterKeys = readMasterKeys(options);
  if (!Array.isArray(masterKeys)) {
    const { message } = masterKeys;
    yield isOfKey(masterKeys) ? unchecked('master key', message) : failed('master key', message);
  }
  const knownKeys = Array.isArray(masterKeys) ? masterKeys : [];
  let history: History | undefined;
  try {
    history = await replay(options, snapshots, snapshotKeysOf(knownKeys));
    yield journalCheck(history);
    if (options.shared !== undefined) yield databaseCheck(history);
  } catch (error) {
    const isFinding =
      error instanceof JournalError || error instanceof InvariantError || error instanceof CliError;
    if (!isFinding) throw error;
    yield isOfKey(error) ? unchecked('journal', error.message) : failed('journal', error.message);
  }
  if (history !== undefined) {
    if (options.journalHead !== undefined) yield notedHeadCheck(history, options.journalHead);
    if (history.setAside.length > 0 && knownKeys.length > 0)
      yield setAsideCheck(history, snapshotKeysOf(knownKeys));
    yield invariantsCheck(history.state);
    yield interestCheck(history);
    yield* snapshotChecks(directory, snapshots, history, snapshotKeysOf(knownKeys));
    yield await viewsCheck(options, history);
  }
  yield* identityChecks(options, history?.state, knownKeys);
}

/** The master keys, or why there are none. */
function readMasterKeys({
  directory,
  keyDirectory = directory,
}: VerificationOptions): MasterKey[] | IdentityError {
  try {
    return masterKeysOf(keyDirectory);
  } catch (error) {
    if (error instanceof IdentityError) return error;
    throw error;
  }
}

async function replay(
  { directory, archive = null, journalHead, shared, onProgress }: VerificationOptions,
  snapshots: readonly number[],
  keys: readonly SnapshotKey[],
): Promise<History> {
  const evidence = durabilityEvidence(directory);
  await using reader = openHistory(directory, archive, evidence);
  const marks = new Map<number, Mark>();
  const wanted = new Set([...snapshots, journalHead?.seq ?? 0]);
  let exchange = new Exchange(emptyState());
  try {
    const beginning = await beginningOf(directory, reader, keys);
    exchange = new Exchange(beginning.snapshot?.state ?? emptyState());
    const { state } = exchange;
    const interest = beginning.snapshot === null ? new InterestAudit() : null;
    let chainHash = genesisHash();
    let filesSeq = 0;
    const files = recordsOf(reader, beginning.firstSeq, durableSeqOf(evidence));
    const all = async function* () {
      yield* files;
      filesSeq = state.seq;
      if (shared === undefined) return;
      const { store, identity } = shared;
      yield* recordsAfter(store, { seq: filesSeq, chainHash }, identity.head.journalSeq);
    };
    for await (const record of all()) {
      chainHash = record.chainHash;
      if (isAfter(beginning, record)) {
        applyRecord(exchange, record, () => interest?.see(exchange.events));
      }
      const lastSeq = lastSeqOf(record);
      if (wanted.has(lastSeq) && lastSeq === state.seq) {
        marks.set(lastSeq, { stateHash: state.stateHash(), chainHash });
      }
      onProgress?.(() => `replaying the journal: ${grouped(state.seq)} commands`);
    }
    const setAside = (await shared?.store.setAside()) ?? (await reader.setAside());
    return { beginning, state, chainHash, marks, interest, setAside, filesSeq };
  } catch (error) {
    if (!(error instanceof InvariantError)) throw error;
    throw new InvariantError(`command ${exchange.state.seq} cannot be applied: ${error.message}`);
  }
}

async function* recordsOf(reader: HistoryReader, firstSeq: number, durableSeq: number) {
  for await (const group of reader.read(firstSeq, durableSeq)) yield* group;
  for await (const group of reader.read(Math.max(firstSeq, durableSeq + 1))) yield* group;
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

/** The remedy for a check that needs archived commands. */
const NAME_ARCHIVE = 'name the archive with --archive DIR to prove it';

function journalCheck({ beginning, state, chainHash }: History): Check {
  const { firstSeq, snapshot } = beginning;
  const stateHash = state.stateHash();
  const checks = 'every checksum and the hash chain; replayed';
  const reached = `to state hash ${stateHash}, chain hash ${hex(chainHash)}`;
  const text =
    snapshot === null
      ? `${grouped(state.seq)} commands, ${checks} ${reached}`
      : `commands ${grouped(firstSeq)} to ${grouped(state.seq)}, ${checks} from the snapshot at ` +
        `seq ${snapshot.seq} ${reached}. What came before was archived: ${NAME_ARCHIVE}`;
  return passed('journal', text);
}

function databaseCheck({ state, filesSeq }: History): Check {
  const rest = grouped(state.seq - filesSeq);
  return passed(
    'database',
    `the files are the beginning of its journal, which has ${rest} commands after them`,
  );
}

function notedHeadCheck({ beginning, state, marks }: History, { seq, chainHash }: NotedHead) {
  const name = 'noted head';
  if (seq < (beginning.snapshot?.seq ?? 0)) {
    return failed(name, `command ${seq} was archived: ${NAME_ARCHIVE}`);
  }
  const mark = marks.get(seq);
  if (mark === undefined) {
    return failed(name, `no record ends at seq ${seq}; the journal ends at ${state.seq}`);
  }
  const found = hex(mark.chainHash);
  return found === chainHash.toLowerCase()
    ? passed(name, `the journal up to seq ${seq} is the one that was noted`)
    : failed(name, `the journal has chain hash ${found} at seq ${seq}`);
}

function setAsideCheck({ setAside }: History, keys: readonly SnapshotKey[]): Check {
  return proved('set aside', JournalError, () => {
    requireSigned(setAside, keys);
    const commands = setAside.map(({ seq, command, reason }) => `${seq} (${command}): ${reason}`);
    return `without effect: ${commands.join('; ')}`;
  });
}

function invariantsCheck(state: State): Check {
  return proved('invariants', InvariantError, () => {
    checkInvariants(state);
    return 'every asset sums to zero, holds equal open orders, no book is crossed';
  });
}

function interestCheck({ state, interest }: History): Check {
  const name = 'interest';
  if (interest === null) {
    return passed(name, `not proved, since older entries were archived: ${NAME_ARCHIVE}`);
  }
  return proved(name, InvariantError, () => {
    interest.finish(state);
    const { entries, subscriptions } = interest;
    if (entries === 0) return 'none yet';
    const counted = `${grouped(entries)} entries (${grouped(subscriptions)} subscriptions)`;
    return `${counted}: every day once, every sum exact`;
  });
}

function* snapshotChecks(
  directory: string,
  seqs: readonly number[],
  { marks }: History,
  keys: readonly SnapshotKey[],
): Generator<Check> {
  const name = 'snapshot';
  if (seqs.length === 0) yield passed(name, 'none yet');
  for (const seq of seqs) {
    const path = snapshotPath(snapshotDirectory(directory), seq);
    yield snapshotCheck(path, seq, marks.get(seq), keys);
  }
}

function snapshotCheck(
  path: string,
  seq: number,
  mark: Mark | undefined,
  keys: readonly SnapshotKey[],
): Check {
  const name = 'snapshot';
  let stored: Mark;
  try {
    stored = readSnapshot(path, keys);
  } catch (error) {
    if (error instanceof JournalError) {
      return error.kind === 'key' ? unchecked(name, error.message) : failed(name, error.message);
    }
    const why = (error as Error).message;
    if (error instanceof SnapshotFormatError) {
      return passed(name, `seq ${seq} was not compared, since ${why}; a start passes over it`);
    }
    return failed(name, `${path} is damaged: ${why}; remove it`);
  }
  const fault = snapshotFault(path, stored, mark);
  return fault === null
    ? passed(name, `seq ${seq} has the state hash of the replay`)
    : failed(name, fault);
}

function snapshotFault(path: string, stored: Mark, mark: Mark | undefined): string | null {
  if (mark === undefined) return `${path} stands where no record of the journal ends`;
  if (Buffer.compare(stored.chainHash, mark.chainHash) !== 0) {
    return `${path} belongs to another journal`;
  }
  if (stored.stateHash === mark.stateHash) return null;
  return `${path} has state hash ${stored.stateHash}, and the replay ${mark.stateHash}`;
}

/** Everything in the views is derived from the journal. */
const REBUILT = 'remove it, and the next start rebuilds it';

async function viewsCheck(
  { directory, archive = null, onProgress }: VerificationOptions,
  { beginning, state }: History,
): Promise<Check> {
  const name = 'views';
  const path = viewsPath(directory);
  const isWhole = beginning.snapshot === null;
  if (!existsSync(path)) {
    const start = isWhole ? 'the next start' : 'a start with --archive DIR';
    return passed(name, `none; ${start} builds them`);
  }
  if (!isWhole) {
    return passed(name, `not compared, since the journal is not whole: ${NAME_ARCHIVE}`);
  }
  const headSeq = state.seq;
  await using journal = openHistory(directory, archive);
  try {
    const { appliedSeq, rows, differences } = await verifyViews({
      viewsPath: path,
      journal,
      onProgress: (seq, uptoSeq) =>
        onProgress?.(() => `rebuilding the views: ${grouped(seq)} of ${grouped(uptoSeq)} commands`),
    });
    const [first] = differences;
    if (first === undefined) {
      const rest = appliedSeq < headSeq ? `; the next start adds up to seq ${headSeq}` : '';
      const text = `${grouped(rows)} rows up to seq ${appliedSeq} are those of the journal${rest}`;
      return passed(name, text);
    }
    const where = `${first.table} ${JSON.stringify(first.key)}`;
    return failed(name, `${path} differs from the journal, first in ${where}; ${REBUILT}`);
  } catch (error) {
    const why = (error as Error).message;
    if (error instanceof ViewsOfOtherRelease) {
      return passed(
        name,
        `not compared, since ${why}; the next start of this release rebuilds them`,
      );
    }
    return failed(name, `${path} cannot be read (${why}); ${REBUILT}`);
  }
}

async function* identityChecks(
  { directory, auditHead, shared }: VerificationOptions,
  state: State | undefined,
  masterKeys: readonly MasterKey[],
): AsyncGenerator<Check> {
  const path = shared === undefined ? identityPath(directory) : 'the identity in the database';
  if (shared === undefined && !existsSync(path)) {
    yield (state?.seq ?? 0) === 0
      ? passed('people', 'none yet')
      : failed('people', `${path} is missing: restore it from a backup`);
    return;
  }
  try {
    const users = state === undefined ? {} : { journalUsers: state.users.length - 1 };
    const terms = { masterKeys, now: Date.now, ...users };
    using store =
      shared === undefined
        ? IdentityStore.inspect(path, terms)
        : IdentityStore.of(shared.identity, terms);
    yield rowsCheck(store, path, masterKeys);
    const chain = await new AuditLog(store, Date.now).verifyChain(auditHead);
    if (chain.ok) {
      const { id, hash } = chain.value;
      yield passed('audit log', `${grouped(id)} entries, the hash chain to ${hash}`);
    } else {
      yield failed('audit log', chain.text);
    }
    if (state !== undefined) yield peopleCheck(new Users(store, Date.now), state);
  } catch (error) {
    yield failed('people', `${path} cannot be read (${(error as Error).message})`);
  }
}

function rowsCheck(store: IdentityStore, path: string, masterKeys: readonly MasterKey[]): Check {
  const name = 'identity';
  if (masterKeys.length === 0) {
    return unchecked(name, `${path} was not checked: no usable master key was given`);
  }
  return proved(name, IdentityError, () => store.verify());
}

function peopleCheck(users: Users, state: State): Check {
  const name = 'people';
  const highest = state.users.length - 1;
  const known = users.highestUid();
  if (known > highest) {
    return failed(
      name,
      `identity.db knows uid ${known}, and the journal goes up to ${highest}: ` +
        'restore both from one backup',
    );
  }
  const owned = users.uids();
  const unowned = unownedUids(state, owned);
  if (unowned.length > 0) return failed(name, unownedText(unowned));
  const nameless = highest - owned.size;
  const rest = nameless === 0 ? '' : `; ${nameless} uids belong to nobody and cannot be used`;
  return passed(name, `${grouped(owned.size)} users, all of them in the journal${rest}`);
}
