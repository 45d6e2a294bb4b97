// A part of the benchmark: the question that it answers, its time limit, and its figures. A figure
// keeps the value of every run, so medians, spreads and ratios come from the same runs.
import { median } from './statistics.ts';

export type Unit = '/s' | '×' | 'µs' | 'ms' | 's' | 'bytes' | 'kB' | 'per sync' | '%';

/** The target of a figure; a figure without one is for comparison. */
export type Target = { readonly atLeast: number } | { readonly atMost: number };

export interface Figure {
  readonly name: string;
  readonly unit: Unit;
  /** One value for each run, in the order of the runs. */
  readonly runs: readonly number[];
  readonly target: Target | null;
}

export interface Findings {
  readonly figures: readonly Figure[];
  /** Facts that a reader needs to judge the figures; full sentences. */
  readonly notes: readonly string[];
}

export interface Context {
  /** How often each subject is measured. */
  readonly runs: number;
  /** Smaller sizes, to see that everything works; the figures are then rough. */
  readonly quick: boolean;
  /** A directory of this part's own; it is removed afterwards. */
  readonly directory: string;
  /** Says what is being done now. */
  readonly step: (text: string) => void;
}

/** The sizes of a part; for --quick a tenth of its counts, and a third of its seconds. */
export function sizeOf<Sizes extends object>({ quick }: Context, full: Sizes): Sizes {
  const sizes = Object.entries(full as Record<string, number>);
  const smaller = sizes.map(([name, n]) => [name, n < 100 ? n / 3 : Math.ceil(n / 10)]);
  return quick ? Object.fromEntries(smaller) : full;
}

export interface Part {
  readonly name: string;
  readonly question: string;
  /** The subject of the comparison. */
  readonly against: string;
  /** How long it takes on a quiet machine: `once + perRun × runs` seconds. */
  readonly seconds: { readonly once: number; readonly perRun: number };
  run(context: Context): Promise<Findings>;
}

export const figure = (
  name: string,
  unit: Unit,
  runs: readonly number[],
  target: Target | null = null,
): Figure => ({ name, unit, runs, target });

type Row<Run> = readonly [name: string, unit: Unit, of: (run: Run) => number, target?: Target];

/** A figure for each row, with what `of` takes from each run. */
export const figuresOf = <Run>(runs: readonly Run[], rows: readonly Row<Run>[]): Figure[] =>
  rows.map(([name, unit, of, target]) => figure(name, unit, runs.map(of), target));

/** How many times `a` is `b`, run by run. */
export function ratio(
  name: string,
  a: readonly number[],
  b: readonly number[],
  target: Target | null = null,
): Figure {
  if (a.length !== b.length) throw new Error(`"${name}" compares runs that do not belong together`);
  return { name, unit: '×', runs: a.map((value, run) => value / b[run]), target };
}

/** True if the median is what it should be; null without a target. */
export function reached({ runs, target }: Figure): boolean | null {
  if (target === null) return null;
  const value = median(runs);
  return 'atLeast' in target ? value >= target.atLeast : value <= target.atMost;
}

/**
 * Measures each subject once, then each once more, and so on: A B A B. A machine that slows down or
 * a neighbour that wakes up then meets all of them, and the ratios of a run stay fair.
 */
export async function alternate<T, K extends string>(
  context: Context,
  subjects: Readonly<Record<K, () => Promise<T>>>,
): Promise<Record<K, T[]>> {
  const names = Object.keys(subjects) as K[];
  const results = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<K, T[]>;
  for (let run = 1; run <= context.runs; run++) {
    for (const name of names) {
      context.step(`run ${run} of ${context.runs}: ${name}`);
      results[name].push(await subjects[name]());
    }
  }
  return results;
}
