// The ccxt class with the hosts of a cluster: calls and streams go to the next host when one fails,
// and no order is sent twice.
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import {
  BadRequest,
  type Dict,
  ExchangeError,
  ExchangeNotAvailable,
  InsufficientFunds,
  NetworkError,
  PermissionDenied,
  RateLimitExceeded,
} from 'ccxt';
import type { agio } from '../../src/ccxt/agio.ts';
import { answer, breakOff, FakeServer, reject, silence } from '../sdk/fake-server.ts';
import { FakeStreams, frame, type Message, subscribed } from '../sdk/fake-streams.ts';
import { until } from '../support/waiting.ts';
import { offline } from './static-case.ts';

const PAIR = 'BTC/USDT';
const DONE = { orderId: 7, symbol: 'BTC-USDT', clOrdId: 'a', transactTime: 1 };
const place = (exchange: agio) => exchange.createOrder(PAIR, 'limit', 'buy', 0.5, 30000);

const hostOf = ({ url }: { readonly url: string }): string => new URL(url).host;

const opened: agio[] = [];
function connect(hosts: readonly string[], options: Dict = {}, config: Dict = {}): agio {
  const ws = { backoff: { base: 1 } };
  const quick = { maxRetriesOnFailureDelay: 1, ws };
  const exchange = offline({ options: { hosts, ...quick, ...options }, ...config });
  exchange.setSandboxMode(true);
  opened.push(exchange);
  return exchange;
}
afterEach(async () => {
  for (const exchange of opened.splice(0)) await exchange.close();
});

describe('the option hosts', () => {
  test.each<[unknown, string]>([
    [[], 'a list of at least one'],
    ['a', 'a list of at least one'],
    [['http://a'], '"http://a" is not a host'],
    [['a:1', 5], '5 is not a host'],
    [['a:1', 'b:1', 'a:1'], '"a:1" is in the list twice'],
  ])('%p is rejected', async (hosts, reason) => {
    const reading = connect(hosts as string[]).fetchBalance();
    await expect(reading).rejects.toBeInstanceOf(BadRequest);
    await expect(reading).rejects.toThrow(reason);
  });

  test('urls without a place for the host are rejected', async () => {
    const exchange = connect(['a', 'b']);
    exchange.urls.api.rest = 'https://exchange.example.com';
    await expect(exchange.fetchBalance()).rejects.toThrow('{hostname}');
  });
});

describe('calls', () => {
  let a: FakeServer;
  let b: FakeServer;
  beforeEach(async () => {
    [a, b] = await Promise.all([FakeServer.start(), FakeServer.start()]);
  });
  afterEach(() => {
    for (const node of [a, b]) node[Symbol.dispose]();
  });
  const counts = () => [a, b].map(({ requests }) => requests.length);
  const header = (node: FakeServer, name: string) =>
    node.requests.map(({ headers }) => headers.get(name));
  const both = (options?: Dict, config?: Dict) => connect([hostOf(a), hostOf(b)], options, config);

  test('an order whose host ends before the answer has the same key on the next host', async () => {
    a.will(breakOff);
    b.will(answer(DONE));
    const exchange = both();
    expect((await place(exchange)).id).toBe('7');
    expect(counts()).toEqual([1, 1]);
    expect(header(a, 'idempotency-key')).toEqual(header(b, 'idempotency-key'));
    expect(header(a, 'idempotency-key')[0]).not.toBeNull();
    expect(header(a, 'exchange-api-sign')).not.toEqual(header(b, 'exchange-api-sign'));
    await place(exchange);
    expect(counts()).toEqual([1, 2]);
  });

  test('a rejection that does not settle an earlier try leaves the outcome open', async () => {
    const afterLoss = (code: number) => {
      a.will(breakOff);
      b.will(reject(400, code));
      const exchange = both({ maxRetriesOnFailure: 1 });
      return place(exchange);
    };
    await expect(afterLoss(100403)).rejects.toThrow('may have been carried out');
    await expect(afterLoss(100403)).rejects.toBeInstanceOf(NetworkError);
    await expect(afterLoss(100206)).rejects.toBeInstanceOf(InsufficientFunds);
    b.will(reject(400, 100403));
    const first = connect([hostOf(b), hostOf(a)]);
    await expect(place(first)).rejects.toBeInstanceOf(PermissionDenied);
  });

  test('a host without a leader, one that fails and one that hangs are left', async () => {
    for (const reaction of [reject(503, 100503), reject(503, 100500), silence]) {
      a.will(reaction);
      b.will(answer(DONE));
      const timeout = reaction === silence ? 100 : 60_000;
      await place(both({}, { timeout }));
      expect(counts()).toEqual([1, 1]);
    }
  });

  test('an earn call that failed under way has the same key on the next host', async () => {
    a.will(answer({ code: '500', errorCode: 40008, msg: 'failed', userMsg: 'No.', data: null }));
    b.will(answer({ code: '0', msg: 'success', data: true }));
    await both().earnPrivatePostPlanApply({ planId: '1', amount: '5' });
    expect(counts()).toEqual([1, 1]);
    expect(header(a, 'idempotency-key')).toEqual(header(b, 'idempotency-key'));
  });

  test('a host that answers is kept, also if it rejects', async () => {
    a.will(reject(429, 100429), reject(400, 100200), answer([]));
    const exchange = both({ maxRetriesOnFailure: 0 });
    await expect(exchange.fetchBalance()).rejects.toBeInstanceOf(RateLimitExceeded);
    await expect(exchange.fetchBalance()).rejects.toBeInstanceOf(ExchangeError);
    await exchange.fetchBalance();
    expect(counts()).toEqual([3, 0]);
  });

  test('without retries an order is sent once, and the next one elsewhere', async () => {
    a.will(breakOff);
    b.will(answer(DONE));
    const exchange = both({ maxRetriesOnFailure: 0 });
    await expect(place(exchange)).rejects.toBeInstanceOf(NetworkError);
    expect(counts()).toEqual([1, 0]);
    await place(exchange);
    expect(counts()).toEqual([1, 1]);
  });

  test('private reads wait for the position that was seen; other calls do not', async () => {
    a.will(answer(DONE, { 'X-Agio-Seq': '53' }), breakOff);
    b.will(answer([]));
    const exchange = both();
    await place(exchange);
    await place(exchange).catch(() => {});
    await exchange.fetchBalance();
    await exchange.fetchTrades(PAIR);
    expect(header(b, 'x-agio-min-seq')).toEqual([null, '53', null]);
  });

  test('one hostname has neither positions nor repeats', async () => {
    a.will(answer([], { 'X-Agio-Seq': '53' }), answer([]), reject(503, 100503));
    const exchange = offline({ hostname: hostOf(a) });
    exchange.setSandboxMode(true);
    await exchange.fetchBalance();
    await exchange.fetchBalance();
    expect(header(a, 'x-agio-min-seq')).toEqual([null, null]);
    await expect(exchange.fetchBalance()).rejects.toBeInstanceOf(ExchangeNotAvailable);
    expect(a.requests).toHaveLength(3);
  });
});

describe('streams', () => {
  let a: FakeStreams;
  let b: FakeStreams;
  let exchange: agio;
  beforeEach(() => {
    [a, b] = [new FakeStreams(), new FakeStreams()];
    for (const node of [a, b]) node.answer = serve;
    exchange = connect([hostOf(a), hostOf(b)]);
  });
  afterEach(() => {
    for (const node of [a, b]) node[Symbol.dispose]();
  });

  const report = { orderId: 1, symbol: 'BTC-USDT', side: 1, ordType: 2, ordStatus: 0, execType: 0 };
  const orders = (type: 'snapshot' | 'update', seq: number, orderId: number) => ({
    channel: 'orders',
    ...frame(type, seq, null),
    data: [{ ...report, orderId, execId: seq }],
  });
  const serve = (message: Message): object[] => {
    if (message.op === 'login') return [{ op: 'loggedIn', uid: 1 }];
    if (message.op !== 'subscribe') return [];
    const { resumeFrom } = message;
    const next = resumeFrom === undefined ? orders('snapshot', 7, 1) : orders('update', 9, 2);
    return [subscribed(message), next];
  };
  const placed = (node: FakeStreams) => node.received.filter(({ op }) => op === 'order.place');

  /** Ends the first host while a call waits for a message. */
  async function loseFirst(): Promise<void> {
    const lost = exchange.watchOrders().catch((error: unknown) => error);
    a[Symbol.dispose]();
    expect(await lost).toBeInstanceOf(NetworkError);
  }

  test('the orders channel resumes on the next host from its last position', async () => {
    expect((await exchange.watchOrders())[0]!.id).toBe('1');
    await loseFirst();
    expect((await exchange.watchOrders()).map(({ id }) => id)).toContain('2');
    expect(b.subscribes.map(({ resumeFrom }) => resumeFrom)).toEqual([7]);
  });

  test('a host where nobody listens is left', async () => {
    a[Symbol.dispose]();
    await expect(exchange.watchOrders()).rejects.toBeInstanceOf(NetworkError);
    expect((await exchange.watchOrders())[0]!.id).toBe('1');
    expect(b.sockets).toHaveLength(1);
  });

  test('a host that is behind the position throws a NetworkError until it is there', async () => {
    await exchange.watchOrders();
    const details = { field: 'resumeFrom', rule: 'maximum', limit: 5, value: 7 };
    const rejection = { op: 'error', code: '100200', msg: 'invalid', userMsg: 'Too far.', details };
    b.answer = (message) =>
      message.op === 'subscribe' ? [{ ...rejection, id: message.id }] : serve(message);
    await loseFirst();
    await expect(exchange.watchOrders()).rejects.toBeInstanceOf(ExchangeNotAvailable);
    b.answer = serve;
    await exchange.watchOrders();
    expect(b.subscribes.map(({ resumeFrom }) => resumeFrom)).toEqual([7, 7]);
    expect(b.sockets).toHaveLength(1);
  });

  test('an order under way is rejected and not sent again; the next one goes on', async () => {
    const lost = exchange.createOrderWs(PAIR, 'limit', 'buy', 0.5, 30000).catch((error) => error);
    await until(() => placed(a).length === 1);
    a[Symbol.dispose]();
    expect(await lost).toBeInstanceOf(NetworkError);
    b.answer = ({ op, id, ...rest }) =>
      op === 'order.place' ? [{ op, id, status: 200, data: DONE }] : serve({ op, id, ...rest });
    await exchange.createOrderWs(PAIR, 'limit', 'buy', 0.5, 30000);
    expect([placed(a).length, placed(b).length]).toEqual([1, 1]);
  });

  test('an open connection stays on its host while calls go to another', async () => {
    await exchange.watchOrders();
    exchange.options.hosts = [hostOf(b), hostOf(a)];
    const next = exchange.watchOrders();
    a.send(orders('update', 8, 3));
    expect((await next).map(({ id }) => id)).toContain('3');
    expect(b.sockets).toHaveLength(0);
  });

  test('a read after a message shows at least what the message did', async () => {
    await exchange.watchOrders();
    const positions: unknown[] = [];
    exchange.fetch = async (_url: string, _method?: string, headers?: Dict) => {
      positions.push(headers?.['X-Agio-Min-Seq']);
      return [];
    };
    await exchange.fetchBalance();
    expect(positions).toEqual(['7']);
  });
});
