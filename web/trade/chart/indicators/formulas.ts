// The formulas of the indicators. They use floats, because their results are only drawn. A formula
// computes one candle from the rows before it, so a new price costs one row.

/** The figures of a candle that formulas read. */
export interface Bar {
  /** Epoch ms. */
  readonly openTime: number;
  readonly close: number;
  readonly baseVolume: number;
  readonly quoteVolume: number;
}

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

const DAY_MS = 86_400_000;

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
