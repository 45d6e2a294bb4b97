// The histogram that every order passes: what falls into which bucket.
import { expect, test } from 'bun:test';
import { BOUNDS_MS, Durations } from './durations.ts';

test('counts what took no longer than each bound, and all of it', () => {
  const durations = new Durations();
  for (const bound of BOUNDS_MS) durations.observe(bound);
  expect(durations.upToBounds()).toEqual(BOUNDS_MS.map((_, i) => i + 1));
  durations.observe(0);
  durations.observe(0.3);
  durations.observe(99_999);
  expect(durations.upToBounds()).toEqual(BOUNDS_MS.map((_, i) => i + (i === 0 ? 2 : 3)));
  expect(durations.count).toBe(BOUNDS_MS.length + 3);
  expect(durations.sum).toBeCloseTo(BOUNDS_MS.reduce((a, b) => a + b) + 99_999.3, 6);
});
