// The queue of resumptions at its end: nobody who waits is left waiting.
import { expect, test } from 'bun:test';
import { TemporaryDirectory } from '../../test/support/view-files.ts';
import { type Resuming, Resumptions } from './resume.ts';
import type { ReplayJob } from './resume-worker.ts';

const patient: Resuming = {
  isWanted: () => true,
  requireBudget: () => undefined,
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
