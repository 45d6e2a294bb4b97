// Syncs a second of this disk: 4 KiB written into a file whose space is already there, and fdatasync, one after the other.
import { closeSync, fdatasyncSync, fsyncSync, openSync, rmSync, writeSync } from 'node:fs';
import { argumentOf, report } from './processes.ts';
import { type Latencies, latenciesOf } from './statistics.ts';

export interface FsyncRun {
  readonly path: string;
  readonly seconds: number;
}

export interface FsyncSpeed extends Latencies {
  readonly perSecond: number;
}

const BLOCK = new Uint8Array(4096).fill(1);
const FILE_BYTES = 32 * 1024 * 1024;
/** More than any disk does in the time. */
const MOST = 1_000_000;

const { path, seconds } = argumentOf<FsyncRun>();
const file = openSync(path, 'w+');
try {
  writeSync(file, new Uint8Array(FILE_BYTES));
  fsyncSync(file);
  const times = new Float64Array(MOST);
  const start = performance.now();
  let now = start;
  let syncs = 0;
  while (now - start < seconds * 1000 && syncs < MOST) {
    writeSync(file, BLOCK, 0, BLOCK.length, (syncs * BLOCK.length) % FILE_BYTES);
    fdatasyncSync(file);
    const then = now;
    now = performance.now();
    times[syncs++] = now - then;
  }
  const perSecond = (syncs / (now - start)) * 1000;
  report({ perSecond, ...latenciesOf(times.slice(0, syncs)) } satisfies FsyncSpeed);
} finally {
  closeSync(file);
  rmSync(path);
}
