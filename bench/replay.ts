// Part `replay`: the recovery of a million commands from a file journal without a snapshot. Also
// the time from the start of a process to "listening", with a snapshot and 100,000 commands after
// it.
import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { History, HistoryPlan } from './support/history-process.ts';
import { startSeconds } from './support/load.ts';
import { makeStream, RESTING, SHAPES } from './support/order-stream.ts';
import {
  alternate,
  type Context,
  type Findings,
  figure,
  figuresOf,
  sizeOf,
} from './support/part.ts';
import { runScript } from './support/processes.ts';
import type { ReplayRun, ReplayTime } from './support/replay-process.ts';

const SEED = 20_260_102;

const FULL = {
  replayed: 1_000_000,
  /** Commands before the snapshot: as many as a node applies before it takes one. */
  history: 250_000,
  behind: 100_000,
};
type Size = typeof FULL;

export async function replay(context: Context): Promise<Findings> {
  const size = sizeOf(context, FULL);
  const { journal, snapshot } = await prepare(context, size);
  const startTimes: number[] = [];
  const { recovery } = await alternate(context, {
    recovery: () => runScript<ReplayTime>('replay-process.ts', { dataDir: journal } as ReplayRun),
    start: async () => {
      startTimes.push(await startOfCopy(context, snapshot));
      return null;
    },
  });
  const times = recovery as readonly ReplayTime[];
  const rate = (time: ReplayTime): number =>
    time.commands / (time.verifySeconds + time.applySeconds);
  return {
    figures: [
      ...figuresOf(times, [
        ['commands recovered', '/s', rate, { atLeast: 300_000 }],
        ['of which: the journal verified', '/s', (time) => time.commands / time.verifySeconds],
        [
          'of which: read again, decoded, applied',
          '/s',
          (time) => time.commands / time.applySeconds,
        ],
      ]),
      figure('start with a snapshot, process start to listening', 's', startTimes, { atMost: 2 }),
    ],
    notes: [
      `Recovery: ${times[0]!.commands.toLocaleString('en')} signed commands in records of ` +
        '64, no snapshot, 10,000 orders resting. Start: a snapshot after ' +
        `${size.history.toLocaleString('en')} commands and ${size.behind.toLocaleString('en')} ` +
        'commands behind it.',
      'A start verifies every record that the journal still has, also those before the ' +
        'snapshot; each further million of them adds a million ÷ “the journal verified”.',
    ],
  };
}

interface Prepared {
  /** Data directories: with a journal only, and with a snapshot and more behind it. */
  readonly journal: string;
  readonly snapshot: string;
}

async function prepare(context: Context, size: Size): Promise<Prepared> {
  context.step('writing the histories');
  const most = Math.max(size.replayed, size.history + size.behind);
  const stream = makeStream(SEED, most - RESTING, SHAPES.wide);
  const file = join(context.directory, 'stream');
  writeFileSync(file, stream.operations);
  const journal = join(context.directory, 'journal-only');
  const snapshot = join(context.directory, 'with-snapshot');
  const plans: HistoryPlan[] = [
    { stream: file, dataDir: journal, operations: size.replayed, behindSnapshot: null },
    { stream: file, dataDir: snapshot, operations: size.history, behindSnapshot: size.behind },
  ];
  for (const plan of plans) await runScript<History>('history-process.ts', plan);
  return { journal, snapshot };
}

/** On a copy, since a started node writes. */
async function startOfCopy(context: Context, prepared: string): Promise<number> {
  const dataDir = join(context.directory, 'started');
  cpSync(prepared, dataDir, { recursive: true });
  try {
    return await startSeconds(dataDir);
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}
