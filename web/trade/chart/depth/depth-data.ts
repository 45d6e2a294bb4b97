// The depth of a book: running totals for drawing, the part of the prices that is shown, and the
// exact figures up to a level.
import type { Level, Orderbook } from '../../../../src/sdk/index.ts';
import { add, type Decimal, divideDown, multiply, toPixels } from '../../../exact/decimal.ts';

export type BookSide = 'bids' | 'asks';
export type Book = Pick<Orderbook, BookSide>;

/** Floats, because they only place lines of the drawing. */
export interface DepthPoint {
  readonly price: number;
  /** Everything from the best price to this one, in base. */
  readonly total: number;
}

export function depthPoints(levels: readonly Level[]): readonly DepthPoint[] {
  let total = 0;
  return levels.map(([price, quantity]) => {
    total += toPixels(quantity);
    return { price: toPixels(price), total };
  });
}

/** The prices that are shown, and the largest total among them. */
export interface DepthRange {
  readonly low: number;
  readonly high: number;
  readonly mid: number;
  readonly deepest: number;
}

/** Levels further away than most would flatten the others. */
const MOST = 0.9;
/** Room above the largest total. */
const HEADROOM = 1.08;
/** The smallest span, as a part of the price. */
const SMALLEST = 1e-6;

/** Both sides at the same scale around the mid. `zoom` 2 shows half of the usual span. */
export function depthRange(
  bids: readonly DepthPoint[],
  asks: readonly DepthPoint[],
  zoom: number,
): DepthRange | null {
  const [bid, ask] = [bids[0]?.price, asks[0]?.price];
  const best = bid ?? ask;
  if (best === undefined) return null;
  const mid = ((bid ?? best) + (ask ?? best)) / 2;
  const reach = (points: readonly DepthPoint[]) =>
    points.length === 0 ? 0 : Math.abs(points[Math.ceil(points.length * MOST) - 1]!.price - mid);
  const usual = Math.max(reach(bids), reach(asks), mid * SMALLEST);
  const span = Math.min(usual / zoom, mid);
  const [low, high] = [mid - span, mid + span];
  const totals = [
    ...bids.filter(({ price }) => price >= low),
    ...asks.filter(({ price }) => price <= high),
  ].map(({ total }) => total);
  const first = Math.max(bids[0]?.total ?? 0, asks[0]?.total ?? 0);
  return { low, high, mid, deepest: Math.max(first, ...totals) * HEADROOM };
}

export interface DepthPlace {
  readonly side: BookSide;
  readonly index: number;
}

/** The last level that an order with this limit reaches; the best one for a price in the spread. */
export function levelAt(
  bids: readonly DepthPoint[],
  asks: readonly DepthPoint[],
  price: number,
): DepthPlace | null {
  const [bid, ask] = [bids[0]?.price, asks[0]?.price];
  const middle = ((bid ?? ask ?? 0) + (ask ?? bid ?? 0)) / 2;
  const side = bids.length === 0 || (asks.length > 0 && price > middle) ? 'asks' : 'bids';
  const points = side === 'bids' ? bids : asks;
  if (points.length === 0) return null;
  const reached = points.filter((point) =>
    side === 'bids' ? point.price >= price : point.price <= price,
  ).length;
  return { side, index: Math.max(0, reached - 1) };
}

/** Moves through the levels from the lowest bid to the highest ask. */
export function moveLevel(
  { bids, asks }: Readonly<Record<BookSide, readonly unknown[]>>,
  place: DepthPlace | null,
  by: number,
): DepthPlace | null {
  const count = bids.length + asks.length;
  if (count === 0) return null;
  const from = place === null ? bids.length - (by > 0 ? 1 : 0) : positionOf(bids.length, place);
  const at = Math.min(count - 1, Math.max(0, from + by));
  return at < bids.length
    ? { side: 'bids', index: bids.length - 1 - at }
    : { side: 'asks', index: at - bids.length };
}

/** Counted from the lowest bid. */
export const positionOf = (bids: number, { side, index }: DepthPlace): number =>
  side === 'bids' ? bids - 1 - index : bids + index;

export interface DepthFigures {
  readonly price: Decimal;
  /** Everything from the best price to this one. */
  readonly quantity: Decimal;
  readonly cost: Decimal;
  /** The distance from the mid, as a part of it; null with one side. */
  readonly distance: Decimal | null;
}

/** The exact figures up to a level; null if the book has become shorter. */
export function depthFigures(book: Book, { side, index }: DepthPlace): DepthFigures | null {
  const level = book[side][index];
  if (level === undefined) return null;
  let quantity = '0';
  let cost = '0';
  for (const [price, amount] of book[side].slice(0, index + 1)) {
    quantity = add(quantity, amount);
    cost = add(cost, multiply(price, amount));
  }
  const [price] = level;
  const [bid, ask] = [book.bids[0]?.[0], book.asks[0]?.[0]];
  if (bid === undefined || ask === undefined) return { price, quantity, cost, distance: null };
  const mid = multiply(add(bid, ask), '0.5');
  const distance = divideDown(add(price, multiply(mid, '-1')), mid, 6);
  return { price, quantity, cost, distance };
}

/** Round values between two others, for the marks of an axis; at most `count` + 1. */
export function roundSteps(low: number, high: number, count: number): readonly number[] {
  const raw = (high - low) / Math.max(1, count);
  if (!(raw > 0)) return [];
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((digit) => digit * power).find((size) => size >= raw)!;
  const first = Math.ceil(low / step);
  const last = Math.floor(high / step);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => (first + i) * step);
}
