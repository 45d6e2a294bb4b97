// Part `plain`: what bounded work costs an order that needs none of it. The core of this checkout
// and that of an earlier commit take turns in one process; each pair has a process of its own.
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeStream, SHAPES } from './support/order-stream.ts';
import { type Context, type Figure, type Findings, figure, sizeOf } from './support/part.ts';
import type { PlainRun, PlainTimes } from './support/plain-process.ts';
import { ROOT, runScript } from './support/processes.ts';

const SEED = 20_260_101;
/** The last commit whose commands do all of their work in one piece. */
const EARLIER = '345d78b';
const PAIRS_OF_RUN = 4;

const FULL = { warmUp: 300_000, operations: 1_000_000 };

export async function plain(context: Context): Promise<Findings> {
  const size = sizeOf(context, FULL);
  const { now, earlier } = copies(context.directory);
  const stream = join(context.directory, 'stream');
  const operations = size.warmUp + size.operations;
  writeFileSync(stream, makeStream(SEED, operations, SHAPES.clustered).operations);
  const ratioOf = async (tells: boolean, isFirst: boolean, against: string): Promise<number> => {
    const roots = isFirst ? ([now, against] as const) : ([against, now] as const);
    const run: PlainRun = { stream, roots, tells, ...size };
    const times = await runScript<PlainTimes>('plain-process.ts', run);
    return isFirst ? times[0] / times[1] : times[1] / times[0];
  };
  const ratios: Record<string, number[]> = { leader: [], follower: [] };
  const pairs = PAIRS_OF_RUN * context.runs;
  for (let pair = 0; pair < pairs; pair++) {
    context.step(`pair ${pair + 1} of ${pairs}`);
    ratios.leader!.push(await ratioOf(false, pair % 2 === 0, earlier));
    ratios.follower!.push(await ratioOf(true, pair % 2 === 0, earlier));
  }
  return {
    figures: [
      ...quartiles('time of an order, core of the leader ÷ earlier', ratios.leader!),
      ...quartiles('time of an order, core of the follower ÷ earlier', ratios.follower!),
    ],
    notes: [
      `${pairs} pairs, each a process in which both cores get the operations of the clustered ` +
        'book of part core, 2,000 of them in turn; the ratio of the median times of a turn. ' +
        `Earlier: commit ${EARLIER}.`,
    ],
  };
}

/** Copies of both cores. */
function copies(directory: string): { now: string; earlier: string } {
  const now = join(directory, 'now');
  const earlier = join(directory, 'earlier');
  cpSync(join(ROOT, 'src/core'), join(now, 'src/core'), { recursive: true });
  mkdirSync(earlier);
  const archive = Bun.spawnSync(['git', '-C', ROOT, 'archive', EARLIER, 'src/core']);
  if (!archive.success) throw new Error(`commit ${EARLIER} is not there: ${archive.stderr}`);
  const unpacked = Bun.spawnSync(['tar', '-x', '-C', earlier], { stdin: archive.stdout });
  if (!unpacked.success) throw new Error(`the archive is damaged: ${unpacked.stderr}`);
  return { now, earlier };
}

function quartiles(name: string, ratios: readonly number[]): Figure[] {
  const sorted = [...ratios].sort((a, b) => a - b);
  const at = (share: number): number[] => [sorted[Math.floor(sorted.length * share)]!];
  return [
    figure(name, '×', ratios, { atMost: 1.01 }),
    figure(`${name}, lower quartile`, '×', at(0.25)),
    figure(`${name}, upper quartile`, '×', at(0.75)),
  ];
}
