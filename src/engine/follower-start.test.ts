// The start of a follower on views that do not belong to the journal any more.
import { expect, test } from 'bun:test';
import { SimulatedDisk } from '../../test/sim/simulated-disk.ts';
import { Prng } from '../../test/support/prng.ts';
import { tradeAtRandom } from '../../test/support/trading-workload.ts';
import { Venue } from '../../test/support/venue.ts';
import { openFollower, TemporaryDirectory, writeLog } from '../../test/support/view-files.ts';
import { FileJournalReader } from '../journal/file-journal-reader.ts';
import { type JournalRecord, lastSeqOf } from '../journal/journal.ts';
import type { Follower } from './follower.ts';
import type { JournalSource } from './follower-start.ts';

test('views with a command that was set aside later are rebuilt for this reason', async () => {
  using directory = new TemporaryDirectory();
  const disk = new SimulatedDisk({ seed: 1 });
  const venue = new Venue({ users: 3 });
  tradeAtRandom(venue, new Prng(1), 100);
  await writeLog(disk, venue.log);
  const warnings: string[] = [];
  const open = (journal: JournalSource): Promise<Follower> =>
    openFollower(disk, directory.path, {
      journal,
      onFailure: (error) => warnings.push(error.message),
      warn: (sentence) => warnings.push(sentence),
    });

  const before = await open(new FileJournalReader(disk.mount()));
  before.notifyDurable(venue.seq);
  await before.query({ type: 'tickers', now: 0 }, venue.seq);
  await before.abandon();
  expect(warnings).toEqual([]);
  await (await open(setAside(new FileJournalReader(disk.mount()), venue.seq))).abandon();
  const why = `they may have command ${venue.seq}, which was set aside`;
  expect(warnings).toEqual([expect.stringContaining(why)]);
});

/** The journal with its last command set aside. */
function setAside(journal: FileJournalReader, seq: number): JournalSource {
  const mark = (record: JournalRecord): JournalRecord =>
    lastSeqOf(record) === seq ? { ...record, setAside: [{ seq, part: 0 }] } : record;
  return {
    async *read(...range) {
      for await (const records of journal.read(...range)) yield records.map(mark);
    },
    requireFrom: (from) => journal.requireFrom(from),
    close: () => journal.close(),
  };
}
