// `npm run cluster -- --rounds 200 --seed 1 --outage 60`: the rounds against a real cluster;
// `--only 'leader killed'` for one fault of the table, `--slices` for failovers in the middle of an
// order. Uses and removes a directory of its own.
import { parseArgs } from 'node:util';
import { inDirectory } from '../harness/server-process.ts';
import { FAULTS } from './faults.ts';
import { runClusterRounds } from './rounds.ts';
import { runSliceFailovers } from './slice-failovers.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    outage: { type: 'string', default: '60' },
    only: { type: 'string' },
    slices: { type: 'boolean', default: false },
  },
});
const { only } = values;
if (only !== undefined && !FAULTS.some(({ name }) => name === only)) {
  throw new Error(`--only is one of: ${FAULTS.map(({ name }) => name).join(', ')}`);
}
// An exit ends everything that was started.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1));

if (values.slices) {
  await slices();
  process.exit(0);
}
const started = performance.now();
const report = await inDirectory((directory) =>
  runClusterRounds({
    rounds: Number(values.rounds),
    seed: Number(values.seed),
    outageMs: Number(values.outage) * 1000,
    only,
    directory,
    progress: (line) => console.log(line),
  }),
);
const seconds = Math.round((performance.now() - started) / 1000);
console.log(
  [
    '',
    `${values.rounds} rounds in ${seconds} s, seed ${values.seed}`,
    `${report.acknowledged} acknowledged writes: each there exactly once`,
    `${report.rejected} rejected writes: none there`,
    `${report.unknown} unknown writes: ${report.unknownDone} there once, the others not at all`,
    `${report.reads} reads: none went back in time, and each balance is that of its seq`,
    'all nodes have the same journal and state as PostgreSQL',
    times('leader killed to first write of the next', report.failoverMs),
    times('handover without a write', report.handoverMs),
    times('written on one node, read on another', report.lagMs),
    '',
  ].join('\n'),
);
process.exit(0);

async function slices(): Promise<void> {
  const [failovers, seed] = [Number(values.rounds), Number(values.seed)];
  const progress = (line: string): void => console.log(line);
  const report = await inDirectory((directory) =>
    runSliceFailovers({ failovers, seed, directory, progress }),
  );
  const lines = [
    '',
    `${failovers} failovers, seed ${seed}`,
    `${report.killsBetween} kills between two slices of an order`,
    `${report.handoversBetween} handovers between two slices of an order`,
    `${report.whole} large orders: each there once and whole, on every node`,
    `${report.acknowledged} acknowledged writes: each there exactly once`,
    'all nodes have the same journal and state as PostgreSQL',
  ];
  console.log(lines.join('\n'));
}

function times(what: string, ms: readonly number[]): string {
  const sorted = ms.toSorted((a, b) => a - b);
  const at = (share: number): string =>
    `${sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!.toFixed(1)} ms`;
  if (sorted.length === 0) return `${what}: not measured`;
  return `${what}: median ${at(0.5)}, 99 % ${at(0.99)}, longest ${at(1)} of ${sorted.length}`;
}
