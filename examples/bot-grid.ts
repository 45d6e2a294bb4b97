// A grid bot: it places bids below and asks above the market. For every filled order it places one
// on the other side, a step away, so each round trip earns a step. Ctrl-C stops it and cancels all.
// Run: npx bun examples/bot-grid.ts [DATA] [SECONDS]
import { readFileSync } from 'node:fs';
import { register } from 'agio/ccxt';
import ccxt, { type Order } from 'ccxt';

const PAIR = 'BTC/USDT';
const LEVELS = 5;
/** From one level to the next, as a share of the price. */
const STEP = 0.0002;
const AMOUNT = 0.01;
/** The exchange cancels all orders when it has not heard from this bot for so long. */
const DEAD_MAN_MS = 30_000;

const [, , data = 'data', seconds] = process.argv;
const { url, demo } = JSON.parse(readFileSync(`${data}/sandbox.json`, 'utf8'));

register(ccxt);
const exchange = new ccxt.pro.agio({
  apiKey: demo.apiKey,
  secret: demo.secretKey,
  hostname: new URL(url).host,
  sandbox: true,
});

type Side = 'buy' | 'sell';
const other = { buy: 'sell', sell: 'buy' } as const;
/** Away from the market: down for a bid, up for an ask. */
const away = { buy: -1, sell: 1 } as const;

/** By client order id, since the first report of an order may overtake its answer. */
const own = new Map<string, { readonly side: Side; readonly price: number }>();
let stopping = false;
let trips = 0;
let earned = 0;

/** Places a level. It is post-only; one that would trade is placed a step further away. */
async function place(side: Side, price: number): Promise<void> {
  if (stopping) return;
  const clientOrderId = `grid-${exchange.uuid()}`;
  own.set(clientOrderId, { side, price });
  const params = { clientOrderId, postOnly: true };
  try {
    await exchange.createOrder(PAIR, 'limit', side, AMOUNT, price, params);
  } catch (error) {
    // The other levels continue without this one.
    own.delete(clientOrderId);
    if (!(error instanceof ccxt.InsufficientFunds)) throw error;
    console.log(`no funds for a ${side} at ${price}`);
  }
}

/** Reacts to a report of one of our orders. */
async function react(order: Order, step: number): Promise<void> {
  const { clientOrderId, status, side, average } = order;
  const level = own.get(clientOrderId!);
  if (level === undefined || status === 'open') return;
  own.delete(clientOrderId!);
  if (status === 'rejected') return place(level.side, level.price + away[level.side] * step);
  if (status !== 'closed') return;
  console.log(`${side} ${AMOUNT} filled at ${average}`);
  const counterpart = other[level.side];
  await place(counterpart, level.price + away[counterpart] * step);
  trips++;
  earned += (step * AMOUNT) / 2;
}

/** Follows the orders until the end. A lost connection is resumed without a gap. */
async function follow(step: number): Promise<void> {
  while (!stopping) {
    try {
      for (const order of await exchange.watchOrders(PAIR)) await react(order, step);
    } catch (error) {
      if (stopping) return;
      if (!(error instanceof ccxt.NetworkError)) throw error;
      console.log(`${error.message}; going on`);
      await exchange.sleep(1000);
    }
  }
}

async function stop(): Promise<void> {
  if (stopping) return;
  stopping = true;
  await exchange.cancelAllOrders(PAIR);
  await exchange.cancelAllOrdersAfter(0);
  console.log(`${trips} fills, about ${earned.toFixed(2)} USDT earned; no orders left`);
  await exchange.close();
}

/** Also an interruption during the start ends by `stop`. */
const interrupted = new Promise<void>((end) => {
  process.once('SIGINT', end);
  if (seconds !== undefined) setTimeout(end, Number(seconds) * 1000);
});
const alive = () => exchange.cancelAllOrdersAfter(DEAD_MAN_MS);
await alive();
const heartbeat = setInterval(() => void alive().catch(console.error), DEAD_MAN_MS / 3);

const { bid, ask } = await exchange.fetchTicker(PAIR);
const middle = (bid! + ask!) / 2;
const step = middle * STEP;
const following = follow(step);
for (let level = 1; level <= LEVELS; level++) {
  await place('buy', middle - level * step);
  await place('sell', middle + level * step);
}
console.log(`${own.size} orders around ${middle.toFixed(2)}, a step is ${step.toFixed(2)}`);

await interrupted;
clearInterval(heartbeat);
await stop();
await following;
