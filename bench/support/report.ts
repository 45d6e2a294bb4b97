// Writes the results: a table on the terminal for each part, and docs/benchmarks.md. The document
// has the last written results of each part, so one part can be measured again alone.
import type { Machine } from './machine.ts';
import { type Figure, reached, type Unit } from './part.ts';
import { spread } from './statistics.ts';

/** A part's findings with everything that a reader must know to judge them. */
export interface PartResult {
  readonly name: string;
  readonly question: string;
  readonly against: string;
  readonly figures: readonly Figure[];
  readonly notes: readonly string[];
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

export const wasQuiet = ({ loadBefore }: PartResult): boolean => loadBefore < QUIET;

const DECIMALS: Readonly<Record<Unit, number>> = {
  '/s': 0,
  '×': 2,
  µs: 1,
  ms: 2,
  s: 2,
  bytes: 0,
  kB: 0,
  'per sync': 1,
  '%': 0,
};

function valueText(value: number, unit: Unit): string {
  const digits = DECIMALS[unit];
  const text = value.toLocaleString('en-US', {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  if (unit === '/s' || unit === '×') return `${text}${unit === '/s' ? '/s' : ' ×'}`;
  return unit === 'per sync' ? text : `${text} ${unit}`;
}

function targetText({ target, unit }: Figure): string {
  if (target === null) return '';
  return 'atLeast' in target
    ? `≥ ${valueText(target.atLeast, unit)}`
    : `≤ ${valueText(target.atMost, unit)}`;
}

const REACHED = { true: 'yes', false: 'no', null: '' } as const;

/** One row a figure: name, median, range, target, reached. */
function rowOf(figure: Figure): string[] {
  const { median, min, max } = spread(figure.runs);
  const { unit } = figure;
  return [
    figure.name,
    valueText(median, unit),
    figure.runs.length === 1 ? '' : `${valueText(min, unit)} – ${valueText(max, unit)}`,
    targetText(figure),
    REACHED[`${reached(figure)}`],
  ];
}

const HEADINGS = ['figure', 'median', 'range', 'target', 'reached'];
/** The first column is text; the others are figures and stand to the right. */
const LEFT_COLUMNS = 1;

export function terminalTable(figures: readonly Figure[]): string {
  const rows = [HEADINGS, ...figures.map(rowOf)];
  const widths = HEADINGS.map((_, at) => Math.max(...rows.map((row) => Bun.stringWidth(row[at]!))));
  const lines = rows.map((row) =>
    row
      .map((cell, at) => {
        const space = ' '.repeat(widths[at]! - Bun.stringWidth(cell));
        return at < LEFT_COLUMNS ? cell + space : space + cell;
      })
      .join('  ')
      .trimEnd(),
  );
  return lines.map((line) => `  ${line}`).join('\n');
}

export function machineText({ cpu, cores, memoryGiB, kernel, bun, fileSystem }: Machine): string {
  return `${cpu}, ${cores} cores, ${memoryGiB} GiB, ${kernel}, ${fileSystem}, Bun ${bun}`;
}

function markdownTable(figures: readonly Figure[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const rule = '|---|---:|---:|---:|---|';
  return [line(HEADINGS), rule, ...figures.map((figure) => line(rowOf(figure)))].join('\n');
}

/** A part with more figures shows its rates, its processor times and the figures with a target. */
const SHORT = 12;

const shownOf = (figures: readonly Figure[]): readonly Figure[] =>
  figures.length <= SHORT
    ? figures
    : figures.filter(({ unit, target }) => unit === '/s' || unit === 'µs' || target !== null);

/** docs/benchmarks.md. */
export function markdown(results: readonly PartResult[]): string {
  const aims = results.flatMap(({ figures }) => figures.filter(({ target }) => target !== null));
  const missed = aims.filter((figure) => reached(figure) === false);
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
    `## Targets: ${aims.length - missed.length} of ${aims.length} reached`,
    '',
    ...results.flatMap(({ name, figures }) => {
      const names = figures
        .filter((figure) => missed.includes(figure))
        .map((figure) => figure.name);
      return names.length === 0 ? [] : [`- missed in [${name}](#${name}): ${names.join('; ')}`];
    }),
    '',
    ...results.flatMap(section),
  ].join('\n');
}

function section(result: PartResult): string[] {
  const { name, question, against, figures, notes, runs, quick, finished, commit, machine } =
    result;
  const size = quick ? ', quick sizes: rough' : '';
  const noise = wasQuiet(result)
    ? ''
    : ` The machine was not quiet (load ${result.loadBefore.toFixed(1)} before it began).`;
  return [
    `## ${name}`,
    '',
    `${question} Against: ${against}.`,
    '',
    markdownTable(shownOf(figures)),
    '',
    ...notes.map((note) => `- ${note}`),
    `- ${runs} runs${size}, ${finished.slice(0, 10)}, commit ${commit}; ` +
      `${machineText(machine)}.${noise}`,
    '',
  ];
}
