// The durable writes of this disk, measured in a process of its own.
import { measureDisk } from '../../src/cli/bench/disk.ts';
import { argumentOf, report } from './processes.ts';

export interface FsyncRun {
  readonly path: string;
  readonly seconds: number;
}

const { path, seconds } = argumentOf<FsyncRun>();
report(measureDisk(path, seconds));
