// Durable writes of a disk, as the journal makes them: 4 KiB with O_DSYNC into a preallocated file,
// one after the other.
import { closeSync, constants, openSync, rmSync, writeSync } from 'node:fs';
import { type Latencies, latenciesOf } from './latencies.ts';

export interface DiskSpeed extends Latencies {
  readonly perSecond: number;
}

const BLOCK = new Uint8Array(4096).fill(1);
const FILE_BYTES = 32 * 1024 * 1024;
/** More than any disk does in the time. */
const MAX_WRITES = 1_000_000;

/** Writes to `path`, which must not exist, and removes it. */
export function measureDisk(path: string, seconds: number): DiskSpeed {
  const { O_RDWR, O_CREAT, O_EXCL, O_DSYNC } = constants;
  const file = openSync(path, O_RDWR | O_CREAT | O_EXCL | O_DSYNC);
  try {
    writeSync(file, new Uint8Array(FILE_BYTES));
    const times = new Float64Array(MAX_WRITES);
    const start = performance.now();
    let now = start;
    let writes = 0;
    while (now - start < seconds * 1000 && writes < MAX_WRITES) {
      writeSync(file, BLOCK, 0, BLOCK.length, (writes * BLOCK.length) % FILE_BYTES);
      const then = now;
      now = performance.now();
      times[writes++] = now - then;
    }
    const perSecond = (writes / (now - start)) * 1000;
    return { perSecond, ...latenciesOf(times.slice(0, writes)) };
  } finally {
    closeSync(file);
    rmSync(path);
  }
}
