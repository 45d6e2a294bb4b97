// A part of the benchmark: the question that it answers, the subjects that it measures in turns,
// and its figures. A figure keeps the value of every run, so medians, spreads and ratios come from
// the same runs.
export type Unit = '/s' | '×' | 'µs' | 'ms' | 's' | 'bytes' | 'kB' | '%';

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
  /** Notes about what the preparation found. */
  readonly notes: string[];
  /** Ends these resources, the newest first, when the part is over. */
  readonly resources: AsyncDisposableStack;
}

export interface Part {
  readonly name: string;
  readonly question: string;
  /** The subject of the comparison. */
  readonly against: string;
  run(context: Context): Promise<Findings>;
}

/** A run has what each subject measured. */
type Subjects<Run> = { readonly [K in keyof Run]: () => Promise<Run[K]> };

export type Row<Run> = readonly [
  name: string,
  unit: Unit,
  of: (run: Run) => number,
  target?: Target | null,
];

interface Definition<Size extends object, Run> extends Omit<Part, 'run'> {
  /** Counts and seconds. */
  readonly size: Size;
  /** Prepares the part, and returns what each of its subjects measures. */
  subjects(size: Size, context: Context): Subjects<Run> | Promise<Subjects<Run>>;
  rows(size: Size, runs: readonly Run[]): readonly Row<Run>[];
  notes(size: Size, runs: readonly Run[]): readonly string[];
}

/** A part whose subjects are measured in turns. */
export const part = <Size extends object, Run>({
  size: full,
  subjects,
  rows,
  notes,
  ...about
}: Definition<Size, Run>): Part => ({
  ...about,
  async run(context) {
    const size = sizeOf(context, full);
    const runs = await alternate(context, await subjects(size, context));
    const allNotes = [...context.notes, ...notes(size, runs)];
    return { figures: figuresOf(runs, rows(size, runs)), notes: allNotes };
  },
});

/** The sizes of a part; for --quick a tenth of its counts, and a third of its seconds. */
function sizeOf<Size extends object>({ quick }: Context, full: Size): Size {
  const sizes = Object.entries(full as Record<string, number>);
  const smaller = sizes.map(([name, n]) => [name, n < 100 ? n / 3 : Math.ceil(n / 10)]);
  return quick ? Object.fromEntries(smaller) : full;
}

/**
 * Measures each subject once, then each once more, and so on: A B A B. A machine that slows down or
 * a neighbor that wakes up then meets all of them, and the ratios of a run stay fair.
 */
async function alternate<Run>(context: Context, subjects: Subjects<Run>): Promise<Run[]> {
  const runs: Run[] = [];
  for (let run = 1; run <= context.runs; run++) {
    const measured: [string, unknown][] = [];
    for (const [name, measure] of Object.entries<() => Promise<unknown>>(subjects)) {
      context.step(`run ${run} of ${context.runs}: ${name}`);
      measured.push([name, await measure()]);
    }
    runs.push(Object.fromEntries(measured) as Run);
  }
  return runs;
}

/** A figure for each row. Rows that the system has no account of, NaN, are left out. */
const figuresOf = <Run>(runs: readonly Run[], rows: readonly Row<Run>[]): Figure[] =>
  rows
    .map(([name, unit, of, target = null]) => ({ name, unit, runs: runs.map(of), target }))
    .filter((figure) => !figure.runs.some(Number.isNaN));

/** Means are not used: one disturbed run of five would be in all of them. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >>> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** True if the median is what it should be; null without a target. */
export function reached({ runs, target }: Figure): boolean | null {
  if (target === null) return null;
  const value = median(runs);
  return 'atLeast' in target ? value >= target.atLeast : value <= target.atMost;
}

/** A count as a reader reads it. */
export const many = (count: number): string => count.toLocaleString('en');
