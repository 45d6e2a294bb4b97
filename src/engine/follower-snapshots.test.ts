// How often the follower writes a snapshot: a large one never takes more bytes than the journal.
import { expect, test } from 'bun:test';
import { SimulatedDisk } from '../../test/sim/simulated-disk.ts';
import { Prng } from '../../test/support/prng.ts';
import { tradeAtRandom, tradedVenue } from '../../test/support/trading-workload.ts';
import { openFollower, TemporaryDirectory, writeLog } from '../../test/support/view-files.ts';
import { checkpointOf, SMALL_SNAPSHOT } from './follower.ts';
import { snapshotDirectory, snapshotSeqs } from './snapshot-store.ts';

const ROUNDS = 60;

/** The snapshots of a follower that may write one after each round. */
async function snapshotsOfRounds(smallSnapshot: number): Promise<number> {
  using directory = new TemporaryDirectory();
  const disk = new SimulatedDisk({ seed: 1 });
  const venue = tradedVenue(1, 100);
  const follower = await openFollower(disk, directory.path, { snapshotEvery: 10, smallSnapshot });
  const seqs = new Set<number>();
  for (let round = 0; round < ROUNDS; round++) {
    tradeAtRandom(venue, new Prng(round), 12);
    await writeLog(disk, venue.log);
    follower.follow(checkpointOf(venue.exchange));
    await follower.query({ type: 'tickers', now: 0 }, venue.seq);
    seqs.add(snapshotSeqs(snapshotDirectory(directory.path))[0]);
  }
  await follower.abandon();
  return seqs.size;
}

test('a small snapshot is followed by the next one after so many commands', async () => {
  expect(await snapshotsOfRounds(SMALL_SNAPSHOT)).toBe(ROUNDS);
});

test('a large snapshot is followed by the next one after as many journal bytes', async () => {
  const count = await snapshotsOfRounds(0);
  expect(count).toBeGreaterThan(2);
  expect(count).toBeLessThan(ROUNDS / 2);
});
