// Which part of a chart is shown: how many candles at first, and which own orders the price axis makes room for.

/** As many candles are shown at first, where there are as many. */
export const FIRST_SHOWN = 120;
/** Fewer candles than these are drawn no wider, and stand in the middle. */
const LEAST_SLOTS = 16;
/** Free room at the right of the last candle, in candles. */
const ROOM = 5;

export interface IndexRange {
  readonly from: number;
  readonly to: number;
}

/** The candles that are shown first, by their index: the newest, or all of them over the whole width. */
export function firstRange(count: number): IndexRange {
  if (count > FIRST_SHOWN) return { from: count - FIRST_SHOWN, to: count + ROOM };
  const free = Math.max(0, LEAST_SLOTS - count);
  if (free > 0) return { from: -0.5 - free / 2, to: count - 0.5 + free / 2 };
  return { from: -0.5, to: count - 0.5 + (ROOM * count) / FIRST_SHOWN };
}

/** Floats: the place of lines that are drawn. */
export interface PriceRange {
  readonly low: number;
  readonly high: number;
}

/** Orders further away than this many heights of the candles would flatten them. */
const REACH = 0.5;
/** The height of candles that have none, as a part of their price. */
const FLAT = 0.01;

export interface Fitted {
  readonly range: PriceRange;
  /** How many marks are outside of it. */
  readonly above: number;
  readonly below: number;
}

/** The range of the candles, made larger for the marks that are near. */
export function fitted({ low, high }: PriceRange, marks: readonly number[]): Fitted {
  const height = high > low ? high - low : high * FLAT;
  const [least, most] = [low - REACH * height, high + REACH * height];
  const near = marks.filter((price) => price >= least && price <= most);
  return {
    range: { low: Math.min(low, ...near), high: Math.max(high, ...near) },
    above: marks.filter((price) => price > most).length,
    below: marks.filter((price) => price < least).length,
  };
}

/** What is said of own orders that the axis has no room for; null for nothing. */
export function outsideWords({ above, below }: Omit<Fitted, 'range'>): string | null {
  const count = above + below;
  if (count === 0) return null;
  const where = below === 0 ? 'above' : above === 0 ? 'below' : 'above and below';
  return `${count === 1 ? '1 of your orders is' : `${count} of your orders are`} ${where} this view`;
}
