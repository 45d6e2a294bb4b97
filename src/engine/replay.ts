// Replays a part of the journal for a subscriber that missed it, in a separate exchange, command by
// command. It reads beside the writer and needs only the data directory.
import { EventFilter } from '../core/event-filter.ts';
import { Exchange } from '../core/exchange.ts';
import { JournalError, lastSeqOf } from '../journal/journal.ts';
import { openJournalReader } from '../journal/open-journal.ts';
import { RecordRun } from './recovery.ts';
import {
  emptyState,
  readNewestSnapshot,
  type SnapshotKey,
  snapshotDirectory,
  snapshotSeqs,
  snapshotsOf,
} from './snapshot-store.ts';

export interface ReplayOptions {
  readonly dataDir: string;
  readonly snapshotKeys: readonly SnapshotKey[];
  /** The last seq that the caller has. */
  readonly fromSeq: number;
  /** The last seq to go to; durable, and the end of a record. */
  readonly uptoSeq: number;
}

export interface ReplayListener {
  /** The state stands at `fromSeq`. */
  begin(exchange: Exchange): void;
  /**
   * A command after `fromSeq` was applied, the last one of its record if `isLast`; its events are
   * valid until the next. Ends the replay by returning false.
   */
  command(exchange: Exchange, isLast: boolean): boolean;
}

/**
 * The first seq that a replay may begin at: 0, or the oldest snapshot that the journal still
 * continues where older commands were archived; null when there is none.
 */
export async function replayableFrom(dataDir: string): Promise<number | null> {
  await using journal = openJournalReader(dataDir);
  const { nextSeq } = await journal.base();
  if (nextSeq === 1) return 0;
  const snapshots = snapshotSeqs(snapshotDirectory(dataDir));
  return snapshots.filter((seq) => seq >= nextSeq).at(-1) ?? null;
}

/** How many commands `replay` would apply to get from the nearest snapshot to its end. */
export function replayLength({
  dataDir,
  fromSeq,
  uptoSeq,
}: Pick<ReplayOptions, 'dataDir' | 'fromSeq' | 'uptoSeq'>): number {
  const snapshot = snapshotSeqs(snapshotDirectory(dataDir)).find((seq) => seq <= fromSeq) ?? 0;
  return uptoSeq - snapshot;
}

/**
 * Tells `listener` of everything after `fromSeq` up to `uptoSeq`; false where the journal does not
 * go back that far any more. Throws what reading the journal throws.
 */
export async function replay(options: ReplayOptions, listener: ReplayListener): Promise<boolean> {
  const { dataDir, snapshotKeys, fromSeq, uptoSeq } = options;
  const snapshots = snapshotsOf(dataDir, snapshotKeys);
  const stored = readNewestSnapshot(snapshots, () => {}, fromSeq);
  const exchange = new Exchange(stored?.state ?? emptyState(), EventFilter.none());
  const { state } = exchange;
  if (state.seq === fromSeq) listener.begin(exchange);
  await using journal = openJournalReader(dataDir);
  try {
    for await (const records of journal.read(state.seq + 1, uptoSeq)) {
      for (const record of records) {
        const run = new RecordRun(exchange, record);
        while (run.next() !== null) {
          if (state.seq === fromSeq) listener.begin(exchange);
          const isLast = state.seq === lastSeqOf(record);
          if (state.seq > fromSeq && !listener.command(exchange, isLast)) return true;
        }
      }
    }
    return true;
  } catch (error) {
    if (error instanceof JournalError && error.kind === 'sequence') return false;
    throw error;
  }
}
