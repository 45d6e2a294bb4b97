// The indicators that a chart can show: parameters, lines and pane of each kind, and the list that
// a browser remembers.
import {
  balanceVolume,
  bollingerBands,
  convergence,
  exponentialAverage,
  type Formula,
  movingAverage,
  priceChannel,
  relativeStrength,
  stochastic,
  trueRange,
  volumeAverage,
  volumeWeighted,
  weightedAverage,
} from './formulas.ts';

export interface Parameter {
  readonly name: 'length' | 'deviations' | 'fast' | 'slow' | 'signal' | 'smooth' | 'days';
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
  /** Over the prices, over the columns of volume, or in a pane below with a scale of its own. */
  readonly place: 'prices' | 'volume' | 'pane';
  readonly unit: 'price' | 'percent' | 'quantity';
  /** Dotted lines at these values. */
  readonly levels?: readonly number[];
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

const overPrices = { lines: ['value'], place: 'prices', unit: 'price' } as const;
const inPane = { lines: ['value'], place: 'pane' } as const;
const bands = { ...overPrices, lines: ['value', 'upper', 'lower'] } as const;

const KINDS = {
  ma: {
    ...overPrices,
    parameters: [length(20)],
    formula: ([n = 0]) => movingAverage(n),
  },
  ema: {
    ...overPrices,
    parameters: [length(20)],
    formula: ([n = 0]) => exponentialAverage(n),
  },
  wma: {
    ...overPrices,
    parameters: [length(20)],
    formula: ([n = 0]) => weightedAverage(n),
  },
  vwap: {
    ...overPrices,
    parameters: [{ name: 'days', initial: 1, minimum: 1, maximum: 365 }],
    formula: ([days = 0]) => volumeWeighted(days),
  },
  bollinger: {
    ...bands,
    parameters: [
      length(20, 2),
      { name: 'deviations', initial: 2, minimum: 0.1, maximum: 10, fraction: true },
    ],
    formula: ([n = 0, deviations = 0]) => bollingerBands(n, deviations),
  },
  donchian: {
    ...bands,
    parameters: [length(20)],
    formula: ([n = 0]) => priceChannel(n),
  },
  volume: {
    parameters: [length(20)],
    lines: ['value'],
    place: 'volume',
    unit: 'quantity',
    formula: ([n = 0]) => volumeAverage(n),
  },
  rsi: {
    ...inPane,
    parameters: [length(14, 2)],
    unit: 'percent',
    levels: [70, 30],
    formula: ([n = 0]) => relativeStrength(n),
  },
  macd: {
    parameters: [named('fast', 12, 1), named('slow', 26, 2), named('signal', 9, 1)],
    lines: ['macd', 'signal', 'histogram'],
    place: 'pane',
    unit: 'price',
    formula: ([fast = 0, slow = 0, signal = 0]) => convergence(fast, slow, signal),
  },
  stochastic: {
    parameters: [length(14), named('smooth', 3, 1), named('signal', 3, 1)],
    lines: ['value', 'signal'],
    place: 'pane',
    unit: 'percent',
    levels: [80, 20],
    formula: ([n = 0, smooth = 0, signal = 0]) => stochastic(n, smooth, signal),
  },
  atr: {
    ...inPane,
    parameters: [length(14)],
    unit: 'price',
    formula: ([n = 0]) => trueRange(n),
  },
  obv: {
    ...inPane,
    parameters: [],
    unit: 'quantity',
    formula: () => balanceVolume,
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
/** More of them would squeeze the prices. */
export const MAX_PANES = 3;

export const panesOf = (indicators: readonly Pick<Indicator, 'kind'>[]): number =>
  indicators.filter(({ kind }) => kindOf(kind).place === 'pane').length;

/** True if a chart with these indicators has room for one more of this kind. */
export const hasRoomFor = (indicators: readonly Indicator[], kind: KindName): boolean =>
  indicators.length < MAX_INDICATORS && panesOf([...indicators, { kind }]) <= MAX_PANES;

export const newIndicator = (kind: KindName): Indicator => ({
  kind,
  parameters: kindOf(kind).parameters.map(({ initial }) => initial),
});

/** True if a parameter accepts a value. */
export const accepts = ({ minimum, maximum, fraction = false }: Parameter, value: number) =>
  value >= minimum && value <= maximum && (fraction || Number.isInteger(value));

/** Text for the browser's storage: "ma 20,macd 12 26 9". */
export const indicatorsText = (indicators: readonly Indicator[]): string =>
  indicators.map(({ kind, parameters }) => [kind, ...parameters].join(' ')).join(',');

/** Reads the text. Leaves out what is not an indicator, as of another release. */
export function parseIndicators(text: string): readonly Indicator[] {
  const found: Indicator[] = [];
  for (const part of text.split(',')) {
    const [name = '', ...values] = part.trim().split(/ +/);
    const kind = KIND_NAMES.find((known) => known === name);
    if (kind === undefined || !hasRoomFor(found, kind)) continue;
    const parameters = values.map(Number);
    const expected = kindOf(kind).parameters;
    const fits =
      parameters.length === expected.length &&
      expected.every((parameter, i) => accepts(parameter, parameters[i]!));
    if (fits) found.push({ kind, parameters });
  }
  return found;
}
