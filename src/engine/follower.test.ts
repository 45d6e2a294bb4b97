// The follower on real files: what it shows at each seq, how it starts from any state that a stop,
// a crash or an operator may leave behind, and that it never goes on silently after an error.
import { Database } from 'bun:sqlite';
import { afterEach, beforeEach, describe, expect, spyOn, test } from 'bun:test';
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { SimulatedDisk } from '../../test/sim/simulated-disk.ts';
import { Prng } from '../../test/support/prng.ts';
import { listEth, tradeAtRandom, tradedVenue } from '../../test/support/trading-workload.ts';
import { Venue } from '../../test/support/venue.ts';
import {
  largeRecords,
  openFollower,
  rowsOf,
  SNAPSHOT_KEYS,
  SWEPT,
  TemporaryDirectory,
  writeLog,
} from '../../test/support/view-files.ts';
import { until } from '../../test/support/waiting.ts';
import { BinaryWriter } from '../core/binary.ts';
import { Exchange } from '../core/exchange.ts';
import { OrdStatus } from '../core/fix.ts';
import { NONE } from '../core/matching/order-store.ts';
import { amount } from '../core/units.ts';
import { decodeBatch, encodeBatch } from '../journal/codec.ts';
import { FileJournalReader } from '../journal/file-journal-reader.ts';
import type { JournalRecord } from '../journal/journal.ts';
import { BATCH_COMMANDS, BATCH_ROWS, ViewStore, viewsPath } from '../views/view-store.ts';
import { checkpointOf, DivergenceError, type Follower, type FollowerOptions } from './follower.ts';
import { DEFERRED_CHANGES, DEFERRED_MS } from './follower-pace.ts';
import type { JournalSource } from './follower-start.ts';
import {
  readNewestSnapshot,
  snapshotDirectory,
  snapshotSeqs,
  snapshotsOf,
} from './snapshot-store.ts';
import { verifyViews } from './verify-views.ts';

let directory: TemporaryDirectory;
/** The journal is on a disk in memory, where a sync takes no time. */
let disk: SimulatedDisk;
let dataDir: string;
let warnings: string[];
let failures: Error[];

beforeEach(() => {
  directory = new TemporaryDirectory();
  disk = new SimulatedDisk({ seed: 1 });
  dataDir = directory.path;
  warnings = [];
  failures = [];
});
afterEach(() => directory[Symbol.dispose]());

const history = (steps: number): Venue => tradedVenue(1, steps);

/** Appends what the journal does not have yet of the venue's history. */
const write = (venue: Venue, maximum?: number) => writeLog(disk, venue.log, maximum);

const open = (options: Partial<FollowerOptions> = {}): Promise<Follower> =>
  openFollower(disk, dataDir, {
    snapshotEvery: 500,
    onFailure: (error) => failures.push(error),
    warn: (sentence) => warnings.push(sentence),
    ...options,
  });

const allRows = () => rowsOf(viewsPath(dataDir));

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
    await follower.stop(checkpointOf(venue.exchange));
  });

  test('a change is seen soon by a query that asks for no seq', async () => {
    const venue = history(10);
    await write(venue);
    const follower = await open();
    follower.notifyDurable(venue.seq);
    await until(() => follower.appliedSeq >= venue.seq);
    expect(await follower.query({ type: 'tickers', now: venue.time }, 0)).toHaveLength(2);
    await follower.stop(checkpointOf(venue.exchange));
  });

  test('come in time although the leader is busy, which the follower leaves alone', async () => {
    const venue = history(10);
    await write(venue);
    let now = 0;
    const follower = await open({ clock: () => now });
    follower.follow(checkpointOf(venue.exchange), true);
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
    expect(follower.appliedSeq).toBe(0);
    await follower.query({ type: 'tickers', now: 0 }, venue.seq);
    expect(follower.appliedSeq).toBe(venue.seq);
    venue.buy(1, 100, 10);
    await write(venue);
    follower.follow(checkpointOf(venue.exchange), true);
    now = DEFERRED_MS;
    await until(() => follower.appliedSeq === venue.seq);
    venue.buy(1, 100, 10);
    await write(venue);
    const { orderId } = venue.exchange.state.next;
    follower.follow(checkpointOf(venue.exchange), true, orderId + DEFERRED_CHANGES);
    await until(() => follower.appliedSeq === venue.seq);
    await follower.stop(checkpointOf(venue.exchange));
  });

  test('a query that cannot be answered rejects and harms nothing', async () => {
    const follower = await open();
    const query = { type: 'orders', uid: 1, size: 0 } as const;
    await expect(follower.query(query, 0)).rejects.toThrow('a page has 1 to 1000 rows');
    expect(await follower.query({ ...query, size: 1 }, 0)).toEqual([]);
    const stopped = 'The follower has stopped.';
    const never = follower.query({ ...query, size: 1 }, 1).catch((error: Error) => error.message);
    await follower.stop(checkpointOf(new Exchange()));
    expect(await never).toBe(stopped);
    await expect(follower.query({ ...query, size: 1 }, 0)).rejects.toThrow(stopped);
    expect(failures).toEqual([]);
  });

  test('are dropped when nobody waits for them any more', async () => {
    const venue = history(10);
    await write(venue);
    let now = 0;
    const follower = await open({ clock: () => now });
    const query = { type: 'tickers', now: 0 } as const;
    const late = follower.query(query, venue.seq, 1000).catch((error: unknown) => error);
    now = 1000;
    // The next query sweeps, also while nothing is applied.
    const next = follower.query(query, venue.seq, 2000);
    expect(await late).toMatchObject({ name: 'ViewsUnavailable', reason: 'behind' });
    follower.notifyDurable(venue.seq);
    expect(await next).toHaveLength(2);
    await follower.stop(checkpointOf(venue.exchange));
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
    await follower.stop(checkpointOf(venue.exchange));
    expect(commits.at(-1)).toBe(venue.seq);
  });

  test('a transaction has a bounded number of commands and rows', async () => {
    const venue = largeRecords();
    await write(venue, Number.POSITIVE_INFINITY);
    using collect = spyOn(Bun, 'gc');
    const commits = [0];
    let rows = 0;
    const follower = await open({
      onCommitted: (seq) => {
        const now = allRows().flat().length;
        expect(now - rows).toBeLessThan(BATCH_ROWS + 8 * SWEPT);
        expect(seq - commits.at(-1)!).toBeLessThanOrEqual(BATCH_COMMANDS);
        rows = now;
        commits.push(seq);
      },
    });
    follower.notifyDurable(venue.seq);
    await until(() => follower.appliedSeq === venue.seq);
    await follower.abandon();
    expect(commits.length).toBeGreaterThan(3);
    expect(collect).toHaveBeenCalled();
    expect((await verify()).differences).toEqual([]);
  });
});

/** A leader of the same journal whose state is another one. */
const wrong = (venue: Venue) => ({ seq: venue.seq, stateHash: 'f'.repeat(16) });

describe('the state', () => {
  test('equals the leader’s at each checkpoint, at the end and in the snapshots', async () => {
    const venue = history(500);
    const follower = await open();
    const places: number[] = [];
    for (let round = 0; round < 5; round++) {
      tradeAtRandom(venue, new Prng(round), 200);
      await write(venue);
      follower.follow(checkpointOf(venue.exchange));
      places.push(venue.seq);
    }
    expect(await follower.snapshot(checkpointOf(venue.exchange))).toEqual(
      checkpointOf(venue.exchange),
    );
    for (const seq of snapshotSeqs(snapshotDirectory(dataDir))) expect(places).toContain(seq);
    expect(snapshots()).toHaveLength(2);
    const { stateHash } = readNewestSnapshot(snapshotsOf(dataDir, SNAPSHOT_KEYS), fail)!;
    expect(stateHash).toBe(venue.exchange.state.stateHash());
    await follower.stop(checkpointOf(venue.exchange));
    expect(failures).toEqual([]);
  });

  test('is never published where the leader’s is not known', async () => {
    const venue = history(2000);
    await write(venue);
    const follower = await open({ snapshotEvery: 100 });
    follower.notifyDurable(venue.seq);
    await follower.query({ type: 'tickers', now: 0 }, venue.seq);
    expect(snapshotSeqs(snapshotDirectory(dataDir))).toEqual([]);
    await follower.stop(checkpointOf(venue.exchange));
    expect(snapshotSeqs(snapshotDirectory(dataDir))).toEqual([venue.seq]);
  });

  const DIFFERENT: [string, (follower: Follower, venue: Venue) => Promise<unknown>][] = [
    ['at a stop', (follower, venue) => follower.stop(wrong(venue))],
    ['on demand', (follower, venue) => follower.snapshot(wrong(venue))],
    [
      'when one is due',
      async (follower, venue) => {
        follower.follow(wrong(venue));
        await follower.query({ type: 'tickers', now: 0 }, venue.seq);
      },
    ],
  ];
  test.each(DIFFERENT)('that differs from the leader’s is never published: %s', async (_, ask) => {
    const venue = history(100);
    await write(venue);
    await (await open()).stop(checkpointOf(venue.exchange));
    const before = snapshots();
    tradeAtRandom(venue, new Prng(5), 100);
    await write(venue);
    const follower = await open({ snapshotEvery: 10 });
    const message = `leader and follower differ at seq ${venue.seq}: ${'f'.repeat(16)} and`;
    await expect(ask(follower, venue)).rejects.toThrow(message);
    expect(failures).toEqual([expect.any(DivergenceError)]);
    await follower.abandon();
    expect(snapshots()).toEqual(before);
    // Nothing that the follower wrote is used again.
    expect(existsSync(viewsPath(dataDir))).toBe(false);
    await (await open()).stop(checkpointOf(venue.exchange));
    expect((await verify()).differences).toEqual([]);
  });

  test('of views that a diverged follower left behind shows at the next start', async () => {
    const venue = history(300);
    await write(venue);
    const diverged = await open({ journal: tampered(new FileJournalReader(disk.mount())) });
    diverged.notifyDurable(venue.seq);
    await diverged.query({ type: 'tickers', now: 0 }, venue.seq);
    // It is killed before it has compared.
    await diverged.abandon();
    expect((await verify()).differences).not.toEqual([]);
    await (await open()).stop(checkpointOf(venue.exchange));
    expect(warnings).toEqual([expect.stringContaining('a follower that had diverged wrote them')]);
    expect((await verify()).differences).toEqual([]);
  });
});

/** A journal in which the first credit is one unit larger than it was. */
function tampered(journal: JournalSource): JournalSource {
  let done = false;
  const tamper = (record: JournalRecord): JournalRecord => {
    const batch = decodeBatch(record.payload);
    const commands = batch.commands.map((command) => {
      if (done || command.type !== 'transferFunds') return command;
      done = true;
      return { ...command, amount: amount(BigInt(command.amount) + 1n) };
    });
    return { ...record, payload: encodeBatch(new BinaryWriter(), { ...batch, commands }) };
  };
  return {
    async *read(fromSeq, uptoSeq) {
      for await (const records of journal.read(fromSeq, uptoSeq)) yield records.map(tamper);
    },
    requireFrom: (seq) => journal.requireFrom(seq),
    close: () => journal.close(),
  };
}

const fail = (sentence: string): void => {
  throw new Error(sentence);
};

describe('a start', () => {
  test('goes on exactly where the views stand, after stops and crashes at any moment', async () => {
    const venue = new Venue({ users: 3 });
    listEth(venue);
    const random = new Prng(9);
    for (let life = 0; life < 25; life++) {
      tradeAtRandom(venue, random, random.below(400));
      await write(venue, 30);
      const follower = await open({ snapshotEvery: 300 });
      follower.notifyDurable(venue.seq);
      if (random.oneIn(3)) await Bun.sleep(random.below(8));
      if (random.oneIn(2))
        await follower.query({ type: 'tickers', now: 0 }, random.below(venue.seq));
      if (random.oneIn(4)) await follower.stop(checkpointOf(venue.exchange));
      else await follower.abandon();
    }
    await (await open()).stop(checkpointOf(venue.exchange));
    expect(warnings).toEqual([]);
    expect(failures).toEqual([]);
    const result = await verify();
    expect(result.appliedSeq).toBe(venue.seq);
    expect(result.rows).toBeGreaterThan(2000);
    expect(result.differences).toEqual([]);
  });

  test('goes on in the middle of a record, where the views stand after a crash', async () => {
    const venue = largeRecords();
    await write(venue, Number.POSITIVE_INFINITY);
    const places = [0];
    // It is killed after each transaction.
    while (places.at(-1)! < venue.seq) {
      let killed: Promise<void> | null = null;
      const follower = await open({
        onCommitted: (seq) => {
          if (killed !== null) return;
          places.push(seq);
          killed = follower.abandon();
        },
      });
      follower.notifyDurable(venue.seq);
      await until(() => killed !== null);
      await killed;
      if (places.length === 2) expect((await verify()).differences).toEqual([]);
      expect(follower.appliedSeq).toBe(places.at(-1)!);
    }
    expect(places.length).toBeGreaterThan(3);
    expect(warnings).toEqual([]);
    expect((await verify()).differences).toEqual([]);
  });

  test('after a crash knows the open orders that have no rows yet', async () => {
    const venue = history(400);
    await write(venue);
    const first = await open({ snapshotEvery: 1_000_000 });
    first.notifyDurable(venue.seq);
    await first.query({ type: 'tickers', now: 0 }, venue.seq);
    await first.abandon();
    const second = await open();
    const query = { type: 'orders', uid: 1, size: 1000 } as const;
    const orders = await second.query(query, venue.seq);
    await second.abandon();
    const { orders: inBook } = venue.exchange.state;
    const isInBook = ({ orderId }: { orderId: number }) => inBook.find(orderId) !== NONE;
    const isOpen = ({ ordStatus }: { ordStatus: number }) => ordStatus < OrdStatus.filled;
    expect(orders.filter(isOpen)).toEqual(orders.filter(isInBook));
    expect(orders.filter(isInBook)).toHaveLength(inBook.countOf(1));
    expect((await verify()).differences).toEqual([]);
    changeViews(
      `DELETE FROM orders WHERE orderId = ${orders.find((one) => !isOpen(one))!.orderId}`,
    );
    expect((await verify()).differences).toMatchObject([{ table: 'orders' }]);
  });

  test('without the file builds the same rows again', async () => {
    const venue = history(1500);
    await write(venue);
    await (await open()).stop(checkpointOf(venue.exchange));
    const before = allRows();
    const kept = snapshots();
    ViewStore.remove(viewsPath(dataDir));
    await (await open()).stop(checkpointOf(venue.exchange));
    expect(allRows()).toEqual(before);
    expect(snapshots()).toEqual(kept);
    expect(warnings).toEqual([]);
  });

  test.each<[string, () => void]>([
    ['its schema has version 0', () => changeViews('PRAGMA user_version = 0')],
    [
      'the journal has another record at seq',
      () => changeViews(`UPDATE meta SET chainHash = randomblob(32)`),
    ],
    ['and the journal ends at', () => changeViews('UPDATE meta SET appliedSeq = appliedSeq + 1')],
    [
      'the journal has another record at seq 3',
      () => changeViews('UPDATE meta SET appliedSeq = 3'),
    ],
    ['it is damaged', () => writeFileSync(viewsPath(dataDir), 'x'.repeat(9000))],
  ])('with views that do not belong to the journal builds them again: %s', async (why, spoil) => {
    const venue = history(300);
    await write(venue);
    await (await open()).stop(checkpointOf(venue.exchange));
    const before = allRows();
    spoil();
    await (await open()).stop(checkpointOf(venue.exchange));
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain(why);
    expect(allRows()).toEqual(before);
  });

  test('is quick from a snapshot, and slow without one, and the same', async () => {
    const venue = history(1000);
    await write(venue);
    await (await open()).stop(checkpointOf(venue.exchange));
    const reads: number[] = [];
    const counted = (): JournalSource => {
      const reader = new FileJournalReader(disk.mount());
      const read: JournalSource['read'] = (fromSeq, uptoSeq) => {
        reads.push(fromSeq);
        return reader.read(fromSeq, uptoSeq);
      };
      return { read, requireFrom: (seq) => reader.requireFrom(seq), close: () => reader.close() };
    };
    await (await open({ journal: counted() })).stop(checkpointOf(venue.exchange));
    rmSync(snapshotDirectory(dataDir), { recursive: true });
    await (await open({ journal: counted() })).stop(checkpointOf(venue.exchange));
    expect(reads).toEqual([venue.seq, 1]);
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
    await follower.stop(checkpointOf(venue.exchange));
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
    tradeAtRandom(venue, new Prng(3), 200);
    await write(venue);
    const damaged = await open();
    damaged.notifyDurable(venue.seq);
    await until(() => failures.length !== 0);
    expect(warnings.at(-1)).toContain('are damaged and were removed');
    await damaged.abandon();
    await (await open()).stop(checkpointOf(venue.exchange));
    expect((await verify()).differences).toEqual([]);
  });
});
