// Part `burst`: the latency of one customer while another cancels 100,000 orders. A node has a
// million open orders; one account mass-cancels a tenth of them while another trades over HTTP at a
// steady pace.
import { join } from 'node:path';
import { followerCaughtUp, LoadClient, metricsOf, startAgio } from './support/load.ts';
import type { LoadAnswer } from './support/load-client.ts';
import type { OpenOrders, OpenOrdersPlan } from './support/open-orders-process.ts';
import {
  alternate,
  type Context,
  type Figure,
  type Findings,
  figuresOf,
  type Target,
} from './support/part.ts';
import { runScript } from './support/processes.ts';

interface Size {
  /** Customers that hold open orders when the last run begins. */
  readonly holders: number;
  readonly ordersEach: number;
  readonly warmUp: number;
  readonly phaseSeconds: number;
}

const FULL: Size = { holders: 10, ordersEach: 100_000, warmUp: 30_000, phaseSeconds: 4 };
const QUICK: Size = { holders: 4, ordersEach: 20_000, warmUp: 5000, phaseSeconds: 1.5 };

/** The other account: a bot with a few connections, far below the node's capacity. */
const OTHER_CONNECTIONS = 8;
const OTHER_PER_SECOND = 1000;
/** The time from the start of a phase of load to the mass cancel. */
const CANCEL_AFTER = 0.25;

interface Burst {
  readonly during: LoadAnswer;
  /** The times of its answer and of the last cancel. */
  readonly answeredMs: number;
  readonly goneMs: number;
}

export async function burst(context: Context): Promise<Findings> {
  const size = context.quick ? QUICK : FULL;
  context.step('writing the open orders');
  const dataDir = join(context.directory, 'data');
  const plan: OpenOrdersPlan = {
    dataDir,
    // One of them cancels in each run.
    holders: size.holders + context.runs - 1,
    ordersEach: size.ordersEach,
    others: 1,
  };
  const { holders, others } = await runScript<OpenOrders>('open-orders-process.ts', plan);
  context.step('starting the node');
  await using node = await startAgio(dataDir);
  const url = node.ready;
  await using other = new LoadClient();
  await other.connect(
    url,
    Array.from({ length: OTHER_CONNECTIONS }, () => others[0]!),
  );
  context.step('waiting for the views of the open orders');
  await followerCaughtUp(url);
  await other.closed({ mix: 'orders', requests: size.warmUp, connections: OTHER_CONNECTIONS });
  const load = { mix: 'orders', perSecond: OTHER_PER_SECOND, seconds: size.phaseSeconds } as const;
  const calm: LoadAnswer[] = [];
  const { burst: bursts } = await alternate<Burst | null, 'calm' | 'burst'>(context, {
    calm: async () => {
      await followerCaughtUp(url);
      calm.push(await other.open(load));
      return null;
    },
    burst: async () => {
      const holder = holders[calm.length - 1]!;
      await using canceler = new LoadClient();
      await canceler.connect(url, [holder]);
      const [during, times] = await Promise.all([other.open(load), cancelAll(url, canceler, size)]);
      return { during, ...times };
    },
  });
  return findings(size, calm, bursts as readonly Burst[]);
}

async function cancelAll(
  url: string,
  canceler: LoadClient,
  { ordersEach, phaseSeconds }: Size,
): Promise<Pick<Burst, 'answeredMs' | 'goneMs'>> {
  await Bun.sleep(phaseSeconds * CANCEL_AFTER * 1000);
  const openOrders = async (): Promise<number> => (await metricsOf(url)).get('agio_open_orders')!;
  const before = await openOrders();
  const start = performance.now();
  const answeredMs = await canceler.massCancel();
  // The load keeps a steady number of orders open, give or take its connections.
  while ((await openOrders()) > before - ordersEach + OTHER_CONNECTIONS) {
    if (performance.now() - start > 30_000) throw new Error('the mass cancel does not end');
    await Bun.sleep(2);
  }
  return { answeredMs, goneMs: performance.now() - start };
}

function findings(size: Size, calm: readonly LoadAnswer[], bursts: readonly Burst[]): Findings {
  const during = bursts.map((run) => run.during);
  const orders = (size.holders * size.ordersEach).toLocaleString('en');
  const waits = (runs: readonly LoadAnswer[], when: string, target?: Target): Figure[] =>
    figuresOf(runs, [
      [`longest wait of the other account${when}`, 'ms', ({ max }) => max, target],
      [`p99 of the other account${when}`, 'ms', ({ p99 }) => p99],
      [`p50 of the other account${when}`, 'ms', ({ p50 }) => p50],
    ]);
  return {
    figures: [
      ...waits(during, '', { atMost: 50 }),
      ...waits(calm, ', in calm'),
      ...figuresOf(bursts, [
        ['mass cancel answered after', 'ms', ({ answeredMs }) => answeredMs],
        ['last order gone after', 'ms', ({ goneMs }) => goneMs],
      ]),
    ],
    notes: [
      `${orders} open orders or more, one account cancels ` +
        `${size.ordersEach.toLocaleString('en')} with one request. The other account sends ` +
        `${OTHER_PER_SECOND.toLocaleString('en')} requests a second over ${OTHER_CONNECTIONS} ` +
        'connections, open loop, half new orders and half cancels.',
    ],
  };
}
