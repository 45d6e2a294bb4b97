// A few crash rounds with every test run; a hundred and more by `npm run crash`.
import { expect, test } from 'bun:test';
import { runEarnRounds } from './earn-rounds.ts';
import { runCrashRounds } from './rounds.ts';
import { inDirectory } from './server-process.ts';
import { runSliceRounds } from './slice-rounds.ts';

const ROUNDS = 10;
const SLICE_ROUNDS = 6;
/** Earn rounds have a longer set-up and longer checks. */
const EARN_ROUNDS = 4;
const EARN_TERMS = 2_000;

test('an acknowledged write survives SIGKILL under load, exactly once', () =>
  inDirectory(async (dataDir) => {
    const report = await runCrashRounds({ rounds: ROUNDS, seed: 1, dataDir, progress: () => {} });
    expect(report.rounds).toBe(ROUNDS);
    expect(report.acknowledged).toBeGreaterThan(ROUNDS);
  }));

test('SIGKILL between two slices of an order: the order is whole, once', () =>
  inDirectory(async (dataDir) => {
    const report = await runSliceRounds({
      ...{ rounds: SLICE_ROUNDS, seed: 1, dataDir },
      progress: () => {},
    });
    expect(report.whole).toBe(SLICE_ROUNDS);
    expect(report.betweenSlices).toBeGreaterThan(0);
    expect(report.acknowledged).toBeGreaterThan(SLICE_ROUNDS);
  }));

test('SIGKILL while days are closed and money is redeemed: every day earns once, exactly', () =>
  inDirectory(async (dataDir) => {
    const report = await runEarnRounds({
      rounds: EARN_ROUNDS,
      seed: 1,
      dataDir,
      terms: EARN_TERMS,
      progress: () => {},
    });
    expect(report.rounds).toBe(EARN_ROUNDS);
    expect(report.acknowledged).toBeGreaterThan(EARN_TERMS);
    expect(report.entries).toBeGreaterThan(EARN_ROUNDS);
  }));
