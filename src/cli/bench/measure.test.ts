// The projection of agio bench: a thread has one core, and the threads share the machine.
import { expect, test } from 'bun:test';
import { projected } from './measure.ts';

test('the busiest thread limits a large machine, all of the work a small one', () => {
  const cpu = { main: 40, follower: 10, other: 30 };
  expect(projected(cpu, 1)).toEqual({ cores: 1, ordersPerSecond: 12_500, limit: 'all cores' });
  expect(projected(cpu, 4)).toEqual({ cores: 4, ordersPerSecond: 25_000, limit: 'main' });
  expect(projected(cpu, 16)).toEqual({ cores: 16, ordersPerSecond: 25_000, limit: 'main' });
});
