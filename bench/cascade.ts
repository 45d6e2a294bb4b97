// Part `cascade`: the latency of one customer while one trade triggers 100,000 stops. The customer
// trades over HTTP at a steady pace, in another pair of the same node.
import { join } from 'node:path';
import type { ApiKey } from '../src/cli/bench/order-script.ts';
import { followerCaughtUp, LoadClient, metricsOf, startAgio } from './support/load.ts';
import type { LoadAnswer } from './support/load-client.ts';
import {
  alternate,
  type Context,
  type Figure,
  type Findings,
  figuresOf,
  type Target,
} from './support/part.ts';
import { runScript } from './support/processes.ts';
import { postSigned } from './support/requests.ts';
import type { Stops, StopsPlan } from './support/stops-process.ts';
import { CASCADE_PAIR } from './support/venue.ts';

interface Size {
  readonly holders: number;
  readonly stops: number;
  readonly warmUp: number;
  readonly phaseSeconds: number;
}

const FULL: Size = { holders: 10, stops: 100_000, warmUp: 30_000, phaseSeconds: 4 };
const QUICK: Size = { holders: 4, stops: 20_000, warmUp: 5000, phaseSeconds: 1.5 };

/** The other customer: a bot with a few connections, far below the node's capacity. */
const OTHER_CONNECTIONS = 8;
const OTHER_PER_SECOND = 1000;
/** The time from the start of a phase of load to the sale. */
const SALE_AFTER = 0.25;
const ORDER_PATH = '/spot-api/api/private/v1/order';

interface Cascade {
  readonly during: LoadAnswer;
  /** The times of the answer to the sale, and of the last stop. */
  readonly answeredMs: number;
  readonly doneMs: number;
}

export async function cascade(context: Context): Promise<Findings> {
  const size = context.quick ? QUICK : FULL;
  context.step('writing the stops');
  const dataDir = join(context.directory, 'data');
  const plan: StopsPlan = {
    dataDir,
    holders: size.holders,
    stopsOfRun: size.stops,
    runs: context.runs,
  };
  const { seller, other: key } = await runScript<Stops>('stops-process.ts', plan);
  context.step('starting the node');
  await using node = await startAgio(dataDir);
  const url = node.ready;
  await using other = new LoadClient();
  await other.connect(
    url,
    Array.from({ length: OTHER_CONNECTIONS }, () => key),
  );
  context.step('waiting for the views of the stops');
  await followerCaughtUp(url);
  await other.closed({ mix: 'orders', requests: size.warmUp, connections: OTHER_CONNECTIONS });
  const load = { mix: 'orders', perSecond: OTHER_PER_SECOND, seconds: size.phaseSeconds } as const;
  const calm: LoadAnswer[] = [];
  const { cascade: cascades } = await alternate<Cascade | null, 'calm' | 'cascade'>(context, {
    calm: async () => {
      await followerCaughtUp(url);
      calm.push(await other.open(load));
      return null;
    },
    cascade: async () => {
      const [during, times] = await Promise.all([other.open(load), trigger(url, seller, size)]);
      return { during, ...times };
    },
  });
  return findings(size, calm, cascades as readonly Cascade[]);
}

/** Sells one lot, which triggers the stops of this run, and waits until they have traded. */
async function trigger(
  url: string,
  seller: ApiKey,
  { stops, phaseSeconds }: Size,
): Promise<Pick<Cascade, 'answeredMs' | 'doneMs'>> {
  await Bun.sleep(phaseSeconds * SALE_AFTER * 1000);
  const openOrders = async (): Promise<number> => (await metricsOf(url)).get('agio_open_orders')!;
  const before = await openOrders();
  const start = performance.now();
  const sale = { symbol: CASCADE_PAIR, side: 2, ordType: 1, orderQty: '0.000001' };
  const answer = await postSigned(url, seller, ORDER_PATH, sale);
  const answeredMs = performance.now() - start;
  if (answer.status !== 200) throw new Error(`the sale was refused: ${await answer.text()}`);
  // The load keeps a steady number of orders open, give or take its connections.
  while ((await openOrders()) > before - stops + OTHER_CONNECTIONS) {
    if (performance.now() - start > 30_000) throw new Error('the cascade does not end');
    await Bun.sleep(2);
  }
  return { answeredMs, doneMs: performance.now() - start };
}

function findings(size: Size, calm: readonly LoadAnswer[], cascades: readonly Cascade[]): Findings {
  const during = cascades.map((run) => run.during);
  const stops = size.stops.toLocaleString('en');
  const waits = (runs: readonly LoadAnswer[], when: string, target?: Target): Figure[] =>
    figuresOf(runs, [
      [`longest wait of the other customer${when}`, 'ms', ({ max }) => max, target],
      [`p99 of the other customer${when}`, 'ms', ({ p99 }) => p99],
      [`p50 of the other customer${when}`, 'ms', ({ p50 }) => p50],
    ]);
  return {
    figures: [
      ...waits(during, '', { atMost: 50 }),
      ...waits(calm, ', in calm'),
      ...figuresOf(cascades, [
        ['sale answered after', 'ms', ({ answeredMs }) => answeredMs],
        ['last stop traded after', 'ms', ({ doneMs }) => doneMs],
      ]),
    ],
    notes: [
      `One sale triggers ${stops} stops of ${size.holders} customers; each becomes a market ` +
        `order and trades. The other customer sends ${OTHER_PER_SECOND.toLocaleString('en')} ` +
        `requests a second over ${OTHER_CONNECTIONS} connections, open loop, half new orders ` +
        'and half cancels.',
    ],
  };
}
