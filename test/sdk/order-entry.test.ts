// The SDK's orders over the websocket: results and errors as of the calls, and a lost connection
// that never sends an order twice.
import { afterEach, describe, expect, test } from 'bun:test';
import { AgioClient } from '../../src/sdk/client.ts';
import { InvalidArgument, NotReached, OutcomeUnknown } from '../../src/sdk/errors.ts';
import {
  Forbidden,
  InsufficientBalance,
  InvalidRequest,
  OrderNotFound,
  RateLimited,
  Unauthorized,
} from '../../src/sdk/generated/rejections.ts';
import type { OrderAnswer } from '../../src/sdk/order-entry.ts';
import type { WebSocketLike } from '../../src/sdk/stream-connection.ts';
import { type Client, TestNode } from '../support/node.ts';
import { until } from '../support/waiting.ts';
import { FakeStreams, type Message } from './fake-streams.ts';

const LIMIT = { symbol: 'BTC-USDT', side: 1, ordType: 2, price: '100', orderQty: '1' } as const;

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

describe('on a real server', () => {
  const node = TestNode.forFile();

  function connect(trader: Client, credentials: object = trader.credentials) {
    const sockets: WebSocket[] = [];
    const client = new AgioClient({
      url: node.url,
      ...credentials,
      streams: {
        connect: (url, headers) => {
          const socket = new WebSocket(url, { headers } as unknown as string[]);
          sockets.push(socket);
          return socket as unknown as WebSocketLike;
        },
      },
    });
    ends.push(() => client.streams.close());
    return { client, orders: client.streams.orderEntry(), sockets };
  }

  test('places, cancels, cancels all', async () => {
    const trader = await node.client();
    const { client, orders } = connect(trader);
    let answer: OrderAnswer | null = null;
    const onAnswer = (one: OrderAnswer) => {
      answer = one;
    };
    const placed = await orders.place({ ...LIMIT, clOrdId: 'a' }, { onAnswer });
    expect(placed).toMatchObject({ symbol: 'BTC-USDT', clOrdId: 'a' });
    expect<unknown>(answer).toEqual({ status: 200, seq: node.seq, replayed: false });
    expect(client.lastSeq).toBe(node.seq);
    expect(await orders.cancel({ orderId: placed.orderId })).toMatchObject({ origClOrdId: 'a' });
    await orders.place(LIMIT);
    expect(await orders.cancelAll()).toMatchObject({ symbol: null });
    expect(node.state.orders.countOf(trader.uid)).toBe(0);
  });

  test('a batch is that of the call', async () => {
    const { client, orders } = connect(await node.client());
    const request = {
      orders: [
        { op: 'place', ...LIMIT, clOrdId: 'b' },
        { op: 'place', ...LIMIT, price: '100.001' },
        { op: 'cancel', origClOrdId: 'b' },
      ],
    } as const;
    const [placed, rejected, canceled] = (await orders.batch(request)).orders;
    expect(placed).toMatchObject({ symbol: 'BTC-USDT', clOrdId: 'b' });
    expect(rejected).toEqual((await client.createOrders(request)).orders[1]!);
    expect(canceled).toMatchObject({ origClOrdId: 'b' });
    await expect(orders.batch({ orders: [] })).rejects.toBeInstanceOf(InvalidRequest);
  });

  test('errors are those of the calls', async () => {
    const trader = await node.client();
    const { orders } = connect(trader);
    const poor = orders.place({ ...LIMIT, orderQty: '9999999' });
    await expect(poor).rejects.toBeInstanceOf(InsufficientBalance);
    const rejected = await orders.place({ ...LIMIT, price: '100.001' }).catch((error) => error);
    expect(rejected).toBeInstanceOf(InvalidRequest);
    expect([rejected.code, rejected.field, rejected.nearest]).toEqual([100208, 'price', '100']);
    await expect(orders.cancel({ orderId: 99 })).rejects.toBeInstanceOf(OrderNotFound);
    const inexact = orders.place({ ...LIMIT, price: 100.5 as unknown as string });
    await expect(inexact).rejects.toBeInstanceOf(InvalidArgument);
  });

  test('shares its connection with the orders that it reports', async () => {
    const trader = await node.client();
    const { client, orders, sockets } = connect(trader);
    const reports = client.streams.orders();
    await reports.ready;
    await orders.place(LIMIT);
    expect(sockets).toHaveLength(1);
    orders.close();
    expect(reports.ended).toBe(false);
    await expect(orders.place(LIMIT)).rejects.toBeInstanceOf(InvalidArgument);
    expect(await client.streams.orderEntry().cancelAll()).toBeDefined();
    reports.close();
  });

  test('without the privilege, and with a wrong secret', async () => {
    const trader = await node.client();
    const reader = node.key(trader.uid, { moduleIds: [5] });
    await expect(connect(reader).orders.place(LIMIT)).rejects.toBeInstanceOf(Forbidden);
    const wrong = { ...trader.credentials, secretKey: 'wrong' };
    const { orders } = connect(trader, wrong);
    await expect(orders.place(LIMIT)).rejects.toBeInstanceOf(Unauthorized);
    expect(orders.closed).toBe(true);
  });

  test('a lost connection is replaced, and later orders pass', async () => {
    const trader = await node.client();
    const { orders, sockets } = connect(trader);
    await orders.place(LIMIT);
    (sockets[0] as unknown as { terminate(): void }).terminate();
    await until(() => sockets.length > 1);
    await orders.place(LIMIT);
    expect(node.state.orders.countOf(trader.uid)).toBe(2);
  });
});

describe('on a server that the test plays', () => {
  function begin(answer: (message: Message) => object | null) {
    const server = new FakeStreams();
    server.aheadMs = 100_000;
    const received = server.play(answer);
    const client = new AgioClient({ url: server.url, apiKey: 'k', secretKey: 's' });
    ends.push(
      () => client.streams.close(),
      () => server[Symbol.dispose](),
    );
    return { orders: client.streams.orderEntry(), received };
  }
  const done = { status: 200, data: {} };

  test('an order without an answer is not sent again', async () => {
    const { orders, received } = begin(({ op }) => (op === 'order.place' ? null : done));
    const lost = await orders.place(LIMIT, { idempotencyKey: 'k-1' }).catch((error) => error);
    expect(lost).toBeInstanceOf(OutcomeUnknown);
    expect(lost.idempotencyKey).toBe('k-1');
    await orders.cancelAll();
    expect(received.map(({ op }) => op)).toEqual(['order.place', 'order.cancelAll']);
  });

  test('a lost batch has one key for all of its entries', async () => {
    const { orders, received } = begin(() => null);
    const request = { orders: [{ op: 'place', ...LIMIT } as const] };
    const lost = await orders.batch(request, { idempotencyKey: 'a' }).catch((error) => error);
    expect(lost).toMatchObject({ name: 'OutcomeUnknown', idempotencyKey: 'a' });
    expect(received).toMatchObject([{ op: 'order.batch', ...request, idempotencyKey: 'a' }]);
  });

  test('messages have the time of the server, and a key unless none is wanted', async () => {
    const { orders, received } = begin(() => done);
    const before = Date.now();
    await orders.place(LIMIT, { recvWindow: 1000 });
    await orders.cancelAll({}, { idempotencyKey: null });
    const [placed, canceled] = received;
    expect(Number(placed!.timestamp)).toBeGreaterThan(before + 50_000);
    expect(placed).toMatchObject({ ...LIMIT, recvWindow: 1000 });
    expect(String(placed!.idempotencyKey)).toMatch(/^[0-9a-f]{32}$/);
    expect(canceled).not.toHaveProperty('idempotencyKey');
  });

  test('a rejection has its class, a failure of the server is an unknown outcome', async () => {
    const bodies = [
      { status: 429, retryAfterMs: 2000, error: { code: '100429', userMsg: 'slow' } },
      { status: 500, error: { code: '100500', userMsg: 'broken' } },
    ];
    const { orders } = begin(() => bodies.shift()!);
    const limited = await orders.place(LIMIT).catch((error) => error);
    expect(limited).toBeInstanceOf(RateLimited);
    expect(limited.retryAfterMs).toBe(2000);
    await expect(orders.place(LIMIT)).rejects.toBeInstanceOf(OutcomeUnknown);
  });

  test('a time limit: unknown if it was sent, else not reached', async () => {
    const { orders, received } = begin(() => ({ id: 'of another order' }));
    const late = orders.place(LIMIT, { timeoutMs: 300 });
    await expect(late).rejects.toBeInstanceOf(OutcomeUnknown);
    expect(received).toHaveLength(1);
    const client = new AgioClient({ url: 'http://127.0.0.1:1', apiKey: 'k', secretKey: 's' });
    ends.push(() => client.streams.close());
    const never = client.streams.orderEntry().place(LIMIT, { timeoutMs: 50 });
    await expect(never).rejects.toBeInstanceOf(NotReached);
  });
});
