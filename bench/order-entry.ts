// Part `order-entry`: orders over websockets, one for each message and in batches, each durable
// before its answer, against the bare server of part `http`. The clock stops when the follower has
// written the history of the last order.
import { bareRate, CONNECTIONS, type OrdersRun, runOrders } from './support/agio-load.ts';
import {
  alternate,
  type Context,
  type Figure,
  type Findings,
  figure,
  figuresOf,
  ratio,
  sizeOf,
  type Target,
} from './support/part.ts';
import { BATCH } from './support/requests.ts';
import { THREADS } from './support/threads.ts';

const FULL = { warmUp: 100_000, orders: 750_000, bareRequests: 300_000 };
const SOCKET_PATH = '/ws/v1/private/orders';

type Subject = 'single' | 'batches' | 'bare';

export async function orderEntry(context: Context): Promise<Findings> {
  const size = sizeOf(context, FULL);
  const bareRates: number[] = [];
  const runs = await alternate<OrdersRun | null, Subject>(context, {
    single: () => runOrders(context, size, false, SOCKET_PATH),
    bare: async () => {
      bareRates.push(await bareRate(context.directory, size.warmUp, size.bareRequests));
      return null;
    },
    batches: () => runOrders(context, size, true, SOCKET_PATH),
  });
  const [single, batches] = [runs.single as OrdersRun[], runs.batches as OrdersRun[]];
  const rates = single.map(({ perSecond }) => perSecond);
  return {
    figures: [
      ...rowsOf(single, 1, 'one a message'),
      ...figuresOf(bareRates, [['bare Bun.serve over HTTP', '/s', (rate) => rate]]),
      ratio('orders over websockets ÷ bare Bun.serve over HTTP', rates, bareRates, { atLeast: 1 }),
      ...rowsOf(batches, BATCH, `batches of ${BATCH}`, { atLeast: 100_000 }),
    ],
    notes: [
      `${CONNECTIONS} websockets from a second process, one customer and key each, half new ` +
        'orders and half cancels; each sends its next message when the last one is answered. ' +
        'Messages have no signature: a connection logs in once.',
      'The clock stops when the follower has caught up. The journal has gained exactly as many ' +
        'commands as there were orders and cancels.',
      'The bare server is that of part http with the usual check.',
    ],
  };
}

const rowsOf = (
  runs: readonly OrdersRun[],
  batch: number,
  how: string,
  target: Target | null = null,
): Figure[] => [
  figure(
    `orders, ${how}`,
    '/s',
    runs.map(({ perSecond }) => perSecond * batch),
    target,
  ),
  ...figuresOf(runs, [
    [`orders until the last answer, ${how}`, '/s', ({ burst }) => burst * batch],
    [`p50 of a message, ${how}`, 'ms', ({ p50 }) => p50],
    [`p99 of a message, ${how}`, 'ms', ({ p99 }) => p99],
    [`core of the client, ${how}`, '%', ({ clientShare }) => clientShare * 100],
  ]),
  ...(runs.some(({ cpu }) => cpu === null)
    ? []
    : THREADS.flatMap((name) =>
        figuresOf(runs, [
          [`processor time of an order, ${how}, ${name}`, 'µs', ({ cpu }) => cpu![name]],
        ]),
      )),
];
