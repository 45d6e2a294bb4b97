// Brings a node to the end of the shared journal: first its files, then its state.
import type { Command } from '../core/command.ts';
import type { Outcome } from '../core/outcome.ts';
import type { Engine } from '../engine/engine.ts';
import type { FileJournal } from '../journal/file-journal.ts';
import {
  JournalError,
  type JournalHead,
  type JournalRecord,
  lastSeqOf,
} from '../journal/journal.ts';
import { nextChainHash, sameBytes } from '../journal/record.ts';
import type { SetAside } from '../journal/set-aside.ts';
import { type ClusterStore, type Leader, StoreError } from './store.ts';

/** About so much is read and applied before the next read. */
const READ_BYTES = 4 * 1024 * 1024;

export type EachCommand = (command: Command, outcome: Outcome) => void;

type Files = Pick<FileJournal, 'head' | 'append'>;
type Source = Pick<ClusterStore, 'read' | 'head'>;

/** Appends a durable record to the files. Throws JournalError `corrupt` where they differ. */
export async function keep(files: Files, record: JournalRecord): Promise<void> {
  const { seq } = files.head;
  if (lastSeqOf(record) < seq) return;
  const { chainHash } = lastSeqOf(record) === seq ? files.head : await files.append(record);
  if (sameBytes(chainHash, record.chainHash)) return;
  throw differs(record.firstSeq);
}

/**
 * The records after `head`, the end of a node's files, up to command `endSeq`. Throws JournalError
 * `corrupt` where the files are not the beginning of the shared journal, or its chain is broken.
 */
export async function* recordsAfter(
  store: Pick<ClusterStore, 'read'>,
  head: JournalHead,
  endSeq = Number.POSITIVE_INFINITY,
): AsyncGenerator<JournalRecord> {
  let { seq, chainHash } = head;
  for (;;) {
    // From the last record of the files on, which shows that both have the same history.
    const records = await store.read(Math.max(1, seq), READ_BYTES);
    const last = records.find((record) => lastSeqOf(record) === seq);
    if (seq > 0 && (last === undefined || !sameBytes(last.chainHash, chainHash))) {
      throw differs(seq);
    }
    const next = records.filter(({ firstSeq }) => firstSeq > seq);
    if (next.length === 0) return;
    for (const record of next) {
      chainHash = nextChainHash(chainHash, record);
      if (!sameBytes(record.chainHash, chainHash)) throw differs(record.firstSeq);
      if (lastSeqOf(record) > endSeq) return;
      seq = lastSeqOf(record);
      yield record;
    }
  }
}

/**
 * Appends what the files lack of the journal up to command `endSeq`. Throws JournalError `corrupt`
 * where they are not the beginning of the shared journal.
 */
export async function fillFiles(store: Source, files: Files, endSeq?: number): Promise<void> {
  requireBeginning(files.head, await store.head());
  for await (const record of recordsAfter(store, files.head, endSeq)) {
    await files.append(record);
  }
}

/** The commands that the cluster has set aside, and the files not. */
export async function newlySetAside(
  store: Pick<ClusterStore, 'setAside'>,
  files: Pick<FileJournal, 'setAside'>,
): Promise<SetAside[]> {
  const [shared, known] = [await store.setAside(), await files.setAside()];
  return shared.filter(({ seq }) => !known.some((one) => one.seq === seq));
}

/**
 * Sets aside in the files what the cluster has set aside. Throws JournalError `corrupt` where this
 * process has applied such a command: its next start does not.
 */
export async function adoptSetAside(
  store: Pick<ClusterStore, 'setAside'>,
  files: Pick<FileJournal, 'setAside' | 'addSetAside'>,
  appliedSeq: number,
): Promise<void> {
  const added = await newlySetAside(store, files);
  const applied = added.find(({ seq }) => seq <= appliedSeq);
  if (applied === undefined) return files.addSetAside(added);
  throw new JournalError(
    'corrupt',
    `Command ${applied.seq} was set aside and this node has applied it: start the node again.`,
  );
}

function requireBeginning(own: JournalHead, shared: JournalHead): void {
  if (own.seq > shared.seq) {
    throw foreign(`go up to command ${own.seq}, and the database ends at ${shared.seq}`);
  }
}

/** Applies the shared journal up to its end, and appends it to the files. */
export async function catchUp(
  store: Pick<ClusterStore, 'read'>,
  files: Files,
  apply: { readonly engine: Engine; readonly each: EachCommand },
): Promise<void> {
  const { engine, each } = apply;
  for (;;) {
    const records = await store.read(engine.seq + 1, READ_BYTES);
    if (records.length === 0) return;
    for (const record of records) {
      await keep(files, record);
      engine.applyRecord(record, each);
    }
  }
}

/**
 * Rejects with a StoreError where two leaders in a row may have ended at commands that this process
 * has not applied: the one that wrote them, and one after it that wrote nothing. A restarted node
 * that survives them leads, and so does this one when they were set aside.
 */
export async function requireHarmless(
  store: Pick<ClusterStore, 'head' | 'read' | 'setAside'>,
  lease: Leader | null,
  appliedSeq: number,
): Promise<void> {
  const { seq } = await store.head();
  if (lease === null || seq <= appliedSeq) return;
  const last = (await store.read(seq, 1)).at(-1);
  if (last === undefined || last.epoch >= lease.epoch) return;
  if ((await store.setAside()).some((entry) => entry.seq > appliedSeq)) return;
  throw new StoreError(
    'rejected',
    `Two leaders ended at commands ${appliedSeq + 1} to ${seq}, which this node has not applied, ` +
      'so it does not lead. Start the other nodes: if they end again, their fourth start names ' +
      'the command. Restart this node to make it try.',
  );
}

const differs = (seq: number): JournalError => foreign(`differ from it at command ${seq}`);

const foreign = (why: string): JournalError =>
  new JournalError(
    'corrupt',
    `The journal files of this node are not those of the cluster's database: they ${why}. ` +
      'Was the database restored from an older backup, or is it the wrong one? To take the ' +
      'journal of the database, start this node with an empty data directory.',
  );
