// The indicators that a chart can show: parameters, lines and pane of each kind, and the list that
// a browser remembers.
import {
  bollingerBands,
  convergence,
  exponentialAverage,
  type Formula,
  movingAverage,
  relativeStrength,
  volumeWeighted,
} from './formulas.ts';

export interface Parameter {
  readonly name: 'length' | 'deviations' | 'fast' | 'slow' | 'signal' | 'days';
  readonly initial: number;
  readonly minimum: number;
  readonly maximum: number;
  /** Otherwise only whole numbers. */
  readonly fraction?: boolean;
}

/** A line of an indicator, or the columns of a histogram. */
export type LineName = 'value' | 'upper' | 'lower' | 'macd' | 'signal' | 'histogram';

export interface IndicatorKind {
  readonly parameters: readonly Parameter[];
  readonly lines: readonly LineName[];
  /** True if it is drawn below the prices, with a scale of its own. */
  readonly ownPane: boolean;
  readonly formula: (parameters: readonly number[]) => Formula;
}

const length = (initial: number, minimum = 1): Parameter => ({
  name: 'length',
  initial,
  minimum,
  maximum: 500,
});

const named = (name: Parameter['name'], initial: number, minimum: number): Parameter => ({
  ...length(initial, minimum),
  name,
});

const KINDS = {
  ma: {
    parameters: [length(20)],
    lines: ['value'],
    ownPane: false,
    formula: ([n = 0]) => movingAverage(n),
  },
  ema: {
    parameters: [length(20)],
    lines: ['value'],
    ownPane: false,
    formula: ([n = 0]) => exponentialAverage(n),
  },
  bollinger: {
    parameters: [
      length(20, 2),
      { name: 'deviations', initial: 2, minimum: 0.1, maximum: 10, fraction: true },
    ],
    lines: ['value', 'upper', 'lower'],
    ownPane: false,
    formula: ([n = 0, deviations = 0]) => bollingerBands(n, deviations),
  },
  vwap: {
    parameters: [{ name: 'days', initial: 1, minimum: 1, maximum: 365 }],
    lines: ['value'],
    ownPane: false,
    formula: ([days = 0]) => volumeWeighted(days),
  },
  rsi: {
    parameters: [length(14, 2)],
    lines: ['value'],
    ownPane: true,
    formula: ([n = 0]) => relativeStrength(n),
  },
  macd: {
    parameters: [named('fast', 12, 1), named('slow', 26, 2), named('signal', 9, 1)],
    lines: ['macd', 'signal', 'histogram'],
    ownPane: true,
    formula: ([fast = 0, slow = 0, signal = 0]) => convergence(fast, slow, signal),
  },
} as const satisfies Readonly<Record<string, IndicatorKind>>;

export type KindName = keyof typeof KINDS;

export const KIND_NAMES = Object.keys(KINDS) as readonly KindName[];

export const kindOf = (name: KindName): IndicatorKind => KINDS[name];

/** An indicator on the chart. */
export interface Indicator {
  readonly kind: KindName;
  /** In the order of its kind's parameters. */
  readonly parameters: readonly number[];
}

/** More of them would hide the prices; the chart has a color for each. */
export const MAX_INDICATORS = 6;

export const newIndicator = (kind: KindName): Indicator => ({
  kind,
  parameters: kindOf(kind).parameters.map(({ initial }) => initial),
});

/** True if a parameter accepts a value. */
export const accepts = ({ minimum, maximum, fraction = false }: Parameter, value: number) =>
  value >= minimum && value <= maximum && (fraction || Number.isInteger(value));

/** As text for the browser's storage: "ma 20,macd 12 26 9". */
export const indicatorsText = (indicators: readonly Indicator[]): string =>
  indicators.map(({ kind, parameters }) => [kind, ...parameters].join(' ')).join(',');

/** Reads the text. Leaves out what is not an indicator, as of another release. */
export function parseIndicators(text: string): readonly Indicator[] {
  const found = text.split(',').flatMap((part): Indicator[] => {
    const [name = '', ...values] = part.trim().split(/ +/);
    const kind = KIND_NAMES.find((known) => known === name);
    if (kind === undefined) return [];
    const parameters = values.map(Number);
    const expected = kindOf(kind).parameters;
    const fits =
      parameters.length === expected.length &&
      expected.every((parameter, i) => accepts(parameter, parameters[i]!));
    return fits ? [{ kind, parameters }] : [];
  });
  return found.slice(0, MAX_INDICATORS);
}
