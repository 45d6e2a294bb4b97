// The position at which a process ended: of the command that was worked on, and of no other.
import { expect, test } from 'bun:test';
import { cpSync } from 'node:fs';
import { SimulatedDisk } from '../../test/sim/simulated-disk.ts';
import { Venue } from '../../test/support/venue.ts';
import { appendLog, SNAPSHOT_KEYS, TemporaryDirectory } from '../../test/support/view-files.ts';
import { FileJournal } from '../journal/file-journal.ts';
import { FileJournalReader } from '../journal/file-journal-reader.ts';
import { viewsPath } from '../views/view-store.ts';
import { Follower } from './follower.ts';
import { ReplayMark } from './replay-mark.ts';
import { snapshotsOf } from './snapshot-store.ts';

test('kills between two commits of the views are no fault of a command', async () => {
  using places = new DisposableStack();
  const place = () => places.use(new TemporaryDirectory()).path;
  const disk = new SimulatedDisk({ seed: 1 });
  const venue = new Venue({ users: 3 });
  const journal = await FileJournal.open(disk.mount());
  await appendLog(journal, venue.log);
  await journal.close();
  let dataDir = place();
  for (let kills = 0; kills < 2; kills++) {
    const follower = await Follower.open({
      journal: new FileJournalReader(disk.mount()),
      viewsPath: viewsPath(dataDir),
      snapshots: snapshotsOf(dataDir, SNAPSHOT_KEYS),
      snapshotEvery: 1_000_000,
      onCommitted: () => undefined,
      onFailure: (error) => Promise.reject(error),
      warn: (sentence) => Promise.reject(new Error(sentence)),
      mark: new ReplayMark(dataDir, 'follower'),
    });
    follower.notifyDurable(venue.seq);
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
    // The files as a kill leaves them while commands wait for the next commit.
    const files = place();
    cpSync(dataDir, files, { recursive: true });
    await follower.abandon();
    dataDir = files;
  }
  expect(new ReplayMark(dataDir, 'follower').poison).toBeNull();
});

test('two ends at one command make it suspicious, and a replay that ends well forgets them', () => {
  using directory = new TemporaryDirectory();
  const end = (seq: number): number | null => {
    new ReplayMark(directory.path, 'follower').at(seq);
    return new ReplayMark(directory.path, 'follower').poison;
  };
  expect([end(7), end(8), end(8)]).toEqual([null, null, 8]);
  new ReplayMark(directory.path, 'follower').forget();
  expect(end(8)).toBeNull();
});
