// Orders over the websocket: each answer and each rejection is that of the HTTP call, batches, the
// window of a message, and everything that ends the right to trade.
import { beforeAll, describe, expect, test } from 'bun:test';
import {
  AMEND,
  type Answer,
  CANCEL,
  type Client,
  type Json,
  MASS_CANCEL,
  OCO,
  ORDER,
  ORDER_V2,
  ORDERS_V2,
  TestNode,
} from '../support/node.ts';
import { Person } from '../support/person.ts';
import { expectOk } from '../support/shape.ts';
import { loginMessage, OWN_ACCOUNT, OWN_ORDERS, StreamClient } from '../support/stream.ts';

const node = TestNode.forFile();
let client: Client;
let stream: StreamClient;
beforeAll(async () => {
  client = await node.client();
  stream = await StreamClient.login(node, OWN_ORDERS, client);
});

const LIMIT = { symbol: 'BTC-USDT', side: 1, ordType: 2, price: '100', orderQty: '1' };
const OCO_SELL = { symbol: 'BTC-USDT', side: 2, price: '110', orderQty: '1', stopPx: '90' };
const PATHS = {
  'order.place': ORDER_V2,
  'order.amend': AMEND,
  'order.oco': OCO,
  'order.cancel': CANCEL,
  'order.cancelAll': MASS_CANCEL,
} as const;
type Op = keyof typeof PATHS;

/** The answer to a message that is sent now. */
const send = (op: string, fields: object, on = stream): Promise<Json> => on.order(op, fields);

const batch = (orders: readonly unknown[], more: object = {}, on = stream): Promise<Json> =>
  send('order.batch', { orders, ...more }, on);

const plain = (json: Json): Record<string, unknown> => JSON.parse(JSON.stringify(json));

/** The seq of a rejection differs from call to call. */
const compared = ({ status, headers, body }: Answer) => ({
  status,
  sequenced: headers.has('x-agio-seq'),
  error: body,
});

const codeOf = (answer: Json): string => String(answer.error?.code);

describe('answers', () => {
  test('messages are carried out in the order in which they were sent', async () => {
    const count = 40;
    for (let i = 0; i < count; i++) {
      const named = { clOrdId: `seq-${i}`, timestamp: Date.now() };
      stream.say({ op: 'order.place', id: `p${i}`, ...LIMIT, ...named });
      stream.say({ op: 'order.cancel', id: `c${i}`, origClOrdId: `seq-${i}`, ...named });
    }
    const seqs: number[] = [];
    for (let i = 0; i < count; i++) {
      for (const id of [`p${i}`, `c${i}`]) {
        const answer = await stream.take({ id });
        expect(answer.status).toBe(200 as never);
        seqs.push(Number(answer.seq));
      }
    }
    expect(seqs).toEqual(seqs.toSorted((a, b) => a - b));
  });

  test('the change of an order comes after its answer', async () => {
    const orders = await StreamClient.login(node, OWN_ORDERS, client);
    await orders.subscribe({ channel: 'orders' });
    orders.say({ op: 'order.place', id: 'first', timestamp: Date.now(), ...LIMIT });
    const [first] = [await orders.take((message) => message.op === undefined || 'id' in message)];
    expect(first.id).toBe('first' as never);
    const update = await orders.take({ channel: 'orders', type: 'update' });
    expect(Number(update.seq)).toBeGreaterThanOrEqual(Number(first.seq));
    await orders.close();
    await client.post(MASS_CANCEL, {});
  });

  test('the changes of a batch come after its answer, also if that needs the history', async () => {
    const orders = await StreamClient.login(node, OWN_ORDERS, client);
    await orders.subscribe({ channel: 'orders' });
    const closed = await client.limit(1, '100', '1');
    expectOk(await client.post(CANCEL, { orderId: closed }));
    for (const orderId of [closed, 999_999_999]) {
      for (const late of [{ op: 'cancel' }, { op: 'amend', price: '101' }]) {
        await orders.settle();
        const entries = [
          { op: 'place', ...LIMIT },
          { ...late, orderId },
        ];
        orders.say({ op: 'order.batch', timestamp: Date.now(), orders: entries });
        const first = await orders.take(({ channel }) => channel !== ('heartbeat' as never));
        const code = orderId === closed ? '100205' : '100203';
        expect(plain(first.data!)).toMatchObject({ orders: [{ symbol: 'BTC-USDT' }, { code }] });
        await orders.take({ channel: 'orders', type: 'update' });
      }
    }
    await orders.close();
    await client.post(MASS_CANCEL, {});
  });

  test('so do those of an order whose match is continued by later commands', async () => {
    const maker = await node.client();
    const ask = { op: 'place', ...LIMIT, side: 2, price: '120', orderQty: '0.01' };
    const count = 5000;
    for (let placed = 0; placed < count; placed += 50) {
      expectOk(await maker.post(ORDERS_V2, { orders: Array.from({ length: 50 }, () => ask) }));
    }
    const orders = await StreamClient.login(node, OWN_ORDERS, client);
    await orders.subscribe({ channel: 'orders' });
    const { seq } = node;
    orders.say({
      op: 'order.place',
      ...LIMIT,
      price: '120',
      orderQty: '50',
      timestamp: Date.now(),
    });
    const first = await orders.take(({ channel }) => channel !== ('heartbeat' as never));
    expect([first.op, first.status].map(String)).toEqual(['order.place', '200']);
    expect(Number(first.seq) - seq).toBeGreaterThan(1);
    let filled = 0;
    while (filled < count) {
      const { data } = await orders.take({ channel: 'orders', type: 'update' });
      filled += (data as unknown as Json[]).filter(({ lastQty }) => Number(lastQty) > 0).length;
    }
    expect(filled).toBe(count);
    await orders.close();
  });
});

describe('each rejection is that of the HTTP call', () => {
  const bad: readonly (readonly [string, Op, object])[] = [
    ['more than the balance', 'order.place', { ...LIMIT, orderQty: '9999999' }],
    ['an amendment of nothing', 'order.amend', { orderId: 1 }],
    ['an amendment of an unknown order', 'order.amend', { orderId: 999_999_999, price: '100' }],
    ['an OCO pair on one side', 'order.oco', { ...OCO_SELL, stopPx: '120' }],
    ['a post-only market order', 'order.place', { ...LIMIT, ordType: 1, execInst: 6 }],
    ['a cancel of nothing', 'order.cancel', {}],
    ['a cancel of an unknown order', 'order.cancel', { orderId: 999_999_999 }],
    ['a mass cancel of an unknown pair', 'order.cancelAll', { symbol: 'NO-PAIR' }],
  ];
  test.each(bad)('%s', async (_, op, body) => {
    const http = compared(await client.post(PATHS[op], body));
    expect(http.status).toBe(400);
    const answer = await send(op, body);
    const { status, seq, error } = answer;
    expect<unknown>({ status, sequenced: seq !== undefined, error }).toEqual(http);
    expect(answer.op).toBe(op as never);
  });

  test('a market that is closed, by the field that named it', async () => {
    const limit = { ...LIMIT, symbol: undefined, securityId: 3, price: '1', orderQty: '1' };
    await node.amend('MMX-USDT', { status: 3 });
    const http = compared(await client.post(ORDER, limit));
    const { status, seq, error } = await send('order.place', limit);
    expect<unknown>({ status, sequenced: seq !== undefined, error }).toEqual(http);
    expect(String(error!.details!.field)).toBe('securityId');
    await node.amend('MMX-USDT', { status: 1 });
  });
});

describe('the form of a message', () => {
  const rejected: readonly (readonly [string, object, string])[] = [
    ['without a timestamp', { timestamp: undefined }, 'timestamp'],
    ['with a timestamp that is none', { timestamp: 'now' }, 'timestamp'],
    ['with a window of 0', { recvWindow: 0 }, 'recvWindow'],
    ['with a window above the maximum', { recvWindow: 60_001 }, 'recvWindow'],
    ['with a key that has spaces', { idempotencyKey: 'a b' }, 'idempotencyKey'],
    ['with an empty key', { idempotencyKey: '' }, 'idempotencyKey'],
  ];
  test.each(rejected)('%s', async (_, more, field) => {
    const { seq } = node;
    const answer = await send('order.place', { ...LIMIT, ...more });
    expect([answer.op, codeOf(answer), answer.error!.details!.field].map(String)).toEqual([
      'order.place',
      '100200',
      field,
    ]);
    expect(node.seq).toBe(seq);
  });

  test('a message that is too old, or from the future, does nothing', async () => {
    const { seq } = node;
    const times: readonly (readonly [number, object])[] = [
      [-5500, {}],
      [-1500, { recvWindow: 1000 }],
      [-65_000, { recvWindow: 60_000 }],
      [6000, { recvWindow: 60_000 }],
    ];
    for (const [offset, more] of times) {
      const answer = await send('order.place', {
        ...LIMIT,
        timestamp: Date.now() + offset,
        ...more,
      });
      expect([answer.status, codeOf(answer)].map(String)).toEqual(['401', '100402']);
      expect(String(answer.error!.details!.field)).toBe('timestamp');
    }
    const old = { timestamp: Date.now() - 10_000 };
    expect(codeOf(await batch([{ op: 'cancel', orderId: 1 }], old))).toBe('100402');
    expect(node.seq).toBe(seq);
    const late = { timestamp: Date.now() - 20_000, recvWindow: 60_000 };
    expect((await send('order.cancelAll', late)).status).toBe(200 as never);
  });

  test('only the stream of orders has them', async () => {
    await using account = await StreamClient.login(node, OWN_ACCOUNT, client);
    const answer = await send('order.place', LIMIT, account);
    expect([answer.op, answer.code].map(String)).toEqual(['error', '100200']);
  });
});

describe('a batch', () => {
  const entries = [
    { op: 'place', ...LIMIT, clOrdId: 'b-1' },
    { op: 'place', ...LIMIT, price: '100.001' },
    { op: 'amend', origClOrdId: 'b-1', symbol: 'BTC-USDT', price: '101' },
    { op: 'place', ...LIMIT, orderQty: '9999999' },
    { op: 'oco', ...OCO_SELL, stopPx: '120' },
    { op: 'cancel', origClOrdId: 'b-1' },
    { op: 'cancel', origClOrdId: 'b-1' },
    { op: 'cancel', orderId: 999_999_999 },
    { op: 'cancel' },
  ];
  /** The ids and times of two batches differ. */
  const comparable = (body: unknown): string =>
    JSON.stringify(body).replace(/"(orderId|transactTime)":\d+|api_\d+_\d+/g, 'own');

  test('is one command, and its answer is that of the HTTP call, byte for byte', async () => {
    const { seq } = node;
    const answer = await batch(entries);
    expect([answer.op, answer.status].map(String)).toEqual(['order.batch', '200']);
    expect([answer.seq, node.seq].map(Number)).toEqual([seq + 1, seq + 1]);
    const data = JSON.stringify(answer.data);
    expect(stream.texts.at(-1)).toContain(`,"data":${data},"id":`);
    const http = await client.post(ORDERS_V2, { orders: entries });
    expect(http.text).toBe(JSON.stringify(http.body));
    expect(comparable(answer.data)).toBe(comparable(http.body));
    const { orders } = answer.data as unknown as { orders: { code?: string }[] };
    const codes = [null, '100208', null, '100206', '100200', null, '100205', '100203', '100200'];
    expect(orders.map(({ code = null }) => code)).toEqual(codes);
  });

  const cancel = { op: 'cancel', orderId: 1 };
  test.each<[string, object]>([
    ['of none', { orders: [] }],
    ['of 51', { orders: Array.from({ length: 51 }, () => cancel) }],
    ['that is no list', { orders: cancel }],
    ['without entries', {}],
    ['with a field of no call', { orders: [cancel], symbol: 'BTC-USDT' }],
    ['with an entry that is no object', { orders: [cancel, 7] }],
    ['with an unknown op', { orders: [cancel, { op: 'replace' }] }],
    ['with the op of a message', { orders: [{ op: 'order.cancel', orderId: 1 }] }],
    ['with a mass cancel', { orders: [{ op: 'cancelAll' }] }],
  ])('%s is rejected whole, as the HTTP call', async (_, fields) => {
    const { seq } = node;
    const answer = await send('order.batch', fields);
    const http = await client.post(ORDERS_V2, fields);
    expect(http.status).toBe(400);
    expect<unknown>([answer.op, answer.status, answer.error]).toEqual([
      'order.batch',
      http.status,
      http.body,
    ]);
    expect(node.seq).toBe(seq);
  });
});

describe('idempotencyKey', () => {
  test('repeats the first answer, also of the same body over HTTP', async () => {
    const keyed = { ...LIMIT, idempotencyKey: 'once' };
    const first = await send('order.place', keyed);
    expect(first.replayed).toBeUndefined();
    const again = await send('order.place', keyed);
    expect([again.status, again.replayed].map(String)).toEqual(['200', 'true']);
    expect(plain(again.data!)).toEqual(plain(first.data!));
    const headers = { 'Idempotency-Key': 'once' };
    for (const path of [ORDER, ORDER_V2]) {
      const http = await client.post(path, LIMIT, { headers });
      expect(http.headers.get('idempotency-replayed')).toBe('true');
      expect(plain(http.body)).toEqual(plain(first.data!));
    }
  });

  test('of a batch repeats its whole answer, also over HTTP', async () => {
    const orders = [
      { op: 'place', ...LIMIT },
      { op: 'place', ...LIMIT, price: '100.001' },
      { op: 'cancel', orderId: 999_999_999 },
    ];
    const first = await batch(orders, { idempotencyKey: 'all' });
    expect(first.replayed).toBeUndefined();
    const again = await batch(orders, { idempotencyKey: 'all' });
    expect([again.status, again.replayed].map(String)).toEqual(['200', 'true']);
    expect(plain(again.data!)).toEqual(plain(first.data!));
    const http = await client.post(
      ORDERS_V2,
      { orders },
      { headers: { 'Idempotency-Key': 'all' } },
    );
    expect(http.headers.get('idempotency-replayed')).toBe('true');
    expect(plain(http.body)).toEqual(plain(first.data!));
    const other = await batch(orders.slice(1), { idempotencyKey: 'all' });
    expect([other.status, codeOf(other)].map(String)).toEqual(['409', '100409']);
  });

  test('of another request is rejected', async () => {
    const other = { ...LIMIT, price: '101', idempotencyKey: 'once' };
    const headers = { 'Idempotency-Key': 'once' };
    const http = await client.post(ORDER, { ...LIMIT, price: '101' }, { headers });
    const answer = await send('order.place', other);
    expect([http.status, http.body]).toEqual([Number(answer.status), answer.error!]);
  });
});

describe('the right to trade', () => {
  test('needs a login', async () => {
    await using unknown = await StreamClient.open(node, OWN_ORDERS);
    const answer = await send('order.place', LIMIT, unknown);
    expect([answer.status, codeOf(answer)].map(String)).toEqual(['401', '100401']);
    const timestamp = client.timestamp();
    await unknown.ask(loginMessage(client.credentials, OWN_ORDERS, timestamp));
    expect((await send('order.cancelAll', {}, unknown)).status).toBe(200 as never);
  });

  test('needs module 6', async () => {
    const reader = node.key(client.uid, { moduleIds: [5] });
    await using reading = await StreamClient.login(node, OWN_ORDERS, reader);
    const http = compared(await reader.post(ORDER, LIMIT));
    const { status, seq, error } = await send('order.place', LIMIT, reading);
    expect<unknown>({ status, sequenced: seq !== undefined, error }).toEqual(http);
    expect(codeOf(await batch([{ op: 'cancel', orderId: 1 }], {}, reading))).toBe('100403');
  });

  test('comes with a session', async () => {
    const person = await Person.join(node);
    await using own = await StreamClient.open(node, OWN_ORDERS, person.headers);
    await own.take({ op: 'loggedIn' });
    await node.credit(person.uid, 'USDT', '1000');
    expect((await send('order.place', LIMIT, own)).status).toBe(200 as never);
    node.services.identity.sessions.revokeAll(person.uid, 'revoked');
    own.say({ op: 'order.place', id: 'late', timestamp: Date.now(), ...LIMIT });
    expect((await own.closed).reason).toBe('the session has ended');
    expect(node.state.orders.countOf(person.uid)).toBe(1);
  });

  test('ends with the key, whatever was sent before the close', async () => {
    const trader = await node.client();
    const own = await StreamClient.login(node, OWN_ORDERS, trader);
    node.services.identity.apiKeys.revoke(trader.credentials.apiKey);
    for (let i = 0; i < 20; i++) {
      own.say({ op: 'order.place', id: i, timestamp: Date.now(), ...LIMIT });
    }
    expect((await own.closed).code).toBe(1008);
    expect(node.state.orders.countOf(trader.uid)).toBe(0);
  });
});

test('the metrics count orders by status', async () => {
  await using counted = await TestNode.start();
  const trader = await counted.client();
  await using own = await StreamClient.login(counted, OWN_ORDERS, trader);
  await batch([{ op: 'place', ...LIMIT }, { op: 'cancel' }], {}, own);
  await send('order.cancelAll', {}, own);
  await batch([], {}, own);
  const { text } = await counted.get('/metrics');
  expect(text).toContain('agio_stream_orders_total{status="200"} 2\n');
  expect(text).toContain('agio_stream_orders_total{status="400"} 1\n');
});
