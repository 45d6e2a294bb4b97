// The interest of a subscription as a picture: a bar for each day and the running total over the days that are shown.
import type { InterestEntry } from '../api/earn.ts';
import { add, compare, type Decimal, toPixels } from '../exact/decimal.ts';

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Bar {
  readonly date: string;
  readonly earned: Decimal;
  /** Of the days shown, up to this one. */
  readonly running: Decimal;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** Where the running total is at this day. */
  readonly lineY: number;
}

/** Pixels; few days are not drawn as blocks. */
const WIDEST = 40;

/** `entries` newest first, as they come; bars oldest first. Both scales begin at zero. */
export function barsOf(entries: readonly InterestEntry[], { width, height }: Size): readonly Bar[] {
  const days = entries.toReversed();
  let running: Decimal = '0';
  const totals = days.map(({ earnedAmount }) => {
    running = add(running, earnedAmount);
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
    // Bars leave the upper part to the line, so that both can be told apart.
    const tall = share(earnedAmount, tallest) * height * 0.6;
    return {
      date,
      earned: earnedAmount,
      running: totals[i]!,
      x: i * step + (step - wide) / 2,
      y: height - tall,
      width: wide,
      height: tall,
      lineY: height - share(totals[i]!, running) * height,
    };
  });
}
