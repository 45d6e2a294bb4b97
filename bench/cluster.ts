// Part `cluster`: the load of part `http` on three nodes over PostgreSQL with a standby,
// all on this machine, against a single node. The clock stops when every node has written the
// history of the last order. Then the latency at half of that rate, and the time until a write on
// one node can be read on another.
import { join } from 'node:path';
import type { ApiKey } from '../src/cli/bench/order-script.ts';
import { NO_POSTGRES } from '../test/support/postgres.ts';
import {
  CONNECTIONS,
  cpuFigures,
  makeVenue,
  type PerStream,
  perStream,
  runStreams,
  STREAM_NOTE,
  type StreamRun,
} from './support/agio-load.ts';
import { followerCaughtUp, journalSeq, LoadClient } from './support/load.ts';
import type { LoadAnswer } from './support/load-client.ts';
import { STREAMS, type Stream } from './support/order-flow.ts';
import {
  alternate,
  type Context,
  type Findings,
  figure,
  figuresOf,
  ratio,
  sizeOf,
} from './support/part.ts';
import { makeDirectory, removeDirectory } from './support/processes.ts';
import { postSigned, signedHeaders } from './support/requests.ts';
import { startCluster } from './support/stages.ts';
import { median } from './support/statistics.ts';

const FULL = { warmUp: 30_000, orders: 200_000, openSeconds: 6, reads: 500 };
type Size = typeof FULL;

interface Run {
  /** Orders a second of each stream. */
  readonly rates: PerStream<number>;
  readonly open: LoadAnswer;
  /** From the answer of a write until another node has answered a read of it, ms. */
  readonly readLag: number;
}

const ORDER = '/spot-api/api/private/v1/order';
const ORDERS = '/spot-api/api/private/v1/orders';

export async function cluster(context: Context): Promise<Findings> {
  if (NO_POSTGRES) throw new Error('part cluster needs PostgreSQL: install postgresql');
  const size = sizeOf(context, FULL);
  const single: PerStream<StreamRun>[] = [];
  const runs = await alternate<Run | null, 'cluster' | 'single'>(context, {
    cluster: () => runCluster(size),
    single: async () => {
      single.push(await runStreams(context, size));
      return null;
    },
  });
  const cluster = runs.cluster as Run[];
  return {
    figures: [
      ...STREAMS.flatMap((mix) => {
        const rates = cluster.map((run) => run.rates[mix]);
        const alone = single.map((run) => run[mix].perSecond);
        const target = mix === 'quiet' ? null : { atLeast: 0.45 };
        return [
          figure(`three nodes, ${mix}`, '/s', rates),
          figure(`a single node, ${mix}`, '/s', alone),
          ratio(`three nodes ÷ a single node, ${mix}`, rates, alone, target),
        ];
      }),
      ...cpuFigures(single, ', a single node'),
      ...figuresOf(cluster, [
        ['p50 at half of the rate, market', 'ms', ({ open }) => open.p50],
        ['p99 at half of the rate, market', 'ms', ({ open }) => open.p99, { atMost: 25 }],
        [
          'median from a write on one node to its read on another',
          'ms',
          ({ readLag }) => readLag,
          { atMost: 3 },
        ],
      ]),
    ],
    notes: [
      `${CONNECTIONS} keep-alive connections, a third to each node; ` +
        `${size.orders.toLocaleString('en')} signed requests of each stream, every answer 200, ` +
        'and the journal has gained exactly as many commands.',
      STREAM_NOTE,
      'Three nodes, two PostgreSQL (every commit waits for the standby) and the clients share ' +
        'the cores of this machine, which applies each order and writes its history three times.',
      'The p99 is that of the slowest of the three nodes.',
    ],
  };
}

async function runCluster(size: Size): Promise<Run> {
  await using stack = new AsyncDisposableStack();
  const directory = makeDirectory();
  stack.defer(() => removeDirectory(directory));
  const source = join(directory, 'venue');
  const keys = await makeVenue(source, CONNECTIONS);
  const { urls } = stack.use(await startCluster(directory, source));
  const clients = urls.map(() => stack.use(new LoadClient()));
  const shares = urls.map((_, index) => keys.filter((_, at) => at % urls.length === index));
  await Promise.all(clients.map((client, i) => client.connect(urls[i]!, shares[i]!)));
  const closed = async (mix: Stream, requests: number): Promise<number> => {
    const phases = clients.map((client, i) => {
      const connections = shares[i]!.length;
      const own = Math.round((requests * connections) / CONNECTIONS);
      return client.closed({ mix, requests: own, connections });
    });
    const answers = await Promise.all(phases);
    await Promise.all(urls.map(followerCaughtUp));
    return answers.reduce((sum, answer) => sum + answer.requests, 0);
  };
  const rates = await perStream(async (mix) => {
    await closed(mix, size.warmUp);
    const before = await journalSeq(urls[0]!);
    const start = performance.now();
    const sent = await closed(mix, size.orders);
    const perSecond = sent / ((performance.now() - start) / 1000);
    const gained = (await journalSeq(urls[0]!)) - before;
    if (gained !== sent) throw new Error(`${sent} writes, but the journal gained ${gained}`);
    return perSecond;
  });
  const [perSecond, seconds] = [rates.market / 2 / clients.length, size.openSeconds];
  const opens = await Promise.all(
    clients.map((client) => client.open({ mix: 'market', perSecond, seconds })),
  );
  const open = opens.reduce((worst, each) => (each.p99 > worst.p99 ? each : worst));
  await Promise.all(urls.map(followerCaughtUp));
  return { rates, open, readLag: await readLagOf(urls, keys[0]!, size.reads) };
}

/** The median time from the answer of a write until another node has answered a read of it. */
async function readLagOf(urls: readonly string[], key: ApiKey, reads: number): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < reads; i++) {
    const [writer, reader] = [urls[i % urls.length]!, urls[(i + 1) % urls.length]!];
    const written = await postSigned(writer, key, ORDER, {
      symbol: 'BTC-USDT',
      side: 1,
      ordType: 2,
      price: String(100 + i),
      orderQty: '0.01',
    });
    const { orderId } = (await written.json()) as { orderId: number };
    const seq = written.headers.get('x-agio-seq')!;
    const answered = performance.now();
    const query = `type=SINGLE&orderId=${orderId}`;
    const headers = { ...signedHeaders(key, `GET${ORDERS}${query}`), 'X-Agio-Min-Seq': seq };
    const read = await fetch(`${reader}${ORDERS}?${query}`, { headers });
    await read.text();
    if (read.status !== 200) throw new Error(`a read was answered ${read.status}`);
    times.push(performance.now() - answered);
  }
  return median(times);
}
