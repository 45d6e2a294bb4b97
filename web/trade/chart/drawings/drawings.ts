// The user's drawings on the chart of a pair, as the browser keeps them: points in time and price,
// so that they stay in their place at every interval. Floats, because nothing but a line is drawn.
import type { Place } from '../layer.ts';

/** Each kind with its number of points. */
export const KINDS = { trend: 2, horizontal: 1, fibonacci: 2 } as const;
export type DrawingKind = keyof typeof KINDS;
export const DRAWING_KINDS = Object.keys(KINDS) as readonly DrawingKind[];

export interface Point {
  /** Epoch ms. */
  readonly time: number;
  readonly price: number;
}

export interface Drawing {
  readonly kind: DrawingKind;
  readonly points: readonly Point[];
}

export const MAX_DRAWINGS = 50;

/** The parts of the height between the two points of a Fibonacci retracement. */
export const FIBONACCI = [0, 0.236, 0.382, 0.5, 0.618, 0.786, 1] as const;

/** Text for the browser's storage: "trend 1795237741000 60000 1795241341000 61000;…". */
export const drawingsText = (drawings: readonly Drawing[]): string =>
  drawings
    .map(({ kind, points }) => [kind, ...points.flatMap((at) => [at.time, at.price])].join(' '))
    .join(';');

/** Reads the text. Leaves out what is not a drawing, as of another release. */
export function parseDrawings(text: string): readonly Drawing[] {
  const found = text.split(';').flatMap((part): Drawing[] => {
    const [name, ...numbers] = part.split(' ');
    const kind = DRAWING_KINDS.find((known) => known === name);
    const values = numbers.map(Number);
    if (kind === undefined || values.length !== 2 * KINDS[kind]) return [];
    if (!values.every((value) => Number.isFinite(value) && value >= 0)) return [];
    const points = Array.from({ length: KINDS[kind] }, (_, i) => ({
      time: values[2 * i]!,
      price: values[2 * i + 1]!,
    }));
    return [{ kind, points }];
  });
  return found.slice(-MAX_DRAWINGS);
}

/** The open times of the candles, and the time from one to the next where there are none. */
export interface TimeAxis {
  readonly times: readonly number[];
  readonly stepMs: number;
}

/** The index of a time among the candles; between two, before the first or after the last. */
export function indexAt({ times, stepMs }: TimeAxis, time: number): number {
  const last = times.length - 1;
  if (last < 0) return 0;
  if (time <= times[0]!) return (time - times[0]!) / stepMs;
  if (time >= times[last]!) return last + (time - times[last]!) / stepMs;
  let [low, high] = [0, last];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (times[middle]! <= time) low = middle;
    else high = middle;
  }
  return low + (time - times[low]!) / (times[high]! - times[low]!);
}

/** The time of a whole index, also of one without a candle. */
export function timeAt({ times, stepMs }: TimeAxis, index: number): number {
  const last = times.length - 1;
  if (index < 0) return (times[0] ?? 0) + index * stepMs;
  return times[index] ?? (times[last] ?? 0) + (index - last) * stepMs;
}

/** The distance of a place from the line between two others, pixels. */
export function distanceTo({ x, y }: Place, from: Place, to: Place): number {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = dx * dx + dy * dy;
  const along = length === 0 ? 0 : ((x - from.x) * dx + (y - from.y) * dy) / length;
  const part = Math.min(1, Math.max(0, along));
  return Math.hypot(x - from.x - part * dx, y - from.y - part * dy);
}
