// Days, hours and the intervals of candles in business time. A day is a UTC day, counted from
// 1970-01-01.

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

/** In ms, shortest first. */
export const CANDLE_INTERVALS = {
  '1m': 60_000,
  '3m': 3 * 60_000,
  '5m': 5 * 60_000,
  '15m': 15 * 60_000,
  '30m': 30 * 60_000,
  '1h': HOUR_MS,
  '2h': 2 * HOUR_MS,
  '4h': 4 * HOUR_MS,
  '6h': 6 * HOUR_MS,
  '12h': 12 * HOUR_MS,
  '1d': DAY_MS,
  '1w': 7 * DAY_MS,
} as const;
export type CandleInterval = keyof typeof CANDLE_INTERVALS;

/** 1970-01-05, the first Monday: weeks start there. All other intervals divide a day. */
const FIRST_MONDAY = 4 * DAY_MS;

/** When the interval of `length` ms that contains `time` starts. */
export function intervalStart(time: number, length: number): number {
  const start = length > DAY_MS ? FIRST_MONDAY : 0;
  return start + Math.floor((time - start) / length) * length;
}

export const dayOf = (time: number): number => Math.floor(time / DAY_MS);
