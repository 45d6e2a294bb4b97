// The book as rows: levels grouped into price steps with a running total, or the single orders of
// the level-3 book with their place in the queue.
import type { Level, Level3Level } from '../../../src/sdk/index.ts';
import * as d from '../../exact/decimal.ts';
import { percent } from '../../exact/format.ts';

/** Levels of each side: the maximum, because coarse steps need many levels for a few rows. */
export const BOOK_DEPTH = 100;

export interface BookRow {
  readonly price: d.Decimal;
  readonly quantity: d.Decimal;
  /** Everything from the best price to this one. */
  readonly cumulative: d.Decimal;
}

/** Bids round down and asks round up, so no row shows a better price than its orders have. */
export function groupLevels(
  levels: readonly Level[],
  side: 'bids' | 'asks',
  step: d.Decimal,
  rows: number,
): readonly BookRow[] {
  const stepOf = side === 'bids' ? d.floorTo : d.ceilTo;
  const grouped: BookRow[] = [];
  for (const [price, quantity] of levels) {
    const row = stepOf(price, step);
    const last = grouped.at(-1);
    const cumulative = last === undefined ? quantity : d.add(last.cumulative, quantity);
    if (last?.price === row) {
      grouped[grouped.length - 1] = {
        ...last,
        quantity: d.add(last.quantity, quantity),
        cumulative,
      };
    } else {
      if (grouped.length >= rows) break;
      grouped.push({ price: row, quantity, cumulative });
    }
  }
  return grouped;
}

/** The length of a row's bar, from 0 to 1, relative to the deepest row of either side. */
export function depthOf(row: BookRow, deepest: d.Decimal): number {
  if (!d.isPositive(deepest)) return 0;
  // Whole percents, so that most updates leave most rows unchanged.
  return Math.round((d.toPixels(row.cumulative) / d.toPixels(deepest)) * 100) / 100;
}

export const deepestOf = (bids: readonly BookRow[], asks: readonly BookRow[]): d.Decimal =>
  d.max(bids.at(-1)?.cumulative ?? '0', asks.at(-1)?.cumulative ?? '0');

/** The tick and its powers of ten, up to a hundredth of the price. */
export function groupSteps(tick: d.Decimal, price: d.Decimal | null): readonly d.Decimal[] {
  const steps = [tick];
  if (price === null) return steps;
  for (let step = d.multiply(tick, '10'); steps.length < 6; step = d.multiply(step, '10')) {
    if (d.compare(d.multiply(step, '100'), price) > 0) break;
    steps.push(step);
  }
  return steps;
}

/** A wide spread needs no more than hundredths of a percent, which fit into the row. */
export const spreadText = (rate: d.Decimal): string =>
  percent(d.compare(rate, '0.001') < 0 ? rate : d.fixedDown(rate, 4));

export interface Spread {
  readonly absolute: d.Decimal;
  /** The spread as a part of the mid price. */
  readonly rate: d.Decimal;
  readonly mid: d.Decimal;
}

/**
 * null if a side is empty. The mid may have one digit more than prices; the rate has six digits.
 */
export function spreadOf(
  bestBid: d.Decimal | undefined,
  bestAsk: d.Decimal | undefined,
): Spread | null {
  if (bestBid === undefined || bestAsk === undefined) return null;
  const absolute = d.subtract(bestAsk, bestBid);
  const mid = d.multiply(d.add(bestAsk, bestBid), '0.5');
  return { absolute, mid, rate: d.divideDown(absolute, mid, 6) };
}

export interface OrderRow {
  readonly orderId: string;
  readonly price: d.Decimal;
  readonly quantity: d.Decimal;
  /** 1 is filled first. */
  readonly place: number;
  /** The number of orders of the level. */
  readonly count: number;
  readonly own: boolean;
}

/** The orders of a side, best price first and oldest first within a price; at most `maximum`. */
export function orderRows(
  levels: readonly Level3Level[],
  own: ReadonlySet<string>,
  maximum: number,
): readonly OrderRow[] {
  const rows: OrderRow[] = [];
  for (const [price, , orders] of levels) {
    for (const [i, [orderId, , , quantity]] of orders.entries()) {
      if (rows.length >= maximum) return rows;
      rows.push({
        orderId,
        price,
        quantity,
        place: i + 1,
        count: orders.length,
        own: own.has(orderId),
      });
    }
  }
  return rows;
}
