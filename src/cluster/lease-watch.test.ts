// When a lease is over, by the steady clock of the process that looks.
import { expect, test } from 'bun:test';
import { LeaseWatch } from './lease-watch.ts';
import { FREE, KEPT, LEASE_MS } from './store.ts';

test('a lease is over after more than its time without a renewal', () => {
  let now = 5_000;
  const watch = new LeaseWatch(() => now);
  expect(watch.see('one')).toBe(false);
  now += LEASE_MS;
  expect(watch.see('one')).toBe(false);
  expect(watch.see('two')).toBe(false);
  now += LEASE_MS + 101;
  expect(watch.see('two')).toBe(true);
  // A failover of the database may bring an older renewal back.
  expect(watch.see('one')).toBe(false);
});

test('a free lease is over, and one that a copy keeps never is', () => {
  let now = 0;
  const watch = new LeaseWatch(() => now);
  expect(watch.see(FREE)).toBe(true);
  expect(watch.see(KEPT)).toBe(false);
  now = 1_000_000;
  expect(watch.see(KEPT)).toBe(false);
});
