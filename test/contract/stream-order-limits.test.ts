// The limits of orders over the websocket: rates, load, the queue, and messages that are long or
// rejected.
import { beforeAll, describe, expect, test } from 'bun:test';
import { SAMPLE_MS, STEPS } from '../../src/gateway/limits/load.ts';
import { INBOUND_BURST } from '../../src/streams/limits.ts';
import { type Client, ORDER, TestNode } from '../support/node.ts';
import { OWN_ORDERS, StreamClient } from '../support/stream.ts';

const node = TestNode.forFile();
let client: Client;
beforeAll(async () => {
  client = await node.client();
});

const LIMIT = { symbol: 'BTC-USDT', side: 1, ordType: 2, price: '100', orderQty: '1' };

describe('limits', () => {
  test('each entry counts as a call, and more than are left are rejected', async () => {
    await using strict = await TestNode.start({ flags: ['--rate-limits', 'order=1/60/5'] });
    const trader = await strict.client();
    await using own = await StreamClient.login(strict, OWN_ORDERS, trader);
    const batch = async (count: number) => {
      const orders = Array.from({ length: count }, () => ({ op: 'place', ...LIMIT }));
      return Number((await own.order('order.batch', { orders })).status);
    };
    const { seq } = strict;
    // The batch that is rejected costs one write, as over HTTP.
    expect([await batch(2), await batch(4), await batch(2), await batch(1)]).toEqual([
      200, 429, 200, 429,
    ]);
    expect(strict.seq).toBe(seq + 2);
    const http = await trader.post(ORDER, LIMIT);
    const retryAfterMs = Number(http.headers.get('retry-after')) * 1000;
    const answer = await own.order('order.place', LIMIT);
    expect([Number(answer.status), answer.error!]).toEqual([http.status, http.body]);
    expect(Math.abs(Number(answer.retryAfterMs) - retryAfterMs)).toBeLessThanOrEqual(1000);
  });

  test('accepted orders are no flood of messages; rejected ones are', async () => {
    const own = await StreamClient.login(node, OWN_ORDERS, client);
    const count = 2 * INBOUND_BURST;
    for (let i = 0; i < count; i++) {
      own.say({ op: 'order.cancelAll', id: i, timestamp: Date.now() });
    }
    await own.take({ id: count - 1 });
    for (let i = 0; i < 8 * INBOUND_BURST; i++) own.say({ op: 'order.cancelAll' });
    expect(await own.closed).toEqual({ code: 1008, reason: 'too many messages' });
  });

  test('a busy server sheds orders and accepts cancels', async () => {
    await using busy = await TestNode.start();
    const trader = await busy.client();
    await using own = await StreamClient.login(busy, OWN_ORDERS, trader);
    const { delayMs } = STEPS.at(-1)!;
    for (let now = 0; now < 2000; now += SAMPLE_MS) busy.services.load.observe(delayMs, now);
    const http = await trader.post(ORDER, LIMIT);
    const placed = await own.order('order.place', LIMIT);
    expect([Number(placed.status), placed.error!]).toEqual([http.status, http.body]);
    expect(Number(placed.retryAfterMs)).toBe(1000);
    expect((await own.order('order.cancelAll', {})).status).toBe(200 as never);
    const batch = (...entries: object[]) => own.order('order.batch', { orders: entries });
    expect((await batch({ op: 'cancel', orderId: 1 })).status).toBe(200 as never);
    const shed = await batch({ op: 'cancel', orderId: 1 }, { op: 'place', ...LIMIT });
    expect([Number(shed.status), shed.error!]).toEqual([http.status, http.body]);
  });

  test('a message may be long, but not without limit', async () => {
    const own = await StreamClient.login(node, OWN_ORDERS, client);
    const name = 'x'.repeat(64);
    const entry = { op: 'cancel', clOrdId: name, origClOrdId: name };
    const orders = Array.from({ length: 50 }, () => entry);
    expect((await own.order('order.batch', { orders })).status).toBe(200 as never);
    own.say({ op: 'order.batch', id: 'x'.repeat(1 << 16) });
    expect((await own.closed).code).not.toBe(1000);
  });
});

test('before the login a long message ends the connection', async () => {
  const own = await StreamClient.open(node, OWN_ORDERS);
  own.say({ op: 'order.batch', id: 'x'.repeat(5000) });
  expect(await own.closed).toEqual({ code: 1009, reason: 'the message is too long' });
});

test('long rejected messages lose the precedence of orders, and the connection', async () => {
  const own = await StreamClient.login(node, OWN_ORDERS, await node.client());
  await using other = await StreamClient.login(node, OWN_ORDERS, client);
  const junk = { op: 'order.batch', orders: Array.from({ length: 50 }, () => ['x'.repeat(900)]) };
  for (let i = 0; i < 4 * INBOUND_BURST; i++) own.say(junk);
  expect(await own.closed).toEqual({ code: 1008, reason: 'too many messages' });
  expect((await other.order('order.cancelAll', {})).status).toBe(200 as never);
});

test('so do batches that are rejected for their entries', async () => {
  await using busy = await TestNode.start();
  const own = await StreamClient.login(busy, OWN_ORDERS, await busy.client());
  const { delayMs } = STEPS.at(-1)!;
  for (let now = 0; now < 2000; now += SAMPLE_MS) busy.services.load.observe(delayMs, now);
  const orders = [
    { op: 'cancel', orderId: 1 },
    { op: 'place', ...LIMIT },
  ];
  const { seq } = busy;
  for (let i = 0; i < 8 * INBOUND_BURST; i++) {
    own.say({ op: 'order.batch', timestamp: Date.now(), orders });
  }
  expect(await own.closed).toEqual({ code: 1008, reason: 'too many messages' });
  expect(busy.seq).toBe(seq);
});

test('from the notice of a stop on, orders are rejected as calls are', async () => {
  const stopping = await TestNode.start();
  const own = await StreamClient.login(stopping, OWN_ORDERS, await stopping.client());
  const stopped = stopping.stop();
  await own.take({ op: 'serverShutdown' });
  const answer = await own.order('order.place', LIMIT);
  expect([answer.status, answer.error?.code].map(String)).toEqual(['503', '100503']);
  expect(Number(answer.retryAfterMs)).toBe(1000);
  await stopped;
});
