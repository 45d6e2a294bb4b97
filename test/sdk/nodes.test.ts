// The SDK with several URLs: it leaves a node that fails, repeats no write that may have been
// carried out, and reads no older state on the next node.
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { AgioClient } from '../../src/sdk/client.ts';
import { InvalidArgument, NotReached, OutcomeUnknown } from '../../src/sdk/errors.ts';
import { ServerFailure, Unavailable } from '../../src/sdk/generated/rejections.ts';
import { Nodes } from '../../src/sdk/nodes.ts';
import { OperatorClient } from '../../src/sdk/operator-client.ts';
import { PATIENCE_MS, until } from '../support/waiting.ts';
import { answer, breakOff, closedUrl, FakeServer, reject, silence } from './fake-server.ts';
import { withoutPauses } from './without-pauses.ts';

const ORDER = { symbol: 'BTC-USDT', side: 1, ordType: 2, price: '1', orderQty: '0.1' } as const;
const CREATED = { orderId: 7, symbol: 'BTC-USDT', clOrdId: 'a', transactTime: 1 };
const USER = { email: 'a@example.com' };
const KEY = { apiKey: 'key', secretKey: 'secret' };

let a: FakeServer;
let b: FakeServer;
let c: FakeServer;
beforeEach(async () => {
  [a, b, c] = await Promise.all([FakeServer.start(), FakeServer.start(), FakeServer.start()]);
});
afterEach(() => {
  for (const node of [a, b, c]) node[Symbol.dispose]();
});

const options = (...nodes: FakeServer[]) =>
  ({ url: nodes.map(({ url }) => url), clock: 'own', timeoutMs: PATIENCE_MS }) as const;
const clientOf = (...nodes: FakeServer[]) => new AgioClient({ ...options(...nodes), ...KEY });
const operatorOf = (...nodes: FakeServer[]) =>
  new OperatorClient({ ...options(...nodes), operatorToken: 't' });
const counts = () => [a, b, c].map(({ requests }) => requests.length);
const header = (node: FakeServer, name: string) =>
  node.requests.map(({ headers }) => headers.get(name));

describe('the option url', () => {
  test.each<[unknown, string]>([
    [[], 'a list of at least one'],
    [undefined, 'a list of at least one'],
    [[''], '"" cannot be used'],
    [['http://a', 'exchange.example.com'], '"exchange.example.com" cannot be used'],
    [['http://a', 'https://b'], '"https://b" has another scheme than "http://a"'],
    [['http://a:80', 'http://b', 'http://A/'], '"http://A/" is in the list twice'],
  ])('%p is rejected by the constructor', (url, reason) => {
    const make = () => new AgioClient({ url: url as string[] });
    expect(make).toThrow(InvalidArgument);
    expect(make).toThrow(reason);
  });

  test('a list of one is one URL', async () => {
    a.will(answer([], { 'X-Agio-Seq': '5' }));
    const client = clientOf(a);
    await client.balances();
    await client.balances();
    expect(header(a, 'x-agio-min-seq')).toEqual([null, null]);
  });
});

describe('the next node', () => {
  test('is the next in the list, and after the last one the first', () => {
    const nodes = new Nodes(['a', 'b', 'c']);
    const visited = Array.from({ length: 4 }, () => {
      nodes.leave(nodes.current);
      return nodes.current;
    });
    expect(visited).toEqual(['b', 'c', 'a', 'b']);
  });

  test('is not one that asked to wait, unless all did', () => {
    const nodes = new Nodes(['a', 'b', 'c']);
    nodes.leave('a', 60_000);
    nodes.leave('b');
    nodes.leave('c');
    expect([nodes.current, nodes.waitMs]).toEqual(['b', 0]);
    nodes.leave('b', 90_000);
    nodes.leave('c', 90_000);
    expect(nodes.current).toBe('a');
    expect(nodes.waitMs).toBeGreaterThan(30_000);
  });

  test('does not change by a report about another node', () => {
    const nodes = new Nodes(['a', 'b', 'c']);
    nodes.leave('a');
    nodes.leave('a');
    nodes.leave('c');
    expect(nodes.current).toBe('b');
  });
});

describe('a call', () => {
  test('stays on a node that answers, also with a rejection', async () => {
    a.will(
      reject(400, 100201),
      reject(429, 100429, { 'Retry-After': '0' }),
      answer([]),
      answer(CREATED),
    );
    const client = clientOf(a, b);
    await expect(client.balances()).rejects.toThrow('100201');
    await client.balances();
    await client.createOrder(ORDER);
    expect(counts()).toEqual([4, 0, 0]);
  });

  test('goes past nodes that say 503, and the next call stays there', async () => {
    a.will(reject(503, 100503, { 'Retry-After': '600' }));
    b.will(reject(503, 100503));
    c.will(answer(CREATED));
    const client = clientOf(a, b, c);
    await client.createOrder(ORDER);
    await client.createOrder(ORDER);
    expect(counts()).toEqual([1, 1, 2]);
  });

  test('comes back to the first node when no node serves', async () => {
    for (const node of [a, b]) node.will(reject(503, 100503, { 'Retry-After': '0' }));
    const client = new AgioClient({ ...options(a, b), ...KEY, attempts: 4 });
    await expect(client.createOrder(ORDER)).rejects.toBeInstanceOf(Unavailable);
    expect(counts()).toEqual([2, 2, 0]);
    a.will(reject(503, 100503), answer(CREATED));
    await client.createOrder(ORDER);
  });

  test('that only reads asks each node once after a 500', async () => {
    for (const node of [a, b]) node.will(reject(500, 100500));
    c.will(answer([]));
    expect(await clientOf(a, b, c).balances()).toEqual([]);
    expect(counts()).toEqual([1, 1, 1]);
    await expect(clientOf(a, b).balances()).rejects.toBeInstanceOf(ServerFailure);
    expect(counts()).toEqual([2, 2, 1]);
  });

  test('asks each of two nodes ten times, unless given', async () => {
    using _timers = withoutPauses();
    const asked: string[] = [];
    const fetch = async (url: string) => {
      asked.push(new URL(url).hostname);
      return Response.json({ code: '100503', userMsg: 'No leader.' }, { status: 503 });
    };
    const client = new AgioClient({ url: ['http://a', 'http://b'], clock: 'own', ...KEY, fetch });
    await expect(client.balances()).rejects.toBeInstanceOf(Unavailable);
    expect(asked).toEqual(Array.from({ length: 10 }, () => ['a', 'b']).flat());
  });

  test('leaves a node that does not answer in time', async () => {
    a.will(silence);
    b.will(answer([]));
    const client = new AgioClient({ ...options(a, b), ...KEY, timeoutMs: 50 });
    await client.balances();
    await client.balances();
    expect(counts()).toEqual([1, 2, 0]);
  });

  test('that its caller aborts leaves no node', async () => {
    a.will(silence);
    const client = clientOf(a, b);
    const stop = new AbortController();
    const read = client.balances({ signal: stop.signal });
    await until(() => a.requests.length === 1);
    stop.abort(new Error('enough'));
    await expect(read).rejects.toThrow('enough');
    expect(client.transport.url).toBe(a.url);
  });

  test('calls that lose the same node all go to the next one', async () => {
    let waiting = 0;
    let cut = () => {};
    const all = new Promise<void>((resolve) => {
      cut = resolve;
    });
    a.will(async () => {
      if (++waiting === 5) cut();
      await all;
      a[Symbol.dispose]();
      return new Response('');
    });
    b.will(answer(CREATED));
    const client = clientOf(a, b, c);
    await Promise.all(Array.from({ length: 5 }, () => client.createOrder(ORDER)));
    expect(counts()).toEqual([5, 5, 0]);
    expect(new Set(header(b, 'idempotency-key'))).toEqual(new Set(header(a, 'idempotency-key')));
  });
});

describe('a write', () => {
  test('whose node ends before the answer has the same key on the next node', async () => {
    a.will(breakOff);
    b.will(answer(CREATED, { 'Idempotency-Replayed': 'true' }));
    await clientOf(a, b).createOrder(ORDER);
    expect(counts()).toEqual([1, 1, 0]);
    expect(header(a, 'idempotency-key')).toEqual(header(b, 'idempotency-key'));
    expect(header(a, 'idempotency-key')[0]).toMatch(/^[0-9a-f]{32}$/);
    expect(header(a, 'exchange-api-sign')).not.toEqual(header(b, 'exchange-api-sign'));
    expect(header(a, 'exchange-api-timestamp')).not.toEqual(header(b, 'exchange-api-timestamp'));
  });

  test('whose leader failed under way is repeated under its key', async () => {
    a.will(reject(503, 100500));
    b.will(answer(CREATED));
    await clientOf(a, b).createOrder(ORDER);
    expect(header(a, 'idempotency-key')).toEqual(header(b, 'idempotency-key'));
  });

  test('without a key is not repeated after a lost answer, and the next one goes on', async () => {
    a.will(breakOff);
    b.will(answer({ uid: 1 }));
    const operator = operatorOf(a, b);
    await expect(operator.createUser(USER)).rejects.toBeInstanceOf(OutcomeUnknown);
    expect(counts()).toEqual([1, 0, 0]);
    await operator.createUser(USER);
    expect(counts()).toEqual([1, 1, 0]);
  });

  test('without a key is sent to the next node if the first did not accept it', async () => {
    a.will(reject(503, 100503));
    b.will(answer({ uid: 1 }));
    await operatorOf(a, b).createUser(USER);
    expect(counts()).toEqual([1, 1, 0]);
  });

  test('without a key is sent to the next node if nobody listens at the first', async () => {
    const url = [await closedUrl(), b.url];
    b.will(answer({ uid: 1 }));
    await new OperatorClient({ ...options(), url, operatorToken: 't' }).createUser(USER);
    expect(counts()).toEqual([0, 1, 0]);
  });

  test('that reached no node was not carried out, and the error says so', async () => {
    const url = [await closedUrl(), await closedUrl()];
    const client = new AgioClient({ ...options(), url, ...KEY, attempts: 3 });
    await expect(client.createOrder(ORDER)).rejects.toBeInstanceOf(NotReached);
    // A lost answer keeps the outcome open, whatever later attempts meet.
    a.will(breakOff);
    const lost = new AgioClient({ ...options(), url: [a.url, ...url], ...KEY, attempts: 3 });
    await expect(lost.createOrder(ORDER)).rejects.toBeInstanceOf(OutcomeUnknown);
    expect(counts()).toEqual([1, 0, 0]);
  });
});

describe('reads after a failover', () => {
  test('wait for the position that the client has seen; other calls do not', async () => {
    a.will(answer(CREATED, { 'X-Agio-Seq': '53' }), breakOff);
    b.will(answer([]));
    const client = clientOf(a, b);
    await client.createOrder(ORDER);
    await client.balances();
    await client.assets();
    await client.createOrder(ORDER);
    await client.balances({ minSeq: 7 });
    expect(header(b, 'x-agio-min-seq')).toEqual(['53', null, null, '7']);
  });

  test('a node that has not reached it is left for one that has', async () => {
    a.will(answer(CREATED, { 'X-Agio-Seq': '53' }), breakOff);
    b.will(reject(503, 100503, { 'Retry-After': '600' }, { field: 'X-Agio-Min-Seq' }));
    c.will(answer([{ asset: 'BTC' }], { 'X-Agio-Seq': '60' }));
    const client = clientOf(a, b, c);
    await client.createOrder(ORDER);
    expect<unknown>(await client.balances()).toEqual([{ asset: 'BTC' }]);
    expect(b.requests).toHaveLength(1);
  });

  test('readYourWrites decides for one URL with several nodes behind it', async () => {
    a.will(answer([], { 'X-Agio-Seq': '5' }));
    const client = new AgioClient({ ...options(a), ...KEY, url: a.url, readYourWrites: true });
    await client.balances();
    await client.balances();
    expect(header(a, 'x-agio-min-seq')).toEqual([null, '5']);
    b.will(answer([], { 'X-Agio-Seq': '5' }));
    const careless = new AgioClient({ ...options(b, a), ...KEY, readYourWrites: false });
    await careless.balances();
    await careless.balances();
    expect(header(b, 'x-agio-min-seq')).toEqual([null, null]);
  });
});

test('the time is that of the first node that answers', async () => {
  const ahead = Date.now() + 3_600_000;
  b.will(answer({ serverTime: ahead, businessTime: ahead }), answer([]));
  const url = [await closedUrl(), b.url];
  await new AgioClient({ ...options(), url, clock: 'server', ...KEY }).balances();
  const sent = Number(header(b, 'exchange-api-timestamp')[1]);
  expect(Math.abs(sent - ahead)).toBeLessThan(600_000);
  expect(b.requests.map(({ path }) => path.split('/').at(-1))).toEqual(['time', 'balances']);
});
