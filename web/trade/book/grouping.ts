// A book in coarser price steps: levels that fall into one step are added up, and each row knows what stands between it and
// the best price.
import type { Level } from '../../../src/sdk/index.ts';
import {
  add,
  ceilTo,
  compare,
  type Decimal,
  divideDown,
  floorTo,
  isPositive,
  max,
  multiply,
  subtract,
  toPixels,
} from '../../exact/decimal.ts';

/** Levels of each side: as many as the exchange gives, since coarse steps need many of them for a few rows. */
export const BOOK_DEPTH = 100;

export interface BookRow {
  readonly price: Decimal;
  readonly quantity: Decimal;
  /** Everything from the best price to this one. */
  readonly cumulative: Decimal;
}

/** Bids fall to the step below and asks rise to the step above, so no row shows a better price than its orders have. */
export function groupLevels(
  levels: readonly Level[],
  side: 'bids' | 'asks',
  step: Decimal,
  rows: number,
): readonly BookRow[] {
  const stepOf = side === 'bids' ? floorTo : ceilTo;
  const grouped: BookRow[] = [];
  for (const [price, quantity] of levels) {
    const row = stepOf(price, step);
    const last = grouped.at(-1);
    const cumulative = last === undefined ? quantity : add(last.cumulative, quantity);
    if (last?.price === row) {
      grouped[grouped.length - 1] = { ...last, quantity: add(last.quantity, quantity), cumulative };
    } else {
      if (grouped.length >= rows) break;
      grouped.push({ price: row, quantity, cumulative });
    }
  }
  return grouped;
}

/** How long the bar of each row is, of 1: what stands up to it, against the deepest row of either side. */
export function depthOf(row: BookRow, deepest: Decimal): number {
  if (!isPositive(deepest)) return 0;
  // Bars move by whole percents, so that most updates leave most rows alone.
  return Math.round((toPixels(row.cumulative) / toPixels(deepest)) * 100) / 100;
}

export const deepestOf = (bids: readonly BookRow[], asks: readonly BookRow[]): Decimal =>
  max(bids.at(-1)?.cumulative ?? '0', asks.at(-1)?.cumulative ?? '0');

/** The steps that make sense: the tick and tens of it, up to a hundredth of the price. */
export function groupSteps(tick: Decimal, price: Decimal | null): readonly Decimal[] {
  const steps = [tick];
  if (price === null) return steps;
  for (let step = multiply(tick, '10'); steps.length < 6; step = multiply(step, '10')) {
    if (compare(multiply(step, '100'), price) > 0) break;
    steps.push(step);
  }
  return steps;
}

export interface Spread {
  readonly absolute: Decimal;
  /** Of the mid price. */
  readonly rate: Decimal;
  readonly mid: Decimal;
}

/** null where a side is empty. The mid has one digit more than prices at most; the rate is cut after six digits. */
export function spreadOf(
  bestBid: Decimal | undefined,
  bestAsk: Decimal | undefined,
): Spread | null {
  if (bestBid === undefined || bestAsk === undefined) return null;
  const absolute = subtract(bestAsk, bestBid);
  const mid = multiply(add(bestAsk, bestBid), '0.5');
  return { absolute, mid, rate: divideDown(absolute, mid, 6) };
}
