// The follower in its thread, beside a leader that goes on writing: reads see the caller's own
// writes, checkpoints agree, a stop leaves everything in place, and a thread that fails is noticed.
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { Prng } from '../../test/support/prng.ts';
import { listEth, tradeAtRandom } from '../../test/support/trading-workload.ts';
import { Venue } from '../../test/support/venue.ts';
import {
  appendLog,
  replayed,
  SNAPSHOT_KEYS,
  TemporaryDirectory,
} from '../../test/support/view-files.ts';
import { PATIENCE_MS, until } from '../../test/support/waiting.ts';
import { Exchange } from '../core/exchange.ts';
import type { FileJournal } from '../journal/file-journal.ts';
import { journalDirectory, openFileJournal, openJournalReader } from '../journal/open-journal.ts';
import { viewsPath } from '../views/view-store.ts';
import { type Checkpoint, checkpointOf } from './follower.ts';
import { type FollowerHandle, type FollowerStart, startFollower } from './follower-handle.ts';
import { snapshotDirectory, snapshotSeqs } from './snapshot-store.ts';
import { verifyViews } from './verify-views.ts';

let directory: TemporaryDirectory;
let dataDir: string;
let journal: FileJournal;
let venue: Venue;
/** The leader's checkpoint: the state of `venue` that is in the journal. */
let leader: Checkpoint;
let failures: Error[];
let warnings: string[];

beforeEach(async () => {
  directory = new TemporaryDirectory();
  dataDir = directory.path;
  journal = await openFileJournal(dataDir, { segmentBytes: 1024 * 1024 });
  venue = new Venue({ users: 3 });
  listEth(venue);
  leader = checkpointOf(new Exchange());
  failures = [];
  warnings = [];
});
afterEach(async () => {
  await journal.close();
  directory[Symbol.dispose]();
});

const start = (options: Partial<FollowerStart> = {}): FollowerHandle =>
  startFollower({
    dataDir,
    snapshotKeys: SNAPSHOT_KEYS,
    snapshotEvery: 500,
    leader: () => leader,
    orderId: () => 0,
    queueLength: () => 0,
    onFailure: (error) => failures.push(error),
    warn: (sentence) => warnings.push(sentence),
    readDeadlineMs: PATIENCE_MS,
    ...options,
  });

/** Makes the venue's history durable and leaves the leader there. */
async function write(maximum?: number): Promise<void> {
  await appendLog(journal, venue.log, maximum);
  leader = checkpointOf(venue.exchange);
}

const now = { type: 'tickers', now: 0 } as const;

describe('a follower in a thread', () => {
  test('shows every write to a read that names its seq', async () => {
    const follower = start();
    const random = new Prng(1);
    for (let round = 0; round < 30; round++) {
      const order = venue.buy(1, 100, 10);
      tradeAtRandom(venue, random, 20);
      await write();
      follower.notifyDurable(venue.seq);
      const found = await follower.query(
        { type: 'orders', uid: 1, orderId: order, size: 1 },
        venue.seq,
      );
      expect(found).toHaveLength(1);
      expect(follower.appliedSeq).toBe(venue.seq);
      expect(follower.lag).toBe(0);
    }
    await follower.stop();
    expect(failures).toEqual([]);
  });

  test('has the leader’s state, takes snapshots, and stops with everything in place', async () => {
    const follower = start();
    tradeAtRandom(venue, new Prng(2), 2000);
    await write();
    follower.notifyDurable(venue.seq);
    await follower.query(now, venue.seq);
    // One of so many commands, without being asked for it.
    await until(() => snapshotSeqs(snapshotDirectory(dataDir)).length !== 0);
    tradeAtRandom(venue, new Prng(3), 100);
    await write();
    expect(await follower.snapshot()).toEqual(checkpointOf(venue.exchange));
    expect(readdirSync(snapshotDirectory(dataDir))).toHaveLength(2);
    await follower.stop();
    await expect(follower.query(now, 0)).rejects.toThrow('The follower has stopped.');
    const result = await verifyViews({
      viewsPath: viewsPath(dataDir),
      journal: openJournalReader(dataDir),
    });
    expect(result).toMatchObject({ appliedSeq: venue.seq, differences: [] });
    expect(failures).toEqual([]);
  });

  test('that is far behind is stopped in time, and goes on from there', async () => {
    tradeAtRandom(venue, new Prng(3), 4000);
    venue.log.forEach((entry, index) => {
      // Few distinct times, so that the journal is written quickly.
      venue.log[index] = { ...entry, time: venue.time };
    });
    await appendLog(journal, venue.log, 500);
    leader = checkpointOf(replayed(venue.log));
    await start().stop(1);
    expect(warnings[0]).toContain('they go on from there');
    const follower = start();
    await follower.stop(PATIENCE_MS);
    const options = { viewsPath: viewsPath(dataDir), journal: openJournalReader(dataDir) };
    expect(await verifyViews(options)).toMatchObject({ appliedSeq: venue.seq, differences: [] });
  });

  test('turns away a read that it does not get to in time, and goes on', async () => {
    const follower = start({ readDeadlineMs: 1 });
    await write();
    const ahead = venue.seq + 1;
    const error = await follower.query(now, ahead).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ name: 'ViewsUnavailable', reason: 'behind' });
    follower.notifyDurable(venue.seq);
    // Patience is the caller's to choose.
    expect(await follower.query(now, venue.seq, PATIENCE_MS)).toHaveLength(2);
    expect(follower.lagMs).toBe(0);
    await follower.stop();
    expect(failures).toEqual([]);
  });

  test.if(process.platform === 'linux')('gives way to the leader', async () => {
    const follower = start();
    await follower.query(now, 0);
    const niceness = readdirSync('/proc/self/task').map((id) =>
      // Fields after the name, which is in parentheses; niceness is field 19 of all.
      Number(readFileSync(`/proc/self/task/${id}/stat`, 'utf8').split(') ')[1].split(' ')[16]),
    );
    expect(niceness).toContain(10);
    expect(Math.min(...niceness)).toBeLessThan(10);
    await follower.stop();
  });
});

describe('a follower that fails', () => {
  test('while it runs is reported once, and rejects the waiting calls', async () => {
    const follower = start();
    await write();
    leader = { ...leader, seq: venue.seq + 5 };
    follower.notifyDurable(leader.seq);
    await expect(follower.query(now, venue.seq + 5)).rejects.toThrow('is not readable');
    await expect(follower.query(now, 0)).rejects.toThrow('is not readable');
    expect(failures).toHaveLength(1);
  });

  test('when it starts is reported as well', async () => {
    const first = start();
    await write();
    first.notifyDurable(venue.seq);
    await first.stop(PATIENCE_MS);
    await journal.close();
    rmSync(snapshotDirectory(dataDir), { recursive: true });
    const [segment] = readdirSync(journalDirectory(dataDir));
    await Bun.write(`${journalDirectory(dataDir)}/${segment}`, 'no journal');
    const follower = start();
    await expect(follower.query(now, 0)).rejects.toThrow('restore the file from a backup');
    expect(failures[0].message).toContain('restore the file from a backup');
  });
});
