// The formulas of the indicators. They use floats, because their results are only drawn. A formula
// computes one candle from the rows before it, so a new price costs one row.
import type { Candle } from '../../../../src/sdk/index.ts';
import { toPixels } from '../../../exact/decimal.ts';
import { DAY_MS } from '../../../exact/format.ts';

const FIGURES = ['openTime', 'high', 'low', 'close', 'baseVolume', 'quoteVolume'] as const;

/** The figures of a candle that formulas read; the time in epoch ms. */
export type Bar = Readonly<Record<(typeof FIGURES)[number], number>>;

export const barOf = (candle: Candle): Bar =>
  Object.fromEntries(FIGURES.map((name) => [name, toPixels(`${candle[name]}`)])) as Bar;

/** The values of the lines of an indicator, then what its next row needs. NaN: not defined yet. */
export type Row = readonly number[];

/** The row at index `at`; `rows` has all rows before it. */
export type Formula = (bars: readonly Bar[], rows: readonly Row[], at: number) => Row;

/** Computes the rows from index `from` on; those before it stay. */
export function extend(formula: Formula, bars: readonly Bar[], rows: Row[], from: number): void {
  rows.length = Math.min(rows.length, from);
  for (let at = rows.length; at < bars.length; at++) rows.push(formula(bars, rows, at));
}

type Values = (at: number) => number;

/** The mean of the `length` values that end at `at`. */
function mean(valueAt: Values, length: number, at: number): number {
  let sum = 0;
  for (let i = at - length + 1; i <= at; i++) sum += valueAt(i);
  return sum / length;
}

/** Starts with the mean of the first `length` values, as TA-Lib and StockCharts do. */
function exponential(
  valueAt: Values,
  { length, first, before }: { length: number; first: number; before: number },
  at: number,
): number {
  const start = first + length - 1;
  if (at < start) return Number.NaN;
  if (at === start) return mean(valueAt, length, at);
  return before + (2 / (length + 1)) * (valueAt(at) - before);
}

const closeOf =
  (bars: readonly Bar[]): Values =>
  (at) =>
    bars[at]!.close;

export const movingAverage =
  (length: number): Formula =>
  (bars, _rows, at) => [at < length - 1 ? Number.NaN : mean(closeOf(bars), length, at)];

export const exponentialAverage =
  (length: number): Formula =>
  (bars, rows, at) => {
    const before = rows[at - 1]?.[0] ?? Number.NaN;
    return [exponential(closeOf(bars), { length, first: 0, before }, at)];
  };

/** The newest of the closes weighs `length`, the oldest 1. */
export const weightedAverage =
  (length: number): Formula =>
  (bars, _rows, at) => {
    if (at < length - 1) return [Number.NaN];
    let sum = 0;
    for (let i = 0; i < length; i++) sum += (length - i) * bars[at - i]!.close;
    return [sum / ((length * (length + 1)) / 2)];
  };

export const volumeAverage =
  (length: number): Formula =>
  (bars, _rows, at) => [
    at < length - 1 ? Number.NaN : mean((i) => bars[i]!.baseVolume, length, at),
  ];

/** The highest high and the lowest low of the `length` candles that end at `at`. */
function extremes(bars: readonly Bar[], length: number, at: number): readonly [number, number] {
  let [high, low] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let i = at - length + 1; i <= at; i++) {
    high = Math.max(high, bars[i]!.high);
    low = Math.min(low, bars[i]!.low);
  }
  return [high, low];
}

/** The middle, then the highest high and the lowest low. */
export const priceChannel =
  (length: number): Formula =>
  (bars, _rows, at) => {
    if (at < length - 1) return [Number.NaN, Number.NaN, Number.NaN];
    const [high, low] = extremes(bars, length, at);
    return [(high + low) / 2, high, low];
  };

/** %K and %D, then the %K before it is smoothed. A market that stays is in the middle. */
export const stochastic =
  (length: number, smooth: number, signal: number): Formula =>
  (bars, rows, at) => {
    if (at < length - 1) return [Number.NaN, Number.NaN, Number.NaN];
    const [high, low] = extremes(bars, length, at);
    const raw = high === low ? 50 : (100 * (bars[at]!.close - low)) / (high - low);
    const first = length + smooth - 2;
    const k = at < first ? Number.NaN : mean((i) => (i === at ? raw : rows[i]![2]!), smooth, at);
    const isReady = at >= first + signal - 1;
    return [k, isReady ? mean((i) => (i === at ? k : rows[i]![0]!), signal, at) : Number.NaN, raw];
  };

/** Wilder's average, then the range of the candle with the gap before it. */
export const trueRange =
  (length: number): Formula =>
  (bars, rows, at) => {
    const { high, low } = bars[at]!;
    const before = bars[at - 1]?.close ?? low;
    const range = at === 0 ? high - low : Math.max(high, before) - Math.min(low, before);
    const rangeAt: Values = (i) => (i === at ? range : rows[i]![1]!);
    if (at < length - 1) return [Number.NaN, range];
    if (at === length - 1) return [mean(rangeAt, length, at), range];
    const last = rows[at - 1]![0]!;
    return [last + (range - last) / length, range];
  };

/** The volume of rising candles minus that of falling ones, since the first candle. */
export const balanceVolume: Formula = (bars, rows, at) => {
  const { close, baseVolume } = bars[at]!;
  const before = bars[at - 1]?.close ?? close;
  return [(rows[at - 1]?.[0] ?? 0) + Math.sign(close - before) * baseVolume];
};

/** Middle, upper and lower band; the deviation is that of a population, as everywhere. */
export const bollingerBands =
  (length: number, deviations: number): Formula =>
  (bars, _rows, at) => {
    if (at < length - 1) return [Number.NaN, Number.NaN, Number.NaN];
    const middle = mean(closeOf(bars), length, at);
    const variance = mean((i) => (bars[i]!.close - middle) ** 2, length, at);
    const width = deviations * Math.sqrt(variance);
    return [middle, middle + width, middle - width];
  };

/** The index, then Wilder's averages of gains and losses. */
export const relativeStrength =
  (length: number): Formula =>
  (bars, rows, at) => {
    const change: Values = (i) => bars[i]!.close - bars[i - 1]!.close;
    const gain: Values = (i) => Math.max(0, change(i));
    const loss: Values = (i) => Math.max(0, -change(i));
    if (at < length) return [Number.NaN, Number.NaN, Number.NaN];
    const average = (valueAt: Values, before: number | undefined) =>
      at === length ? mean(valueAt, length, at) : before! + (valueAt(at) - before!) / length;
    const [, gains, losses] = rows[at - 1]!;
    const [up, down] = [average(gain, gains), average(loss, losses)];
    return [up + down === 0 ? 50 : (100 * up) / (up + down), up, down];
  };

/** MACD, signal and histogram, then the two averages. */
export const convergence =
  (fast: number, slow: number, signal: number): Formula =>
  (bars, rows, at) => {
    const [, signalBefore = Number.NaN, , fastBefore = Number.NaN, slowBefore = Number.NaN] =
      rows[at - 1] ?? [];
    const closes = closeOf(bars);
    const quick = exponential(closes, { length: fast, first: 0, before: fastBefore }, at);
    const lazy = exponential(closes, { length: slow, first: 0, before: slowBefore }, at);
    const macd = quick - lazy;
    const smooth = { length: signal, first: Math.max(fast, slow) - 1, before: signalBefore };
    const line = exponential((i) => (i === at ? macd : rows[i]![0]!), smooth, at);
    return [macd, line, macd - line, quick, lazy];
  };

/**
 * The average price of all trades since the last restart, then their sums. The server's volumes
 * make it exact; other charts estimate it from the high, low and close of each candle.
 */
export const volumeWeighted =
  (days: number): Formula =>
  (bars, rows, at) => {
    const period = (i: number) => Math.floor(bars[i]!.openTime / (days * DAY_MS));
    const continues = at > 0 && period(at) === period(at - 1);
    const [, quoteBefore = 0, baseBefore = 0] = continues ? rows[at - 1]! : [];
    const quote = quoteBefore + bars[at]!.quoteVolume;
    const base = baseBefore + bars[at]!.baseVolume;
    return [base > 0 ? quote / base : Number.NaN, quote, base];
  };
