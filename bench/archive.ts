// Part `archive`: the start time of a node with fifty million archived commands, and the time of
// archiving them.
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { ArchivedHistory, ArchivedPlan } from './support/archived-process.ts';
import { startSeconds } from './support/load.ts';
import { type Context, type Findings, figure } from './support/part.ts';
import { runAgio, runScript } from './support/processes.ts';

const FULL = { commands: 50_000_000, snapshotEvery: 250_000 };
const QUICK = { commands: 1_500_000, snapshotEvery: 250_000 };

export async function archive(context: Context): Promise<Findings> {
  const size = context.quick ? QUICK : FULL;
  const dataDir = join(context.directory, 'data');
  const target = join(context.directory, 'archive');
  context.step(`writing ${size.commands.toLocaleString('en')} commands`);
  const plan: ArchivedPlan = { dataDir, ...size };
  const { commands } = await runScript<ArchivedHistory>('archived-process.ts', plan);
  const before = bytesOf(join(dataDir, 'journal'));
  context.step('starting with the whole journal');
  const whole = await startSeconds(dataDir);
  context.step('archiving');
  const start = performance.now();
  const text = await runAgio(['journal', 'archive', '--to', target, '--data', dataDir]);
  const seconds = (performance.now() - start) / 1000;
  if (!text.includes('The journal begins at command')) throw new Error(`not archived: ${text}`);
  const after = bytesOf(join(dataDir, 'journal'));
  const starts: number[] = [];
  for (let run = 0; run < context.runs; run++) {
    context.step(`start ${run + 1}`);
    starts.push(await startSeconds(dataDir));
  }
  const limit = { atMost: 2 };
  const gigabytes = (bytes: number): string => (bytes / 1e9).toFixed(2);
  return {
    figures: [
      figure('start with an archived journal, process start to listening', 's', starts, limit),
      figure('the same before it was archived', 's', [whole]),
      figure('commands archived, verified and removed', '/s', [commands / seconds]),
    ],
    notes: [
      `${commands.toLocaleString('en')} signed orders and cancels in records of 64: ` +
        `${gigabytes(before)} GB of journal before, ${gigabytes(after)} GB after, which is ` +
        `what two snapshots ${size.snapshotEvery.toLocaleString('en')} commands apart need.`,
    ],
  };
}

function bytesOf(directory: string): number {
  const names = readdirSync(directory);
  return names.reduce((sum, name) => sum + statSync(join(directory, name)).size, 0);
}
