// What the SDK does when a network or a server does not answer well: reads come again, writes are never doubled, and whoever
// cannot know what came of a write is told so.
import { afterAll, beforeEach, describe, expect, test } from 'bun:test';
import { createHmac } from 'node:crypto';
import { AgioClient } from '../../src/sdk/client.ts';
import {
  Conflict,
  EarnRefused,
  Forbidden,
  InvalidArgument,
  InvalidRequest,
  NotReached,
  OrderNotFound,
  OutcomeUnknown,
  RateLimited,
  Unauthorized,
} from '../../src/sdk/errors.ts';
import { OperatorClient } from '../../src/sdk/operator-client.ts';
import { UserCenterClient } from '../../src/sdk/user-center-client.ts';
import { type Asked, answer, breakOff, FakeServer, refuse } from './fake-server.ts';

const server = await FakeServer.start();
afterAll(() => server[Symbol.dispose]());

const SECRET = 'the secret of the tests';
const options = { url: server.url, clock: 'own', deadlineMs: 3000, timeoutMs: 400 } as const;
let client: AgioClient;
beforeEach(() => {
  client = new AgioClient({ ...options, apiKey: 'key', secretKey: SECRET });
});

const ORDER = { symbol: 'BTC-USDT', side: 1, ordType: 2, price: '1', orderQty: '0.1' } as const;
const CREATED = { orderId: 7, symbol: 'BTC-USDT', clOrdId: 'a', transactTime: 1 };
const keysOf = (asked: readonly Asked[]): (string | null)[] =>
  asked.map(({ headers }) => headers.get('idempotency-key'));
const signsOf = (asked: readonly Asked[]): (string | null)[] =>
  asked.map(({ headers }) => headers.get('exchange-api-sign'));

/** What a promise was rejected with. */
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
    const [asked] = server.asked;
    const timestamp = asked!.headers.get('exchange-api-timestamp')!;
    expect(timestamp).toMatch(/^\d{13}$/);
    const signed = timestamp + asked!.method + asked!.path + asked!.query + asked!.body;
    expect(asked!.headers.get('exchange-api-sign')).toBe(
      createHmac('sha256', SECRET).update(signed).digest('hex'),
    );
  });

  test('the query too, whatever its characters', async () => {
    server.will(answer({ data: [] }));
    const clOrdId = Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i)).join('');
    await client.orders({ type: 'SINGLE', clOrdId });
    const { headers, path, query } = server.asked[0]!;
    const signed = `${headers.get('exchange-api-timestamp')}GET${path}${query}`;
    expect(headers.get('exchange-api-sign')).toBe(
      createHmac('sha256', SECRET).update(signed).digest('hex'),
    );
    expect(decodeURIComponent(query.split('clOrdId=')[1]!)).toBe(clOrdId);
  });

  test('no two signatures have the same time', async () => {
    server.will(answer({}));
    await Promise.all(Array.from({ length: 50 }, () => client.testOrder(ORDER)));
    const times = server.asked.map(({ headers }) => headers.get('exchange-api-timestamp'));
    expect(new Set(times).size).toBe(50);
  });

  test('a clock that is wrong is measured at first use, and corrected by a refusal', async () => {
    const ahead = Date.now() + 3_600_000;
    server.will(answer({ serverTime: ahead, businessTime: ahead }), answer([]));
    client = new AgioClient({ ...options, clock: 'server', apiKey: 'key', secretKey: SECRET });
    await client.balances();
    expect(server.asked.map(({ path }) => path)).toEqual([
      '/spot-api/api/public/v1/time',
      '/spot-api/api/private/v1/balances',
    ]);
    const sent = Number(server.asked[1]!.headers.get('exchange-api-timestamp'));
    expect(Math.abs(sent - ahead)).toBeLessThan(2000);

    const behind = Date.now() - 7_200_000;
    server.will(refuse(401, 100402, {}, { rule: 'window', nearest: behind }), answer([]));
    await client.balances();
    const again = Number(server.asked[1]!.headers.get('exchange-api-timestamp'));
    expect(Math.abs(again - behind)).toBeLessThan(2000);

    server.will(refuse(401, 100402, {}, { rule: 'window', nearest: behind }));
    expect((await failure(client.balances(), Unauthorized)).code).toBe(100402);
    expect(server.asked).toHaveLength(2);
  });

  test('a call does not wait for the clock beyond its deadline or its signal, and was not sent', async () => {
    server.will(() => new Promise<Response>(() => {}));
    const slow = { ...options, clock: 'server', timeoutMs: 5000 } as const;
    client = new AgioClient({ ...slow, apiKey: 'key', secretKey: SECRET });
    const began = performance.now();
    const unsent = await failure(client.createOrder(ORDER, { deadlineMs: 100 }), NotReached);
    expect(unsent.message).toContain('before it could be sent');
    const signal = AbortSignal.timeout(100);
    await failure(client.createOrder(ORDER, { signal }), DOMException);
    expect(performance.now() - began).toBeLessThan(1500);
    expect(server.asked.map(({ method }) => method)).toEqual(['GET']);
    // Others still wait for the same measurement.
    await failure(client.balances({ deadlineMs: 300 }), NotReached);
    expect(server.asked).toHaveLength(1);
  });

  test('without any time nothing is sent', async () => {
    server.will(answer(CREATED));
    await failure(client.createOrder(ORDER, { deadlineMs: 0 }), NotReached);
    expect(server.asked).toHaveLength(0);
    await client.createOrder(ORDER, { deadlineMs: Number.POSITIVE_INFINITY });
  });

  test.each(['127.0.0.1:19101', 'htp://x', 'http://', 'exchange.example.com'])(
    'the url %p is refused by the constructor',
    (url) => {
      expect(() => new AgioClient({ ...options, url })).toThrow(InvalidArgument);
      expect(() => new OperatorClient({ ...options, url, operatorToken: 't' })).toThrow(
        InvalidArgument,
      );
    },
  );

  test('the server of the page is refused by the first call where there is no page', async () => {
    // Tests of the pages, in the same process, may have left theirs.
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

  test('half a key, and a private call without any, are refused before anything is sent', async () => {
    expect(() => new AgioClient({ ...options, apiKey: 'key' })).toThrow(InvalidArgument);
    server.will(answer([]));
    await failure(new AgioClient(options).balances(), InvalidArgument);
    expect(server.asked).toHaveLength(0);
  });
});

describe('numbers that are sent', () => {
  test('texts, whole numbers and bigints go as they are', async () => {
    server.will(answer(CREATED));
    await client.createOrder({ ...ORDER, price: 60000, orderQty: 12345678901234567890n });
    expect(server.asked[0]!.body).toBe(
      '{"symbol":"BTC-USDT","side":1,"ordType":2,"price":60000,"orderQty":"12345678901234567890"}',
    );
  });

  test.each([0.1, 0.1 + 0.2, 1e21, 2 ** 53, Number.NaN, Number.POSITIVE_INFINITY])(
    '%p is refused before anything is sent, by the name of its field',
    async (orderQty) => {
      server.will(answer(CREATED));
      const { message } = await failure(
        client.createOrder({ ...ORDER, orderQty }),
        InvalidArgument,
      );
      expect(message).toStartWith('orderQty: ');
      expect(server.asked).toHaveLength(0);
    },
  );

  test('a part of a path cannot lead elsewhere', async () => {
    const operator = new OperatorClient({ ...options, operatorToken: 't' });
    server.will(answer({}));
    await failure(operator.plan('..'), InvalidArgument);
    await operator.amendInstrument('A/B?c#d', { priceBand: '0' });
    expect(server.asked.map(({ path }) => path)).toEqual([
      '/operator/v1/instruments/A%2FB%3Fc%23d',
    ]);
  });
});

describe('a read', () => {
  test('comes again after a connection that broke, and after 503 and 429', async () => {
    server.will(
      breakOff,
      refuse(503, 100503, { 'Retry-After': '0' }),
      refuse(429, 100429, { 'Retry-After': '0' }),
      answer([{ asset: 'BTC', available: '1' }]),
    );
    expect<unknown>(await client.balances()).toEqual([{ asset: 'BTC', available: '1' }]);
    expect(server.asked).toHaveLength(4);
    // The runtime may repeat the first by itself: it is a GET on a connection that was kept.
    expect(new Set(signsOf(server.asked.slice(1))).size).toBe(3);
  });

  test('waits as long as Retry-After says', async () => {
    server.will(refuse(429, 100429, { 'Retry-After': '1' }), answer([]));
    const began = performance.now();
    await client.balances();
    expect(performance.now() - began).toBeGreaterThanOrEqual(1000);
  });

  test('does not wait beyond its deadline, and says why', async () => {
    server.will(refuse(429, 100429, { 'Retry-After': '60' }));
    const limited = await failure(client.balances(), RateLimited);
    expect(limited).toMatchObject({ code: 100429, status: 429, retryAfterMs: 60_000 });
    server.will(() => new Promise<Response>(() => {}));
    const began = performance.now();
    await failure(client.balances({ deadlineMs: 300 }), NotReached);
    expect(performance.now() - began).toBeLessThan(1500);
  });

  test('an answer that is not of this API is none', async () => {
    server.will(() => new Response('<html>Bad Gateway</html>', { status: 502 }), answer([]));
    expect(await client.balances()).toEqual([]);
    server.will(() => new Response('<html>Hello</html>'));
    const { cause } = await failure(client.balances({ deadlineMs: 300 }), NotReached);
    expect(String(cause)).toContain('Hello');
  });

  test('a refusal is not asked for again', async () => {
    server.will(refuse(400, 100201, { 'X-Request-Id': 'r-1' }, { field: 'symbol', value: 1.5 }));
    const refused = await failure(client.trades({ symbol: 'X' }), InvalidRequest);
    expect(refused).toMatchObject({ code: 100201, field: 'symbol', requestId: 'r-1' });
    expect(refused.details.value).toBe('1.5');
    expect(server.asked).toHaveLength(1);
  });

  test('ends with what its signal says', async () => {
    server.will(() => new Promise<Response>(() => {}));
    const stop = new AbortController();
    setTimeout(() => stop.abort(new Error('enough')), 50);
    expect((await failure(client.balances({ signal: stop.signal }), Error)).message).toBe('enough');
    expect(server.asked).toHaveLength(1);
  });
});

describe('a write', () => {
  test('whose answer is lost is sent again under its key, signed anew', async () => {
    server.will(breakOff, refuse(500, 100500), answer(CREATED, { 'Idempotency-Replayed': 'true' }));
    expect(await client.createOrder(ORDER)).toEqual(CREATED);
    const keys = keysOf(server.asked);
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
    expect(new Set(keys).size).toBe(1);
    expect(new Set(signsOf(server.asked)).size).toBe(3);
    server.will(answer(CREATED));
    await client.createOrder(ORDER);
    expect(keysOf(server.asked)[0]).not.toBe(keys[0]!);
  });

  test('that never gets an answer has an unknown outcome, and tells its key', async () => {
    server.will(breakOff);
    const unknown = await failure(
      client.createOrder(ORDER, { deadlineMs: 600, idempotencyKey: 'mine' }),
      OutcomeUnknown,
    );
    expect(unknown.idempotencyKey).toBe('mine');
    expect(server.asked.length).toBeGreaterThan(1);
    expect(new Set(keysOf(server.asked))).toEqual(new Set(['mine']));
  });

  test('stays unknown where a later attempt is turned away at the door', async () => {
    for (const door of [
      refuse(401, 100401),
      refuse(403, 100403),
      refuse(404, 100404),
      refuse(429, 100429, { 'Retry-After': '60' }),
      refuse(409, 100999),
    ]) {
      server.will(breakOff, door);
      await failure(client.createOrder(ORDER), OutcomeUnknown);
    }
    server.will(refuse(403, 100403));
    await failure(client.createOrder(ORDER), Forbidden);
    server.will(breakOff, refuse(409, 100409));
    await failure(client.createOrder(ORDER), Conflict);
  });

  test('whose signature was used is unknown where it cannot be sent again', async () => {
    server.will(refuse(401, 100405));
    const write = client.createOrder(ORDER, { idempotencyKey: null });
    await failure(write, OutcomeUnknown);
    expect(server.asked).toHaveLength(1);
  });

  test('that is aborted on its way has an unknown outcome', async () => {
    server.will(() => new Promise<Response>(() => {}));
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 50);
    await failure(client.createOrder(ORDER, { signal: stop.signal }), OutcomeUnknown);
    await failure(client.createOrder(ORDER, { signal: AbortSignal.abort() }), DOMException);
    expect(server.asked).toHaveLength(1);
    // What was turned away has not been carried out.
    server.will(refuse(429, 100429, { 'Retry-After': '2' }));
    const waiting = AbortSignal.timeout(100);
    await failure(client.createOrder(ORDER, { signal: waiting }), DOMException);
  });

  test('whose signature was used, by a proxy that sent it twice, is signed anew', async () => {
    server.will(refuse(401, 100405), answer(CREATED));
    await client.createOrder(ORDER);
    expect(new Set(signsOf(server.asked)).size).toBe(2);
    expect(new Set(keysOf(server.asked)).size).toBe(1);
  });

  test('with null for its key has none, and goes once', async () => {
    server.will(breakOff);
    await failure(client.createOrder(ORDER, { idempotencyKey: null }), OutcomeUnknown);
    expect(keysOf(server.asked)).toEqual([null]);
  });
});

describe('a cancel', () => {
  test('comes again under its key, and what was closed before is said to be', async () => {
    server.will(breakOff, refuse(400, 100205, {}, { field: 'orderId' }));
    const closed = await failure(client.cancelOrder({ orderId: 7 }), OrderNotFound);
    expect(closed.code).toBe(100205);
    const [first, second] = keysOf(server.asked);
    expect(first).toMatch(/^[0-9a-f]{32}$/);
    expect(second).toBe(first!);
  });

  test('as a switch is armed once, whatever happens to its answer', async () => {
    server.will(breakOff, answer({ triggerTime: 2, currentTime: 1 }));
    await client.cancelAllAfter({ timeout: 5000 });
    expect(new Set(keysOf(server.asked)).size).toBe(1);
    expect(keysOf(server.asked)[0]).not.toBeNull();
  });
});

describe('a write without a key', () => {
  test('what uses up a code or creates something without a key is sent once', async () => {
    const center = new UserCenterClient(options);
    server.will(breakOff);
    await failure(center.login({ email: 'a@example.com', password: 'x' }), OutcomeUnknown);
    const operator = new OperatorClient({ ...options, operatorToken: 't' });
    const unknown = await failure(operator.createUser({ email: 'a@example.com' }), OutcomeUnknown);
    expect(unknown.idempotencyKey).toBeNull();
    expect(server.asked).toHaveLength(2);
    server.will(breakOff, answer({ transferId: 1, seq: 2 }));
    const transfer = { uid: 1, asset: 'BTC', amount: '1', reference: 'r' };
    expect(await operator.credit(transfer)).toEqual({ transferId: 1, seq: 2 });
  });

  test('a key that cannot be sent is refused', async () => {
    server.will(answer(CREATED));
    await failure(client.createOrder(ORDER, { idempotencyKey: 'with space' }), InvalidArgument);
    expect(server.asked).toHaveLength(0);
  });
});

describe('earn', () => {
  const no = (errorCode: number) => {
    const body = { code: '500', msg: 'earn.x', data: null, errorCode, userMsg: 'No.' };
    return answer({ ...body, details: { nearest: 10 } });
  };

  test('the envelope is taken off, and a refusal with status 200 is one', async () => {
    server.will(answer({ code: '0', msg: 'success', data: [{ planId: '1' }], succ: true }));
    expect<unknown>(await client.plans()).toEqual([{ planId: '1' }]);
    server.will(no(40002));
    const refused = await failure(client.applyPlan({ planId: 1, amount: 5 }), EarnRefused);
    expect(refused).toMatchObject({ errorCode: 40002, code: 40002, status: 200, nearest: '10' });
    expect(server.asked).toHaveLength(1);
  });

  test('a refusal with status 200 settles an earlier attempt, unless the history failed', async () => {
    server.will(breakOff, no(40010));
    await failure(client.redeem({ applyId: 1, amount: 5 }), EarnRefused);
    server.will(breakOff, no(40019));
    await failure(client.redeem({ applyId: 1, amount: 5 }), OutcomeUnknown);
  });

  test('error 40008 of a write says nothing of what came of it', async () => {
    server.will(no(40008), answer({ code: '0', msg: 'success', data: true }));
    expect(await client.redeem({ applyId: 1, amount: 5 })).toBe(true);
    expect(new Set(keysOf(server.asked)).size).toBe(1);
  });
});

test('own audit entries that look alike are told apart by their ids', async () => {
  const center = new UserCenterClient({ ...options, sessionToken: 't' });
  const entry = { time: 1, actor: 'anonymous', action: 'login', object: null, result: 'refused' };
  const page = (...ids: number[]) =>
    answer({ totalPage: 2, items: ids.map((id) => ({ ...entry, id, ip: null })) });
  server.will(page(4, 3), page(3, 2));
  const ids: (number | undefined)[] = [];
  for await (const { id } of center.allAudit()) ids.push(id);
  expect(ids).toEqual([4, 3, 2]);
});

test('the token of an operator may be known later, and change', async () => {
  let token: string | null = null;
  const operator = new OperatorClient({ ...options, operatorToken: () => token });
  server.will(answer([]));
  await operator.assets();
  token = 'of now';
  await operator.assets();
  expect(server.asked.map(({ headers }) => headers.get('authorization'))).toEqual([
    'Bearer',
    'Bearer of now',
  ]);
});

describe('what answers say besides', () => {
  test('is told to who wants to know, and the position is kept', async () => {
    const seen: unknown[] = [];
    const watched = new AgioClient({ ...options, onAnswer: (info) => seen.push(info) });
    server.will(
      answer([], { 'X-Agio-Seq': '53', 'X-Request-Id': 'r-2', RateLimit: '"public";r=1;t=1' }),
    );
    await watched.assets({ minSeq: 50 });
    expect(server.asked[0]!.headers.get('x-agio-min-seq')).toBe('50');
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
