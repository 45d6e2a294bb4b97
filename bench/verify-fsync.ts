// Part `verify-fsync`: syncs a second of the disk, the limit of everything durable. Without group
// commit, no server on this machine can answer more durable requests a second.
import { join } from 'node:path';
import { measureDisk } from '../src/cli/bench/disk.ts';
import { part } from './support/part.ts';
import { program } from './support/processes.ts';

const { once } = program(import.meta, { measureDisk });

export const verifyFsync = part({
  name: 'verify-fsync',
  question: 'How many syncs per second does this disk reach?',
  against: 'nothing; this is the limit for durable writes',
  size: { seconds: 2 },
  subjects: ({ seconds }, { directory }) => ({
    disk: () => once.measureDisk(join(directory, 'blocks'), seconds),
  }),
  rows: () => [
    ['durable writes of 4 KiB', '/s', ({ disk }) => disk.perSecond],
    ['p50 of one', 'ms', ({ disk }) => disk.p50],
    ['p99 of one', 'ms', ({ disk }) => disk.p99],
    ['longest', 'ms', ({ disk }) => disk.max],
  ],
  notes: () => [
    'With O_DSYNC, as the journal writes: one write after the other, into a preallocated file of ' +
      '32 MiB.',
  ],
});
