// What a kill left behind, read from the disk before anything recovers it: so that the rounds can
// say that they hit what they are about.
import { masterKeysOf, snapshotKeysOf } from '../../src/cli/data-directory.ts';
import { EventFilter } from '../../src/core/event-filter.ts';
import { Exchange } from '../../src/core/exchange.ts';
import { applyRecord } from '../../src/engine/recovery.ts';
import { readNewestSnapshot, snapshotsOf } from '../../src/engine/snapshot-store.ts';
import { openJournalReader } from '../../src/journal/open-journal.ts';

/** Whether the last durable command left a day closed for some subscriptions and not for all. */
export async function isDayHalfClosed(dataDir: string): Promise<boolean> {
  const stored = readNewestSnapshot(
    snapshotsOf(dataDir, snapshotKeysOf(masterKeysOf(dataDir))),
    (sentence) => {
      throw new Error(sentence);
    },
  );
  const exchange = new Exchange(stored?.state, EventFilter.none());
  const snapshotSeq = stored?.seq ?? 0;
  const reader = openJournalReader(dataDir);
  try {
    for await (const records of reader.read(snapshotSeq + 1)) {
      for (const record of records) {
        if (record.firstSeq > snapshotSeq) applyRecord(exchange, record);
      }
    }
  } finally {
    await reader.close();
  }
  return exchange.state.earn.closedUpTo > 0;
}
