// Feeds one stream to the cores of two checkouts, in turns of the same process, and reports how the
// times of their turns compare. Both are loaded from a copy, so that neither shares compiled code
// with this program.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Core, feed } from './engines.ts';
import { RESTING } from './order-stream.ts';
import { argumentOf, report } from './processes.ts';
import { median } from './statistics.ts';

export interface PlainRun {
  /** The file of the stream's operations. */
  readonly stream: string;
  /** The roots of the checkouts; the first one is loaded first. */
  readonly roots: readonly [string, string];
  /** Makes reports and trades, as the follower does. */
  readonly tells: boolean;
  /** Operations after the book was filled that are not timed. */
  readonly warmUp: number;
  readonly operations: number;
}

/** The median time of a turn of each, ms: what else the machine does falls out of it. */
export type PlainTimes = readonly [number, number];

const TURN = 2_000;

async function coreOf(root: string, tells: boolean): Promise<Core> {
  const core = join(root, 'src/core');
  const { Exchange } = await import(join(core, 'exchange.ts'));
  const { EventFilter } = await import(join(core, 'event-filter.ts'));
  return new Core(new Exchange(undefined, tells ? EventFilter.all() : EventFilter.none()));
}

async function run({ stream, roots, tells, warmUp, operations }: PlainRun): Promise<PlainTimes> {
  const bytes = readFileSync(stream);
  const words = new Int32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4);
  const cores = [await coreOf(roots[0], tells), await coreOf(roots[1], tells)] as const;
  const times: [number[], number[]] = [[], []];
  const start = RESTING + warmUp;
  for (let from = 0, turn = 0; from < start + operations; from += TURN, turn++) {
    const to = Math.min(from + TURN, start + operations);
    for (const which of turn % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
      const began = performance.now();
      feed(cores[which], words, from, to);
      if (from >= start) times[which].push(performance.now() - began);
    }
  }
  return [median(times[0]), median(times[1])];
}

report(await run(argumentOf<PlainRun>()));
