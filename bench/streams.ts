// Part `streams`: messages a second to listeners, the memory of an idle connection, and the delay
// of a report to its owner. Also the rate of orders while others watch the book.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { AgioClient } from '../src/sdk/client.ts';
import { BASES, startFanOut } from './support/fan-out.ts';
import { writeVenue } from './support/history.ts';
import { Loaded, metricOf, startNode } from './support/load.ts';
import { type Context, median, part } from './support/part.ts';
import { program, type Service } from './support/processes.ts';
import { signedHeaders } from './support/requests.ts';
import { messageFrame, OWN_ORDERS, openSocket, PUBLIC } from './support/websocket.ts';

const SIZE = {
  warmUp: 100_000,
  fanOutSeconds: 4,
  idle: 5000,
  reports: 1000,
  /** A sustained rate: far more than the follower may leave for later. */
  requests: 750_000,
};
type Size = typeof SIZE;

const LISTENERS = 200;
const WATCHERS = 50;
const BOOK = { op: 'subscribe', channel: 'orderbook', symbol: 'BTC-USDT', depth: 20 };
const SETTLE_MS = 1000;
const OF_IDLE = { atMost: 150 * 1024 * 1024 };

/** Connections that are opened together. */
const AT_ONE_TIME = 100;

let messages = 0;
let connected = 0;

/** Counts messages without decoding them, so one core receives all that a server sends. */
const { start: startListeners } = program(import.meta, {
  /** Opens public connections, which each send these messages. */
  async open(port: number, connections: number, hello: readonly object[] = []): Promise<void> {
    const frames = hello.map(messageFrame);
    const open = async (): Promise<void> => {
      const receive = () => {
        messages++;
      };
      const onClose = () => {
        connected--;
      };
      const socket = await openSocket(port, PUBLIC, {}, receive, onClose);
      connected++;
      for (const frame of frames) socket.write(frame);
    };
    for (let left = connections; left > 0; left -= AT_ONE_TIME) {
      await Promise.all(Array.from({ length: Math.min(left, AT_ONE_TIME) }, open));
    }
  },

  /** The messages so far. Throws unless so many connections are left. */
  async count(connections: number): Promise<number> {
    if (connected === connections) return messages;
    throw new Error(`${connected} of ${connections} listeners are left`);
  },
});

const portOf = ({ url }: Service): number => Number(new URL(url).port);

async function fanOut({ fanOutSeconds }: Size) {
  await using server = startFanOut();
  await using listeners = startListeners();
  const messages = BASES.map((base) => {
    return { op: 'subscribe', channel: 'trades', symbol: `${base}-USDT` };
  });
  await listeners.open(await server.listen(), LISTENERS, messages);
  await server.begin();
  await Bun.sleep(SETTLE_MS);
  const [before, start] = [await listeners.count(LISTENERS), performance.now()];
  await Bun.sleep(fanOutSeconds * 1000);
  const received = (await listeners.count(LISTENERS)) - before;
  const rate = (received * 1000) / (performance.now() - start);
  return { rate, share: (await server.end()) * 100 };
}

/** A node with one customer, and nothing of the run before. */
async function freshNode({ directory }: Context, flags: readonly string[] = []) {
  const dataDir = join(directory, 'one');
  rmSync(dataDir, { recursive: true, force: true });
  const [key] = await writeVenue(dataDir, 1);
  return { node: await startNode(dataDir, flags), key };
}

/** The bytes of the connections of listeners that hear nothing. */
async function idle(context: Context, size: Size): Promise<number> {
  const { node } = await freshNode(context, ['--streams-per-address', '20000']);
  await using server = node;
  await using listeners = startListeners();
  const residentAfter = async (connections: number): Promise<number> => {
    await listeners.open(portOf(server), connections);
    await Bun.sleep(SETTLE_MS);
    return await metricOf(server.url, 'agio_resident_bytes');
  };
  const before = await residentAfter(10);
  const after = await residentAfter(size.idle);
  await listeners.count(size.idle + 10);
  return after - before;
}

/** The times from an answer to the report of its order, ms. */
async function report(context: Context, { reports }: Size) {
  const { node, key } = await freshNode(context);
  await using server = node;
  const client = new AgioClient({ url: server.url, ...key });
  const arrived = new Map<number, number>();
  const subscribed = Promise.withResolvers<void>();
  const headers = signedHeaders(key, `GET${OWN_ORDERS}`);
  const socket = await openSocket(portOf(server), OWN_ORDERS, headers, (bytes, from, to) => {
    const now = performance.now();
    const message = JSON.parse(bytes.toString('utf8', from, to));
    if (message.type === 'snapshot') subscribed.resolve();
    if (message.type !== 'update') return;
    for (const { orderId } of message.data) arrived.set(orderId, now);
  });
  socket.write(messageFrame({ op: 'subscribe', channel: 'orders' }));
  await subscribed.promise;
  const delays: number[] = [];
  for (let i = 0; i < reports * 1.2; i++) {
    const price = (40_000 + (i % 5000) / 100).toFixed(2);
    const order = { symbol: 'BTC-USDT', side: 1, ordType: 2, orderQty: '0.001', price } as const;
    const orderId = Number((await client.createOrder(order)).orderId);
    const answered = performance.now();
    while (!arrived.has(orderId)) await Bun.sleep(1);
    // The first ones only warm the compiler up.
    if (i >= reports * 0.2) delays.push(arrived.get(orderId)! - answered);
  }
  delays.sort((a, b) => a - b);
  return { median: median(delays), p99: delays[Math.floor(delays.length * 0.99)] };
}

async function orders(context: Context, size: Size, watchers: number) {
  await using agio = await Loaded.start(context);
  await using listeners = startListeners();
  await listeners.open(portOf(agio.server), watchers, [BOOK]);
  await agio.run({ mix: 'quiet', requests: size.warmUp });
  await agio.caughtUp();
  const before = await listeners.count(watchers);
  const { perSecond, seconds } = await agio.sustained('quiet', size.requests);
  const received = (await listeners.count(watchers)) - before;
  return { orders: perSecond, messages: received / seconds };
}

const DELAY = 'report on the owner’s socket after the answer';

export const streams = part({
  name: 'streams',
  question:
    'How many messages per second reach the listeners, how soon, and how much do they slow orders?',
  against: 'the same orders without listeners',
  size: SIZE,
  subjects: (size, context) => ({
    fanOut: () => fanOut(size),
    idle: () => idle(context, size),
    report: () => report(context, size),
    alone: () => orders(context, size, 0),
    watched: () => orders(context, size, WATCHERS),
  }),
  rows: (size) => [
    [`messages to ${LISTENERS} listeners`, '/s', ({ fanOut }) => fanOut.rate, { atLeast: 300_000 }],
    ['core of the server used for it', '%', ({ fanOut }) => fanOut.share],
    [`memory of ${size.idle} idle connections`, 'bytes', ({ idle }) => idle, OF_IDLE],
    [`${DELAY}, median`, 'ms', ({ report }) => report.median, { atMost: 2 }],
    [`${DELAY}, p99`, 'ms', ({ report }) => report.p99],
    [`orders with ${WATCHERS} listeners of the book`, '/s', ({ watched }) => watched.orders],
    ['orders without', '/s', ({ alone }) => alone.orders],
    [
      'orders with ÷ without',
      '×',
      ({ watched, alone }) => watched.orders / alone.orders,
      { atLeast: 0.8 },
    ],
    [`book messages to ${WATCHERS} listeners meanwhile`, '/s', ({ watched }) => watched.messages],
  ],
  notes: () => [
    `Fan-out: the trades of four pairs, each a message to ${LISTENERS} connections of one other ` +
      'process, which counts frames; the market trades as fast as the listeners read, its ' +
      'journal is in memory. Server and listeners have a core each, at most.',
    'The report is a message on the private websocket of the client that sent the order over ' +
      'HTTP. That client measures both times, one order at a time. A negative time means that ' +
      'the message came first.',
    'The orders are those of part http, with 64 busy connections; the listeners have all 20 ' +
      'levels, and are a third process on the same two cores.',
  ],
});
