// Medians, spreads and percentiles. Means are not used: one disturbed run of five would be in all
// of them.

export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >>> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

export function spread(values: readonly number[]): Spread {
  return { median: median(values), min: Math.min(...values), max: Math.max(...values) };
}

/** Times of one phase of load, in milliseconds. */
export interface Latencies {
  readonly p50: number;
  readonly p99: number;
  readonly p999: number;
  readonly max: number;
}

/**
 * Sorts `times` in place. A percentile is a time that was measured: the smallest that so many did
 * not exceed.
 */
export function latenciesOf(times: Float64Array): Latencies {
  times.sort();
  const at = (share: number): number =>
    times[Math.min(times.length - 1, Math.max(0, Math.ceil(times.length * share) - 1))];
  return { p50: at(0.5), p99: at(0.99), p999: at(0.999), max: at(1) };
}
