// Parts `burst` and `cascade`: one customer's waits while one request of another customer changes a
// hundred thousand orders: a mass cancel, among a million open orders, and a sale that triggers
// stops, in another pair of the same node. The waiting customer trades over HTTP at a steady pace,
// with a few connections, far below the node's capacity.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type ApiKey, ORDER_PATH } from '../src/cli/bench/order-script.ts';
import type { PlaceOrder } from '../src/core/command.ts';
import { OrdType, Side, TriggerPriceDirection } from '../src/core/fix.ts';
import { amount, ticks } from '../src/core/units.ts';
import { PLAIN } from '../test/support/order-types.ts';
import { createKeys, HistoryWriter } from './support/data-directory.ts';
import { followerCaughtUp, LoadClient, metricsOf, startAgio } from './support/load.ts';
import type { LoadAnswer } from './support/load-client.ts';
import { writeOpenOrders } from './support/open-orders.ts';
import {
  alternate,
  type Context,
  type Figure,
  type Findings,
  figuresOf,
  type Target,
} from './support/part.ts';
import { job } from './support/processes.ts';
import { postSigned } from './support/requests.ts';
import { LISTING, orderCommand, venueCommands } from './support/venue.ts';

const CONNECTIONS = 8;
const PER_SECOND = 1000;
const WARM_UP = { full: 30_000, quick: 5_000 };
const PHASE_SECONDS = { full: 4, quick: 1.5 };
/** The part of a phase of load before the request. */
const REQUEST_AFTER = 0.25;

interface Disturbance {
  readonly dataDir: string;
  /** The key of the waiting customer. */
  readonly other: ApiKey;
  /** For the names of figures. */
  readonly role: string;
  /** Orders that are no longer open when the request has had its effect. */
  readonly orders: number;
  /** Sends the request of this run, from 0. */
  readonly send: (url: string, run: number) => Promise<Response>;
  /** The names of the figures of the answer, and of the last order. */
  readonly answered: string;
  readonly done: string;
}

interface Run {
  readonly during: LoadAnswer;
  readonly answeredMs: number;
  readonly doneMs: number;
}

async function disturbanceFigures(context: Context, plan: Disturbance): Promise<Figure[]> {
  const size = context.quick ? 'quick' : 'full';
  context.step('starting the node');
  await using node = await startAgio(plan.dataDir);
  const url = node.ready;
  await using other = new LoadClient();
  await other.connect(
    url,
    Array.from({ length: CONNECTIONS }, () => plan.other),
  );
  context.step('waiting for the views of the open orders');
  await followerCaughtUp(url);
  await other.closed({ mix: 'quiet', requests: WARM_UP[size], connections: CONNECTIONS });
  const load = { mix: 'quiet', perSecond: PER_SECOND, seconds: PHASE_SECONDS[size] } as const;
  const calm: LoadAnswer[] = [];
  const { request } = await alternate<Run | null, 'calm' | 'request'>(context, {
    calm: async () => {
      await followerCaughtUp(url);
      calm.push(await other.open(load));
      return null;
    },
    request: async () => {
      const sent = Bun.sleep(load.seconds * REQUEST_AFTER * 1000).then(() =>
        disturb(url, plan, calm.length - 1),
      );
      const [during, times] = await Promise.all([other.open(load), sent]);
      return { during, ...times };
    },
  });
  const runs = request as readonly Run[];
  const waits = (answers: readonly LoadAnswer[], when: string, target?: Target): Figure[] =>
    figuresOf(answers, [
      [`longest wait of the other ${plan.role}${when}`, 'ms', ({ max }) => max, target],
      [`p99 of the other ${plan.role}${when}`, 'ms', ({ p99 }) => p99],
      [`p50 of the other ${plan.role}${when}`, 'ms', ({ p50 }) => p50],
    ]);
  return [
    ...waits(
      runs.map(({ during }) => during),
      '',
      { atMost: 50 },
    ),
    ...waits(calm, ', in calm'),
    ...figuresOf(runs, [
      [plan.answered, 'ms', ({ answeredMs }) => answeredMs],
      [plan.done, 'ms', ({ doneMs }) => doneMs],
    ]),
  ];
}

/** Sends the request and waits until its orders are no longer open. */
async function disturb(
  url: string,
  { send, orders }: Disturbance,
  run: number,
): Promise<Pick<Run, 'answeredMs' | 'doneMs'>> {
  const openOrders = async (): Promise<number> => (await metricsOf(url)).get('agio_open_orders')!;
  const before = await openOrders();
  const start = performance.now();
  const answer = await send(url, run);
  const answeredMs = performance.now() - start;
  if (answer.status !== 200) throw new Error(`the request failed: ${await answer.text()}`);
  // The load keeps a steady number of orders open, give or take its connections.
  while ((await openOrders()) > before - orders + CONNECTIONS) {
    if (performance.now() - start > 30_000) throw new Error('the orders stay open');
    await Bun.sleep(2);
  }
  return { answeredMs, doneMs: performance.now() - start };
}

/** How the other customer trades, for the notes. */
const OTHER_LOAD =
  `sends ${PER_SECOND.toLocaleString('en')} requests a second over ${CONNECTIONS} ` +
  'connections, open loop, half new orders and half cancels.';

const MASS_CANCEL = '/spot-api/api/private/v1/order/masscancel';

export async function burst(context: Context): Promise<Findings> {
  const [holding, ordersEach] = context.quick ? [4, 20_000] : [10, 100_000];
  context.step('writing the open orders');
  const dataDir = join(context.directory, 'data');
  // One of them cancels in each run.
  const count = { holders: holding + context.runs - 1, ordersEach, others: 1 };
  const { holders, others } = await writeOpenOrders({ dataDir, ...count });
  const figures = await disturbanceFigures(context, {
    dataDir,
    other: others[0]!,
    role: 'account',
    orders: ordersEach,
    send: (url, run) => postSigned(url, holders[run]!, MASS_CANCEL, { symbol: 'BTC-USDT' }),
    answered: 'mass cancel answered after',
    done: 'last order gone after',
  });
  return {
    figures,
    notes: [
      `${(holding * ordersEach).toLocaleString('en')} open orders or more, one account cancels ` +
        `${ordersEach.toLocaleString('en')} with one request. The other account ${OTHER_LOAD}`,
    ],
  };
}

/** The pair of the stops. */
const CASCADE_PAIR = 'BTC-EUR';
const SECURITY_ID = 2;
const EUR = 2;
const FIRST_PRICE = 5_000_000;

function order(uid: number, side: Side, price: number, quantity: number): PlaceOrder {
  const terms = { uid, side, price, quantity, clOrdId: '', signature: null };
  return { ...orderCommand(terms), securityId: SECURITY_ID };
}

/** Sells one lot at the market when the price falls to `stopPx`. */
const stop = (uid: number, stopPx: number): PlaceOrder => ({
  ...order(uid, Side.sell, 0, 1),
  ordType: OrdType.stop,
  extras: {
    ...PLAIN,
    stopPx: ticks(stopPx),
    triggerPriceDirection: TriggerPriceDirection.down,
  },
});

interface StopsPlan {
  readonly dataDir: string;
  /** Customers with stops; each has as many as the others. */
  readonly holders: number;
  readonly stopsOfRun: number;
  readonly runs: number;
}

/** The seller triggers the stops of the next run; the other customer has no orders. */
const writeStops = job(import.meta, async ({ dataDir, holders, stopsOfRun, runs }: StopsPlan) => {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const history = await HistoryWriter.open(dataDir);
  const [buyer, seller, other] = [holders + 1, holders + 2, holders + 3];
  await history.sendAll(venueCommands(other, stopsOfRun * runs + 20_000));
  history.send({ type: 'createAsset', asset: 'EUR', scale: 8, fiat: true });
  const pair = LISTING.find((command) => command.type === 'createInstrument')!;
  history.send({ ...pair, symbol: CASCADE_PAIR, quoteAsset: 'EUR' });
  const money = { assetId: EUR, amount: amount(10 ** 15), reference: 'bench-eur' };
  history.send({ type: 'transferFunds', direction: 'credit', uid: buyer, ...money });
  // The last price is above every stop.
  history.send(order(buyer, Side.buy, FIRST_PRICE, 1));
  history.send(order(seller, Side.sell, FIRST_PRICE, 1));
  for (let run = 1; run <= runs; run++) {
    const price = FIRST_PRICE - run;
    // The sale that triggers them, and all of them.
    history.send(order(buyer, Side.buy, price, stopsOfRun + 1));
    for (let number = 0; number < stopsOfRun; number++) {
      history.send(stop(1 + (number % holders), price));
      await history.flushFull();
    }
  }
  await history.close();
  const keys = createKeys(dataDir, other);
  return { seller: keys[seller - 1]!, other: keys[other - 1]! };
});

/** It triggers the stops of its run. */
const SALE = { symbol: CASCADE_PAIR, side: 2, ordType: 1, orderQty: '0.000001' };

export async function cascade(context: Context): Promise<Findings> {
  const [holders, stops] = context.quick ? [4, 20_000] : [10, 100_000];
  context.step('writing the stops');
  const dataDir = join(context.directory, 'data');
  const plan = { dataDir, holders, stopsOfRun: stops, runs: context.runs };
  const { seller, other } = await writeStops(plan);
  const figures = await disturbanceFigures(context, {
    dataDir,
    other,
    role: 'customer',
    orders: stops,
    send: (url) => postSigned(url, seller, ORDER_PATH, SALE),
    answered: 'sale answered after',
    done: 'last stop traded after',
  });
  return {
    figures,
    notes: [
      `One sale triggers ${stops.toLocaleString('en')} stops of ${holders} customers; each ` +
        `becomes a market order and trades. The other customer ${OTHER_LOAD}`,
    ],
  };
}
