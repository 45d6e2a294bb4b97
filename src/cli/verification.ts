// Proves a data directory: the journal by its checksums and hash chain, the state by replaying
// every command from the first, and everything else (snapshots, views, audit log, people) against
// that. Nothing is changed.
import { existsSync } from 'node:fs';
import { InvariantError } from '../core/assert.ts';
import { InterestAudit } from '../core/earn/interest-audit.ts';
import { Exchange } from '../core/exchange.ts';
import { checkInvariants } from '../core/invariants.ts';
import type { State } from '../core/state.ts';
import { durabilityEvidence } from '../engine/durability-evidence.ts';
import { journalFacts, unownedUids } from '../engine/identity-facts.ts';
import { emptyState } from '../engine/process-seed.ts';
import { applyRecord } from '../engine/recovery.ts';
import {
  readSnapshot,
  type SnapshotKey,
  snapshotDirectory,
  snapshotPath,
  snapshotSeqs,
} from '../engine/snapshot-store.ts';
import { verifyViews } from '../engine/verify-views.ts';
import { type AuditHead, AuditLog } from '../identity/audit.ts';
import { identityPath } from '../identity/identity.ts';
import { IdentityStore } from '../identity/identity-store.ts';
import type { MasterKey } from '../identity/master-key.ts';
import { IdentityError } from '../identity/refusal.ts';
import { Users, unownedText } from '../identity/users.ts';
import type { FileJournalReader } from '../journal/file-journal-reader.ts';
import { durableSeqOf, JournalError } from '../journal/journal.ts';
import { openJournalReader } from '../journal/open-journal.ts';
import { genesisHash } from '../journal/record.ts';
import { viewsPath } from '../views/view-store.ts';
import { masterKeysOf, snapshotKeysOf } from './data-directory.ts';
import { grouped } from './output.ts';

export interface Check {
  readonly name: string;
  readonly ok: boolean;
  /** What was found. */
  readonly text: string;
}

/** A journal head that was noted elsewhere. */
export interface NotedHead {
  readonly seq: number;
  /** Hex. */
  readonly chainHash: string;
}

export interface VerificationOptions {
  readonly directory: string;
  readonly journalHead?: NotedHead | undefined;
  readonly auditHead?: AuditHead | undefined;
  /** Where the master key is looked for; the directory itself unless given. */
  readonly keyDirectory?: string;
  /** Told now and then what is being done. */
  readonly onProgress?: (text: () => string) => void;
}

/** Where a record of the journal ended when it was replayed. */
interface Mark {
  readonly stateHash: string;
  readonly chainHash: Uint8Array;
}

interface History {
  readonly state: State;
  readonly chainHash: Uint8Array;
  /** By seq, of the snapshots and the noted head. */
  readonly marks: ReadonlyMap<number, Mark>;
  /** Has seen every interest entry. */
  readonly interest: InterestAudit;
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
    yield { name: 'master key', ok: false, text: masterKeys.message };
  }
  const knownKeys = Array.isArray(masterKeys) ? masterKeys : [];
  let history: History | undefined;
  try {
    history = await replay(options, snapshots);
    yield journalCheck(history);
  } catch (error) {
    if (!(error instanceof JournalError || error instanceof InvariantError)) throw error;
    yield { name: 'journal', ok: false, text: error.message };
  }
  if (history !== undefined) {
    if (options.journalHead !== undefined) yield notedHeadCheck(history, options.journalHead);
    yield invariantsCheck(history.state);
    yield interestCheck(history);
    yield* snapshotChecks(directory, snapshots, history, snapshotKeysOf(knownKeys));
    yield await viewsCheck(options, history.state.seq);
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
  { directory, journalHead, onProgress }: VerificationOptions,
  snapshots: readonly number[],
): Promise<History> {
  const exchange = new Exchange(emptyState());
  const { state } = exchange;
  const interest = new InterestAudit();
  const marks = new Map<number, Mark>();
  const wanted = new Set([...snapshots, journalHead?.seq ?? 0]);
  let chainHash = genesisHash();
  const evidence = durabilityEvidence(directory);
  const durable = durableSeqOf(evidence);
  const reader = openJournalReader(directory, evidence);
  try {
    for await (const record of recordsOf(reader, durable)) {
      applyRecord(exchange, record, () => interest.see(exchange.events));
      chainHash = record.chainHash;
      if (wanted.has(state.seq)) marks.set(state.seq, { stateHash: state.stateHash(), chainHash });
      onProgress?.(() => `replaying the journal: ${grouped(state.seq)} commands`);
    }
  } catch (error) {
    if (!(error instanceof InvariantError)) throw error;
    throw new InvariantError(`command ${state.seq} cannot be applied: ${error.message}`);
  } finally {
    await reader.close();
  }
  return { state, chainHash, marks, interest };
}

async function* recordsOf(reader: FileJournalReader, durableSeq: number) {
  for await (const group of reader.read(1, durableSeq)) yield* group;
  for await (const group of reader.read(durableSeq + 1)) yield* group;
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

function journalCheck({ state, chainHash }: History): Check {
  const text =
    `${grouped(state.seq)} commands, every checksum and the hash chain; ` +
    `replayed to state hash ${state.stateHash()}, chain hash ${hex(chainHash)}`;
  return { name: 'journal', ok: true, text };
}

function notedHeadCheck({ state, marks }: History, noted: NotedHead): Check {
  const found = marks.get(noted.seq);
  const name = 'noted head';
  if (found === undefined) {
    const text = `no record ends at seq ${noted.seq}; the journal ends at ${state.seq}`;
    return { name, ok: false, text };
  }
  const ok = hex(found.chainHash) === noted.chainHash.toLowerCase();
  const text = ok
    ? `the journal up to seq ${noted.seq} is the one that was noted`
    : `the journal has chain hash ${hex(found.chainHash)} at seq ${noted.seq}`;
  return { name, ok, text };
}

function invariantsCheck(state: State): Check {
  const name = 'invariants';
  try {
    checkInvariants(state);
    const text = 'every asset sums to zero, holds equal open orders, no book is crossed';
    return { name, ok: true, text };
  } catch (error) {
    if (!(error instanceof InvariantError)) throw error;
    return { name, ok: false, text: error.message };
  }
}

function interestCheck({ state, interest }: History): Check {
  const name = 'interest';
  try {
    interest.finish(state);
  } catch (error) {
    if (!(error instanceof InvariantError)) throw error;
    return { name, ok: false, text: error.message };
  }
  const { entries, subscriptions } = interest;
  const text =
    entries === 0
      ? 'none yet'
      : `${grouped(entries)} entries (${grouped(subscriptions)} subscriptions): every day once, every sum exact`;
  return { name, ok: true, text };
}

function* snapshotChecks(
  directory: string,
  seqs: readonly number[],
  { marks }: History,
  keys: readonly SnapshotKey[],
): Generator<Check> {
  const name = 'snapshot';
  if (seqs.length === 0) yield { name, ok: true, text: 'none yet' };
  for (const seq of seqs) {
    const path = snapshotPath(snapshotDirectory(directory), seq);
    const fault = snapshotFault(path, marks.get(seq), keys);
    const text = fault ?? `seq ${seq} has the state hash of the replay`;
    yield { name, ok: fault === null, text };
  }
}

function snapshotFault(
  path: string,
  mark: Mark | undefined,
  keys: readonly SnapshotKey[],
): string | null {
  let stored: Mark;
  try {
    stored = readSnapshot(path, keys);
  } catch (error) {
    if (error instanceof JournalError) return error.message;
    return `${path} is damaged: ${(error as Error).message}; remove it`;
  }
  if (mark === undefined) return `${path} stands where no record of the journal ends`;
  if (Buffer.compare(stored.chainHash, mark.chainHash) !== 0) {
    return `${path} belongs to another journal`;
  }
  if (stored.stateHash === mark.stateHash) return null;
  return `${path} has state hash ${stored.stateHash}, and the replay ${mark.stateHash}`;
}

/** Views hold nothing that the journal does not. */
const REBUILT = 'remove it, and the next start builds it anew';

async function viewsCheck(
  { directory, onProgress }: VerificationOptions,
  headSeq: number,
): Promise<Check> {
  const name = 'views';
  const path = viewsPath(directory);
  if (!existsSync(path)) return { name, ok: true, text: 'none; the next start builds them' };
  const journal = openJournalReader(directory);
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
      return { name, ok: true, text };
    }
    const where = `${first.table} ${JSON.stringify(first.key)}`;
    const text = `${path} differs from the journal, first in ${where}; ${REBUILT}`;
    return { name, ok: false, text };
  } catch (error) {
    const why = (error as Error).message;
    const text = `${path} cannot be read (${why}); ${REBUILT}`;
    return { name, ok: false, text };
  } finally {
    await journal.close();
  }
}

async function* identityChecks(
  { directory, auditHead }: VerificationOptions,
  state: State | undefined,
  masterKeys: readonly MasterKey[],
): AsyncGenerator<Check> {
  const path = identityPath(directory);
  if (!existsSync(path)) {
    const ok = (state?.seq ?? 0) === 0;
    const text = ok ? 'none yet' : `${path} is missing: restore it from a backup`;
    yield { name: 'people', ok, text };
    return;
  }
  let store: IdentityStore | undefined;
  try {
    const journal = state === undefined ? {} : { journal: journalFacts(state) };
    store = IdentityStore.inspect(path, { masterKeys, now: Date.now, ...journal });
    yield rowsCheck(store, path, masterKeys);
    const verdict = await new AuditLog(store, Date.now).verifyChain(auditHead);
    const text = verdict.ok
      ? `${grouped(verdict.head.id)} entries, the hash chain to ${verdict.head.hash}`
      : verdict.text;
    yield { name: 'audit log', ok: verdict.ok, text };
    if (state !== undefined) yield peopleCheck(new Users(store, Date.now), state);
  } catch (error) {
    const why = (error as Error).message;
    yield { name: 'people', ok: false, text: `${path} cannot be read (${why})` };
  } finally {
    store?.close();
  }
}

function rowsCheck(store: IdentityStore, path: string, masterKeys: readonly MasterKey[]): Check {
  const name = 'identity';
  if (masterKeys.length === 0) {
    return { name, ok: false, text: `${path} is not checked: the master key is missing` };
  }
  try {
    return { name, ok: true, text: store.verify() };
  } catch (error) {
    if (!(error instanceof IdentityError)) throw error;
    return { name, ok: false, text: error.message };
  }
}

function peopleCheck(users: Users, state: State): Check {
  const name = 'people';
  const highest = state.users.length - 1;
  const known = users.highestUid();
  if (known > highest) {
    const text =
      `identity.db knows uid ${known}, and the journal goes up to ${highest}: ` +
      'restore both from one backup';
    return { name, ok: false, text };
  }
  const owned = users.uids();
  const unowned = unownedUids(state, owned);
  if (unowned.length > 0) return { name, ok: false, text: unownedText(unowned) };
  const total = owned.size;
  const nameless = highest - total;
  const rest = nameless === 0 ? '' : `; ${nameless} uids belong to nobody and cannot be used`;
  return { name, ok: true, text: `${grouped(total)} users, all of them in the journal${rest}` };
}
