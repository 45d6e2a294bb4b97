// One customer's waits while one request of another customer changes very many orders: the set-up
// and the figures of parts `burst` and `cascade`. The waiting customer trades over HTTP at a steady
// pace, with a few connections, far below the node's capacity.
import type { ApiKey } from '../../src/cli/bench/order-script.ts';
import { followerCaughtUp, LoadClient, metricsOf, startAgio } from './load.ts';
import type { LoadAnswer } from './load-client.ts';
import { alternate, type Context, type Figure, figuresOf, type Target } from './part.ts';

const CONNECTIONS = 8;
const PER_SECOND = 1000;
const WARM_UP = { full: 30_000, quick: 5_000 };
const PHASE_SECONDS = { full: 4, quick: 1.5 };
/** The part of a phase of load before the request. */
const REQUEST_AFTER = 0.25;

export interface Disturbance {
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

export async function disturbanceFigures(context: Context, plan: Disturbance): Promise<Figure[]> {
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
export const OTHER_LOAD =
  `sends ${PER_SECOND.toLocaleString('en')} requests a second over ${CONNECTIONS} ` +
  'connections, open loop, half new orders and half cancels.';
