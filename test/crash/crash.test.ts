// A few crash rounds with every test run; a hundred and more by `npm run crash`.
import { expect, test } from 'bun:test';
import { inDirectory } from '../harness/server-process.ts';
import { runEarnRounds } from './earn-rounds.ts';
import { runFillRounds } from './fill-rounds.ts';
import { runCrashRounds } from './rounds.ts';

const ROUNDS = 10;
const SLICE_ROUNDS = 6;
/** Earn rounds have a longer set-up and longer checks. */
const EARN_ROUNDS = 4;
const EARN_TERMS = 2_000;

const progress = (): void => {};

test('an acknowledged write survives SIGKILL under load, exactly once', () =>
  inDirectory(async (directory) => {
    const report = await runCrashRounds({ rounds: ROUNDS, seed: 1, directory, progress });
    expect(report.recoveryMs).toHaveLength(ROUNDS);
    expect(report.acknowledged).toBeGreaterThan(ROUNDS);
  }));

test('SIGKILL between two slices of an order: the order is whole, once', () =>
  inDirectory(async (directory) => {
    const options = { rounds: SLICE_ROUNDS, seed: 1, directory, progress };
    const report = await runCrashRounds(options, true);
    expect(report.whole).toBe(SLICE_ROUNDS);
    expect(report.betweenSlices).toBeGreaterThan(0);
    expect(report.acknowledged).toBeGreaterThan(SLICE_ROUNDS);
  }));

test('SIGKILL while days are closed and money is redeemed: every day earns once, exactly', () =>
  inDirectory(async (directory) => {
    const options = { rounds: EARN_ROUNDS, seed: 1, directory, progress, terms: EARN_TERMS };
    const report = await runEarnRounds(options);
    expect(report.recoveryMs).toHaveLength(EARN_ROUNDS);
    expect(report.acknowledged).toBeGreaterThan(EARN_TERMS);
    expect(report.entries).toBeGreaterThan(EARN_TERMS);
  }));

test('SIGKILL while history is written: the views equal those of the journal', () =>
  inDirectory(async (directory) => {
    const options = { fills: 20_000, kills: 3, seed: 1, directory, progress };
    const report = await runFillRounds(options);
    expect(report.rows).toBeGreaterThan(80_000);
  }));
