// agio bench: what it prints, and that nothing of its node remains. How fast a machine is proves
// nothing, so no rate is expected.
import { expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { agio, expectRejected } from '../support/cli.ts';
import { TemporaryDirectory } from '../support/view-files.ts';

const number = expect.any(Number);

test('prints what it has measured and computed, and leaves nothing behind', async () => {
  using directory = new TemporaryDirectory();
  const { code, stdout, stderr } = await agio(`bench --seconds 1 --json --data ${directory.path}`);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const result = JSON.parse(stdout);
  expect(result).toEqual({
    machine: { cores: number, model: expect.any(String), memory: number },
    disk: { writesPerSecond: number, p50Ms: number, p99Ms: number },
    orders: {
      connections: 64,
      count: number,
      perSecond: number,
      p50Ms: number,
      p99Ms: number,
    },
    cpuMicrosecondsPerOrder: expect.objectContaining({ main: number, client: number }),
    computed: [4, 8, 16].map((cores) => ({
      cores,
      ordersPerSecond: number,
      limit: expect.any(String),
    })),
  });
  expect(result.orders.count).toBeGreaterThan(64);
  expect(readdirSync(directory.path)).toEqual([]);
});

test('prints a table for people', async () => {
  const { code, stdout } = await agio('bench --seconds 1');
  expect(code).toBe(0);
  for (const row of [
    /^durable disk writes +[\d,]+\/s +p50 [\d.]+ ms, p99 [\d.]+ ms$/m,
    /^signed orders and cancels +[\d,]+\/s +p50 [\d.]+ ms, p99 [\d.]+ ms$/m,
    /^computed: 16 cores +[\d,]+\/s +limited by \w+/m,
    /^CPU per order, µs: main [\d.]+, .*client [\d.]+$/m,
  ]) {
    expect(stdout).toMatch(row);
  }
});

test('rejects a time or a directory that it cannot use', async () => {
  expectRejected(await agio('bench --seconds 0'), '--seconds is a number up to 3600, not "0".');
  expectRejected(await agio('bench --data /no/such'), '/no/such is not a directory');
});
