// Signatures and their faults, expired, revoked and address-bound keys, replays, and bytes that
// move between the parts of the signed text.
import { beforeEach, describe, expect, setSystemTime, test } from 'bun:test';
import { borderMoves, type RequestParts } from '../support/border-moves.ts';
import { EDIT_MARGIN } from '../support/earn.ts';
import {
  BALANCES,
  type Client,
  MASS_CANCEL,
  ORDER,
  ORDERS,
  signedHeaders,
  TestNode,
} from '../support/node.ts';
import { RawConnection, rawRequest } from '../support/raw-http.ts';
import { expectError, expectOk } from '../support/shape.ts';
import { until } from '../support/waiting.ts';

const MINUTE = 60_000;

const node = TestNode.forFile();
let client: Client;
beforeEach(async () => {
  client = await node.client();
});

const LIMIT = { symbol: 'BTC-USDT', side: 1, ordType: 2, price: 100, orderQty: 1 };

/** The headers of a signed GET of the balances. */
const signed = () =>
  signedHeaders(client.credentials, { method: 'GET', path: BALANCES, timestamp: Date.now() });

describe('a signed request', () => {
  test('is checked against the wall clock, however far the business clock was moved', async () => {
    await node.engine.advanceClock(40 * 24 * 60 * MINUTE);
    expectOk(await client.get(BALANCES));
    expectOk(await client.post(ORDER, LIMIT));
    await client.post(MASS_CANCEL, {});
  });

  test('is checked before its content is parsed', async () => {
    const { body } = await node.post(ORDER, 'no json at all', {});
    expect<unknown>(body.code).toBe('100401');
    const bad = await node.post(ORDER, 'no json at all', signed());
    expect<unknown>(bad.body.code).toBe('100401');
  });
});

describe('a key', () => {
  test('that has expired is as unknown as none', async () => {
    const expiresAt = Date.now() + 60_000;
    // The clock of this node goes back in the end.
    await using own = await TestNode.start();
    const expiring = await own.client(undefined, { expiresAt });
    expectOk(await expiring.get(BALANCES));
    setSystemTime(expiresAt + 1);
    try {
      const answer = await expiring.get(BALANCES);
      expectError(answer, 401, 100401);
      const headers = { ...signed(), 'EXCHANGE-API-KEY': '0'.repeat(40) };
      const unknown = await own.request(BALANCES, { headers });
      expect(answer.text).toBe(unknown.text);
    } finally {
      setSystemTime();
    }
  });

  test('that was revoked does not act, although its call began before', async () => {
    const key = node.key(client.uid);
    const late = { headers: { 'X-Agio-Min-Seq': String(node.seq + 1) } };
    const waiting = key.post(ORDER, LIMIT, late);
    await until(() => node.isUsed(key));
    node.services.identity.apiKeys.revoke(key.credentials.apiKey);
    expectOk(await client.post(ORDER, LIMIT));
    expectError(await waiting, 401, 100401);
  });

  test('believes the proxies that are named, and nobody else beside them', async () => {
    for (const [proxies, status] of [
      ['127.0.0.1,::1', 200],
      ['10.9.9.9', 403],
    ] as const) {
      await using behind = await TestNode.start({ flags: ['--trusted-proxies', proxies] });
      const key = behind.key(await behind.user(), { ipAllowList: ['10.0.0.1'] });
      const headers = { 'X-Forwarded-For': '10.0.0.1' };
      expect((await key.get(BALANCES, '', { headers })).status).toBe(status);
    }
  });
});

describe('a captured write', () => {
  test('works once among many at the same time', async () => {
    const timestamp = client.timestamp();
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => client.post(ORDER, LIMIT, { timestamp })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(409)]);
    expect(node.state.orders.countOf(client.uid)).toBe(1);
    await client.post(MASS_CANCEL, {});
  });

  test('of a revoked key is rejected, and forgotten after the next start', async () => {
    await using own = await TestNode.start();
    const key = own.key(await own.user());
    const timestamp = key.timestamp();
    expectOk(await key.post(MASS_CANCEL, {}, { timestamp }));
    const remembered = () => own.state.guard.keys().length;
    expect(remembered()).toBe(1);
    // The process ends between the revocation and what it leads to.
    own.services.identity.apiKeys.revoke(key.credentials.apiKey);
    expectError(await key.post(MASS_CANCEL, {}, { timestamp }), 401, 100401);
    expect(remembered()).toBe(1);
    await own.restart();
    // A disk that takes no command is left alone: with the first one there is room for more.
    await own.user();
    await until(() => remembered() === 0);
    expectError(await key.post(MASS_CANCEL, {}, { timestamp }), 401, 100401);
  });

  test('of a key without the guard works again', async () => {
    const open = node.key(client.uid, { replayGuard: false });
    const timestamp = open.timestamp();
    expectOk(await open.post(ORDER, LIMIT, { timestamp }));
    expectOk(await open.post(ORDER, LIMIT, { timestamp }));
    await client.post(MASS_CANCEL, {});
  });
});

test('the use of a key is noted, and not the failures of others with its name', async () => {
  const { apiKeys } = node.services.identity;
  const lastUse = (): number | null => {
    apiKeys.flushLastUsed();
    return apiKeys.list(client.uid)[0]!.lastUsedAt;
  };
  const path = BALANCES;
  const credentials = { ...client.credentials, secretKey: 'wrong' };
  const headers = signedHeaders(credentials, { method: 'GET', path, timestamp: Date.now() });
  expectError(await node.request(path, { headers }), 401, 100401);
  expect(lastUse()).toBeNull();
  expectOk(await client.get(path));
  expect(lastUse()).toBeGreaterThan(0);
});

test('the operator’s token cannot be guessed: failures block the address', async () => {
  const flags = ['--rate-limits', 'failedAuth=3/60/3'];
  await using strict = await TestNode.start({ flags });
  const ask = (token: string) =>
    strict.request('/operator/v1/users', { headers: { Authorization: `Bearer ${token}` } });
  expectOk(await ask(strict.operatorToken));
  for (let n = 0; n < 3; n++) expectError(await ask(`guess-${n}`), 401, 100401);
  expectError(await ask('guess-3'), 429, 100429);
  expectError(await ask(strict.operatorToken), 429, 100429);
});

describe('bytes moved over the borders of path, query and body', () => {
  const requests: readonly (readonly [method: string, parts: RequestParts])[] = [
    [
      'POST',
      {
        path: ORDER,
        query: '',
        body: '{"securityId":1,"side":1,"ordType":2,"price":9,"orderQty":1}',
      },
    ],
    ['POST', { path: MASS_CANCEL, query: '', body: '{}' }],
    ['GET', { path: ORDERS, query: 'type=SINGLE&orderId=1', body: '' }],
    ['GET', { path: BALANCES, query: '', body: '' }],
    // The only call with a query and a body; this key may not make it.
    ['POST', { path: EDIT_MARGIN, query: 'planId=1&margin=0.01', body: '{}' }],
  ];

  for (const [method, parts] of requests) {
    test(`${method} ${parts.path}: only the original passes`, async () => {
      const { path, query, body } = parts;
      const signature = signedHeaders(client.credentials, {
        method,
        path,
        query,
        body,
        timestamp: client.timestamp(),
      });
      const connection = new RawConnection(node.port);
      const headers = { 'Content-Type': 'application/json', ...signature };
      const send = (sent: RequestParts) =>
        connection.exchange(
          rawRequest(
            method,
            sent.query === '' ? sent.path : `${sent.path}?${sent.query}`,
            headers,
            sent.body,
          ),
        );
      const { seq } = node;
      let moves = 0;
      for (const moved of borderMoves(parts)) {
        const { status } = await send(moved);
        if (status < 400 || status > 499) expect({ moved, status }).toEqual({ moved, status: 400 });
        moves++;
      }
      expect(moves).toBeGreaterThan(500);
      expect(node.seq).toBe(seq);
      expect((await send(parts)).status).toBe(path === EDIT_MARGIN ? 403 : 200);
      connection.close();
    });
  }
});
