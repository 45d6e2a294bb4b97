// The data of the chart, without drawing: the list of candles, and the part of time and price that
// is shown.
import type { Candle } from '../../../src/sdk/index.ts';
import { DAY_MS } from '../../exact/format.ts';
import { type CandleInterval, chart as t } from '../../messages/chart.ts';

/** Each interval of the server has a name in the texts, which the compiler checks. */
export const INTERVALS = Object.keys(t.intervals) as readonly CandleInterval[];

/** True if each candle is a whole number of UTC days. */
export const isDaily = (interval: CandleInterval): boolean => /[dw]$/.test(interval);

const UNITS: Readonly<Record<string, number>> = {
  m: 60_000,
  h: 3_600_000,
  d: DAY_MS,
  w: 7 * DAY_MS,
};

/** The length of a candle, ms. */
export const stepOf = (interval: CandleInterval): number =>
  Number.parseInt(interval, 10) * UNITS[interval.slice(-1)]!;

/** Joins two lists, oldest first. An interval that both have comes from `newer`. */
export function joinCandles(older: readonly Candle[], newer: readonly Candle[]): readonly Candle[] {
  const [first] = newer;
  if (first === undefined) return older;
  let end = older.length;
  while (end > 0 && older[end - 1]!.openTime >= first.openTime) end--;
  return [...older.slice(0, end), ...newer];
}

/**
 * The index of the first candle that a chart of `shown` must redraw to show `next`; null if
 * something before its last candle has changed, so that it must redraw everything.
 */
export function changedFrom(shown: readonly Candle[], next: readonly Candle[]): number | null {
  const last = shown.length - 1;
  if (last < 0 || next.length < shown.length) return null;
  const sameStart = shown[0]!.openTime === next[0]!.openTime;
  return sameStart && shown[last]!.openTime === next[last]!.openTime ? last : null;
}

/** Seconds to shift the UTC axis by, so that it shows the user's zone; days stay UTC days. */
export const axisShift = (interval: CandleInterval, zoneOffsetMs: number): number =>
  isDaily(interval) ? 0 : zoneOffsetMs / 1000;

/** The number of candles in the first view. */
export const FIRST_VIEW = 120;
/** Fewer candles than these keep their width and are centered. */
const MIN_SLOTS = 16;
/** Free space at the right of the last candle, in candles. */
const MARGIN = 5;

export interface IndexRange {
  readonly from: number;
  readonly to: number;
}

/** The index range of the first view: the newest candles, or all of them over the whole width. */
export function firstRange(count: number): IndexRange {
  if (count > FIRST_VIEW) return { from: count - FIRST_VIEW, to: count + MARGIN };
  const free = Math.max(0, MIN_SLOTS - count);
  if (free > 0) return { from: -0.5 - free / 2, to: count - 0.5 + free / 2 };
  return { from: -0.5, to: count - 0.5 + (MARGIN * count) / FIRST_VIEW };
}

/** Floats, because they only place lines of the drawing. */
export interface PriceRange {
  readonly low: number;
  readonly high: number;
}

/** Orders that are further away than this many heights of the candles would flatten them. */
const REACH = 0.5;
/** The height of candles without one, as a part of their price. */
const FLAT = 0.01;

/** The price range of the candles, extended to the orders that are near, or to all of them. */
export function fitScale(
  { low, high }: PriceRange,
  prices: readonly number[],
  fitsAll: boolean,
): PriceRange {
  const height = high > low ? high - low : high * FLAT;
  const reach = fitsAll ? Number.POSITIVE_INFINITY : REACH * height;
  const near = prices.filter((price) => price >= low - reach && price <= high + reach);
  return { low: Math.min(low, ...near), high: Math.max(high, ...near) };
}
