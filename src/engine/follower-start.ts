// The start of a follower: an exchange at the position of the views, from a snapshot and the
// journal, or at the first command where the views do not belong to the journal.
import { Exchange } from '../core/exchange.ts';
import { JournalError, type JournalRecord, lastSeqOf } from '../journal/journal.ts';
import { HistoryArchived } from '../views/disk-trouble.ts';
import type { ViewStore } from '../views/view-store.ts';
import { applyRecord } from './recovery.ts';
import type { ReplayMark } from './replay-mark.ts';
import {
  emptyState,
  readNewestSnapshot,
  type Snapshots,
  type StoredSnapshot,
} from './snapshot-store.ts';

/** The part of a journal that the follower needs; FileJournalReader is one. */
export interface JournalSource {
  /** See FileJournalReader.read. */
  read(fromSeq: number, uptoSeq?: number): AsyncIterable<JournalRecord[]>;
  /** Throws JournalError `sequence` unless the commands from `seq` on can be read. */
  requireFrom(seq: number): Promise<void>;
  close(): Promise<void>;
}

export interface StartOptions {
  readonly journal: JournalSource;
  readonly snapshots: Snapshots;
  readonly warn: (sentence: string) => void;
  readonly mark?: ReplayMark;
}

export interface Start {
  readonly exchange: Exchange;
  /** The newest snapshot on disk; the follower writes no older ones. */
  readonly snapshotSeq: number;
}

export function fromGenesis({ snapshots, warn }: StartOptions): Start {
  const snapshotSeq = readNewestSnapshot(snapshots, warn)?.seq ?? 0;
  return { exchange: new Exchange(emptyState()), snapshotSeq };
}

/**
 * Brings an exchange to the seq of the views, from the newest snapshot that is not ahead of them,
 * and restores the open orders that have no rows.
 * Returns why the views do not belong to the journal, if they do not.
 */
export async function findStart(options: StartOptions, views: ViewStore): Promise<Start | string> {
  const { snapshots, warn, journal, mark } = options;
  const { appliedSeq } = views;
  const newest = Math.min(appliedSeq, views.openOrdersSeq);
  const stored = newest === 0 ? null : readNewestSnapshot(snapshots, warn, newest);
  const snapshotSeq = stored?.seq ?? 0;
  await requireHistory(journal, Math.max(1, snapshotSeq));
  if (appliedSeq === 0) return fromGenesis(options);
  const exchange = new Exchange(stored?.state ?? emptyState());
  let setAside: number | undefined;
  // From the record of the snapshot on, which shows that both have the same history.
  for await (const group of journal.read(Math.max(1, snapshotSeq))) {
    for (const record of group) {
      const lastSeq = lastSeqOf(record);
      if (lastSeq === snapshotSeq) {
        requireSame(record, stored!);
      } else {
        mark?.at(record.firstSeq);
        const restore = (seq: number): void => {
          views.restore(exchange.events);
          mark?.at(seq + 1);
        };
        applyRecord(exchange, record, restore, appliedSeq);
        mark?.clear();
      }
      setAside ??= record.setAside?.find(({ seq }) => seq <= appliedSeq)?.seq;
      if (lastSeq < appliedSeq) continue;
      if (Buffer.compare(record.chainHash, views.chainHash) !== 0) {
        return `the journal has another record at seq ${appliedSeq}`;
      }
      const stateHash = exchange.state.stateHash();
      if (stateHash === views.stateHash) return { exchange, snapshotSeq };
      if (setAside !== undefined) {
        return `they may have command ${setAside}, which was set aside`;
      }
      return (
        `a follower that had diverged wrote them (state hash ${views.stateHash} at seq ` +
        `${appliedSeq}, the journal comes to ${stateHash})`
      );
    }
  }
  return `they go up to seq ${appliedSeq}, and the journal ends at ${exchange.state.seq}`;
}

/** Throws HistoryArchived when the commands from `seq` on were archived and no archive is named. */
export async function requireHistory(journal: JournalSource, seq: number): Promise<void> {
  try {
    await journal.requireFrom(seq);
  } catch (error) {
    if (!(error instanceof JournalError) || error.kind !== 'sequence') throw error;
    throw new HistoryArchived(error.message);
  }
}

function requireSame(record: JournalRecord, { seq, chainHash }: StoredSnapshot): void {
  if (Buffer.compare(record.chainHash, chainHash) === 0) return;
  throw new JournalError(
    'corrupt',
    `The snapshot at seq ${seq} does not belong to this journal, which has another record there; ` +
      'remove the snapshot.',
  );
}
