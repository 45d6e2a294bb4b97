// The points of a small line in a box.

/** Between the line and the edges of its box, in pixels. */
const EDGE = 2;

/** Empty for fewer than two values; equal values are in the middle. */
export function linePoints(values: readonly number[], width: number, height: number): string {
  if (values.length < 2) return '';
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const room = height - 2 * EDGE;
  return values
    .map((value, i) => {
      const part = high === low ? 0.5 : (high - value) / (high - low);
      const x = (i / (values.length - 1)) * width;
      return `${x.toFixed(1)},${(EDGE + part * room).toFixed(1)}`;
    })
    .join(' ');
}
