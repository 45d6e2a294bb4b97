// Candles as a growing list: pages of older ones in front, news at the end, and no interval twice.
import type { Candle, CandlesRequest } from '../../../src/sdk/index.ts';

export type CandleInterval = CandlesRequest['interval'];

export const INTERVALS: readonly CandleInterval[] = ['1m', '5m', '15m', '1h', '4h', '1d'];

export const INTERVAL_WORDS: Readonly<Record<CandleInterval, string>> = {
  '1m': '1 minute',
  '5m': '5 minutes',
  '15m': '15 minutes',
  '1h': '1 hour',
  '4h': '4 hours',
  '1d': '1 day',
};

/** Both oldest first; where both have an interval, `newer` is right. */
export function joined(older: readonly Candle[], newer: readonly Candle[]): readonly Candle[] {
  const [first] = newer;
  if (first === undefined) return older;
  const from = first.openTime;
  let end = older.length;
  while (end > 0 && older[end - 1]!.openTime >= from) end--;
  return [...older.slice(0, end), ...newer];
}

/**
 * From where the chart that shows `shown` has to be drawn on to show `next`: the index of the first candle that differs,
 * or null where something before the last shown candle has changed and all has to be drawn.
 */
export function changedFrom(shown: readonly Candle[], next: readonly Candle[]): number | null {
  const last = shown.length - 1;
  if (last < 0 || next.length < shown.length) return null;
  const sameStart = shown[0]!.openTime === next[0]!.openTime;
  return sameStart && shown[last]!.openTime === next[last]!.openTime ? last : null;
}

/** Seconds that a chart is shifted by, so that its axis, which knows only UTC, reads local time; days are UTC days. */
export const axisShift = (interval: CandleInterval, offsetMinutes: number): number =>
  interval === '1d' ? 0 : -offsetMinutes * 60;
