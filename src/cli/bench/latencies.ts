// Percentiles of measured times, in milliseconds.

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
