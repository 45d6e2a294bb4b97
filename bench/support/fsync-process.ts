// Durable writes a second of this disk, as the journal makes them: 4 KiB with O_DSYNC into a file
// whose space is already there, one after the other.
import { closeSync, constants, openSync, rmSync, writeSync } from 'node:fs';
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
const { O_RDWR, O_CREAT, O_DSYNC } = constants;
const file = openSync(path, O_RDWR | O_CREAT | O_DSYNC);
try {
  writeSync(file, new Uint8Array(FILE_BYTES));
  const times = new Float64Array(MOST);
  const start = performance.now();
  let now = start;
  let writes = 0;
  while (now - start < seconds * 1000 && writes < MOST) {
    writeSync(file, BLOCK, 0, BLOCK.length, (writes * BLOCK.length) % FILE_BYTES);
    const then = now;
    now = performance.now();
    times[writes++] = now - then;
  }
  const perSecond = (writes / (now - start)) * 1000;
  report({ perSecond, ...latenciesOf(times.slice(0, writes)) } satisfies FsyncSpeed);
} finally {
  closeSync(file);
  rmSync(path);
}
