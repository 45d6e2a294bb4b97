// `npm run crash -- --rounds 100 --seed 1`: the crash rounds on demand, of trading, of orders in
// slices and of earn; `--trading`, `--slices` or `--earn` for some of them. With `--fills 1000000`
// only the rounds of a history with so many fills. Uses and removes a directory of its own.
import { parseArgs } from 'node:util';
import { inDirectory } from '../harness/server-process.ts';
import { runEarnRounds } from './earn-rounds.ts';
import { runFillRounds } from './fill-rounds.ts';
import { runCrashRounds } from './rounds.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    terms: { type: 'string', default: '3000' },
    trading: { type: 'boolean', default: false },
    slices: { type: 'boolean', default: false },
    earn: { type: 'boolean', default: false },
    fills: { type: 'string', default: '0' },
  },
});
const rounds = Number(values.rounds);
const seed = Number(values.seed);
const progress = (line: string): void => console.log(line);

const fills = Number(values.fills);
const isAll = !(values.trading || values.slices || values.earn || fills > 0);

if (values.trading || isAll) await print(trading);
if (values.slices || isAll) await print(slices);
if (values.earn || isAll) await print(earn);
if (fills > 0) await print(history);

/** Prints the lines of `work`, and its duration. */
async function print(work: (directory: string) => Promise<string[]>): Promise<void> {
  const started = performance.now();
  const lines = await inDirectory(work);
  const seconds = Math.round((performance.now() - started) / 1000);
  console.log(['', `${rounds} kills in ${seconds} s, seed ${seed}`, ...lines, ''].join('\n'));
}

async function trading(directory: string): Promise<string[]> {
  const report = await runCrashRounds({ rounds, seed, directory, progress });
  return [
    `${report.acknowledged} acknowledged writes: each there exactly once`,
    `${report.unknown} unanswered writes: ${report.unknownDone} entirely there, others not at all`,
    startLine(report.recoveryMs),
    'all sums hold; agio verify is clean',
  ];
}

async function slices(directory: string): Promise<string[]> {
  const report = await runCrashRounds({ rounds, seed, directory, progress }, true);
  return [
    `${report.betweenSlices} kills between two slices of an order`,
    `${report.whole} large orders: each there once and whole`,
    `${report.acknowledged} acknowledged writes: each there exactly once`,
    `${report.unknown} unanswered writes: ${report.unknownDone} entirely there, others not at all`,
    'all sums hold; agio verify is clean; the same state hash',
  ];
}

async function earn(directory: string): Promise<string[]> {
  const terms = Number(values.terms);
  const report = await runEarnRounds({ rounds, seed, directory, terms, progress });
  return [
    `${report.acknowledged} acknowledged writes: each there exactly once`,
    `${report.unknown} unanswered writes, ${report.unknownDone} done: each once after a repeat`,
    `${report.inDayClose} kills that left a day half closed`,
    `${report.subscriptions} subscriptions over ${report.days} days`,
    `${report.entries} interest entries recomputed, each day once; ${report.termsProved} terms`,
    startLine(report.recoveryMs),
    'all sums hold; agio verify is clean',
  ];
}

async function history(directory: string): Promise<string[]> {
  const report = await runFillRounds({ fills, kills: rounds, seed, directory, progress });
  return [
    `${fills} fills of a customer, ${report.commands} commands`,
    `${report.rows} rows equal to those built from the journal without a kill`,
    ...Object.entries(report.pages).map(([name, ms]) => `a page of ${name}: ${ms} ms`),
  ];
}

function startLine(recoveryMs: readonly number[]): string {
  const sorted = recoveryMs.toSorted((a, b) => a - b);
  const at = (share: number): string =>
    `${Math.round(sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!)} ms`;
  return `start after a kill: median ${at(0.5)}, 99 % ${at(0.99)}`;
}
