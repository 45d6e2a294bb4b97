// The SDK against faults of the network and the server: it repeats reads, carries out no write
// twice, and reports a write whose outcome it cannot know.
import { afterAll, beforeEach, describe, expect, spyOn, test } from 'bun:test';
import { createHmac } from 'node:crypto';
import { AgioClient } from '../../src/sdk/client.ts';
import {
  EarnRejection,
  InvalidArgument,
  NotReached,
  OutcomeUnknown,
} from '../../src/sdk/errors.ts';
import {
  Conflict,
  Forbidden,
  InvalidRequest,
  OrderNotFound,
  RateLimited,
  Unauthorized,
} from '../../src/sdk/generated/rejections.ts';
import { OperatorClient } from '../../src/sdk/operator-client.ts';
import { UserCenterClient } from '../../src/sdk/user-center-client.ts';
import { PATIENCE_MS, until } from '../support/waiting.ts';
import {
  answer,
  breakOff,
  FakeServer,
  type ReceivedRequest,
  reject,
  silence,
} from './fake-server.ts';

const server = await FakeServer.start();
afterAll(() => server[Symbol.dispose]());

const SECRET = 'the secret of the tests';
const options = { url: server.url, clock: 'own', timeoutMs: PATIENCE_MS } as const;
const signing = { ...options, apiKey: 'key', secretKey: SECRET } as const;
let client: AgioClient;
beforeEach(() => {
  client = new AgioClient(signing);
});

const ORDER = { symbol: 'BTC-USDT', side: 1, ordType: 2, price: '1', orderQty: '0.1' } as const;
const sign = (text: string): string => createHmac('sha256', SECRET).update(text).digest('hex');
const twice = () => new AgioClient({ ...signing, attempts: 2 });
const CREATED = { orderId: 7, symbol: 'BTC-USDT', clOrdId: 'a', transactTime: 1 };
const keysOf = (requests: readonly ReceivedRequest[]): (string | null)[] =>
  requests.map(({ headers }) => headers.get('idempotency-key'));
const signsOf = (requests: readonly ReceivedRequest[]): (string | null)[] =>
  requests.map(({ headers }) => headers.get('exchange-api-sign'));

/** The error of a rejected promise. */
async function failure<T extends Error>(
  promise: Promise<unknown>,
  kind: abstract new (...args: never[]) => T,
): Promise<T> {
  const error = await promise.then(
    (value) => {
      throw new Error(`answered ${JSON.stringify(value)}`);
    },
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(kind);
  return error as T;
}

describe('signing', () => {
  test('the signature is over the very bytes that arrive', async () => {
    server.will(answer(CREATED));
    await client.createOrder({ ...ORDER, clOrdId: 'é 漢 😀 "\\' });
    const { headers, method, path, query, body } = server.requests[0]!;
    const timestamp = headers.get('exchange-api-timestamp')!;
    expect(timestamp).toMatch(/^\d{13}$/);
    expect(headers.get('exchange-api-sign')).toBe(sign(timestamp + method + path + query + body));
  });

  test('the query too, whatever its characters', async () => {
    server.will(answer({ data: [] }));
    const clOrdId = Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i)).join('');
    await client.orders({ type: 'SINGLE', clOrdId });
    const { headers, path, query } = server.requests[0]!;
    const timestamp = headers.get('exchange-api-timestamp');
    expect(headers.get('exchange-api-sign')).toBe(sign(`${timestamp}GET${path}${query}`));
    expect(decodeURIComponent(query.split('clOrdId=')[1]!)).toBe(clOrdId);
  });

  test('no two signatures have the same time', async () => {
    server.will(answer({}));
    await Promise.all(Array.from({ length: 50 }, () => client.testOrder(ORDER)));
    const times = server.requests.map(({ headers }) => headers.get('exchange-api-timestamp'));
    expect(new Set(times).size).toBe(50);
  });

  test('a clock that is wrong is measured at first use, and corrected by a rejection', async () => {
    const ahead = Date.now() + 3_600_000;
    server.will(answer({ serverTime: ahead, businessTime: ahead }), answer([]));
    client = new AgioClient({ ...signing, clock: 'server' });
    await client.balances();
    expect(server.requests.map(({ path }) => path)).toEqual([
      '/spot-api/api/public/v1/time',
      '/spot-api/api/private/v1/balances',
    ]);
    const sent = Number(server.requests[1]!.headers.get('exchange-api-timestamp'));
    const slack = 2; // The client rounds to milliseconds.
    expect(sent).toBeWithin(ahead - slack, Date.now() + 3_600_000 + slack);

    const behind = Date.now() - 7_200_000;
    server.will(reject(401, 100402, {}, { rule: 'window', nearest: behind }), answer([]));
    await client.balances();
    const again = Number(server.requests[1]!.headers.get('exchange-api-timestamp'));
    expect(again).toBeWithin(behind - slack, Date.now() - 7_200_000 + slack);

    server.will(reject(401, 100402, {}, { rule: 'window', nearest: behind }));
    expect((await failure(client.balances(), Unauthorized)).code).toBe(100402);
    expect(server.requests).toHaveLength(2);
  });

  test('a deadline or signal ends the wait for the clock, and nothing was sent', async () => {
    server.will(silence);
    client = new AgioClient({ ...signing, clock: 'server' });
    const unsent = await failure(client.createOrder(ORDER, { deadlineMs: 100 }), NotReached);
    expect(unsent.message).toContain('before it could be sent');
    const signal = AbortSignal.timeout(100);
    await failure(client.createOrder(ORDER, { signal }), DOMException);
    expect(server.requests.map(({ method }) => method)).toEqual(['GET']);
    // The measurement continues, and later calls wait for it.
    await failure(client.balances({ deadlineMs: 300 }), NotReached);
    expect(server.requests).toHaveLength(1);
  });

  test('without any time nothing is sent', async () => {
    server.will(answer(CREATED));
    await failure(client.createOrder(ORDER, { deadlineMs: 0 }), NotReached);
    expect(server.requests).toHaveLength(0);
    await client.createOrder(ORDER, { deadlineMs: Number.POSITIVE_INFINITY });
  });

  test.each(['127.0.0.1:19101', 'htp://x', 'http://', 'exchange.example.com'])(
    'the url %p is rejected by the constructor',
    (url) => {
      expect(() => new AgioClient({ ...options, url })).toThrow(InvalidArgument);
      expect(() => new OperatorClient({ ...options, url, operatorToken: 't' })).toThrow(
        InvalidArgument,
      );
    },
  );

  test('without a page, the first call rejects the url of the page', async () => {
    // Tests of the web UI in the same process may have left their page.
    const page = Object.getOwnPropertyDescriptor(globalThis, 'location');
    Reflect.deleteProperty(globalThis, 'location');
    try {
      let sent = 0;
      const count = async (): Promise<Response> => {
        sent++;
        return new Response('{}');
      };
      const nowhere = new AgioClient({ ...options, url: '', fetch: count });
      await failure(nowhere.createOrder(ORDER), InvalidArgument);
      await failure(nowhere.time(), InvalidArgument);
      await failure(nowhere.streams.trades({ symbol: 'BTC-USDT' }).ready, InvalidArgument);
      expect(sent).toBe(0);
    } finally {
      if (page !== undefined) Object.defineProperty(globalThis, 'location', page);
    }
  });

  test('half a key, and a private call without a key, are rejected and not sent', async () => {
    expect(() => new AgioClient({ ...options, apiKey: 'key' })).toThrow(InvalidArgument);
    server.will(answer([]));
    await failure(new AgioClient(options).balances(), InvalidArgument);
    expect(server.requests).toHaveLength(0);
  });
});

describe('numbers that are sent', () => {
  test('texts, whole numbers and bigints go as they are', async () => {
    server.will(answer(CREATED));
    await client.createOrder({ ...ORDER, price: 60000, orderQty: 12345678901234567890n });
    expect(server.requests[0]!.body).toBe(
      '{"symbol":"BTC-USDT","side":1,"ordType":2,"price":60000,"orderQty":"12345678901234567890"}',
    );
  });

  test.each([0.1, 0.1 + 0.2, 1e21, 2 ** 53, Number.NaN, Number.POSITIVE_INFINITY])(
    '%p is rejected before anything is sent, by the name of its field',
    async (orderQty) => {
      server.will(answer(CREATED));
      const { message } = await failure(
        client.createOrder({ ...ORDER, orderQty }),
        InvalidArgument,
      );
      expect(message).toStartWith('orderQty: ');
      expect(server.requests).toHaveLength(0);
    },
  );

  test('a part of a path cannot lead elsewhere', async () => {
    const operator = new OperatorClient({ ...options, operatorToken: 't' });
    server.will(answer({}));
    await failure(operator.plan('..'), InvalidArgument);
    await operator.amendInstrument('A/B?c#d', { priceBand: '0' });
    expect(server.requests.map(({ path }) => path)).toEqual([
      '/operator/v1/instruments/A%2FB%3Fc%23d',
    ]);
  });
});

describe('a read', () => {
  test('comes again after a connection that broke, and after 503 and 429', async () => {
    server.will(
      breakOff,
      reject(503, 100503, { 'Retry-After': '0' }),
      reject(429, 100429, { 'Retry-After': '0' }),
      answer([{ asset: 'BTC', available: '1' }]),
    );
    expect<unknown>(await client.balances()).toEqual([{ asset: 'BTC', available: '1' }]);
    expect(server.requests).toHaveLength(4);
    // The runtime may repeat the first attempt: it is a GET on a kept-alive connection.
    expect(new Set(signsOf(server.requests.slice(1))).size).toBe(3);
  });

  test('waits for the time in Retry-After', async () => {
    server.will(reject(429, 100429, { 'Retry-After': '2' }), answer([]));
    const later = setTimeout;
    const waits: number[] = [];
    using _timers = spyOn(globalThis, 'setTimeout').mockImplementation(((
      act: () => void,
      ms: number,
    ) => {
      waits.push(ms);
      return later(act, 0);
    }) as unknown as typeof setTimeout);
    await client.balances();
    expect(waits.filter((ms) => ms >= 2000)).toHaveLength(1);
  });

  test('does not wait beyond its deadline, and throws the rejection', async () => {
    server.will(reject(429, 100429, { 'Retry-After': '60' }));
    const limited = await failure(client.balances(), RateLimited);
    expect(limited).toMatchObject({ code: 100429, status: 429, retryAfterMs: 60_000 });
    server.will(silence);
    await failure(client.balances({ deadlineMs: 300 }), NotReached);
  });

  test('an answer of another server does not count as an answer', async () => {
    server.will(() => new Response('<html>Bad Gateway</html>', { status: 502 }), answer([]));
    expect(await client.balances()).toEqual([]);
    server.will(() => new Response('<html>Hello</html>'));
    const { cause } = await failure(twice().balances(), NotReached);
    expect(String(cause)).toContain('Hello');
  });

  test('a rejected call is not repeated', async () => {
    server.will(reject(400, 100201, { 'X-Request-Id': 'r-1' }, { field: 'symbol', value: 1.5 }));
    const rejected = await failure(client.trades({ symbol: 'X' }), InvalidRequest);
    expect(rejected).toMatchObject({ code: 100201, field: 'symbol', requestId: 'r-1' });
    expect(rejected.details.value).toBe('1.5');
    expect(server.requests).toHaveLength(1);
  });

  test('ends with the reason of its signal', async () => {
    server.will(silence);
    const stop = new AbortController();
    const read = failure(client.balances({ signal: stop.signal }), Error);
    await until(() => server.requests.length === 1);
    stop.abort(new Error('enough'));
    expect((await read).message).toBe('enough');
    expect(server.requests).toHaveLength(1);
  });
});

describe('a write', () => {
  test('whose answer is lost is sent again with its key and a new signature', async () => {
    server.will(breakOff, reject(500, 100500), answer(CREATED, { 'Idempotency-Replayed': 'true' }));
    expect(await client.createOrder(ORDER)).toEqual(CREATED);
    const keys = keysOf(server.requests);
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
    expect(new Set(keys).size).toBe(1);
    expect(new Set(signsOf(server.requests)).size).toBe(3);
    server.will(answer(CREATED));
    await client.createOrder(ORDER);
    expect(keysOf(server.requests)[0]).not.toBe(keys[0]!);
  });

  test('that never gets an answer has an unknown outcome, and the error has its key', async () => {
    server.will(breakOff);
    const unknown = await failure(
      twice().createOrder(ORDER, { idempotencyKey: 'mine' }),
      OutcomeUnknown,
    );
    expect(unknown.idempotencyKey).toBe('mine');
    expect(keysOf(server.requests)).toEqual(['mine', 'mine']);
  });

  test('stays unknown if a later attempt is rejected before it is looked up', async () => {
    for (const rejection of [
      reject(401, 100401),
      reject(403, 100403),
      reject(404, 100404),
      reject(429, 100429, { 'Retry-After': '60' }),
      reject(409, 100999),
    ]) {
      server.will(breakOff, rejection);
      await failure(client.createOrder(ORDER), OutcomeUnknown);
    }
    server.will(reject(403, 100403));
    await failure(client.createOrder(ORDER), Forbidden);
    server.will(breakOff, reject(409, 100409));
    await failure(client.createOrder(ORDER), Conflict);
  });

  test('whose signature was used is unknown if it cannot be sent again', async () => {
    server.will(reject(409, 100405));
    const write = client.createOrder(ORDER, { idempotencyKey: null });
    await failure(write, OutcomeUnknown);
    expect(server.requests).toHaveLength(1);
  });

  test('that is aborted on its way has an unknown outcome', async () => {
    server.will(silence);
    const stop = new AbortController();
    const write = failure(client.createOrder(ORDER, { signal: stop.signal }), OutcomeUnknown);
    await until(() => server.requests.length === 1);
    stop.abort();
    await write;
    await failure(client.createOrder(ORDER, { signal: AbortSignal.abort() }), DOMException);
    expect(server.requests).toHaveLength(1);
    // A rejected attempt was not carried out.
    server.will(reject(429, 100429, { 'Retry-After': '2' }));
    const rejected = new AbortController();
    const { signal } = rejected;
    // The callback comes with the answer, before the wait for the next attempt.
    const onAnswer = () => setImmediate(() => rejected.abort());
    await failure(client.createOrder(ORDER, { signal, onAnswer }), DOMException);
  });

  test('that a proxy sent twice gets a new signature', async () => {
    server.will(reject(409, 100405), answer(CREATED));
    await client.createOrder(ORDER);
    expect(new Set(signsOf(server.requests)).size).toBe(2);
    expect(new Set(keysOf(server.requests)).size).toBe(1);
  });

  test('with null as its key has none, and is sent once', async () => {
    server.will(breakOff);
    await failure(client.createOrder(ORDER, { idempotencyKey: null }), OutcomeUnknown);
    expect(keysOf(server.requests)).toEqual([null]);
  });
});

describe('a cancel', () => {
  test('is sent again with its key, and the rejection of a closed order is reported', async () => {
    server.will(breakOff, reject(400, 100205, {}, { field: 'orderId' }));
    const closed = await failure(client.cancelOrder({ orderId: 7 }), OrderNotFound);
    expect(closed.code).toBe(100205);
    const [first, second] = keysOf(server.requests);
    expect(first).toMatch(/^[0-9a-f]{32}$/);
    expect(second).toBe(first!);
  });

  test('of the dead man’s switch is sent again with its key', async () => {
    server.will(breakOff, answer({ triggerTime: 2, currentTime: 1 }));
    await client.cancelAllAfter({ timeout: 5000 });
    expect(new Set(keysOf(server.requests)).size).toBe(1);
    expect(keysOf(server.requests)[0]).not.toBeNull();
  });
});

describe('a write without a key', () => {
  test('is sent once if it uses up a code or creates something', async () => {
    const center = new UserCenterClient(options);
    server.will(breakOff);
    await failure(center.login({ email: 'a@example.com', password: 'x' }), OutcomeUnknown);
    const operator = new OperatorClient({ ...options, operatorToken: 't' });
    const creation = operator.createUser({ email: 'a@example.com' });
    const unknown = await failure(creation, OutcomeUnknown);
    expect(unknown.idempotencyKey).toBeNull();
    expect(server.requests).toHaveLength(2);
    server.will(breakOff, answer({ transferId: 1, seq: 2 }));
    const transfer = { uid: 1, asset: 'BTC', amount: '1', reference: 'r' };
    expect(await operator.credit(transfer)).toEqual({ transferId: 1, seq: 2 });
  });

  test('a key that cannot be sent is rejected', async () => {
    server.will(answer(CREATED));
    await failure(client.createOrder(ORDER, { idempotencyKey: 'with space' }), InvalidArgument);
    expect(server.requests).toHaveLength(0);
  });
});

describe('earn', () => {
  const no = (errorCode: number) => {
    const body = { code: '500', msg: 'earn.x', data: null, errorCode, userMsg: 'No.' };
    return answer({ ...body, details: { nearest: 10 } });
  };

  test('an answer has no envelope, and a rejection with status 200 is an error', async () => {
    server.will(answer({ code: '0', msg: 'success', data: [{ planId: '1' }], succ: true }));
    expect<unknown>(await client.plans()).toEqual([{ planId: '1' }]);
    server.will(no(40002));
    const rejected = await failure(client.applyPlan({ planId: 1, amount: 5 }), EarnRejection);
    expect(rejected).toMatchObject({ errorCode: 40002, code: 40002, status: 200, nearest: '10' });
    expect(server.requests).toHaveLength(1);
  });

  test('a rejection with 200 settles an earlier attempt, unless reading failed', async () => {
    server.will(breakOff, no(40010));
    await failure(client.redeem({ applyId: 1, amount: 5 }), EarnRejection);
    server.will(breakOff, no(40019));
    await failure(client.redeem({ applyId: 1, amount: 5 }), OutcomeUnknown);
  });

  test('error 40008 of a write leaves its outcome open', async () => {
    server.will(no(40008), answer({ code: '0', msg: 'success', data: true }));
    expect(await client.redeem({ applyId: 1, amount: 5 })).toBe(true);
    expect(new Set(keysOf(server.requests)).size).toBe(1);
  });
});

test('own audit entries that look alike differ by their ids', async () => {
  const center = new UserCenterClient({ ...options, sessionToken: 't' });
  const entry = { time: 1, actor: 'anonymous', action: 'login', object: null, result: 'refused' };
  const page = (...ids: number[]) =>
    answer({ totalPage: 2, items: ids.map((id) => ({ ...entry, id, ip: null })) });
  server.will(page(4, 3), page(3, 2));
  const ids: (number | undefined)[] = [];
  for await (const { id } of center.allAudit()) ids.push(id);
  expect(ids).toEqual([4, 3, 2]);
});

test('the token of an operator may be set later, and change', async () => {
  let token: string | null = null;
  const operator = new OperatorClient({ ...options, operatorToken: () => token });
  server.will(answer([]));
  await operator.assets();
  token = 'current';
  await operator.assets();
  expect(server.requests.map(({ headers }) => headers.get('authorization'))).toEqual([
    'Bearer',
    'Bearer current',
  ]);
});

describe('the headers of an answer', () => {
  test('go to the callbacks, and the client keeps the position', async () => {
    const seen: unknown[] = [];
    const watched = new AgioClient({ ...options, onAnswer: (info) => seen.push(info) });
    server.will(
      answer([], { 'X-Agio-Seq': '53', 'X-Request-Id': 'r-2', RateLimit: '"public";r=1;t=1' }),
    );
    await watched.assets({ minSeq: 50 });
    expect(server.requests[0]!.headers.get('x-agio-min-seq')).toBe('50');
    expect(watched.lastSeq).toBe(53);
    const ofOneCall: unknown[] = [];
    await client.assets({ onAnswer: ({ seq }) => ofOneCall.push(seq) });
    expect(ofOneCall).toEqual([53]);
    expect(seen).toMatchObject([
      {
        method: 'GET',
        status: 200,
        seq: 53,
        requestId: 'r-2',
        replayed: false,
        rateLimit: '"public";r=1;t=1',
      },
    ]);
  });
});
