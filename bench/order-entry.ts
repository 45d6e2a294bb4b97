// Part `order-entry`: orders over websockets, one for each message and in batches, each durable
// before its answer, against the bare server of part `http`. The clock stops when the follower has
// written the history of the last order.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { bareRate, CONNECTIONS, makeVenue } from './support/agio-load.ts';
import { followerCaughtUp, journalSeq, startAgio } from './support/load.ts';
import type { OrderEntryQuestion, Sent } from './support/order-entry-process.ts';
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
import { startWorker } from './support/processes.ts';
import { perRequest, THREADS, type ThreadTimes, threadTimes } from './support/threads.ts';

const FULL = { warmUp: 100_000, orders: 750_000, bareRequests: 300_000 };
type Size = typeof FULL;
const BATCH = 50;

interface Run extends Sent {
  readonly perSecond: number;
  /** Orders a second until the last answer. */
  readonly burst: number;
  readonly cpu: ThreadTimes | null;
}

type Subject = 'single' | 'batches' | 'bare';

export async function orderEntry(context: Context): Promise<Findings> {
  const size = sizeOf(context, FULL);
  const bareRates: number[] = [];
  const runs = await alternate<Run | null, Subject>(context, {
    single: () => runAgio(context, size, 1),
    bare: async () => {
      bareRates.push(await bareRate(context.directory, size.warmUp, size.bareRequests));
      return null;
    },
    batches: () => runAgio(context, size, BATCH),
  });
  const [single, batches] = [runs.single as Run[], runs.batches as Run[]];
  const rates = single.map(({ perSecond }) => perSecond);
  return {
    figures: [
      ...rowsOf(single, 'one a message'),
      ...figuresOf(bareRates, [['bare Bun.serve over HTTP', '/s', (rate) => rate]]),
      ratio('orders over websockets ÷ bare Bun.serve over HTTP', rates, bareRates, { atLeast: 1 }),
      ...rowsOf(batches, `batches of ${BATCH}`, { atLeast: 100_000 }),
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

const rowsOf = (runs: readonly Run[], how: string, target: Target | null = null): Figure[] => [
  figure(
    `orders, ${how}`,
    '/s',
    runs.map(({ perSecond }) => perSecond),
    target,
  ),
  ...figuresOf(runs, [
    [`orders until the last answer, ${how}`, '/s', ({ burst }) => burst],
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

async function runAgio(context: Context, size: Size, batch: number): Promise<Run> {
  const dataDir = join(context.directory, 'data');
  rmSync(dataDir, { recursive: true, force: true });
  const keys = await makeVenue(dataDir, CONNECTIONS);
  await using node = await startAgio(dataDir);
  await using client = startWorker<OrderEntryQuestion, unknown>('order-entry-process.ts');
  const url = node.ready;
  const send = (orders: number) => client.ask({ type: 'send', orders, batch }) as Promise<Sent>;
  await client.ask({ type: 'connect', port: Number(new URL(url).port), keys });
  await send(size.warmUp);
  await followerCaughtUp(url);
  const before = await journalSeq(url);
  const cpuBefore = threadTimes(node.pid);
  const sent = await send(size.orders);
  const start = performance.now();
  await followerCaughtUp(url);
  const seconds = sent.seconds + (performance.now() - start) / 1000;
  const cpu = perRequest(cpuBefore, threadTimes(node.pid), sent.orders);
  const gained = (await journalSeq(url)) - before;
  if (gained !== sent.orders) {
    throw new Error(`${sent.orders} orders, but the journal gained ${gained}`);
  }
  await node.kill();
  rmSync(dataDir, { recursive: true, force: true });
  return { ...sent, perSecond: sent.orders / seconds, burst: sent.orders / sent.seconds, cpu };
}
