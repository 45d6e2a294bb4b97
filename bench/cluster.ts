// Part `cluster`: the load of part http on three nodes over PostgreSQL with a standby, all on this
// machine. The clock stops when every node has written the history of the last order. Then the
// latency at half of that rate, and the time until a write on one node can be read on another.
import { join } from 'node:path';
import { type ApiKey, ORDER_PATH } from '../src/cli/bench/order-script.ts';
import { writeVenue } from './support/history.ts';
import {
  CONNECTIONS,
  caughtUp,
  cpuRows,
  journalSeq,
  type PerStream,
  runStreams,
} from './support/load.ts';
import { startClient } from './support/load-client.ts';
import { STREAM_NOTE, STREAMS, type Stream } from './support/order-flow.ts';
import { many, median, part, type Row } from './support/part.ts';
import { makeDirectory, removeDirectory } from './support/processes.ts';
import { postSigned, signedHeaders } from './support/requests.ts';
import { startCluster } from './support/stages.ts';

const SIZE = { warmUp: 30_000, orders: 200_000, openSeconds: 6, reads: 500 };

const ORDERS = '/spot-api/api/private/v1/orders';

async function runCluster(size: typeof SIZE) {
  await using stack = new AsyncDisposableStack();
  const directory = stack.adopt(makeDirectory(), removeDirectory);
  const source = join(directory, 'venue');
  const keys = await writeVenue(source, CONNECTIONS);
  const { urls } = stack.use(await startCluster(directory, source));
  const clients = await Promise.all(
    urls.map(async (url, index) => {
      const own = keys.filter((_, at) => at % urls.length === index);
      const port = Number(new URL(url).port);
      const client = stack.use(await startClient(own.map((key) => ({ port, key, form: 'http' }))));
      return { run: client.run, share: own.length / CONNECTIONS };
    }),
  );
  const send = async (mix: Stream, requests: number): Promise<number> => {
    const phases = clients.map(({ run, share }) =>
      run({ mix, requests: Math.round(requests * share) }),
    );
    const answers = await Promise.all(phases);
    await Promise.all(urls.map(caughtUp));
    return answers.reduce((sum, answer) => sum + answer.requests, 0);
  };
  const rates: [Stream, number][] = [];
  for (const mix of STREAMS) {
    await send(mix, size.warmUp);
    const before = await journalSeq(urls[0]);
    const start = performance.now();
    const sent = await send(mix, size.orders);
    rates.push([mix, (sent * 1000) / (performance.now() - start)]);
    const gained = (await journalSeq(urls[0])) - before;
    if (gained !== sent) throw new Error(`${sent} writes, but the journal gained ${gained}`);
  }
  const perStream = Object.fromEntries(rates) as Record<Stream, number>;
  const perSecond = perStream.market / 2 / clients.length;
  const open = { mix: 'market', perSecond, seconds: size.openSeconds } as const;
  const opens = await Promise.all(clients.map(({ run }) => run(open)));
  await Promise.all(urls.map(caughtUp));
  const readLag = await readLagOf(urls, keys[0], size.reads);
  return { rates: perStream, p99: Math.max(...opens.map(({ p99 }) => p99)), readLag };
}

/** The median time from the answer of a write until another node has answered a read of it. */
async function readLagOf(urls: readonly string[], key: ApiKey, reads: number): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < reads; i++) {
    const [writer, reader] = [urls[i % urls.length], urls[(i + 1) % urls.length]];
    const terms = { symbol: 'BTC-USDT', side: 1, ordType: 2, orderQty: '0.01' };
    const order = { ...terms, price: String(100 + i) };
    const written = await postSigned(writer, key, ORDER_PATH, order);
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

export const cluster = part({
  name: 'cluster',
  question: 'How many orders per second does a cluster on PostgreSQL answer, and how fast?',
  against: 'the same orders on a single node',
  size: SIZE,
  subjects: (size, context) => ({
    cluster: () => runCluster(size),
    single: () => runStreams(context, size),
  }),
  rows: (): Row<Run>[] => [
    ...STREAMS.flatMap((mix): Row<Run>[] => [
      [`three nodes, ${mix}`, '/s', ({ cluster }) => cluster.rates[mix]],
      [`a single node, ${mix}`, '/s', ({ single }) => single[mix].perSecond],
      [
        `three nodes ÷ a single node, ${mix}`,
        '×',
        ({ cluster, single }) => cluster.rates[mix] / single[mix].perSecond,
        mix === 'quiet' ? null : { atLeast: 0.45 },
      ],
    ]),
    ...cpuRows(({ single }: Run) => single, ', a single node'),
    ['p99 at half of the rate, market', 'ms', ({ cluster }) => cluster.p99, { atMost: 25 }],
    [
      'median from a write on one node to its read on another',
      'ms',
      ({ cluster }) => cluster.readLag,
      { atMost: 3 },
    ],
  ],
  notes: ({ orders }) => [
    `${CONNECTIONS} keep-alive connections, a third to each node; ${many(orders)} signed ` +
      'requests of each stream, every answer 200, and the journal has gained exactly as many ' +
      'commands.',
    STREAM_NOTE,
    'Three nodes, two PostgreSQL (every commit waits for the standby) and the clients share the ' +
      'cores of this machine, which applies each order and writes its history three times.',
    'The p99 is that of the slowest of the three nodes.',
  ],
});

interface Run {
  readonly cluster: Awaited<ReturnType<typeof runCluster>>;
  readonly single: PerStream;
}
