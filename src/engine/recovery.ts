// Recovery: the state is the newest usable snapshot plus the tail of the journal, and nothing else.
import type { Command } from '../core/command.ts';
import { EventFilter } from '../core/event-filter.ts';
import { Exchange } from '../core/exchange.ts';
import type { Outcome } from '../core/outcome.ts';
import { BatchReader } from '../journal/codec.ts';
import {
  type DurabilityEvidence,
  type Journal,
  JournalError,
  type JournalRecord,
  lastSeqOf,
} from '../journal/journal.ts';
import { appliedSeqOf } from '../views/verify.ts';
import { viewsPath } from '../views/view-store.ts';
import { commandAt, poisonous } from './poisonous-command.ts';
import type { ReplayMark } from './replay-mark.ts';
import {
  emptyState,
  readNewestSnapshot,
  type Snapshots,
  snapshotDirectory,
  snapshotPath,
  snapshotSeqs,
} from './snapshot-store.ts';

export interface RecoveredState {
  readonly exchange: Exchange;
  /** The term of the last leader, 0 when the journal is empty. */
  readonly epoch: number;
  /** Where replay began, 0 from the first command. */
  readonly snapshotSeq: number;
  readonly replayed: number;
}

/** The parts of a start that ends before a command which has ended others. */
export interface Caution {
  readonly mark: ReplayMark;
  readonly dataDir: string;
  /** The commands that were set aside. */
  readonly setAside: readonly number[];
}

/**
 * Brings an exchange to the journal's head. Throws JournalError `corrupt` when a snapshot stands on
 * another history than the journal or is forged, and what `journal.read` throws; with `caution`
 * also PoisonousCommandError, before anything is replayed.
 */
export async function recover(
  journal: Pick<Journal, 'read' | 'head'>,
  snapshots: Snapshots,
  warn: (sentence: string) => void,
  caution?: Caution,
): Promise<RecoveredState> {
  const stored = readNewestSnapshot(snapshots, warn);
  const exchange = new Exchange(stored?.state ?? emptyState(), EventFilter.none());
  const snapshotSeq = stored?.seq ?? 0;
  if (snapshotSeq > journal.head.seq) throw missing(journal.head.seq, snapshotSeq);
  if (caution !== undefined) await requireHarmless(journal, snapshotSeq, caution);
  const mark = caution?.mark;
  exchange.state.onPart = mark === undefined ? null : (part) => mark.part(part);
  let epoch = 0;
  // From the record of the snapshot on, which shows that both have the same history.
  for await (const records of journal.read(Math.max(1, snapshotSeq))) {
    for (const record of records) {
      epoch = Math.max(epoch, record.epoch);
      if (lastSeqOf(record) === snapshotSeq) {
        if (Buffer.compare(record.chainHash, stored!.chainHash) === 0) continue;
        throw foreign(snapshots.directory, snapshotSeq, 'the journal has another record there');
      }
      mark?.at(record.firstSeq);
      applyRecord(exchange, record, mark && ((seq) => mark.at(seq + 1)));
      mark?.clear();
    }
  }
  mark?.forget();
  exchange.state.onPart = null;
  return { exchange, epoch, snapshotSeq, replayed: exchange.state.seq - snapshotSeq };
}

async function requireHarmless(
  journal: Pick<Journal, 'read' | 'head'>,
  snapshotSeq: number,
  { mark: { poison, poisonPart }, dataDir, setAside }: Caution,
): Promise<void> {
  const isReplayed = poison !== null && poison > snapshotSeq && poison <= journal.head.seq;
  if (!isReplayed || setAside.includes(poison)) return;
  throw poisonous(await commandAt(journal, poison, poisonPart), dataDir);
}

/** A command of a record, with its business time in ms. */
export interface AppliedCommand {
  readonly time: number;
  readonly command: Command;
  /** Null for a command that was set aside. */
  readonly outcome: Outcome | null;
}

/** Applies the commands of a record one at a time, each when the caller asks for it. */
export class RecordRun {
  readonly record: JournalRecord;
  readonly #exchange: Exchange;
  readonly #batch: BatchReader;
  /** By seq, with their parts. */
  readonly #setAside: ReadonlyMap<number, number>;
  /** The seq of the next command. */
  #seq: number;

  /** `goesOn`: the exchange has already applied a part of the record. */
  constructor(exchange: Exchange, record: JournalRecord, goesOn = false) {
    this.record = record;
    this.#exchange = exchange;
    this.#batch = new BatchReader(record.payload);
    this.#setAside = new Map(record.setAside?.map(({ seq, part }) => [seq, part]));
    this.#seq = record.firstSeq;
    if (!goesOn) exchange.beginRecord(this.#batch.rules);
    else for (; this.#seq <= exchange.state.seq; this.#seq++) this.#batch.next();
  }

  /** The next command, applied; null after the last one. One that was set aside gets its place. */
  next(): AppliedCommand | null {
    const command = this.#batch.next();
    if (command === null) return null;
    const { time } = this.#batch;
    const seq = this.#seq++;
    const part = this.#setAside.get(seq);
    if (part !== undefined) {
      this.#exchange.skip(seq, time, part);
      return { time, command, outcome: null };
    }
    return { time, command, outcome: this.#exchange.applyNext(seq, time, command) };
  }
}

/**
 * Applies the commands of a record, up to `uptoSeq`; `each` is called after every one, with its
 * events.
 */
export function applyRecord(
  exchange: Exchange,
  record: JournalRecord,
  each: (seq: number, applied: AppliedCommand) => void = () => {},
  uptoSeq = Number.POSITIVE_INFINITY,
): void {
  const run = new RecordRun(exchange, record);
  while (exchange.state.seq < uptoSeq) {
    const applied = run.next();
    if (applied === null) return;
    each(exchange.state.seq, applied);
  }
}

/** A snapshot has durable commands only, so it shows what the journal has lost. */
function missing(headSeq: number, snapshotSeq: number): JournalError {
  return new JournalError(
    'corrupt',
    `Commands ${headSeq + 1} to ${snapshotSeq} are missing from the journal, which a snapshot ` +
      'shows to have had them. Restore the data directory from a backup.',
  );
}

function foreign(directory: string, seq: number, why: string): JournalError {
  return new JournalError(
    'corrupt',
    `The snapshot at seq ${seq} does not belong to this journal: ${why}. Remove it from ` +
      `${directory}, or restore the journal that it was made of.`,
    { file: directory },
  );
}

/**
 * The files beside the journal of this data directory that are made of durable commands only. They
 * distinguish a damaged record from a torn one, which was never acknowledged.
 */
export function durabilityEvidence(dataDir: string): DurabilityEvidence[] {
  const directory = snapshotDirectory(dataDir);
  const views = viewsPath(dataDir);
  return [
    ...snapshotSeqs(directory).map((seq) => ({ files: snapshotPath(directory, seq), seq })),
    // With its -wal and -shm.
    { files: `${views}*`, seq: appliedSeqOf(views) },
  ];
}
