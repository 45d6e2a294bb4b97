// The queue of resumptions: its answers when the server stops, for archived commands, and when a
// budget is used up.
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
import { jumpAhead } from '../../test/support/waiting.ts';
import { Problem } from '../contract/problem.ts';
import { snapshotDirectory, snapshotsOf, writeSnapshot } from '../engine/snapshot-store.ts';
import { openFileJournal } from '../journal/open-journal.ts';
import { type Resuming, Resumptions } from './resume.ts';

const patient: Resuming = {
  isWanted: () => true,
  requireBudget: () => undefined,
  spend: () => undefined,
  deliver: () => Promise.resolve(),
};

const JOB = { uid: 1, channel: 'orders', fromSeq: 0, uptoSeq: 10 } as const;

test('a stop of the server rejects the running and the waiting resumptions', async () => {
  using directory = new TemporaryDirectory();
  const resumptions = new Resumptions({ dataDir: directory.path, snapshotKeys: [] });
  const running = [1, 2, 2].map((uid) =>
    resumptions.run({ ...JOB, uid }, patient).catch((error: unknown) => error),
  );
  resumptions.close();
  expect(await Promise.all(running)).toEqual(
    running.map(() => expect.objectContaining({ kind: 'stopping' })),
  );
});

test('a resumption without missed messages reads no files', async () => {
  const resumptions = new Resumptions({ dataDir: '', snapshotKeys: [] });
  await resumptions.run({ ...JOB, fromSeq: 7, uptoSeq: 7 }, patient);
  resumptions.close();
});

test('a position before archived commands is rejected with the first resumable one', async () => {
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
  const job = { ...JOB, uptoSeq: venue.seq };
  const resumptions = new Resumptions({ dataDir: directory.path, snapshotKeys: SNAPSHOT_KEYS });
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

test('a resumption pays for its processor time, and is rejected without budget', async () => {
  using directory = new TemporaryDirectory();
  const resumptions = new Resumptions({ dataDir: directory.path, snapshotKeys: [] });
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
  const run = () => resumptions.run(JOB, resuming).catch((error) => error);
  const both = Promise.all([run(), run()]);
  // A minute passes before the thread has started: the account pays for none of it.
  jumpAhead(60_000);
  const [, second] = await both;
  expect(spent).toBeGreaterThan(0);
  expect(spent).toBeLessThan(60_000);
  expect(second).toMatchObject({ kind: 'rateLimited' });
  resumptions.close();
});
