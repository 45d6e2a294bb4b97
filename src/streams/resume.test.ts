// The queue of resumptions at its end: nobody who waits is left waiting.
import { expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { collect } from '../../test/support/journal-contract.ts';
import { Prng } from '../../test/support/prng.ts';
import { listEth, tradeAtRandom } from '../../test/support/trading-workload.ts';
import { Venue } from '../../test/support/venue.ts';
import {
  appendLog,
  replayed,
  SNAPSHOT_KEYS,
  TemporaryDirectory,
} from '../../test/support/view-files.ts';
import { Problem } from '../contract/problem.ts';
import { snapshotDirectory, snapshotsOf, writeSnapshot } from '../engine/snapshot-store.ts';
import { openFileJournal } from '../journal/open-journal.ts';
import { type Resuming, Resumptions } from './resume.ts';
import type { ReplayJob } from './resume-worker.ts';

const patient: Resuming = {
  isWanted: () => true,
  requireBudget: () => undefined,
  spend: () => undefined,
  deliver: () => Promise.resolve(),
};

test('whoever waits when the server stops is told so, whether it was their turn or not', async () => {
  using directory = new TemporaryDirectory();
  const resumptions = new Resumptions();
  const job: ReplayJob = {
    dataDir: directory.path,
    snapshotKeys: [],
    uid: 1,
    channel: 'orders',
    fromSeq: 0,
    uptoSeq: 10,
    maxCommands: 100,
    maxText: 100,
  };
  const asked = [1, 2, 2].map((uid) =>
    resumptions.run({ ...job, uid }, patient).catch((error: unknown) => error),
  );
  resumptions.close();
  expect(await Promise.all(asked)).toEqual(
    asked.map(() => expect.objectContaining({ kind: 'stopping' })),
  );
});

test('whoever has missed nothing waits for nobody', async () => {
  const resumptions = new Resumptions();
  const job = {
    dataDir: '',
    snapshotKeys: [],
    uid: 1,
    channel: 'orders',
    maxCommands: 1,
    maxText: 1,
  } as const;
  await resumptions.run({ ...job, fromSeq: 7, uptoSeq: 7 }, patient);
  resumptions.close();
});

test('a position whose continuation was archived is refused with the first that can be resumed', async () => {
  using directory = new TemporaryDirectory();
  const venue = new Venue({ users: 2 });
  listEth(venue);
  tradeAtRandom(venue, new Prng(1), 200);
  const journal = await openFileJournal(directory.path, { segmentBytes: 512 });
  await appendLog(journal, venue.log, 1);
  const snapshots = snapshotsOf(directory.path, SNAPSHOT_KEYS);
  const first = 100;
  const { chainHash } = (await collect(journal.read(first)))[0]!;
  writeSnapshot(snapshots, replayed(venue.log.slice(0, first)).state, chainHash);
  await journal.truncateBefore(first);
  const job: ReplayJob = {
    ...{ dataDir: directory.path, snapshotKeys: SNAPSHOT_KEYS, uid: 1, channel: 'orders' },
    ...{ fromSeq: 0, uptoSeq: venue.seq, maxCommands: 1_000_000, maxText: 1_000_000 },
  };
  const resumptions = new Resumptions();
  for (const fromSeq of [0, 5, first - 1]) {
    const error = await resumptions
      .run({ ...job, fromSeq }, patient)
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      kind: 'resumeTooOld',
      details: { value: fromSeq, limit: first },
    });
    expect((error as Problem).userMsg).toContain(`Positions from ${first} on can be resumed`);
  }
  let found = 0;
  const counting: Resuming = {
    ...patient,
    deliver: (missed) => {
      found += missed.length;
      return Promise.resolve();
    },
  };
  await resumptions.run({ ...job, fromSeq: first }, counting);
  expect(found).toBeGreaterThan(0);
  rmSync(snapshotDirectory(directory.path), { recursive: true });
  const none = await resumptions
    .run({ ...job, fromSeq: first }, patient)
    .catch((thrown: unknown) => thrown);
  expect((none as Problem).userMsg).toContain('was archived');
  resumptions.close();
  await journal.close();
});

test('a resumption pays for the time of its thread, and is refused when its budget is used up', async () => {
  using directory = new TemporaryDirectory();
  const resumptions = new Resumptions();
  const job = { dataDir: directory.path, snapshotKeys: [], uid: 1, channel: 'orders' } as const;
  const bounds = { fromSeq: 0, uptoSeq: 10, maxCommands: 100, maxText: 100 };
  let spent = 0;
  const resuming: Resuming = {
    ...patient,
    requireBudget: () => {
      if (spent > 0) throw new Problem('rateLimited');
    },
    spend: (ms) => {
      spent += ms;
    },
  };
  const run = () => resumptions.run({ ...job, ...bounds }, resuming).catch((error) => error);
  const [, second] = await Promise.all([run(), run()]);
  expect(spent).toBeGreaterThan(0);
  expect(second).toMatchObject({ kind: 'rateLimited' });
  resumptions.close();
});
