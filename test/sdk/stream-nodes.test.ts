// The SDK's streams with several URLs: a lost node is replaced by the next one, channels resume
// there, and no order is sent twice.
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { AgioClient } from '../../src/sdk/client.ts';
import { OutcomeUnknown } from '../../src/sdk/errors.ts';
import { InvalidRequest } from '../../src/sdk/generated/rejections.ts';
import { until } from '../support/waiting.ts';
import { FakeStreams, frame, type Message, serve } from './fake-streams.ts';
import { withoutPauses } from './without-pauses.ts';

const LIMIT = { symbol: 'BTC-USDT', side: 1, ordType: 2, price: '100', orderQty: '1' } as const;
const HOUR = 3_600_000;

let a: FakeStreams;
let b: FakeStreams;
let client: AgioClient;
beforeEach(() => {
  [a, b] = [new FakeStreams(), new FakeStreams()];
  client = new AgioClient({ url: [a.url, b.url], apiKey: 'k', secretKey: 's' });
});
afterEach(() => {
  client.streams.close();
  for (const node of [a, b]) node[Symbol.dispose]();
});

const orders = (type: 'snapshot' | 'update', seq: number, prevSeq: number | null) => ({
  channel: 'orders',
  ...frame(type, seq, prevSeq),
  data: [],
});
const beat = (seq: number) => ({
  ...{ channel: 'heartbeat', seq, transactTime: 1 },
  channels: [{ channel: 'orders', seq: 7 }],
});
const ordersOf = (node: FakeStreams) =>
  node.received.filter(({ op }) => String(op).startsWith('order.'));

/** A subscription that has received everything up to 90 from the first node. */
async function follow() {
  const subscription = client.streams.orders();
  const seqs: number[] = [];
  subscription.on(({ seq }) => seqs.push(seq));
  await until(() => a.subscribes.length === 1);
  a.send(orders('snapshot', 7, null));
  a.send(beat(90));
  await until(() => subscription.resumeFrom === 90);
  return { subscription, seqs };
}

test('a channel resumes on the next node from its last position', async () => {
  const { subscription, seqs } = await follow();
  a[Symbol.dispose]();
  await until(() => b.subscribes.length === 1);
  expect(b.received.map(({ op }) => op)).toEqual(['login', 'subscribe']);
  expect(b.subscribes[0]!.resumeFrom).toBe(90);
  b.send(orders('update', 95, 90));
  await until(() => subscription.seq === 95);
  expect([seqs, subscription.gaps]).toEqual([[7, 95], 0]);
});

test('a node that is behind the position is asked again, and later another one', async () => {
  let rejections = 0;
  const behind = (message: Message): readonly object[] => {
    if (message.op !== 'subscribe' || message.resumeFrom === undefined) return serve(message);
    rejections++;
    const details = { field: 'resumeFrom', rule: 'maximum', limit: 89, value: 90 };
    return [{ op: 'error', code: '100200', userMsg: 'Too far.', details, id: message.id }];
  };
  using _timers = withoutPauses();
  const { subscription } = await follow();
  b.answer = (message) => (rejections < 2 ? behind(message) : serve(message));
  a.server.stop(true);
  await until(() => subscription.phase === 'live' && b.subscribes.length > 0);
  expect([rejections, b.sockets.length]).toEqual([2, 1]);

  // It stays behind, so the client tries the others, and gives up when none ever gets there.
  rejections = 0;
  b.answer = behind;
  b.sockets.at(-1)!.close();
  expect(await subscription.done.catch((error: unknown) => error)).toBeInstanceOf(InvalidRequest);
  expect(rejections).toBeGreaterThan(20);
  expect(b.sockets.length).toBeGreaterThan(3);
});

test('a position that no server has sent is rejected as it is', async () => {
  const details = { field: 'resumeFrom', rule: 'maximum', limit: 89, value: 90 };
  a.answer = (message) =>
    message.op === 'subscribe'
      ? [{ op: 'error', code: '100200', userMsg: 'Too far.', details, id: message.id }]
      : serve(message);
  const { done } = client.streams.orders({ resumeFrom: 90 });
  expect(await done.catch((error: unknown) => error)).toBeInstanceOf(InvalidRequest);
  expect(a.subscribes).toHaveLength(1);
});

test('a node without a leader, or one that is silent, is left too', async () => {
  client.streams.close();
  const streams = { silenceMs: 200 };
  client = new AgioClient({ url: [a.url, b.url], apiKey: 'k', secretKey: 's', streams });
  a.answer = () => [{ op: 'error', code: '100503', userMsg: 'Starting.' }];
  client.streams.orders();
  await until(() => b.subscribes.length === 1);
  a.answer = serve;
  // The silence of the second node.
  await until(() => a.subscribes.length === 1);
});

test('an order under way is unknown, and the next one goes to the next node', async () => {
  b.aheadMs = HOUR;
  const entry = client.streams.orderEntry();
  const lost = entry.place(LIMIT).catch((error: unknown) => error);
  await until(() => ordersOf(a).length === 1);
  a[Symbol.dispose]();
  const unknown = await lost;
  expect(unknown).toBeInstanceOf(OutcomeUnknown);
  const { idempotencyKey } = unknown as OutcomeUnknown;
  expect(idempotencyKey).toBe(ordersOf(a)[0]!.idempotencyKey as string);
  b.answer = (message) =>
    message.op === 'order.place'
      ? [{ ...message, status: 200, seq: 5, data: { orderId: 1 } }]
      : serve(message);
  await entry.place(LIMIT, { idempotencyKey });
  expect(ordersOf(b)).toHaveLength(1);
  // The clock is that of the second node.
  const [first, second] = [ordersOf(a)[0]!, ordersOf(b)[0]!].map((one) => Number(one.timestamp));
  expect(second! - first!).toBeGreaterThan(HOUR / 2);
});

test('a read after a message shows at least what the message did', async () => {
  await follow();
  const positions: (string | null)[] = [];
  const reader = new AgioClient({
    url: [a.url, b.url],
    ...{ apiKey: 'k', secretKey: 's', clock: 'own' as const },
    fetch: async (_, { headers }) => {
      positions.push(new Headers(headers).get('x-agio-min-seq'));
      return Response.json([]);
    },
  });
  try {
    await reader.balances();
    const reports = reader.streams.orders();
    await until(() => a.subscribes.length === 2);
    a.send(orders('snapshot', 40, null));
    await reports.ready;
    await reader.balances();
    expect(positions).toEqual([null, '40']);
    // A caller compares it with the positions of answers alone.
    expect(reader.lastSeq).toBe(0);
  } finally {
    reader.streams.close();
  }
});
