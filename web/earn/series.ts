// The geometry of the interest chart: a bar for each day, and the running total.
import type { InterestEntry } from '../../src/sdk/index.ts';
import { add, compare, type Decimal, toPixels } from '../exact/decimal.ts';

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Bar {
  /** 00:00 UTC of the day, epoch ms. */
  readonly date: number;
  readonly earned: Decimal;
  /** Whether the interest was forfeited. */
  readonly isGivenUp: boolean;
  /** The total of the shown days up to this one, without forfeited interest. */
  readonly running: Decimal;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** The height of the running total at this day. */
  readonly lineY: number;
}

/** Whether the interest of a day was forfeited. `from`: the first such day. */
export const isGivenUp = (date: number, from: number | null): boolean =>
  from !== null && date >= from;

/** The maximum width of a bar in pixels. */
const WIDEST = 40;

/**
 * `entries`: newest first; bars: oldest first. Both scales start at zero. `givenUpFrom`: the first
 * day of forfeited interest, null if there is none.
 */
export function barsOf(
  entries: readonly InterestEntry[],
  { width, height }: Size,
  givenUpFrom: number | null = null,
): readonly Bar[] {
  const days = entries.toReversed();
  let running: Decimal = '0';
  const totals = days.map(({ date, earnedAmount }) => {
    if (!isGivenUp(date, givenUpFrom)) running = add(running, earnedAmount);
    return running;
  });
  const tallest = days.reduce(
    (most, { earnedAmount }) => (compare(earnedAmount, most) > 0 ? earnedAmount : most),
    '0',
  );
  const share = (value: Decimal, of: Decimal): number =>
    compare(of, '0') === 0 ? 0 : toPixels(value) / toPixels(of);
  const step = width / Math.max(days.length, 1);
  const wide = Math.min(step * 0.76, WIDEST);
  return days.map(({ date, earnedAmount }, i) => {
    // Bars leave the upper part of the chart to the line.
    const tall = share(earnedAmount, tallest) * height * 0.6;
    return {
      date,
      earned: earnedAmount,
      isGivenUp: isGivenUp(date, givenUpFrom),
      running: totals[i]!,
      x: i * step + (step - wide) / 2,
      y: height - tall,
      width: wide,
      height: tall,
      lineY: height - share(totals[i]!, running) * height,
    };
  });
}
