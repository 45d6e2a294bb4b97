// The age of the oldest command that the views lack, on a clock that is set.
import { expect, test } from 'bun:test';
import { LagClock } from './lag-clock.ts';

test('the lag is the age of the oldest durable command that is not applied', () => {
  let now = 0;
  const lag = new LagClock(() => now);
  expect(lag.lagMs).toBe(0);
  lag.durable(10);
  now = 1000;
  lag.durable(20);
  expect(lag.lagMs).toBe(1000);
  lag.applied(5);
  expect(lag.lagMs).toBe(1000);
  lag.applied(10);
  now = 1500;
  expect(lag.lagMs).toBe(500);
  lag.applied(20);
  expect(lag.lagMs).toBe(0);
});

test('a lag of days takes bounded memory and is never underestimated', () => {
  let now = 0;
  const lag = new LagClock(() => now);
  for (let seq = 1; seq <= 100_000; seq++) {
    now = seq * 1000;
    lag.durable(seq);
  }
  expect(lag.lagMs).toBe(now - 1000);
  lag.applied(50_000);
  // The oldest command that is missing is 50,001, which became durable at that second.
  expect(lag.lagMs).toBeGreaterThanOrEqual(now - 50_001_000);
  expect(lag.lagMs).toBeLessThan(now - 49_000_000);
});
