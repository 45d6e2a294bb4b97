// Rules of every call: paths, methods, bodies, headers, waiting for a position, limits, browsers.
import { beforeEach, describe, expect, test } from 'bun:test';
import { connect } from 'node:net';
import { SERVER_TERMS } from '../../src/gateway/http/incoming.ts';
import {
  BALANCES,
  type Client,
  INSTRUMENTS,
  MASS_CANCEL,
  ORDER,
  ORDERS,
  ORDERS_V2,
  signedHeaders,
  TestNode,
  TIME,
  TRADES,
} from '../support/node.ts';
import { RawConnection, rawRequest } from '../support/raw-http.ts';
import { expectError, expectOk, rowsOf } from '../support/shape.ts';
import { until } from '../support/waiting.ts';

const node = TestNode.forFile();
let client: Client;
beforeEach(async () => {
  client = await node.client();
});

test('a connection has one answer that nobody reads, of a page of the largest orders', async () => {
  const REQUESTS = 200;
  const resting = { op: 'place', symbol: 'BTC-USDT', side: 1, ordType: 2, price: 100, orderQty: 1 };
  for (let n = 0; n < 1000; n += 50) {
    const orders = Array.from({ length: 50 }, (_, at) => ({
      ...resting,
      clOrdId: `order-${n + at}`.padEnd(64, 'x'),
    }));
    expectOk(await client.post(ORDERS_V2, { orders }));
  }
  const query = 'type=OPEN&size=1000';
  const { text: page } = await client.get(ORDERS, { type: 'OPEN', size: 1000 });
  expect(JSON.parse(page).data).toHaveLength(1000);
  const request = rawRequest('GET', `${ORDERS}?${query}`, client.headersOf(ORDERS, query));
  const answered = () => node.metric('agio_http_responses_total{status="200"}');
  const before = await answered();
  const open = (requests: number) => {
    const socket = connect(node.port, '127.0.0.1');
    const seen = { received: 0, closed: false };
    socket
      .on('error', () => {})
      .on('close', () => {
        seen.closed = true;
      });
    socket.pause();
    socket.write(Buffer.concat(Array.from({ length: requests }, () => request)));
    const read = () => {
      socket.on('data', (bytes) => {
        seen.received += (bytes as Buffer).length;
      });
      socket.resume();
    };
    return { socket, seen, read };
  };
  // Requests behind an answer end the connection, so it never has a second one.
  const greedy = open(REQUESTS);
  greedy.read();
  await until(() => greedy.seen.closed);
  expect((await answered()) - before).toBeLessThan(REQUESTS / 4);
  // A slow reader gets all of the one that it has asked for.
  const slow = open(1);
  await node.get(TIME);
  slow.read();
  await until(() => slow.seen.received > page.length);
  slow.socket.destroy();
  expect(SERVER_TERMS.idleTimeout).toBe(75);
  expectOk(await client.post(MASS_CANCEL, {}));
  await until(() => node.state.orders.countOf(client.uid) === 0);
});

describe('paths and methods', () => {
  test('an unknown path: 404 in the error shape', async () => {
    expectError(await node.request(INSTRUMENTS.replace('spot-api', 'spot%2Dapi')), 404, 100404);
    expectError(await node.post('/nowhere', {}), 404, 100404);
  });

  test('a path is not normalized, and every other spelling is unknown', async () => {
    const connection = new RawConnection(node.port);
    for (const path of [
      `/${INSTRUMENTS}`,
      `${INSTRUMENTS};`,
      `${INSTRUMENTS}#`,
      `${INSTRUMENTS}%20`,
    ]) {
      expect((await connection.exchange(rawRequest('GET', path))).status).toBe(404);
    }
    expect((await connection.exchange(rawRequest('GET', `${INSTRUMENTS}?`))).status).toBe(200);
    connection.close();
  });

  test('is normalized as in browsers: backslashes and dot segments bypass nothing', async () => {
    const connection = new RawConnection(node.port);
    const plain = await connection.exchange(rawRequest('GET', TIME));
    expect(plain.status).toBe(200);
    for (const path of [
      `/${TIME.slice(1).replaceAll('/', '\\')}`,
      TIME.replace('/api', '/./api'),
      TIME.replace('/api', '/x/../api'),
      TIME.replace('/api', '/x/%2e%2E/api'),
      TIME.replace('/api', '/%2e/api'),
    ]) {
      const { status } = await connection.exchange(rawRequest('GET', path));
      expect({ path, status }).toEqual({ path, status: 200 });
    }
    // A signature is over what was asked for in the end, which is what the caller has to sign.
    const path = BALANCES.replace('/api', '/x/../api');
    const [signed, moved] = [BALANCES, path].map((over) =>
      signedHeaders(client.credentials, {
        method: 'GET',
        path: over,
        timestamp: client.timestamp(),
      }),
    );
    expect((await connection.exchange(rawRequest('GET', path, signed))).status).toBe(200);
    expect((await connection.exchange(rawRequest('GET', path, moved))).status).toBe(401);
    connection.close();
  });
});

describe('bodies', () => {
  test('of a call that has none: 400', async () => {
    const connection = new RawConnection(node.port);
    const { status, body } = await connection.exchange(rawRequest('GET', TIME, {}, '{}'));
    expect(status).toBe(400);
    expect(JSON.parse(body)).toMatchObject({ code: '100200', details: { field: 'body' } });
    const empty = rawRequest('GET', TIME, { 'Content-Length': '0' });
    expect((await connection.exchange(empty)).status).toBe(200);
    connection.close();
  });
});

describe('X-Agio-Min-Seq', () => {
  test('a position to come: answered when it is there', async () => {
    const key = node.key(client.uid);
    const headers = { 'X-Agio-Min-Seq': String(node.seq + 1) };
    const waiting = key.get(BALANCES, '', { headers });
    await until(() => node.isUsed(key));
    await client.limit(1, '100', '1');
    const answer = await waiting;
    expectOk(answer);
    expect(Number(answer.headers.get('x-agio-seq'))).toBeGreaterThanOrEqual(node.seq);
    expectOk(await client.post(MASS_CANCEL, {}));
  });
});

describe('browsers', () => {
  const origin = { Origin: 'https://app.example.com' };

  test('a preflight is answered with what may be sent', async () => {
    const answer = await node.request(ORDER, {
      method: 'OPTIONS',
      headers: { ...origin, 'Access-Control-Request-Method': 'POST' },
    });
    expect(answer.status).toBe(204);
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(answer.headers.get('access-control-allow-methods')).toContain('POST');
    const allowed = answer.headers.get('access-control-allow-headers');
    for (const name of ['EXCHANGE-API-SIGN', 'Content-Type', 'Idempotency-Key', 'X-Agio-Min-Seq']) {
      expect(allowed).toContain(name);
    }
  });

  test('an answer may be read, errors too, with the headers that matter', async () => {
    for (const path of [TIME, '/nowhere', BALANCES]) {
      const answer = await node.request(path, { headers: origin });
      expect(answer.headers.get('access-control-allow-origin')).toBe('*');
      expect(answer.headers.get('access-control-expose-headers')).toContain('X-Agio-Seq');
      expect(answer.headers.has('access-control-allow-credentials')).toBe(false);
    }
  });

  test('of named origins alone may read the user center and operator calls', async () => {
    const secret = ['/user-center/v1/login', '/user-center/v1/me', '/operator/v1/users'];
    const allowedBy = async (from: TestNode, path: string, method: string) => {
      const answer = await from.request(path, { method, headers: origin });
      return answer.headers.get('access-control-allow-origin');
    };
    await using named = await TestNode.start({ flags: ['--cors-origins', origin.Origin] });
    for (const path of secret) {
      for (const method of ['GET', 'POST', 'OPTIONS']) {
        expect([path, await allowedBy(node, path, method)]).toEqual([path, null]);
        expect([path, await allowedBy(named, path, method)]).toEqual([path, origin.Origin]);
      }
    }
  });

  test('only the configured origins are let in', async () => {
    await using closed = await TestNode.start({
      flags: ['--cors-origins', 'https://app.example.com'],
    });
    const allowedFor = async (from: string) =>
      (await closed.request(TIME, { headers: { Origin: from } })).headers.get(
        'access-control-allow-origin',
      );
    expect(await allowedFor('https://app.example.com')).toBe('https://app.example.com');
    expect(await allowedFor('https://evil.example.com')).toBe(null);
    expect(await allowedFor('null')).toBe(null);
    const preflight = await closed.request(ORDER, {
      method: 'OPTIONS',
      headers: { Origin: 'https://evil.example.com', 'Access-Control-Request-Method': 'POST' },
    });
    expect(preflight.headers.has('access-control-allow-methods')).toBe(false);
  });
});

describe('rate limits', () => {
  const flags = ['--rate-limits', 'public=3/60/3,private=4/60/4,order=2/60/2,failedAuth=2/60/2'];

  test('of failed signatures remember no more of a made-up key than a key has', async () => {
    await using limited = await TestNode.start({ flags });
    const attempt = (end: string) =>
      limited.request(BALANCES, {
        headers: {
          'EXCHANGE-API-KEY': 'x'.repeat(8000) + end,
          'EXCHANGE-API-TIMESTAMP': String(Date.now()),
          'EXCHANGE-API-SIGN': '0'.repeat(64),
        },
      });
    // One name for the limit, however it goes on.
    const statuses = [await attempt('1'), await attempt('2'), await attempt('3')];
    expect(statuses.map(({ status }) => status)).toEqual([401, 401, 429]);
  });

  test('of failed signatures, by address and key: another key continues to work', async () => {
    await using limited = await TestNode.start({ flags });
    const [one, two] = [await limited.client(), await limited.client()];
    const bad = { headers: { 'EXCHANGE-API-SIGN': '0'.repeat(64) } };
    for (let i = 0; i < 2; i++) expectError(await one.get(BALANCES, '', bad), 401, 100401);
    expectError(await one.get(BALANCES, '', bad), 429, 100429);
    expectError(await one.get(BALANCES), 429, 100429);
    expectOk(await two.get(BALANCES));
  });
});

describe('simultaneous reads', () => {
  test('public answers are shared and never older than the question', async () => {
    const symbol = 'BTC-USDT';
    const other = await node.client();
    let last = 0;
    for (let round = 1; round <= 15; round++) {
      await client.limit(2, String(round), '1');
      await other.limit(1, String(round), '1');
      const answers = await Promise.all(
        Array.from({ length: 40 }, () => node.get(TRADES, { symbol, limit: 1 })),
      );
      for (const answer of answers) {
        const [trade] = rowsOf(expectOk(answer));
        expect(Number(trade!.price)).toBe(round);
        last = Math.max(last, Number(trade!.tradeId));
      }
    }
    expect(last).toBeGreaterThan(0);
  });
});
