// Part `verify-fsync`: syncs a second of the disk, the limit of everything durable. Without group
// commit, no server on this machine can answer more durable requests a second.
import { join } from 'node:path';
import { measureDisk } from '../src/cli/bench/disk.ts';
import { alternate, type Context, type Findings, figuresOf } from './support/part.ts';
import { job } from './support/processes.ts';

const measure = job(import.meta, (run: { path: string; seconds: number }) =>
  measureDisk(run.path, run.seconds),
);

export async function verifyFsync(context: Context): Promise<Findings> {
  const run = { path: join(context.directory, 'blocks'), seconds: context.quick ? 0.5 : 2 };
  const { disk } = await alternate(context, { disk: () => measure(run) });
  return {
    figures: figuresOf(disk, [
      ['durable writes of 4 KiB', '/s', ({ perSecond }) => perSecond],
      ['p50 of one', 'ms', ({ p50 }) => p50],
      ['p99 of one', 'ms', ({ p99 }) => p99],
      ['longest', 'ms', ({ max }) => max],
    ]),
    notes: [
      'With O_DSYNC, as the journal writes: one write after the other, into a preallocated ' +
        'file of 32 MiB.',
    ],
  };
}
