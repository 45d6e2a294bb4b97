// The benchmark of agio, on one page: its parts, their comparisons and durations. Each part is a
// file beside this one with its targets; shared code is in support/.
//
//   npm run bench                       all parts
//   npm run bench -- core http          some of them
//   npm run bench -- --runs 3 --quick   fewer and smaller runs, to check that everything works
//   npm run bench -- --write            also puts the results into docs/benchmarks.md
//   npm run bench -- --json FILE        also writes them, with every run, as JSON
//
// No figure is a gate. Compared subjects run in turns, in their own processes, on the loopback,
// with files in the temporary directory. Every process is stopped by pid, also when a part fails or
// hangs.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { archive } from './archive.ts';
import { cluster } from './cluster.ts';
import { core } from './core.ts';
import { dialects } from './dialects.ts';
import { earn } from './earn.ts';
import { flood } from './flood.ts';
import { http } from './http.ts';
import { burst, cascade, large } from './large.ts';
import { largeMemory } from './large-memory.ts';
import { memory } from './memory.ts';
import { batches, orderEntry } from './order-entry.ts';
import { replay } from './replay.ts';
import { retention } from './retention.ts';
import { sql } from './sql.ts';
import { streams } from './streams.ts';
import { commitNow, keepsFiles, loadNow, thisMachine } from './support/machine.ts';
import type { Part } from './support/part.ts';
import { cleanUp, killAll, makeDirectory, ROOT, removeDirectory } from './support/processes.ts';
import {
  machineText,
  markdown,
  type PartResult,
  terminalTable,
  wasQuiet,
} from './support/report.ts';
import { verifyFsync } from './verify-fsync.ts';
import { web } from './web.ts';

const PARTS: readonly Part[] = [
  {
    name: 'core',
    question:
      'How many operations per second does the core apply, with ledger and with the book alone?',
    against: 'the two correct order books on npm, with the same stream',
    seconds: { once: 40, perRun: 25 },
    run: core,
  },
  {
    name: 'dialects',
    question: "How much processor time does an order by Binance's API need?",
    against: "an order by agio's own call",
    seconds: { once: 10, perRun: 90 },
    run: dialects,
  },
  {
    name: 'http',
    question:
      'How many signed orders per second become durable and get an HTTP answer, and how fast?',
    against: 'a bare Bun.serve with the same signature and JSON, without and with a disk',
    seconds: { once: 10, perRun: 150 },
    run: http,
  },
  {
    name: 'cluster',
    question: 'How many orders per second does a cluster on PostgreSQL answer, and how fast?',
    against: 'the same orders on a single node',
    seconds: { once: 10, perRun: 120 },
    run: cluster,
  },
  {
    name: 'order-entry',
    question: 'How many orders per second become durable and are answered over websockets?',
    against: 'the bare Bun.serve of part http',
    seconds: { once: 10, perRun: 90 },
    run: orderEntry,
  },
  {
    name: 'batches',
    question: 'How many orders per second get their answers in requests of 50?',
    against: 'the same orders, one in each request',
    seconds: { once: 10, perRun: 110 },
    run: batches,
  },
  {
    name: 'sql',
    question: 'How does that compare with one SQL transaction per order?',
    against: 'SQLite with full sync, and PostgreSQL with 16 and 64 clients',
    seconds: { once: 20, perRun: 80 },
    run: sql,
  },
  {
    name: 'replay',
    question: 'How fast does a node rebuild the state from the journal, and start from a snapshot?',
    against: 'the targets only',
    seconds: { once: 60, perRun: 12 },
    run: replay,
  },
  {
    name: 'archive',
    question: 'How long does a start take with fifty million archived commands?',
    against: 'the target only',
    seconds: { once: 1800, perRun: 20 },
    run: archive,
  },
  {
    name: 'memory',
    question: 'How much memory does each of a million resting orders take?',
    against: 'the targets only',
    seconds: { once: 5, perRun: 20 },
    run: memory,
  },
  {
    name: 'retention',
    question: 'Does a process grow with the writes of several days?',
    against: 'itself after a tenth of them',
    seconds: { once: 5, perRun: 400 },
    run: retention,
  },
  {
    name: 'burst',
    question: 'How long do customers wait while another one cancels 100,000 of a million orders?',
    against: 'the same customers without the mass cancel',
    seconds: { once: 120, perRun: 15 },
    run: burst,
  },
  {
    name: 'cascade',
    question: 'How long do customers wait while one trade triggers 100,000 stops?',
    against: 'the same customers without the stops',
    seconds: { once: 60, perRun: 15 },
    run: cascade,
  },
  {
    name: 'large',
    question: 'How long do honest customers wait while a command meets 10,000 orders?',
    against: 'the same customers without the command',
    seconds: { once: 60, perRun: 180 },
    run: large,
  },
  {
    name: 'large-memory',
    question: 'How much memory does an order take that meets 10,000 or 20,000 icebergs?',
    against: 'as many plain orders',
    seconds: { once: 40, perRun: 30 },
    run: largeMemory,
  },
  {
    name: 'earn',
    question:
      'How long does a day close of a million subscriptions take, and how much does it delay ' +
      'orders?',
    against: 'orders without a day close, and the bare Bun.serve of part http',
    seconds: { once: 240, perRun: 150 },
    run: earn,
  },
  {
    name: 'flood',
    question: 'How much do floods by unknown callers, or by one customer, delay other orders?',
    against: 'the same orders without the flood',
    seconds: { once: 90, perRun: 120 },
    run: flood,
  },
  {
    name: 'streams',
    question:
      'How many messages per second reach the listeners, how soon, and how much do they slow ' +
      'orders?',
    against: 'the same orders without listeners',
    seconds: { once: 60, perRun: 130 },
    run: streams,
  },
  {
    name: 'web',
    question: 'How soon can a first visitor use the page, and does it keep up with a busy book?',
    against: 'the targets only',
    seconds: { once: 30, perRun: 45 },
    run: web,
  },
  {
    name: 'verify-fsync',
    question: 'How many syncs per second does this disk reach?',
    against: 'nothing; this is the limit for durable writes',
    seconds: { once: 5, perRun: 5 },
    run: verifyFsync,
  },
];

const RUNS = 5;
const RUNS_QUICK = 2;
/** The results that docs/benchmarks.md is made of. */
const RESULTS = join(ROOT, 'docs/benchmarks.json');
const DOCUMENT = join(ROOT, 'docs/benchmarks.md');

interface Options {
  readonly parts: readonly Part[];
  readonly runs: number;
  readonly quick: boolean;
  readonly write: boolean;
  readonly json: string | null;
}

function usage(): string {
  const width = Math.max(...PARTS.map(({ name }) => name.length));
  const parts = PARTS.map(({ name, question }) => `  ${name.padEnd(width)}  ${question}`);
  return (
    'npm run bench -- [PART…] [--runs N] [--quick] [--write] [--json ' +
    `FILE]\n\n${parts.join('\n')}`
  );
}

/** Throws Error for wrong arguments. */
function readOptions(argv: readonly string[]): Options | 'help' {
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: {
      runs: { type: 'string' },
      quick: { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
      json: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return 'help';
  const unknown = positionals.find((wanted) => !PARTS.some(({ name }) => name === wanted));
  if (unknown !== undefined) throw new Error(`There is no part "${unknown}".`);
  const { quick, write, json = null } = values;
  const runs = values.runs === undefined ? (quick ? RUNS_QUICK : RUNS) : Number(values.runs);
  if (!(Number.isInteger(runs) && runs >= 1 && runs <= 100)) {
    throw new Error('--runs takes a whole number from 1 to 100.');
  }
  const parts = PARTS.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
  return { parts, runs, quick, write, json };
}

/** A part that takes this many times its quiet duration hangs; a slow machine needs far less. */
const PATIENCE = 20;

/** Runs a part. Throws what the part throws, or when it hangs. */
async function measure(part: Part, { runs, quick }: Options): Promise<PartResult> {
  const directory = makeDirectory();
  const loadBefore = loadNow();
  const start = performance.now();
  const step = (text: string): void => {
    const elapsed = ((performance.now() - start) / 1000).toFixed(0).padStart(4);
    process.stderr.write(`${elapsed} s  ${part.name}: ${text}\n`);
  };
  const bound = PATIENCE * (part.seconds.once + part.seconds.perRun * runs);
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    killAll();
  }, bound * 1000);
  try {
    const { figures, notes } = await part.run({ runs, quick, directory, step });
    const { name, question, against } = part;
    return {
      ...{ name, question, against, figures, notes, runs, quick, loadBefore },
      seconds: Math.round((performance.now() - start) / 1000),
      finished: new Date().toISOString(),
      commit: commitNow(),
      machine: thisMachine(),
    };
  } catch (error) {
    throw late ? new Error(`stopped after ${bound} s: it hangs`, { cause: error }) : error;
  } finally {
    clearTimeout(timer);
    removeDirectory(directory);
  }
}

function show(result: PartResult): void {
  console.log(`\n${result.name}: ${result.question}`);
  console.log(`${terminalTable(result.figures)}\n`);
  for (const note of result.notes) console.log(`  ${note}`);
  if (!wasQuiet(result)) {
    console.log(
      `  The machine was not quiet: load ${result.loadBefore.toFixed(1)} before it began.`,
    );
  }
}

/** Replaces the results of the parts that were measured and rewrites the document. */
function writeDocument(measured: readonly PartResult[]): void {
  const earlier = existsSync(RESULTS)
    ? (JSON.parse(readFileSync(RESULTS, 'utf8')) as PartResult[])
    : [];
  const all = PARTS.flatMap(
    ({ name }) =>
      measured.find((result) => result.name === name) ??
      earlier.find((result) => result.name === name) ??
      [],
  );
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
  if (!keepsFiles(machine)) {
    console.log(
      'The temporary directory is in memory: nothing is durable there. Set TMPDIR to a disk.',
    );
  }
  const results: PartResult[] = [];
  let failed = 0;
  for (const part of options.parts) {
    try {
      const result = await measure(part, options);
      results.push(result);
      show(result);
    } catch (error) {
      failed++;
      console.error(`\n${part.name} failed:`, error);
    }
  }
  if (options.json !== null) writeFileSync(options.json, JSON.stringify(results, null, 1));
  if (options.write) writeDocument(results);
  return failed === 0 ? 0 : 1;
}

process.on('exit', cleanUp);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130));
try {
  process.exit(await main());
} catch (error) {
  console.error(`${(error as Error).message}\n\n${usage()}`);
  process.exit(2);
}
