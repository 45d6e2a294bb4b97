// Part `streams`: messages a second to listeners, the memory of an idle connection, and the delay
// of a report to its owner. Also the latency of orders while others watch the book.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { type ApiKey, ORDER_PATH } from '../src/cli/bench/order-script.ts';
import { CONNECTIONS, makeVenue, startAgioUnderLoad } from './support/agio-load.ts';
import type { Heard, ListenersQuestion } from './support/listeners-process.ts';
import { followerCaughtUp, metricsOf, SUSTAINED_REQUESTS, startAgio } from './support/load.ts';
import { alternate, type Context, type Findings, figure, ratio, sizeOf } from './support/part.ts';
import { ROOT, startService, startWorker, type Worker } from './support/processes.ts';
import { postSigned, signedHeaders } from './support/requests.ts';
import { median } from './support/statistics.ts';

const FULL = {
  warmUp: 100_000,
  fanOutSeconds: 4,
  idle: 5000,
  reports: 1000,
  requests: SUSTAINED_REQUESTS,
};
type Size = typeof FULL;

const LISTENERS = 200;
const WATCHERS = 50;
/** The pairs of the fan-out. */
const PAIRS = ['BTC-USDT', 'ETH-USDT', 'SOL-USDT', 'XRP-USDT'];
const PUBLIC = '/ws/v1/public';
const OWN_ORDERS = '/ws/v1/private/orders';
const SETTLE_MS = 1000;
const subscribe = (more: object): string =>
  JSON.stringify({ op: 'subscribe', symbol: 'BTC-USDT', ...more });

type Listeners = Worker<ListenersQuestion, unknown>;

const startListeners = (): Listeners => startWorker('listeners-process.ts');

const openAll = (listeners: Listeners, url: string, connections: number, messages: string[] = []) =>
  listeners.ask({
    type: 'open',
    port: Number(new URL(url).port),
    path: PUBLIC,
    connections,
    messages,
  });

export async function streams(context: Context): Promise<Findings> {
  const size = sizeOf(context, FULL);
  const runs = await alternate(context, {
    fanOut: () => fanOut(size),
    idle: () => idle(context, size),
    report: () => report(context, size),
    alone: () => orders(context, size, 0),
    watched: () => orders(context, size, WATCHERS),
  } as Readonly<Record<Subject, () => Promise<Measured>>>);
  const of = (subject: Subject, name: string): number[] => runs[subject].map((run) => run[name]!);
  const delay = 'report on the owner’s socket after the answer';
  return {
    figures: [
      figure(`messages to ${LISTENERS} listeners`, '/s', of('fanOut', 'perSecond'), {
        atLeast: 300_000,
      }),
      figure('core of the server used for it', '%', of('fanOut', 'share')),
      figure(`memory of ${size.idle} idle connections`, 'bytes', of('idle', 'bytes'), {
        atMost: 150 * 1024 * 1024,
      }),
      figure(`${delay}, median`, 'ms', of('report', 'median'), { atMost: 2 }),
      figure(`${delay}, p99`, 'ms', of('report', 'p99')),
      figure(`orders with ${WATCHERS} listeners of the book`, '/s', of('watched', 'perSecond')),
      figure('orders without', '/s', of('alone', 'perSecond')),
      ratio('orders with ÷ without', of('watched', 'perSecond'), of('alone', 'perSecond'), {
        atLeast: 0.8,
      }),
      figure(`book messages to ${WATCHERS} listeners meanwhile`, '/s', of('watched', 'messages')),
    ],
    notes: [
      `Fan-out: the trades of four pairs, each a message to ${LISTENERS} connections of one ` +
        'other process, which counts frames; the market trades as fast as the listeners read, ' +
        'its journal is in memory. Server and listeners have a core each, at most.',
      'The report is a message on the private websocket of the client that sent the order ' +
        'over HTTP. That client measures both times, one order at a time. A negative time ' +
        'means that the message came first.',
      'The orders are those of part http, with 64 busy connections; the listeners have all ' +
        '20 levels, and are a third process on the same two cores.',
    ],
  };
}

type Subject = 'fanOut' | 'idle' | 'report' | 'alone' | 'watched';
type Measured = Readonly<Record<string, number>>;

async function fanOut(size: Size): Promise<Measured> {
  const command = [process.execPath, join(ROOT, 'bench/support/fan-out-process.ts')];
  await using server = await startService(command, /listening on (http:\S+)/);
  await using listeners = startListeners();
  const messages = PAIRS.map((symbol) => subscribe({ channel: 'trades', symbol }));
  await openAll(listeners, server.ready, LISTENERS, messages);
  await fetch(`${server.ready}/start`);
  await Bun.sleep(SETTLE_MS);
  const heard = (await listeners.ask({ type: 'measure', seconds: size.fanOutSeconds })) as Heard;
  const { share } = (await (await fetch(`${server.ready}/stop`)).json()) as { share: number };
  requireOpen(heard, LISTENERS);
  return { perSecond: heard.perSecond, share: share * 100 };
}

/** One customer, and nothing of the run before. */
async function freshVenue({ directory }: Context): Promise<{ dataDir: string; key: ApiKey }> {
  const dataDir = join(directory, 'one');
  rmSync(dataDir, { recursive: true, force: true });
  const [key] = await makeVenue(dataDir, 1);
  return { dataDir, key: key! };
}

function requireOpen({ open }: Heard, connections: number): void {
  if (open !== connections) throw new Error(`${open} of ${connections} listeners are left`);
}

async function idle(context: Context, size: Size): Promise<Measured> {
  const { dataDir } = await freshVenue(context);
  await using node = await startAgio(dataDir, ['--streams-per-address', '20000']);
  await using listeners = startListeners();
  await openAll(listeners, node.ready, 10);
  const resident = async () => (await metricsOf(node.ready)).get('agio_resident_bytes')!;
  await Bun.sleep(SETTLE_MS);
  const before = await resident();
  await openAll(listeners, node.ready, size.idle);
  await Bun.sleep(SETTLE_MS);
  const bytes = (await resident()) - before;
  requireOpen((await listeners.ask({ type: 'measure', seconds: 0 })) as Heard, size.idle + 10);
  return { bytes };
}

async function report(context: Context, size: Size): Promise<Measured> {
  const { dataDir, key } = await freshVenue(context);
  await using node = await startAgio(dataDir);
  const headers = signedHeaders(key, `GET${OWN_ORDERS}`);
  const address = node.ready.replace('http', 'ws') + OWN_ORDERS;
  const socket = new WebSocket(address, { headers } as unknown as string);
  const arrived = new Map<number, number>();
  let subscribed = (_: unknown): void => {};
  socket.onmessage = ({ data }) => {
    const now = performance.now();
    const message = JSON.parse(String(data));
    if (message.type === 'snapshot') subscribed(null);
    if (message.type !== 'update') return;
    for (const { orderId } of message.data) arrived.set(orderId, now);
  };
  await new Promise((resolve) => {
    socket.onopen = resolve;
  });
  await new Promise((resolve) => {
    subscribed = resolve;
    socket.send(JSON.stringify({ op: 'subscribe', channel: 'orders' }));
  });
  const delays: number[] = [];
  for (let i = 0; i < size.reports * 1.2; i++) {
    const { orderId, answered } = await place(node.ready, key, i);
    for (let wait = 0; !arrived.has(orderId) && wait < 1000; wait++) await Bun.sleep(1);
    // The first ones only warm the compiler up.
    if (i >= size.reports * 0.2) delays.push(arrived.get(orderId)! - answered);
  }
  socket.close();
  delays.sort((a, b) => a - b);
  return { median: median(delays), p99: delays[Math.floor(delays.length * 0.99)]! };
}

async function place(url: string, key: ApiKey, i: number) {
  const price = (40_000 + (i % 5000) / 100).toFixed(2);
  const order = { symbol: 'BTC-USDT', side: 1, ordType: 2, orderQty: '0.001', price };
  const response = await postSigned(url, key, ORDER_PATH, order);
  const { orderId } = (await response.json()) as { orderId: string };
  if (response.status !== 200) throw new Error('an order was rejected');
  return { orderId: Number(orderId), answered: performance.now() };
}

async function orders(context: Context, size: Size, watchers: number): Promise<Measured> {
  await using agio = await startAgioUnderLoad(context.directory);
  const { client, url } = agio;
  await using listeners = startListeners();
  const messages = [subscribe({ channel: 'orderbook', depth: 20 })];
  if (watchers > 0) await openAll(listeners, url, watchers, messages);
  const load = { mix: 'quiet', connections: CONNECTIONS } as const;
  await client.closed({ ...load, requests: size.warmUp });
  await followerCaughtUp(url);
  const hearing = listeners.ask({ type: 'measure', seconds: 1 }) as Promise<Heard>;
  const { perSecond } = await client.sustained(url, { ...load, requests: size.requests });
  const heard = await hearing;
  requireOpen(heard, watchers);
  return { perSecond, messages: heard.perSecond };
}
