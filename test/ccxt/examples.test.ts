// The bots of examples/ as they are printed, against a sandbox with its demo market.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { join } from 'node:path';
import type { Dict } from 'ccxt';
import { agio } from '../../src/ccxt/agio.ts';
import { buildCcxt } from '../../src/ccxt/build.ts';
import { Place, readSandbox, Server } from '../support/cli.ts';
import { until } from '../support/waiting.ts';

const EXAMPLES = join(import.meta.dir, '../../examples');
const place = new Place();
let server: Server;
let exchange: agio;

beforeAll(async () => {
  // They import agio/ccxt, which is the built file.
  await buildCcxt();
  server = await Server.start(['--data', place.path('data')], {}, { demo: true });
  await server.caughtUp();
  const { demo, url } = readSandbox(place.path('data'));
  const { apiKey, secretKey: secret } = demo!;
  const hostname = new URL(url).host;
  exchange = new agio({ apiKey, secret, hostname, sandbox: true, rateLimit: 1 });
  let bids: unknown[] = [];
  while (bids.length < 5) ({ bids } = await exchange.fetchOrderBook('BTC/USDT'));
});

afterAll(async () => {
  await server[Symbol.asyncDispose]();
  place[Symbol.dispose]();
});

const start = (name: string, ...args: string[]) =>
  Bun.spawn([process.execPath, join(EXAMPLES, name), place.path('data'), ...args], {
    stdout: 'pipe',
    stderr: 'pipe',
  });

type Bot = ReturnType<typeof start>;

async function ended(bot: Bot): Promise<string> {
  const [said, complaint] = await Promise.all([
    new Response(bot.stdout).text(),
    new Response(bot.stderr).text(),
  ]);
  expect(complaint).toBe('');
  expect(await bot.exited).toBe(0);
  return said;
}

test('the first bot buys, bids, cancels and ends', async () => {
  const said = await ended(start('bot-first.ts'));
  expect(said).toMatch(/^bought 0\.\d+ BTC at \d+(\.\d+)?\ncanceled\n$/);
  expect(await exchange.fetchOpenOrders()).toEqual([]);
});

test('the grid bot trades, keeps its grid, and leaves nothing behind when it is interrupted', async () => {
  const bot = start('bot-grid.ts');
  const own = (orders: Dict[]) =>
    orders.filter(({ clientOrderId }) => clientOrderId.startsWith('grid-'));
  // A fill is brought about: the demo market alone would take its time.
  let open: Dict[] = [];
  while (open.length < 10) open = own(await exchange.fetchOpenOrders('BTC/USDT'));
  const best = Math.min(...open.filter(({ side }) => side === 'sell').map(({ price }) => price));
  await exchange.createOrder('BTC/USDT', 'limit', 'buy', 3, best);
  const filled = async () => own(await exchange.fetchClosedOrders('BTC/USDT'));
  await until(async () => (await filled()).length !== 0);
  await until(async () => own(await exchange.fetchOpenOrders('BTC/USDT')).length >= 9);
  bot.kill('SIGINT');
  const said = await ended(bot);
  expect(said).toMatch(/^10 orders around \d+\.\d\d, a step is \d+\.\d\d\n/);
  expect(said).toMatch(/\nsell 0\.01 filled at \d+/);
  expect(said).toMatch(/\n\d+ fills, about \d+\.\d\d USDT earned; no orders left\n$/);
  expect(own(await exchange.fetchOpenOrders('BTC/USDT'))).toEqual([]);
});
