// The benchmark of agio. Each part is a file beside this one, with its question, its cases and its
// yardstick; shared code is in support/.
//
//   npm run bench                       all parts
//   npm run bench -- core http          some of them
//   npm run bench -- --runs 3 --quick   fewer and smaller runs, to check that everything works
//   npm run bench -- --write            also puts the results into docs/benchmarks.md
//
// No figure is a gate. Compared subjects run in turns, in their own processes, on the loopback,
// with files in the temporary directory. Every process is stopped by pid, also when a part fails.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { cluster } from './cluster.ts';
import { core } from './core.ts';
import { dialects } from './dialects.ts';
import { earn } from './earn.ts';
import { http } from './http.ts';
import { flood, large, largeCluster } from './large.ts';
import { memory } from './memory.ts';
import { batches, orderEntry } from './order-entry.ts';
import { replay } from './replay.ts';
import { sql } from './sql.ts';
import { streams } from './streams.ts';
import { commitNow, loadNow, thisMachine } from './support/machine.ts';
import type { Part } from './support/part.ts';
import { cleanUp, killAll, makeDirectory, ROOT, removeDirectory } from './support/processes.ts';
import { machineText, markdown, type PartResult, show } from './support/report.ts';
import { web } from './web.ts';

/** In the order of the document. */
const PARTS: readonly Part[] = [
  ...[core, dialects, http, cluster, orderEntry, batches, sql],
  ...[replay, memory, large, largeCluster, earn, flood, streams, web],
];

const RUNS = 5;
const RUNS_QUICK = 2;
/** The results that docs/benchmarks.md is made of. */
const RESULTS = join(ROOT, 'docs/benchmarks.json');
const DOCUMENT = join(ROOT, 'docs/benchmarks.md');

type Options = Exclude<ReturnType<typeof readOptions>, 'help'>;

function usage(): string {
  const width = Math.max(...PARTS.map(({ name }) => name.length));
  const parts = PARTS.map(({ name, question }) => `  ${name.padEnd(width)}  ${question}`);
  const line = 'npm run bench -- [PART…] [--runs N] [--quick] [--write]';
  return `${line}\n\n${parts.join('\n')}`;
}

/** Throws Error for wrong arguments. */
function readOptions(argv: readonly string[]) {
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: {
      runs: { type: 'string' },
      quick: { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return 'help';
  const unknown = positionals.find((wanted) => !PARTS.some(({ name }) => name === wanted));
  if (unknown !== undefined) throw new Error(`There is no part "${unknown}".`);
  const runs = Number(values.runs ?? (values.quick ? RUNS_QUICK : RUNS));
  if (!(Number.isInteger(runs) && runs >= 1 && runs <= 100)) {
    throw new Error('--runs takes a whole number from 1 to 100.');
  }
  const parts = PARTS.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
  return { ...values, parts, runs };
}

/** Runs a part. Throws what the part throws. */
async function measure(part: Part, { runs, quick }: Options): Promise<PartResult> {
  await using resources = new AsyncDisposableStack();
  const directory = resources.adopt(makeDirectory(), removeDirectory);
  const loadBefore = loadNow();
  const start = performance.now();
  const elapsed = (): number => Math.round((performance.now() - start) / 1000);
  const step = (text: string): void => {
    process.stderr.write(`${String(elapsed()).padStart(4)} s  ${part.name}: ${text}\n`);
  };
  try {
    const { run, ...about } = part;
    return {
      ...about,
      ...(await run({ runs, quick, directory, step, notes: [], resources })),
      ...{ runs, quick, loadBefore },
      seconds: elapsed(),
      finished: new Date().toISOString(),
      commit: commitNow(),
      machine: thisMachine(),
    };
  } finally {
    // A part that failed may have left some.
    killAll();
  }
}

/** Replaces the results of the parts that were measured and rewrites the document. */
function writeDocument(measured: readonly PartResult[]): void {
  const earlier = existsSync(RESULTS)
    ? (JSON.parse(readFileSync(RESULTS, 'utf8')) as PartResult[])
    : [];
  const known = [...measured, ...earlier];
  const all = PARTS.flatMap((part) => known.find(({ name }) => name === part.name) ?? []);
  writeFileSync(RESULTS, `${JSON.stringify(all, null, 1)}\n`);
  writeFileSync(DOCUMENT, markdown(all));
}

async function main(): Promise<number> {
  const options = readOptions(process.argv.slice(2));
  if (options === 'help') {
    console.log(usage());
    return 0;
  }
  const machine = thisMachine();
  console.log(`${machineText(machine)}, commit ${commitNow()}`);
  if (machine.fileSystem === 'tmpfs') {
    console.log(
      'The temporary directory is in memory: nothing is durable there. Set TMPDIR to a disk.',
    );
  }
  const results: PartResult[] = [];
  for (const part of options.parts) {
    try {
      const result = await measure(part, options);
      results.push(result);
      show(result);
    } catch (error) {
      console.error(`\n${part.name} failed:`, error);
    }
  }
  if (options.write) writeDocument(results);
  return results.length === options.parts.length ? 0 : 1;
}

process.on('exit', cleanUp);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130));
try {
  process.exit(await main());
} catch (error) {
  console.error(`${(error as Error).message}\n\n${usage()}`);
  process.exit(2);
}
