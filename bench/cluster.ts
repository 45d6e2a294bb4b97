// Part `cluster`: the load of part `http` on three nodes over PostgreSQL with a standby,
// all on this machine, against a single node. The clock stops when every node has written the
// history of the last order. Then the latency at half of that rate, and the time until a write on
// one node can be read on another.
import { join } from 'node:path';
import type { ApiKey } from '../src/cli/bench/order-script.ts';
import { NO_POSTGRES } from '../test/support/postgres.ts';
import { CONNECTIONS, makeVenue, startAgioUnderLoad } from './support/agio-load.ts';
import { followerCaughtUp, journalSeq, LoadClient } from './support/load.ts';
import type { LoadAnswer } from './support/load-client.ts';
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

const FULL = { warmUp: 60_000, requests: 300_000, openSeconds: 6, reads: 500 };
type Size = typeof FULL;

interface Run {
  readonly perSecond: number;
  readonly open: LoadAnswer;
  /** From the answer of a write until another node has answered a read of it, ms. */
  readonly readLag: number;
}

const ORDER = '/spot-api/api/private/v1/order';
const ORDERS = '/spot-api/api/private/v1/orders';

export async function cluster(context: Context): Promise<Findings> {
  if (NO_POSTGRES) throw new Error('part cluster needs PostgreSQL: install postgresql');
  const size = sizeOf(context, FULL);
  const runs = await alternate<Run, 'cluster' | 'single'>(context, {
    cluster: () => runCluster(size),
    single: () => runSingle(context, size),
  });
  const [rates, single] = [runs.cluster, runs.single].map((each) =>
    each.map(({ perSecond }) => perSecond),
  );
  return {
    figures: [
      figure('three nodes, half new orders and half cancels', '/s', rates!),
      figure('a single node, same requests', '/s', single!),
      ratio('three nodes ÷ a single node', rates!, single!, { atLeast: 0.4 }),
      ...figuresOf(runs.cluster, [
        ['p50 at half of the rate, open loop', 'ms', ({ open }) => open.p50],
        ['p99 at half of the rate, open loop', 'ms', ({ open }) => open.p99, { atMost: 25 }],
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
        `${size.requests.toLocaleString('en')} signed requests, every answer 200, and the ` +
        'journal has gained exactly as many commands.',
      'Three nodes, two PostgreSQL (every commit waits for the standby) and the clients share ' +
        'the cores of this machine, which applies each order and writes its history three times.',
      'The p99 is that of the slowest of the three nodes.',
    ],
  };
}

async function runSingle(context: Context, size: Size): Promise<Run> {
  await using agio = await startAgioUnderLoad(context.directory);
  const { client, url } = agio;
  const load = { mix: 'orders', connections: CONNECTIONS } as const;
  await client.closed({ ...load, requests: size.warmUp });
  await followerCaughtUp(url);
  const { perSecond } = await client.sustained(url, { ...load, requests: size.requests });
  const open = await client.open({
    mix: 'orders',
    perSecond: perSecond / 2,
    seconds: size.openSeconds,
  });
  return { perSecond, open, readLag: 0 };
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
  const closed = async (requests: number): Promise<number> => {
    const phases = clients.map((client, i) => {
      const connections = shares[i]!.length;
      const own = Math.round((requests * connections) / CONNECTIONS);
      return client.closed({ mix: 'orders', requests: own, connections });
    });
    const answers = await Promise.all(phases);
    await Promise.all(urls.map(followerCaughtUp));
    return answers.reduce((sum, answer) => sum + answer.requests, 0);
  };
  await closed(size.warmUp);
  const before = await journalSeq(urls[0]!);
  const start = performance.now();
  const sent = await closed(size.requests);
  const perSecond = sent / ((performance.now() - start) / 1000);
  const gained = (await journalSeq(urls[0]!)) - before;
  if (gained !== sent) throw new Error(`${sent} writes, but the journal gained ${gained}`);
  const seconds = size.openSeconds;
  const opens = await Promise.all(
    clients.map((client) =>
      client.open({ mix: 'orders', perSecond: perSecond / 2 / clients.length, seconds }),
    ),
  );
  const open = opens.reduce((worst, each) => (each.p99 > worst.p99 ? each : worst));
  await Promise.all(urls.map(followerCaughtUp));
  return { perSecond, open, readLag: await readLagOf(urls, keys[0]!, size.reads) };
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
