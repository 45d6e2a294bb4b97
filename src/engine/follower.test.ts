// The follower on real files: what it shows at each seq, how it starts from any state that a stop,
// a crash or an operator may leave behind, and that it never goes on silently after an error.
import { Database } from 'bun:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { Random } from '../../test/sim/random.ts';
import { SimulatedDisk } from '../../test/sim/simulated-disk.ts';
import { listEth, tradeAtRandom } from '../../test/support/trading-workload.ts';
import { Venue } from '../../test/support/venue.ts';
import { appendLog, SNAPSHOT_KEYS, TemporaryDirectory } from '../../test/support/view-files.ts';
import { FileJournal } from '../journal/file-journal.ts';
import { FileJournalReader } from '../journal/file-journal-reader.ts';
import { VIEW_TABLES, ViewStore, viewsPath } from '../views/view-store.ts';
import { BATCH_COMMANDS, type Checkpoint, Follower, type FollowerOptions } from './follower.ts';
import { CHECKPOINT_EVERY } from './sequencer.ts';
import { readNewestSnapshot, snapshotDirectory, snapshotsOf } from './snapshot-store.ts';
import { verifyViews } from './verify-views.ts';

let directory: TemporaryDirectory;
/** The journal is on a disk in memory, where a sync takes no time. */
let disk: SimulatedDisk;
let dataDir: string;
let warnings: string[];
let checkpoints: Checkpoint[];
let failures: Error[];

beforeEach(() => {
  directory = new TemporaryDirectory();
  disk = new SimulatedDisk({ seed: 1 });
  dataDir = directory.path;
  warnings = [];
  checkpoints = [];
  failures = [];
});
afterEach(() => directory[Symbol.dispose]());

function history(steps: number, seed = 1): Venue {
  const venue = new Venue({ users: 3 });
  listEth(venue);
  tradeAtRandom(venue, new Random(seed), steps);
  return venue;
}

/** Appends what the journal does not have yet of the venue's history. */
async function write(venue: Venue, most?: number): Promise<void> {
  const journal = await FileJournal.open(disk.mount(), { segmentBytes: 64 * 1024 });
  await appendLog(journal, venue.log, most);
  await journal.close();
}

const open = (options: Partial<FollowerOptions> = {}): Promise<Follower> =>
  Follower.open({
    journal: new FileJournalReader(disk.mount()),
    viewsPath: viewsPath(dataDir),
    snapshots: snapshotsOf(dataDir, SNAPSHOT_KEYS),
    snapshotEvery: 500,
    onCheckpoint: (checkpoint) => checkpoints.push(checkpoint),
    onCommitted: () => undefined,
    onFailure: (error) => failures.push(error),
    warn: (sentence) => warnings.push(sentence),
    ...options,
  });

const allRows = (): unknown[] => {
  const db = new Database(viewsPath(dataDir), { readonly: true });
  const rows = Object.entries(VIEW_TABLES).map(([table, key]) =>
    db.query(`SELECT * FROM ${table} ORDER BY ${key.join(', ')}`).all(),
  );
  db.close();
  return rows;
};

const changeViews = (sql: string): void => {
  const db = new Database(viewsPath(dataDir));
  db.run(sql);
  db.close();
};

const verify = () =>
  verifyViews({ viewsPath: viewsPath(dataDir), journal: new FileJournalReader(disk.mount()) });

const snapshots = (): string[] => readdirSync(snapshotDirectory(dataDir)).sort();

describe('reads', () => {
  test('see what was done up to the seq that they ask for, and wait for it', async () => {
    const venue = history(0);
    await write(venue);
    const follower = await open();
    const order = venue.buy(1, 100, 10);
    const seq = venue.seq;
    const query = { type: 'orders', uid: 1, orderId: order, size: 1 } as const;
    const early = follower.query(query, seq);
    expect(await Promise.race([early, Bun.sleep(20)])).toBeUndefined();
    await write(venue);
    follower.notifyDurable(seq);
    expect(await early).toMatchObject([{ orderId: order, ordStatus: 0 }]);
    expect(follower.appliedSeq).toBe(seq);
    venue.cancel(1, order);
    await write(venue);
    follower.notifyDurable(venue.seq);
    expect(await follower.query(query, venue.seq)).toMatchObject([{ ordStatus: 4 }]);
    await follower.stop(venue.seq);
  });

  test('a change is seen soon by a query that asks for no seq', async () => {
    const venue = history(10);
    await write(venue);
    const follower = await open();
    follower.notifyDurable(venue.seq);
    while (follower.appliedSeq < venue.seq) await Bun.sleep(10);
    expect(await follower.query({ type: 'tickers', now: venue.time }, 0)).toHaveLength(2);
    await follower.stop(venue.seq);
  });

  test('a query that cannot be answered rejects and harms nothing', async () => {
    const follower = await open();
    const query = { type: 'orders', uid: 1, size: 0 } as const;
    await expect(follower.query(query, 0)).rejects.toThrow('a page has 1 to 1000 rows');
    expect(await follower.query({ ...query, size: 1 }, 0)).toEqual([]);
    const stopped = 'The follower has stopped.';
    const never = follower.query({ ...query, size: 1 }, 1).catch((error: Error) => error.message);
    await follower.stop(0);
    expect(await never).toBe(stopped);
    await expect(follower.query({ ...query, size: 1 }, 0)).rejects.toThrow(stopped);
    expect(failures).toEqual([]);
  });

  test('come between the batches of a long catch-up', async () => {
    const venue = history(20_000);
    await write(venue, 20);
    const commits: number[] = [0];
    const follower = await open({ onCommitted: (seq) => commits.push(seq) });
    follower.notifyDurable(venue.seq);
    const seen: number[] = [];
    for (let seq = 100; seq < venue.seq; seq += 3000) {
      await follower.query({ type: 'tickers', now: venue.time }, seq);
      expect(follower.appliedSeq).toBeGreaterThanOrEqual(seq);
      seen.push(follower.appliedSeq);
    }
    expect(seen[0]).toBeLessThan(venue.seq / 2);
    await follower.stop(venue.seq);
    expect(commits.at(-1)).toBe(venue.seq);
  });

  test('a transaction has a bounded number of commands', async () => {
    const venue = history(20_000);
    await write(venue, 20);
    const commits: number[] = [0];
    const follower = await open({ onCommitted: (seq) => commits.push(seq) });
    await follower.stop(venue.seq);
    for (let i = 1; i < commits.length; i++) {
      expect(commits[i] - commits[i - 1]).toBeLessThan(BATCH_COMMANDS + 20);
    }
  });
});

describe('the state', () => {
  test('is the leader’s at every checkpoint, at the end and in the snapshots', async () => {
    const venue = history(3 * CHECKPOINT_EVERY);
    await write(venue);
    const follower = await open();
    follower.notifyDurable(venue.seq);
    const stateHash = venue.exchange.state.stateHash();
    expect(await follower.stateHashAt(venue.seq)).toEqual({ seq: venue.seq, stateHash });
    expect(await follower.snapshot()).toEqual({ seq: venue.seq, stateHash });
    expect(checkpoints.map(({ seq }) => seq)).toEqual(
      Array.from(
        { length: Math.floor(venue.seq / CHECKPOINT_EVERY) },
        (_, i) => (i + 1) * CHECKPOINT_EVERY,
      ),
    );
    const leader = new Venue({ users: 3 });
    listEth(leader);
    for (const { time, command } of venue.log.slice(leader.seq, checkpoints[1].seq)) {
      leader.time = time;
      leader.send(command);
    }
    expect(checkpoints[1].stateHash).toBe(leader.exchange.state.stateHash());
    expect(snapshots()).toHaveLength(2);
    expect(readNewestSnapshot(snapshotsOf(dataDir, SNAPSHOT_KEYS), fail)!.stateHash).toBe(
      stateHash,
    );
    await follower.stop(venue.seq);
  });

  test('of another history has another hash at the next checkpoint', async () => {
    const histories = [history(CHECKPOINT_EVERY), history(CHECKPOINT_EVERY)];
    const changed = histories[1].log[200];
    histories[1].log[200] = { time: changed.time, command: { type: 'createUser', kyc: true } };
    for (const venue of histories) {
      disk = new SimulatedDisk({ seed: 1 });
      ViewStore.remove(viewsPath(dataDir));
      rmSync(snapshotDirectory(dataDir), { recursive: true, force: true });
      await write(venue);
      await (await open()).stop(venue.seq);
    }
    expect(checkpoints.map(({ seq }) => seq)).toEqual([CHECKPOINT_EVERY, CHECKPOINT_EVERY]);
    expect(checkpoints[0].stateHash).not.toBe(checkpoints[1].stateHash);
  });
});

const fail = (sentence: string): void => {
  throw new Error(sentence);
};

describe('a start', () => {
  test('goes on exactly where the views stand, after stops and crashes at any moment', async () => {
    const venue = new Venue({ users: 3 });
    listEth(venue);
    const random = new Random(9);
    for (let life = 0; life < 25; life++) {
      tradeAtRandom(venue, random, random.below(400));
      await write(venue, 30);
      const follower = await open({ snapshotEvery: 300 });
      follower.notifyDurable(venue.seq);
      if (random.oneIn(3)) await Bun.sleep(random.below(8));
      if (random.oneIn(2))
        await follower.query({ type: 'tickers', now: 0 }, random.below(venue.seq));
      if (random.oneIn(4)) await follower.stop(venue.seq);
      else await follower.abandon();
    }
    await (await open()).stop(venue.seq);
    expect(warnings).toEqual([]);
    expect(failures).toEqual([]);
    const result = await verify();
    expect(result.appliedSeq).toBe(venue.seq);
    expect(result.rows).toBeGreaterThan(2000);
    expect(result.differences).toEqual([]);
  });

  test('without the file builds the same rows again', async () => {
    const venue = history(1500);
    await write(venue);
    await (await open()).stop(venue.seq);
    const before = allRows();
    const kept = snapshots();
    ViewStore.remove(viewsPath(dataDir));
    await (await open()).stop(venue.seq);
    expect(allRows()).toEqual(before);
    expect(snapshots()).toEqual(kept);
    expect(warnings).toEqual([]);
  });

  test.each<[string, () => void]>([
    ['its schema has version 99', () => changeViews('PRAGMA user_version = 99')],
    [
      'the journal has another record at seq',
      () => changeViews(`UPDATE meta SET chainHash = randomblob(32)`),
    ],
    ['and the journal ends at', () => changeViews('UPDATE meta SET appliedSeq = appliedSeq + 1')],
    ['no record of the journal ends at', () => changeViews('UPDATE meta SET appliedSeq = 3')],
    ['it is damaged', () => writeFileSync(viewsPath(dataDir), 'x'.repeat(9000))],
  ])('with views that do not belong to the journal builds them again: %s', async (why, spoil) => {
    const venue = history(300);
    await write(venue);
    await (await open()).stop(venue.seq);
    const before = allRows();
    spoil();
    await (await open()).stop(venue.seq);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain(why);
    expect(allRows()).toEqual(before);
  });

  test('is quick from a snapshot, and slow without one, and the same', async () => {
    const venue = history(CHECKPOINT_EVERY);
    await write(venue);
    await (await open()).stop(venue.seq);
    const before = checkpoints.length;
    expect(before).toBeGreaterThan(0);
    await (await open()).stop(venue.seq);
    expect(checkpoints.length).toBe(before);
    rmSync(snapshotDirectory(dataDir), { recursive: true });
    const follower = await open();
    expect(checkpoints.length).toBe(2 * before);
    const stateHash = venue.exchange.state.stateHash();
    expect(await follower.stateHashAt(venue.seq)).toEqual({ seq: venue.seq, stateHash });
    await follower.stop(venue.seq);
  });
});

describe('a failure', () => {
  test('of the journal is told once and ends everything', async () => {
    const venue = history(100);
    await write(venue);
    const follower = await open();
    // The follower is told of a record that is not there.
    follower.notifyDurable(venue.seq + 10);
    const query = { type: 'tickers', now: 0 } as const;
    await expect(follower.query(query, venue.seq + 10)).rejects.toThrow('is not readable');
    await expect(follower.query(query, 0)).rejects.toThrow('is not readable');
    follower.notifyDurable(venue.seq + 11);
    await Bun.sleep(20);
    expect(failures).toHaveLength(1);
    await follower.abandon();
  });

  test('of the views’ file is told, and the next start builds it again', async () => {
    const venue = history(2000);
    await write(venue);
    const follower = await open();
    const half = Math.floor(venue.seq / 2);
    follower.notifyDurable(venue.seq);
    await follower.query({ type: 'tickers', now: 0 }, half);
    await follower.stop(venue.seq);
    const db = new Database(viewsPath(dataDir));
    const { page } = db
      .query<{ page: number }, []>(
        "SELECT rootpage AS page FROM sqlite_schema WHERE name = 'trades'",
      )
      .get()!;
    db.close();
    const bytes = new Uint8Array(await Bun.file(viewsPath(dataDir)).arrayBuffer());
    bytes.fill(0xa5, (page - 1) * 4096, page * 4096);
    writeFileSync(viewsPath(dataDir), bytes);
    tradeAtRandom(venue, new Random(3), 200);
    await write(venue);
    const damaged = await open();
    damaged.notifyDurable(venue.seq);
    while (failures.length === 0) await Bun.sleep(5);
    expect(warnings.at(-1)).toContain('the next start rebuilds them');
    await damaged.abandon();
    await (await open()).stop(venue.seq);
    expect((await verify()).differences).toEqual([]);
  });
});
