// Part `cluster`: the load of part http on three nodes over PostgreSQL with a standby, all on this
// machine. The clock stops when every node has written the history of the last order. Then the
// latency at half of that rate, and the time until a write on one node can be read on another.
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { ApiKey } from '../src/cli/bench/order-script.ts';
import { AgioClient } from '../src/sdk/client.ts';
import { writeVenue } from './support/history.ts';
import { CONNECTIONS, cpuRows, Loaded, type PerStream, runStreams } from './support/load.ts';
import { STREAM_NOTE, STREAMS } from './support/order-flow.ts';
import { type Context, many, median, part, type Row } from './support/part.ts';
import { startCluster } from './support/stages.ts';

const SIZE = { warmUp: 30_000, orders: 200_000, openSeconds: 6, reads: 500 };

async function runCluster(context: Context, size: typeof SIZE) {
  const directory = join(context.directory, 'cluster');
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory);
  const source = join(directory, 'venue');
  const keys = await writeVenue(source, CONNECTIONS);
  await using loaded = await Loaded.connect(await startCluster(directory, source), keys);
  const { urls } = loaded.server;
  const streams = await loaded.streams(size);
  const perSecond = streams.market.perSecond / 2 / urls.length;
  const open = await loaded.run({ mix: 'market', perSecond, seconds: size.openSeconds });
  await loaded.caughtUp();
  const readLag = await readLagOf(urls, keys[0], size.reads);
  return { streams, p99: Math.max(...open.groups.map(({ p99 }) => p99)), readLag };
}

/** The median time from the answer of a write until another node has answered a read of it. */
async function readLagOf(urls: readonly string[], key: ApiKey, reads: number): Promise<number> {
  const clients = urls.map((url) => new AgioClient({ url, ...key }));
  const times: number[] = [];
  for (let i = 0; i < reads; i++) {
    const [writer, reader] = [clients[i % urls.length], clients[(i + 1) % urls.length]];
    const terms = { symbol: 'BTC-USDT', side: 1, ordType: 2, orderQty: '0.01' } as const;
    const { orderId } = await writer.createOrder({ ...terms, price: String(100 + i) });
    const answered = performance.now();
    await reader.orders({ type: 'SINGLE', orderId }, { minSeq: writer.lastSeq });
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
    cluster: () => runCluster(context, size),
    single: () => runStreams(context, size),
  }),
  rows: (): Row<Run>[] => [
    ...STREAMS.flatMap((mix): Row<Run>[] => [
      [`three nodes, ${mix}`, '/s', ({ cluster }) => cluster.streams[mix].perSecond],
      [`a single node, ${mix}`, '/s', ({ single }) => single[mix].perSecond],
      [
        `three nodes ÷ a single node, ${mix}`,
        '×',
        ({ cluster, single }) => cluster.streams[mix].perSecond / single[mix].perSecond,
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
