// The data of the chart, without drawing: the list of candles, the marks of own orders, and the
// part of time and price that is shown.
import { Side } from '../../../src/sdk/generated/codes.ts';
import type { Candle, CandlesRequest, Order } from '../../../src/sdk/index.ts';
import { add, type Decimal } from '../../exact/decimal.ts';
import { grouped } from '../../exact/format.ts';
import { trade as t } from '../../messages/trade.ts';

export type CandleInterval = CandlesRequest['interval'];

export const INTERVALS: readonly CandleInterval[] = ['1m', '5m', '15m', '1h', '4h', '1d'];

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

/** Seconds to shift the UTC axis by, so that it shows local time; days stay UTC days. */
export const axisShift = (interval: CandleInterval, offsetMinutes: number): number =>
  interval === '1d' ? 0 : -offsetMinutes * 60;

/** More lines than these would hide the candles. */
export const MAX_MARKS = 30;

/** A price with a line over the whole chart and a title at its right. */
export interface PriceMark {
  readonly price: Decimal;
  readonly side: 'buy' | 'sell';
  readonly title: string;
}

/** The newest open orders of a pair as marks; orders at one price and side share a mark. */
export function marksOf(orders: readonly Order[], symbol: string): PriceMark[] {
  const found = new Map<string, { price: Decimal; side: Side; quantity: Decimal }>();
  for (const { side, price, leavesQty, ...order } of orders) {
    if (order.symbol !== symbol || price === null) continue;
    const key = `${side} ${price}`;
    const known = found.get(key);
    if (known !== undefined) known.quantity = add(known.quantity, leavesQty);
    else found.set(key, { price, side, quantity: leavesQty });
  }
  return [...found.values()].slice(0, MAX_MARKS).map(({ price, side, quantity }) => ({
    price,
    side: side === Side.buy ? 'buy' : 'sell',
    title: t.chart.ownOrder(side === Side.buy, grouped(quantity)),
  }));
}

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

/** The number of marks outside the range. */
export interface OutOfView {
  readonly above: number;
  readonly below: number;
}

interface FittedScale extends OutOfView {
  readonly range: PriceRange;
}

/** The price range of the candles, extended to the marks that are near. */
export function fitScale({ low, high }: PriceRange, marks: readonly number[]): FittedScale {
  const height = high > low ? high - low : high * FLAT;
  const [minimum, maximum] = [low - REACH * height, high + REACH * height];
  const near = marks.filter((price) => price >= minimum && price <= maximum);
  return {
    range: { low: Math.min(low, ...near), high: Math.max(high, ...near) },
    above: marks.filter((price) => price > maximum).length,
    below: marks.filter((price) => price < minimum).length,
  };
}
