// Three bots in ccxt's unified API, run for an hour of sandbox time through ccxt's class for
// Binance and through agio's own class: both have the same trades and the same balances.
import { expect, test } from 'bun:test';
import type { Exchange } from 'ccxt';
import { agio } from '../../src/ccxt/agio.ts';
import { type Credentials, TestNode } from '../support/node.ts';
import { ccxtOf } from './client.ts';

const SYMBOL = 'BTC/USDT';
const MINUTES = 60;
const MINUTE_MS = 60_000;

type Connect = (node: TestNode, credentials: Credentials) => Exchange;

const byBinance: Connect = ccxtOf;
const byAgio: Connect = (node, { apiKey, secretKey: secret }) =>
  new agio({ apiKey, secret, hostname: new URL(node.url).host, sandbox: true, rateLimit: 1 });

/** The price of a minute: a walk that every run takes. */
const priceAt = (minute: number): number => 1000 + Math.round(30 * Math.sin(minute / 5)) - minute;

/** Buys below and sells above the price, and renews what was filled. */
async function grid(bot: Exchange, minute: number): Promise<void> {
  const open = await bot.fetchOpenOrders(SYMBOL);
  const taken = new Set(open.map(({ price }) => price));
  for (const level of [-30, -20, -10, 10, 20, 30]) {
    const price = 960 + level;
    if (taken.has(price)) continue;
    const isBelow = price < priceAt(minute);
    await bot.createOrder(SYMBOL, 'limit', isBelow ? 'buy' : 'sell', 0.1, price);
  }
}

/** Quotes both sides of the price, and replaces its quotes each minute. */
async function maker(bot: Exchange, minute: number): Promise<void> {
  if ((await bot.fetchOpenOrders(SYMBOL)).length > 0) await bot.cancelAllOrders(SYMBOL);
  const price = priceAt(minute);
  await bot.createOrder(SYMBOL, 'limit', 'buy', 0.2, price - 2);
  await bot.createOrder(SYMBOL, 'limit', 'sell', 0.2, price + 2);
}

/** Buys every twenty minutes, and sells by a stop below the price. */
async function stopLoss(bot: Exchange, minute: number): Promise<void> {
  if (minute % 20 !== 5) return;
  await bot.createOrder(SYMBOL, 'market', 'buy', 0.05);
  const stopLossPrice = priceAt(minute) - 15;
  await bot.createOrder(SYMBOL, 'market', 'sell', 0.05, undefined, { stopLossPrice });
}

const BOTS = [grid, maker, stopLoss];

/** Runs the bots one after another in each minute, against a taker of agio's own API. */
async function run(connect: Connect) {
  await using node = await TestNode.start();
  const owners = await Promise.all(BOTS.map(() => node.client()));
  const bots = owners.map(({ credentials }) => connect(node, credentials));
  await Promise.all(bots.map((bot) => bot.loadMarkets()));
  const taker = await node.client();
  for (let minute = 0; minute < MINUTES; minute++) {
    for (const [i, bot] of bots.entries()) await BOTS[i]!(bot, minute);
    const price = priceAt(minute);
    await taker.limit(1, String(price + 3), '0.13', { clOrdId: `buy-${minute}` });
    await taker.limit(2, String(price - 3), '0.17', { clOrdId: `sell-${minute}` });
    await node.services.engine.advanceClock(MINUTE_MS);
  }
  const results = [];
  for (const [i, bot] of bots.entries()) {
    const found = await bot.fetchMyTrades(SYMBOL, undefined, 1000);
    // ccxt sorts by time and then by text: trades of one millisecond need their numbers.
    const trades = found.toSorted((a, b) => Number(a.id) - Number(b.id));
    const { total, used } = (await bot.fetchBalance()) as unknown as Record<string, object>;
    results.push({
      bot: BOTS[i]!.name,
      trades: trades.map(({ side, price, amount, takerOrMaker }) => [
        side,
        price,
        amount,
        takerOrMaker,
      ]),
      total,
      used,
    });
  }
  await Promise.all(bots.map((bot) => bot.close()));
  return results;
}

test('trade the same by both APIs', async () => {
  const [binance, own] = await Promise.all([run(byBinance), run(byAgio)]);
  for (const { trades } of own) expect(trades.length).toBeGreaterThan(5);
  expect(binance).toEqual(own);
});
