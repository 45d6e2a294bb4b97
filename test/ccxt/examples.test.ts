// The bots of examples/ against a sandbox with its demo market.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { join } from 'node:path';
import type { Dict } from 'ccxt';
import type { agio } from '../../src/ccxt/agio.ts';
import { buildCcxt } from '../../src/ccxt/build.ts';
import { until } from '../support/waiting.ts';
import { CcxtSandbox } from './sandbox.ts';

const EXAMPLES = join(import.meta.dir, '../../examples');
let venue: CcxtSandbox;
let exchange: agio;

beforeAll(async () => {
  // They import agio/ccxt, which is the built file.
  await buildCcxt();
  venue = await CcxtSandbox.start({ demo: true });
  exchange = venue.customer(venue.info.demo!);
  let bids: unknown[] = [];
  while (bids.length < 5) ({ bids } = await exchange.fetchOrderBook('BTC/USDT'));
});

afterAll(() => venue[Symbol.asyncDispose]());

const start = (name: string, ...args: string[]) =>
  Bun.spawn([process.execPath, join(EXAMPLES, name), venue.place.path('data'), ...args], {
    stdout: 'pipe',
    stderr: 'pipe',
  });

type Bot = ReturnType<typeof start>;

async function ended(bot: Bot): Promise<string> {
  const [printed, errors] = await Promise.all([
    new Response(bot.stdout).text(),
    new Response(bot.stderr).text(),
  ]);
  expect(errors).toBe('');
  expect(await bot.exited).toBe(0);
  return printed;
}

test('the first bot buys, bids, cancels and ends', async () => {
  const printed = await ended(start('bot-first.ts'));
  expect(printed).toMatch(/^bought 0\.\d+ BTC at \d+(\.\d+)?\ncanceled\n$/);
  expect(await exchange.fetchOpenOrders()).toEqual([]);
});

test('the grid bot trades, keeps its grid, and cancels its orders at SIGINT', async () => {
  const bot = start('bot-grid.ts');
  const own = (orders: Dict[]) =>
    orders.filter(({ clientOrderId }) => clientOrderId.startsWith('grid-'));
  // An order of the test fills one: the demo market alone might take long.
  let open: Dict[] = [];
  while (open.length < 10) open = own(await exchange.fetchOpenOrders('BTC/USDT'));
  const best = Math.min(...open.filter(({ side }) => side === 'sell').map(({ price }) => price));
  await exchange.createOrder('BTC/USDT', 'limit', 'buy', 3, best);
  const filled = async () => own(await exchange.fetchClosedOrders('BTC/USDT'));
  await until(async () => (await filled()).length !== 0);
  await until(async () => own(await exchange.fetchOpenOrders('BTC/USDT')).length >= 9);
  bot.kill('SIGINT');
  const printed = await ended(bot);
  expect(printed).toMatch(/^10 orders around \d+\.\d\d, a step is \d+\.\d\d\n/);
  expect(printed).toMatch(/\nsell 0\.01 filled at \d+/);
  expect(printed).toMatch(/\n\d+ fills, about \d+\.\d\d USDT earned; no orders left\n$/);
  expect(own(await exchange.fetchOpenOrders('BTC/USDT'))).toEqual([]);
});
