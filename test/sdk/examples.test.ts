// The examples of the SDK on a new sandbox with its demo market.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { PublicClient } from '../../src/sdk/public-client.ts';
import { Place, readSandbox, Server } from '../support/cli.ts';
import { outputOf } from '../support/program.ts';
import { until } from '../support/waiting.ts';

const place = new Place();
const data = place.path('data');
let server: Server;

beforeAll(async () => {
  server = await Server.start(['--data', data], {}, { demo: true });
  await server.caughtUp();
  // The demo market takes a moment to open its books.
  const market = new PublicClient({ url: readSandbox(data).url });
  await until(async () => (await market.orderbook({ symbol: 'BTC-USDT' })).asks.length >= 10);
});
afterAll(async () => {
  await server.end('SIGTERM');
  place[Symbol.dispose]();
});

const run = (example: string, ...args: string[]): Promise<string> =>
  outputOf([process.execPath, `examples/${example}.ts`, data, ...args]);

test('sdk-trade: a market buy is filled, a canceled bid is not', async () => {
  const rows = (await run('sdk-trade')).trim().split('\n');
  expect(rows).toHaveLength(2);
  expect(rows[0]).toMatch(/^\d+ 4 0$/);
  expect(rows[1]).toMatch(/^\d+ 2 0\.\d+$/);
});

test('sdk-streams: the own order is reported, the book moves, and the program ends', async () => {
  const printed = await run('sdk-streams', '3');
  expect(printed).toMatch(/^order \d+ has status 0, 0\.001 left$/m);
  expect(printed).toMatch(/^best [\d.]+ \/ [\d.]+ at \d+$/m);
});

test('sdk-earn: the days add up to the preview', async () => {
  const printed = await run('sdk-earn');
  expect(printed).toMatch(/^40002: the least is \d+/m);
  expect(printed).toMatch(/^the days add up to ([\d.]+): true$/m);
});
