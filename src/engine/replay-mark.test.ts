// The position at which a process ended: of the command that was worked on, and of no other.
import { expect, test } from 'bun:test';
import { cpSync } from 'node:fs';
import { SimulatedDisk } from '../../test/sim/simulated-disk.ts';
import { Venue } from '../../test/support/venue.ts';
import { openFollower, TemporaryDirectory, writeLog } from '../../test/support/view-files.ts';
import { ReplayMark } from './replay-mark.ts';

test('kills between two commits of the views are no fault of a command', async () => {
  using places = new DisposableStack();
  const place = () => places.use(new TemporaryDirectory()).path;
  const disk = new SimulatedDisk({ seed: 1 });
  const venue = new Venue({ users: 3 });
  await writeLog(disk, venue.log);
  let dataDir = place();
  for (let kills = 0; kills < 2; kills++) {
    const mark = new ReplayMark(dataDir, 'follower');
    const follower = await openFollower(disk, dataDir, { mark });
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
