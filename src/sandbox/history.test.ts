// The past of a new sandbox: trades before it was made, and no open orders from them.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { loadConfig } from '../config.ts';
import { checkInvariants } from '../core/invariants.ts';
import { type Node, startNode } from '../node.ts';
import { HISTORY_MS } from './history.ts';
import { seedSandbox } from './seed.ts';

let dataDir: string;
let node: Node;
let began: number;

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'agio-history-'));
  const argv = ['--data', dataDir, '--port', '0', '--no-demo', '--segment-bytes', '1048576'];
  node = await startNode({
    config: loadConfig({ argv, env: {} }),
    operatorToken: 'token-of-the-test-operator',
    log: pino({ level: 'silent' }),
    onFailure: (error) => {
      throw error;
    },
  });
  began = Date.now();
  await seedSandbox(node.services, { history: true });
});
afterAll(async () => {
  await node.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

const get = async (path: string) => (await fetch(node.url + path)).json();
const MARKET_DATA = '/market-data-server/api/public/v1';

test.each([
  ['1h', 3_600_000],
  ['15m', 900_000],
])('charts of %s reach back some days without a gap', async (interval, width) => {
  const candles: { openTime: number }[] = await get(
    `${MARKET_DATA}/candles?symbol=BTC-USDT&interval=${interval}&limit=1000`,
  );
  const times = candles.map(({ openTime }) => openTime).sort((a, b) => a - b);
  expect(times[0]).toBeLessThanOrEqual(began - HISTORY_MS + width);
  for (let i = 1; i < times.length; i++) expect(times[i]! - times[i - 1]!).toBe(width);
});

test('every pair has a change and a volume of 24 hours', async () => {
  const tickers = await get(`${MARKET_DATA}/tickers`);
  expect(tickers).toHaveLength(4);
  for (const { priceChange, baseVolume, tradeCount } of tickers) {
    expect(priceChange).not.toBe(0);
    expect(baseVolume).toBeGreaterThan(0);
    expect(tradeCount).toBeGreaterThan(100);
  }
});

test('no order is left, all sums hold, and the clock is at the present', () => {
  const { exchange, now } = node.services.engine;
  expect(exchange.state.orders.size).toBe(0);
  expect(() => checkInvariants(exchange.state)).not.toThrow();
  expect(exchange.state.time).toBeLessThanOrEqual(Date.now());
  expect(Math.abs(now - Date.now())).toBeLessThan(5000);
});
