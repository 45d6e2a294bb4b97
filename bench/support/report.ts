// Writes the results: a table on the terminal for each part, and docs/benchmarks.md. The document
// has the last written results of each part, so one part can be measured again alone.
import type { Machine } from './machine.ts';
import {
  type Figure,
  type Findings,
  median,
  type Part,
  reached,
  type Target,
  type Unit,
} from './part.ts';

/** A part's findings with everything that a reader must know to judge them. */
export interface PartResult extends Omit<Part, 'run'>, Findings {
  readonly runs: number;
  readonly quick: boolean;
  readonly seconds: number;
  /** ISO date and time of the end. */
  readonly finished: string;
  readonly commit: string;
  readonly machine: Machine;
  /** The load average before the part began: how far from quiet the machine was. */
  readonly loadBefore: number;
}

/** Above this others were at work, and absolute figures say little. */
const QUIET = 1;

const noiseOf = ({ loadBefore }: PartResult): string =>
  loadBefore < QUIET
    ? ''
    : ` The machine was not quiet (load ${loadBefore.toFixed(1)} before it began).`;

const DECIMALS: Partial<Readonly<Record<Unit, number>>> = { '×': 2, µs: 1, ms: 2, s: 2 };

function valueText(value: number, unit: Unit): string {
  const digits = DECIMALS[unit] ?? 0;
  const text = value.toLocaleString('en-US', {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  return `${text}${unit === '/s' ? '' : ' '}${unit}`;
}

const REACHED = { true: 'yes', false: 'no', null: '' } as const;

/** A row of the table. */
function rowOf(figure: Figure) {
  const { runs, unit, target, name } = figure;
  const text = (value: number): string => valueText(value, unit);
  const range = `${text(Math.min(...runs))} – ${text(Math.max(...runs))}`;
  return {
    figure: name,
    median: text(median(runs)),
    range: runs.length === 1 ? '' : range,
    target: target === null ? '' : targetText(target, text),
    reached: REACHED[`${reached(figure)}`],
  };
}

const targetText = (target: Target, text: (value: number) => string): string =>
  'atLeast' in target ? `≥ ${text(target.atLeast)}` : `≤ ${text(target.atMost)}`;

export const show = (result: PartResult): void => console.log(section(result).join('\n'));

export function machineText({ cpu, cores, memoryGiB, kernel, bun, fileSystem }: Machine): string {
  return `${cpu}, ${cores} cores, ${memoryGiB} GiB, ${kernel}, ${fileSystem}, Bun ${bun}`;
}

const TABLE_HEAD = [
  '| figure | median | range | target | reached |',
  '|---|---:|---:|---:|---|',
] as const;

/** A part with more figures shows its rates, its processor times and the figures with a target. */
const SHORT = 12;

const shownOf = (figures: readonly Figure[]): readonly Figure[] =>
  figures.length <= SHORT
    ? figures
    : figures.filter(({ unit, target }) => unit === '/s' || unit === 'µs' || target !== null);

/** docs/benchmarks.md. */
export function markdown(results: readonly PartResult[]): string {
  const missedOf = ({ figures }: PartResult) =>
    figures.filter((figure) => reached(figure) === false);
  const missed = results.filter((result) => missedOf(result).length > 0);
  const aims = results.flatMap(({ figures }) => figures.filter(({ target }) => target !== null));
  const reachedAims = aims.filter(reached);
  return [
    '# Benchmarks',
    '',
    '`npm run bench -- --write` writes this file and `benchmarks.json`, which has every figure ' +
      'of every run. Do not edit them.',
    'Long parts show only rates, processor times and targets here. `bench/main.ts` lists the ' +
      'measurements.',
    '',
    'Each figure is the median of several runs in fresh processes; the range is from the ' +
      'slowest to the fastest run. Compared',
    'systems take turns in the same run, so ratios hold even where absolute figures depend on ' +
      'the machine. Targets are aims, not',
    'gates: the tables also show figures that miss them.',
    '',
    `## Targets: ${reachedAims.length} of ${aims.length} reached`,
    '',
    ...missed.map((result) => {
      const { name } = result;
      const names = missedOf(result).map((figure) => figure.name);
      return `- missed in [${name}](#${name}): ${names.join('; ')}`;
    }),
    '',
    ...results.flatMap(section),
  ].join('\n');
}

function section(result: PartResult): string[] {
  const { name, question, against, figures, notes, runs, quick, finished, commit } = result;
  const size = quick ? ', quick sizes: rough' : '';
  const rows = shownOf(figures).map((figure) => `| ${Object.values(rowOf(figure)).join(' | ')} |`);
  return [
    `## ${name}`,
    '',
    `${question} Against: ${against}.`,
    '',
    ...TABLE_HEAD,
    ...rows,
    '',
    ...notes.map((note) => `- ${note}`),
    `- ${runs} runs${size}, ${finished.slice(0, 10)}, commit ${commit}; ` +
      `${machineText(result.machine)}.${noiseOf(result)}`,
    '',
  ];
}
