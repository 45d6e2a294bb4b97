// The SDK's streams against missing, wrong and late messages, on a server that the test plays.
import { afterEach, expect, test } from 'bun:test';
import { AgioClient } from '../../src/sdk/client.ts';
import { AgioError } from '../../src/sdk/errors.ts';
import { Unauthorized } from '../../src/sdk/generated/rejections.ts';
import { comparePrices } from '../../src/sdk/local-book.ts';
import { ReaderTooSlow } from '../../src/sdk/message-queue.ts';
import type { StreamOptions } from '../../src/sdk/streams.ts';
import { until } from '../support/waiting.ts';
import { FakeStreams, frame, serve, subscribed } from './fake-streams.ts';

const CREDENTIALS = { apiKey: 'k', secretKey: 's' };
const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

function begin(streams: StreamOptions = {}) {
  const server = new FakeStreams();
  const client = new AgioClient({ url: server.url, ...CREDENTIALS, streams });
  ends.push(
    () => client.streams.close(),
    () => server[Symbol.dispose](),
  );
  return { server, client };
}

const BOOK = { channel: 'orderbook', symbol: 'A-B', depth: 20, lastUpdateId: 1 };
const crc = (text: string): number => Bun.hash.crc32(text);
const snapshot = (seq: number) => ({
  ...BOOK,
  ...frame('snapshot', seq, null),
  bids: [[99.5, 2]],
  asks: [[100, 1]],
  checksum: crc('99.5:2|100:1'),
});

test('a book that misses a message subscribes again', async () => {
  const { server, client } = begin();
  const book = client.streams.orderbook({ symbol: 'A-B' });
  await until(() => server.subscribes.length === 1);
  server.send(snapshot(5));
  await book.ready;
  const update = {
    ...BOOK,
    bids: [
      [99.5, 0],
      [98, 1],
    ],
    asks: [],
    checksum: crc('98:1|100:1'),
  };
  server.send({ ...update, ...frame('update', 8, 7) });
  await until(() => server.subscribes.length === 2);
  expect(server.received.at(-2)).toEqual({
    op: 'unsubscribe',
    channel: 'orderbook',
    symbol: 'A-B',
    depth: 20,
  });
  expect([book.gaps, book.bids]).toEqual([1, [['99.5', '2']]]);
  server.send(snapshot(9));
  server.send({ ...update, ...frame('update', 10, 9) });
  await until(() => book.seq === 10);
  expect([book.live, book.bids, book.asks]).toEqual([true, [['98', '1']], [['100', '1']]]);
});

test('a book with a wrong checksum is not live, and subscribes again', async () => {
  const { server, client } = begin();
  const book = client.streams.orderbook({ symbol: 'A-B' });
  await until(() => server.subscribes.length === 1);
  server.send(snapshot(5));
  await book.ready;
  server.send({ ...BOOK, ...frame('update', 6, 5), bids: [[1, 1]], asks: [], checksum: 1 });
  await until(() => server.subscribes.length === 2);
  expect(book.live).toBe(false);
  server.send(snapshot(7));
  await until(() => book.live);
  // The next snapshot would have the same wrong checksum.
  server.send({ ...snapshot(8), checksum: 1 });
  const loop = book[Symbol.asyncIterator]();
  await loop.next();
  expect(await loop.next().catch((error: unknown) => error)).toBeInstanceOf(AgioError);
  expect(server.subscribes).toHaveLength(2);
});

test('messages before the acknowledgement do not count', async () => {
  const { server, client } = begin();
  server.answer = () => [];
  const trades = client.streams.trades({ symbol: 'A-B' });
  const seqs: number[] = [];
  trades.on(({ seq }) => seqs.push(seq));
  await until(() => server.subscribes.length === 1);
  const TRADES = { channel: 'trades', symbol: 'A-B', data: [] };
  server.send({ ...TRADES, ...frame('snapshot', 1, null) });
  server.send(subscribed(server.subscribes[0]!));
  server.send({ ...TRADES, ...frame('update', 3, 2) });
  server.send({ ...TRADES, ...frame('snapshot', 4, null) });
  server.send({ ...TRADES, ...frame('update', 5, 4) });
  await until(() => seqs.length === 2);
  expect(seqs).toEqual([4, 5]);
});

test('a heartbeat with a later position reveals a missing message', async () => {
  const { server, client } = begin();
  const trades = client.streams.trades({ symbol: 'A-B' });
  await until(() => server.subscribes.length === 1);
  server.send({ channel: 'trades', symbol: 'A-B', ...frame('snapshot', 4, null), data: [] });
  await trades.ready;
  const beat = (seq: number) => ({
    ...{ channel: 'heartbeat', seq: 50, transactTime: 1 },
    channels: [{ channel: 'trades', symbol: 'A-B', seq }],
  });
  server.send(beat(4));
  server.send({ channel: 'trades', symbol: 'A-B', ...frame('update', 6, 4), data: [] });
  await until(() => trades.seq === 6);
  expect(server.subscribes).toHaveLength(1);
  server.send(beat(9));
  await until(() => server.subscribes.length === 2);
});

test('a silent connection is replaced, and private channels resume', async () => {
  const reasons: string[] = [];
  const { server, client } = begin({
    // The next connection is silent as well: the rest of the test is done before.
    silenceMs: 400,
    onState: (_, state) => {
      if (state.state === 'waiting') reasons.push(state.reason);
    },
  });
  const orders = client.streams.orders();
  await until(() => server.subscribes.length === 1);
  server.send({ channel: 'orders', ...frame('snapshot', 7, null), data: [] });
  await orders.ready;
  await until(() => server.subscribes.length === 2);
  expect(server.subscribes.map(({ resumeFrom }) => resumeFrom)).toEqual([undefined, 7]);
  expect(reasons[0]).toContain('nothing heard');
  expect(server.sockets.length).toBe(2);
});

test('a position that is too old is replaced by a snapshot', async () => {
  const { server, client } = begin();
  server.answer = (message) => {
    const { id, resumeFrom } = message;
    const old = { op: 'error', code: '100601', userMsg: 'Too old.', id };
    return resumeFrom === undefined ? serve(message) : [...serve(message), old];
  };
  const orders = client.streams.orders({ resumeFrom: 3 });
  await until(() => server.subscribes.length === 2);
  server.send({ channel: 'orders', ...frame('snapshot', 90, null), data: [] });
  await until(() => orders.seq === 90);
});

test('a subscription over its budget is requested again on the same connection', async () => {
  const { server, client } = begin();
  let rejections = 0;
  server.answer = (message) => {
    if (message.op !== 'subscribe' || rejections === 2) return serve(message);
    rejections++;
    const details = { rule: 'budget', value: 'bytes of the address', retryAfterMs: 5 };
    return [{ op: 'error', code: '100429', userMsg: 'Used up.', details, id: message.id }];
  };
  const book = client.streams.orderbook({ symbol: 'A-B' });
  await until(() => server.subscribes.length === 3);
  server.send(snapshot(5));
  await book.ready;
  expect(server.sockets).toHaveLength(1);
});

test('an account with too many websockets connects again later', async () => {
  const { server, client } = begin();
  let isFull = true;
  server.answer = (message) => {
    if (message.op !== 'login') return serve(message);
    if (!isFull) return serve(message);
    isFull = false;
    return [{ op: 'error', code: '100603', userMsg: 'Too many websockets are open.' }];
  };
  const orders = client.streams.orders();
  await until(() => server.subscribes.length === 1);
  expect(orders.ended).toBe(false);
});

test('a wrong clock is corrected once, and then the rejection ends the subscription', async () => {
  const { server, client } = begin();
  const ahead = 3_600_000;
  const now = Date.now() + ahead;
  server.answer = (message) =>
    message.op === 'login'
      ? [{ op: 'error', code: '100402', userMsg: 'Clock.', details: { nearest: now } }]
      : [];
  const orders = client.streams.orders();
  expect(await orders.done.catch((error: unknown) => error)).toBeInstanceOf(Unauthorized);
  const times = server.received.map(({ timestamp }) => Number(timestamp));
  expect(times).toHaveLength(2);
  expect(times[1]!).toBeWithin(now, Date.now() + ahead + 1);
});

test('each connection corrects the clock once', async () => {
  const { server, client } = begin({ silenceMs: 80 });
  let rejections = 0;
  let reject = true;
  server.answer = (message) => {
    if (message.op !== 'login') return serve(message);
    reject = !reject;
    if (reject) return serve(message);
    const now = Date.now() + ++rejections * 3_600_000;
    return [{ op: 'error', code: '100402', userMsg: 'Clock.', details: { nearest: now } }];
  };
  const orders = client.streams.orders();
  // Silence ends each connection that has logged in.
  await until(() => rejections === 2 && server.subscribes.length === 2);
  expect(orders.ended).toBe(false);
});

test('a quiet private channel resumes at the last heartbeat', async () => {
  const { server, client } = begin({ silenceMs: 1000 });
  const next = { channel: 'orders', ...frame('update', 130, 120), data: [] };
  server.answer = (message) => [...serve(message), ...(message.resumeFrom === 120 ? [next] : [])];
  const orders = client.streams.orders();
  const seqs: number[] = [];
  orders.on(({ seq }) => seqs.push(seq));
  await until(() => server.subscribes.length === 1);
  server.send({ channel: 'orders', ...frame('snapshot', 7, null), data: [] });
  const beat = (seq: number, channels: object[]) =>
    server.send({ channel: 'heartbeat', seq, transactTime: 1, channels });
  beat(90, [{ channel: 'orders', seq: 7 }]);
  // A heartbeat without the channel confirms nothing.
  beat(95, []);
  await until(() => orders.resumeFrom === 90);
  expect(orders.seq).toBe(7);
  server.send({ channel: 'orders', ...frame('update', 91, 7), data: [] });
  await until(() => orders.seq === 91);
  beat(120, [{ channel: 'orders', seq: 91 }]);
  await until(() => server.subscribes.length === 2);
  expect(server.subscribes[1]!.resumeFrom).toBe(120);
  await until(() => orders.seq === 130);
  expect([seqs, orders.gaps]).toEqual([[7, 91, 130], 0]);
});

test('a book reports that it is not live without a connection', async () => {
  const { server, client } = begin();
  const book = client.streams.orderbook({ symbol: 'A-B' });
  const reported: boolean[] = [];
  book.on(({ live }) => reported.push(live));
  const looped: boolean[] = [];
  void (async () => {
    for await (const { live } of book) looped.push(live);
  })();
  await until(() => server.subscribes.length === 1);
  server.send(snapshot(5));
  await until(() => book.live);
  server.sockets.at(-1)!.terminate();
  await until(() => looped.length === 2);
  expect([book.live, reported, looped]).toEqual([false, [true, false], [true, false]]);
  await until(() => server.subscribes.length === 2);
  expect(book.live).toBe(false);
  server.send(snapshot(6));
  await until(() => looped.length === 3);
  // It subscribes again on the same connection.
  server.send({ ...BOOK, ...frame('update', 9, 8), bids: [], asks: [], checksum: 1 });
  await until(() => looped.length === 4);
  expect([book.live, reported]).toEqual([false, [true, false, true, false]]);
  await until(() => server.subscribes.length === 3);
  server.send(snapshot(10));
  await until(() => book.live);
  book.close();
  expect([book.live, reported.length]).toEqual([false, 5]);
});

test('an ended session ends its streams, and an unreachable server does not', async () => {
  let status = 503;
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: ({ headers }) => {
      if (headers.has('upgrade')) return new Response('', { status: 401 });
      const code = status === 401 ? '100401' : '100503';
      return Response.json({ code, msg: 'no', userMsg: 'No.' }, { status });
    },
  });
  let tried = 0;
  const client = new AgioClient({
    url: `http://127.0.0.1:${server.port}`,
    sessionToken: 'over',
    attempts: 1,
    streams: {
      onState: (_, { state }) => {
        if (state === 'connecting') tried++;
      },
    },
  });
  ends.push(
    () => client.streams.close(),
    () => void server.stop(true),
  );
  const orders = client.streams.orders();
  await until(() => tried === 2);
  expect(orders.ended).toBe(false);
  status = 401;
  expect(await orders.ready.catch((error: unknown) => error)).toBeInstanceOf(Unauthorized);
  expect(await orders.done.catch((error: unknown) => error)).toBeInstanceOf(Unauthorized);
});

test('a loop after a listener is rejected', async () => {
  const { client } = begin();
  const trades = client.streams.trades({ symbol: 'A-B' });
  trades.on(() => {})();
  expect(() => trades[Symbol.asyncIterator]()).toThrow('read in one place');
});

test('a reader that does not read gets an error, and memory does not grow', async () => {
  const { server, client } = begin();
  const trades = client.streams.trades({ symbol: 'A-B' });
  const unread = client.streams.ticker();
  const loop = trades[Symbol.asyncIterator]();
  await until(() => server.subscribes.length === 2);
  const TRADES = { channel: 'trades', symbol: 'A-B', data: [] };
  server.send({ ...TRADES, ...frame('snapshot', 0, null) });
  server.send({ channel: 'ticker', data: [], ...frame('snapshot', 0, null) });
  for (let seq = 1; seq <= 10_001; seq++) {
    server.send({ ...TRADES, ...frame('update', seq, seq - 1) });
    server.send({ channel: 'ticker', data: [], ...frame('update', seq, seq - 1) });
  }
  await until(() => unread.seq === 10_001);
  expect(await loop.next().catch((error: unknown) => error)).toBeInstanceOf(ReaderTooSlow);
  expect(trades.ended).toBe(true);
  // No loop reads these messages, so the subscription continues; a later loop would miss some.
  expect(unread.ended).toBe(false);
  expect(() => unread[Symbol.asyncIterator]()).toThrow(ReaderTooSlow);
});

test('close ends the loops, the waiting and the sockets', async () => {
  const { server, client } = begin();
  const trades = client.streams.trades({ symbol: 'A-B' });
  const book = client.streams.orderbook({ symbol: 'A-B' });
  const loop = (async () => {
    for await (const message of trades) void message;
    return 'ended';
  })();
  const bookLoop = (async () => {
    for await (const seen of book) void seen;
    return 'ended';
  })();
  await until(() => server.subscribes.length === 2);
  client.streams.close();
  expect(await Promise.all([loop, bookLoop])).toEqual(['ended', 'ended']);
  await until(() => server.sockets.every(({ readyState }) => readyState === WebSocket.CLOSED));
  await expect(trades.ready).rejects.toThrow('closed');
});

test('prices compare as numbers do', () => {
  const prices = '0.00001 0.5 1 1.01 1.1 9.99 10 10.5 99.999 100 60000.01'.split(' ');
  for (const [i, a] of prices.entries()) {
    for (const [j, b] of prices.entries()) {
      expect(Math.sign(comparePrices(a, b))).toBe(Math.sign(i - j));
    }
  }
});
