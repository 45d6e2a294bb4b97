// Recovery: the state is the newest usable snapshot plus the tail of the journal, and nothing else.
import type { Command } from '../core/command.ts';
import { EventFilter } from '../core/event-filter.ts';
import { Exchange } from '../core/exchange.ts';
import type { Outcome } from '../core/outcome.ts';
import { decodeBatch } from '../journal/codec.ts';
import {
  type DurabilityEvidence,
  type Journal,
  JournalError,
  type JournalRecord,
  lastSeqOf,
} from '../journal/journal.ts';
import { appliedSeqOf } from '../views/verify.ts';
import { viewsPath } from '../views/view-store.ts';
import {
  emptyState,
  readNewestSnapshot,
  type Snapshots,
  snapshotDirectory,
  snapshotPath,
  snapshotSeqs,
} from './snapshot-store.ts';

export interface Recovered {
  readonly exchange: Exchange;
  /** The term of the last leader, 0 when the journal is empty. */
  readonly epoch: number;
  /** Where replay began, 0 from the first command. */
  readonly snapshotSeq: number;
  readonly replayed: number;
}

/**
 * Brings an exchange to the journal's head. Throws JournalError `corrupt` when a snapshot stands on
 * another history than the journal or is forged, and what `journal.read` throws.
 */
export async function recover(
  journal: Pick<Journal, 'read' | 'head'>,
  snapshots: Snapshots,
  warn: (sentence: string) => void,
): Promise<Recovered> {
  const stored = readNewestSnapshot(snapshots, warn);
  const exchange = new Exchange(stored?.state ?? emptyState(), EventFilter.none());
  const snapshotSeq = stored?.seq ?? 0;
  if (snapshotSeq > journal.head.seq) throw missing(journal.head.seq, snapshotSeq);
  let epoch = 0;
  // From the record of the snapshot on, which shows that both have the same history.
  for await (const records of journal.read(Math.max(1, snapshotSeq))) {
    for (const record of records) {
      epoch = Math.max(epoch, record.epoch);
      if (lastSeqOf(record) === snapshotSeq) {
        if (Buffer.compare(record.chainHash, stored!.chainHash) === 0) continue;
        throw foreign(snapshots.directory, snapshotSeq, 'the journal has another record there');
      }
      applyRecord(exchange, record);
    }
  }
  return { exchange, epoch, snapshotSeq, replayed: exchange.state.seq - snapshotSeq };
}

/** A command of a record, with its business time in ms. */
export interface Applied {
  readonly time: number;
  readonly command: Command;
  readonly outcome: Outcome;
}

/** Applies the commands of a record; `each` is called after every one, with its events. */
export function applyRecord(
  exchange: Exchange,
  record: JournalRecord,
  each: (seq: number, applied: Applied) => void = () => {},
): void {
  const { rules, time, commands } = decodeBatch(record.payload);
  exchange.state.rules = rules;
  let seq = record.firstSeq;
  for (const command of commands) {
    const outcome = exchange.apply(seq, time, command);
    each(seq, { time, command, outcome });
    seq++;
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
