// The price over the 24 hours of a ticker, as the points of a small line.
import type { Candle, Ticker } from '../../src/sdk/index.ts';
import { toPixels } from '../exact/decimal.ts';
import { DAY_MS } from '../exact/format.ts';

export const HOUR_MS = DAY_MS / 24;

/** A part of the day from 0 to 1, and a price. For drawing only. */
export type DayPoint = readonly [part: number, price: number];

type Window = Pick<Ticker, 'openTime' | 'openPrice' | 'lastPrice'>;

/**
 * From the start of the ticker's window to its end. The candles have an hour each; an hour without
 * one had no trade, so the price did not move. Empty before the first trade of a pair.
 */
export function dayPoints(
  { openTime, openPrice, lastPrice }: Window,
  candles: readonly Pick<Candle, 'openTime' | 'close'>[],
): readonly DayPoint[] {
  if (lastPrice === null) return [];
  const last = toPixels(lastPrice);
  let price = openPrice === null ? last : toPixels(openPrice);
  const points: DayPoint[] = [[0, price]];
  const partAt = (time: number) => Math.min(1, Math.max(0, (time - openTime) / DAY_MS));
  for (const candle of openPrice === null ? [] : candles) {
    const [from, to] = [partAt(candle.openTime), partAt(candle.openTime + HOUR_MS)];
    // The last hour ends at the last price, which is newer than the candles.
    if (to === 0 || from === 1) continue;
    if (from > points.at(-1)![0]) points.push([from, price]);
    price = to === 1 ? last : toPixels(candle.close);
    points.push([to, price]);
  }
  if (points.at(-1)![0] < 1) points.push([1, last]);
  return points;
}

/** Between the line and the edges of its box, in pixels. */
const EDGE = 2;

/** The `points` of a polyline; a constant price is in the middle. */
export function linePoints(points: readonly DayPoint[], width: number, height: number): string {
  const prices = points.map(([, price]) => price);
  const [low, high] = [Math.min(...prices), Math.max(...prices)];
  const room = height - 2 * EDGE;
  return points
    .map(([part, price]) => {
      const down = high === low ? 0.5 : (high - price) / (high - low);
      return `${(part * width).toFixed(1)},${(EDGE + down * room).toFixed(1)}`;
    })
    .join(' ');
}
