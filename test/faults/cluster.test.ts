// A few rounds against a real cluster with every run of the proofs; `npm run cluster` has more.
import { expect, test } from 'bun:test';
import { inDirectory } from '../harness/server-process.ts';
import { NO_POSTGRES } from '../support/postgres.ts';
import { runClusterRounds } from './rounds.ts';

const ROUNDS = 10;
const OUTAGE_MS = 5_000;

test.skipIf(NO_POSTGRES)('a cluster survives what a seed does to it', () =>
  inDirectory(async (directory) => {
    const report = await runClusterRounds({
      rounds: ROUNDS,
      seed: 1,
      outageMs: OUTAGE_MS,
      directory,
      progress: () => {},
    });
    expect(report.acknowledged).toBeGreaterThan(100 * ROUNDS);
    expect(report.reads).toBeGreaterThan(10 * ROUNDS);
  }),
);
