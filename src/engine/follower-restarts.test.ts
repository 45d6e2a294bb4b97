// Writes of views and snapshots that the disk rejects: the follower reports them, rejects reads,
// and continues when the disk works again. The process does not fail.
import { afterEach, beforeEach, describe, expect, spyOn, test } from 'bun:test';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { SimulatedDisk } from '../../test/sim/simulated-disk.ts';
import { Prng } from '../../test/support/prng.ts';
import { tradeAtRandom, tradedVenue } from '../../test/support/trading-workload.ts';
import type { Venue } from '../../test/support/venue.ts';
import { SNAPSHOT_KEYS, TemporaryDirectory, writeLog } from '../../test/support/view-files.ts';
import { until } from '../../test/support/waiting.ts';
import { FileJournalReader } from '../journal/file-journal-reader.ts';
import { ViewStore, viewsPath } from '../views/view-store.ts';
import { checkpointOf } from './follower.ts';
import { FollowerRestarts, type FollowerStatus, STARTING } from './follower-restarts.ts';
import { ReplayMark } from './replay-mark.ts';
import { snapshotDirectory, snapshotSeqs, snapshotsOf } from './snapshot-store.ts';
import { verifyViews } from './verify-views.ts';

/** A busy machine is no fault. */
const QUERY = { type: 'tickers', now: 0 } as const;

let directory: TemporaryDirectory;
let disk: SimulatedDisk;
let dataDir: string;
let venue: Venue;
let warnings: string[];
let failures: Error[];
let status: FollowerStatus;
let follower: FollowerRestarts | undefined;

beforeEach(() => {
  directory = new TemporaryDirectory();
  disk = new SimulatedDisk({ seed: 1 });
  dataDir = directory.path;
  venue = tradedVenue(1, 0);
  warnings = [];
  failures = [];
  status = STARTING;
});
afterEach(async () => {
  await follower?.abandon();
  follower = undefined;
  directory[Symbol.dispose]();
});

const start = (snapshotEvery = 1_000_000): FollowerRestarts => {
  follower = new FollowerRestarts({
    openJournal: () => new FileJournalReader(disk.mount()),
    viewsPath: viewsPath(dataDir),
    snapshots: snapshotsOf(dataDir, SNAPSHOT_KEYS),
    snapshotEvery,
    onCommitted: () => undefined,
    onStatus: (now) => {
      status = now;
    },
    onFailure: (error) => failures.push(error),
    warn: (sentence) => warnings.push(sentence),
    retryAfterMs: () => 1,
    mark: new ReplayMark(dataDir, 'follower'),
  });
  return follower;
};

async function trade(seed: number): Promise<void> {
  tradeAtRandom(venue, new Prng(seed), 200);
  await writeLog(disk, venue.log);
}

const leader = () => checkpointOf(venue.exchange);

const diskError = (code: string): Error =>
  Object.assign(new Error(`${code}: of the disk`), { code });

const rejectToOpen = () =>
  spyOn(ViewStore, 'open').mockImplementation(() => {
    throw diskError('ENOSPC');
  });

describe('views that the disk rejects', () => {
  test.each(['ENOSPC', 'EROFS', 'EMFILE'])(
    'to write (%s) are a 503 until it takes them',
    async (code) => {
      await trade(1);
      const restarts = start();
      restarts.follow(leader());
      await restarts.query(QUERY, venue.seq);
      const spy = spyOn(ViewStore.prototype, 'commit').mockImplementation(() => {
        throw diskError(code);
      });
      try {
        await trade(2);
        restarts.follow(leader());
        await expect(restarts.query(QUERY, venue.seq)).rejects.toMatchObject({
          name: 'ViewsUnavailable',
        });
        await until(() => status.viewFailures >= 3);
        expect(status.views).not.toBeNull();
        await expect(restarts.snapshot(leader())).rejects.toMatchObject({
          name: 'ViewsUnavailable',
        });
      } finally {
        spy.mockRestore();
      }
      await until(() => status.views === null);
      expect(await restarts.query(QUERY, venue.seq)).toHaveLength(2);
      await restarts.stop(leader());
      expect(failures).toEqual([]);
      // However often it was tried, it was said once, and once that it is over.
      expect(warnings).toEqual([
        expect.stringContaining('The views cannot be written'),
        expect.stringContaining('The views are written again'),
      ]);
      const journal = new FileJournalReader(disk.mount());
      const options = { viewsPath: viewsPath(dataDir), journal };
      expect(await verifyViews(options)).toMatchObject({ appliedSeq: venue.seq, differences: [] });
    },
  );

  test('to open are opened later', async () => {
    await trade(1);
    const spy = rejectToOpen();
    const restarts = start();
    restarts.follow(leader());
    await until(() => status.viewFailures >= 2);
    await expect(restarts.query(QUERY, venue.seq)).rejects.toMatchObject({
      name: 'ViewsUnavailable',
    });
    spy.mockRestore();
    await until(() => status.views === null);
    expect(await restarts.query(QUERY, venue.seq)).toHaveLength(2);
    expect(failures).toEqual([]);
  });

  test('to open, with ends of the process meanwhile, are no fault of a command', async () => {
    await trade(1);
    const first = start();
    first.follow(leader());
    await first.query(QUERY, venue.seq);
    await first.abandon();
    using _views = spyOn(ViewStore.prototype, 'restore').mockImplementation(() => {
      throw diskError('EIO');
    });
    for (let lives = 0; lives < 3; lives++) {
      status = STARTING;
      const restarts = start();
      restarts.follow(leader());
      await until(() => status.viewFailures >= 1);
      await restarts.abandon();
    }
    expect(new ReplayMark(dataDir, 'follower').poison).toBeNull();
  });

  test('are no reason not to stop', async () => {
    await trade(1);
    const spy = rejectToOpen();
    const restarts = start();
    restarts.follow(leader());
    await until(() => status.viewFailures >= 1);
    await restarts.stop(leader());
    spy.mockRestore();
    expect(warnings.at(-1)).toContain('No snapshot was written at this stop');
    expect(failures).toEqual([]);
  });
});

describe('snapshots that the disk rejects', () => {
  test('are retried, leave no file behind, and stop neither views nor process', async () => {
    await trade(1);
    const restarts = start(50);
    fs.mkdirSync(snapshotDirectory(dataDir));
    const { writeSync } = fs;
    const spy = spyOn(fs, 'writeSync').mockImplementation(((
      file: number,
      ...more: [Uint8Array]
    ) => {
      if (more[0].length > 100) throw diskError('ENOSPC');
      return writeSync(file, ...more);
    }) as typeof fs.writeSync);
    try {
      restarts.follow(leader());
      expect(await restarts.query(QUERY, venue.seq)).toHaveLength(2);
      await until(() => status.snapshotFailures > 0);
      expect(status).toMatchObject({ snapshots: 'diskFull', views: null });
      await expect(restarts.snapshot(leader())).rejects.toMatchObject({ name: 'ViewsUnavailable' });
      expect(fs.readdirSync(snapshotDirectory(dataDir))).toEqual([]);
    } finally {
      spy.mockRestore();
    }
    expect(await restarts.snapshot(leader())).toEqual(leader());
    expect(status.snapshots).toBeNull();
    expect(snapshotSeqs(snapshotDirectory(dataDir))).toEqual([venue.seq]);
    await restarts.stop(leader());
    expect(failures).toEqual([]);
    expect(warnings).toHaveLength(2);
  });
});

test('a start removes snapshots that were never finished', async () => {
  const snapshots = snapshotDirectory(dataDir);
  fs.mkdirSync(snapshots);
  fs.writeFileSync(join(snapshots, '0000000000000007.snapshot.tmp'), 'x');
  fs.writeFileSync(join(snapshots, 'notes.txt'), 'mine');
  await trade(1);
  const restarts = start();
  await restarts.stop(leader());
  expect(fs.readdirSync(snapshots).sort()).toEqual([
    `${String(venue.seq).padStart(16, '0')}.snapshot`,
    'notes.txt',
  ]);
});

test('a divergence is the end, whatever the disk does', async () => {
  await trade(1);
  const restarts = start();
  await expect(restarts.stop({ ...leader(), stateHash: '0'.repeat(16) })).rejects.toThrow('differ');
  expect(failures).toHaveLength(1);
});
