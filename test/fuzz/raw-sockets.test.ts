// HTTP that no client library sends: broken request lines, floods of headers, contradicting
// lengths, slow and endless bodies, garbage. After each the server lives and is correct, nothing is
// smuggled in, and no one is kept waiting for ever.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { USUAL_BODY } from '../../src/contract/call.ts';
import { type Client, ORDER, signedHeaders, TEST_ORDER, TestNode, TIME } from '../support/node.ts';
import { Prng } from '../support/prng.ts';
import { RawConnection, rawRequest } from '../support/raw-http.ts';
import { expectOk } from '../support/shape.ts';

let node: TestNode;
let client: Client;
let seq: number;
beforeAll(async () => {
  node = await TestNode.start({ flags: ['--rate-limits', 'off'] });
  client = await node.client();
  seq = node.seq;
});
afterEach(async () => {
  expectOk(await node.get(TIME));
  expectOk(await client.post(TEST_ORDER, LIMIT));
  expect(node.seq).toBe(seq);
});
afterAll(async () => {
  const { text } = await node.get('/metrics');
  expect(text).not.toContain('status="5');
  await node.stop();
});

const LIMIT = { symbol: 'BTC-USDT', side: 1, ordType: 2, price: 100, orderQty: 1 };
const HOST = 'Host: test\r\n';
const GET_TIME = `GET ${TIME} HTTP/1.1\r\n${HOST}\r\n`;

/** A signed POST of a test order with this body; `headers` come on top. */
function signedPost(body = JSON.stringify(LIMIT), headers = {}, path = TEST_ORDER): Uint8Array {
  const signed = { method: 'POST', path, body, timestamp: client.timestamp() };
  const own = signedHeaders(client.credentials, signed);
  return rawRequest('POST', path, { 'Content-Type': 'application/json', ...own, ...headers }, body);
}

/**
 * Sends the bytes on their own connection and returns every status until it is quiet or closed. It
 * waits for the first `count` answers without a limit.
 */
async function statusesOf(bytes: string | Uint8Array, count = 0, quietMs = 60): Promise<number[]> {
  const connection = new RawConnection(node.port);
  await connection.send(bytes);
  const statuses: number[] = [];
  for (;;) {
    const isDue = statuses.length < count;
    const answer = await (isDue ? connection.read() : connection.readWithin(quietMs));
    if (answer === null || answer.status === 0) break;
    statuses.push(answer.status);
  }
  connection.close();
  return statuses;
}

describe('request lines', () => {
  const lines = [
    '',
    'GET',
    'GET /',
    `GET ${TIME}`,
    `GET ${TIME} HTTP/9.9`,
    `GET ${TIME} HTTP/1.1 x`,
    `GET  ${TIME} HTTP/1.1`,
    `get ${TIME} HTTP/1.1`,
    `GET${TIME} HTTP/1.1`,
    `GET ${TIME}\0 HTTP/1.1`,
    `GET ${TIME} x HTTP/1.1`,
    `GET * HTTP/1.1`,
    'PRI * HTTP/2.0',
    'OPTIONS * HTTP/1.1',
    'CONNECT test:80 HTTP/1.1',
    `TRACE ${TIME} HTTP/1.1`,
    `GET http://other${TIME}/x HTTP/1.1`,
    `GET ${'/a'.repeat(20_000)} HTTP/1.1`,
    `GET ${TIME}?${'a=1&'.repeat(1000)} HTTP/1.1`,
    `\u0016\u0003\u0001\u0002\u0000\u0001\u0000`,
  ];
  for (const line of lines) {
    test(JSON.stringify(line.slice(0, 60)), async () => {
      for (const status of await statusesOf(`${line}\r\n${HOST}\r\n`)) {
        // 505 is the parser's word for a line that does not end in a version of HTTP.
        expect(status === 505 || (status >= 400 && status < 500)).toBe(true);
      }
    });
  }

  test('bare line feeds, folded and nameless headers', async () => {
    for (const head of [
      `GET ${TIME} HTTP/1.1\n${HOST}\n`,
      `GET ${TIME} HTTP/1.1\r\n${HOST}X: a\r\n b\r\n\r\n`,
      `GET ${TIME} HTTP/1.1\r\n${HOST}: x\r\n\r\n`,
      `GET ${TIME} HTTP/1.1\r\n${HOST}X y: z\r\n\r\n`,
      `GET ${TIME} HTTP/1.1\r\n${HOST}X: a\0b\r\n\r\n`,
      `GET ${TIME} HTTP/1.1\r\n\r\n`,
    ]) {
      for (const status of await statusesOf(head)) expect(status).toBeWithin(400, 506);
    }
  });
});

describe('the Host header', () => {
  const request = (hosts: string, version = '1.1') => `GET ${TIME} HTTP/${version}\r\n${hosts}\r\n`;

  test('twice, in whatever case and place: 400', async () => {
    for (const hosts of [
      'Host: a\r\nHost: b\r\n',
      'Host: a\r\nHost: a\r\n',
      'Host: a\r\nhOsT: b\r\n',
      'Host: a\r\nX: y\r\nHost: b\r\n',
      'Host: a\r\nHost:\r\n',
      'Host:\r\nHost: a\r\n',
      'Host: a\r\nHost: b\r\nHost: c\r\n',
    ]) {
      const connection = new RawConnection(node.port);
      const answer = await connection.exchange(request(hosts));
      expect({ hosts, status: answer.status }).toEqual({ hosts, status: 400 });
      expect(JSON.parse(answer.body)).toMatchObject({ code: '100200', details: { field: 'Host' } });
      connection.close();
    }
  });

  test('twice on a page, an upgrade, an order: 400, and nothing is done', async () => {
    const two = 'Host: a\r\nHost: b\r\n';
    const upgrade = 'Connection: Upgrade\r\nUpgrade: websocket\r\n';
    const key = 'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n';
    expect(await statusesOf(`GET / HTTP/1.1\r\n${two}\r\n`, 1)).toEqual([400]);
    expect(await statusesOf(`GET /ws/v1/public HTTP/1.1\r\n${two}${upgrade}${key}\r\n`, 1)).toEqual(
      [400],
    );
    const signed = Buffer.from(signedPost(undefined, {}, ORDER)).toString();
    expect(await statusesOf(signed.replace(HOST, two), 1)).toEqual([400]);
  });

  test('that is no host: 400', async () => {
    for (const host of [
      'a, b',
      'a b',
      'a/b',
      'u@a',
      'a?x',
      'a#b',
      'a\\b',
      '[::1',
      'a:b',
      'a:',
      '',
    ]) {
      const statuses = await statusesOf(request(`Host: ${host}\r\n`), 1);
      expect({ host, statuses }).toEqual({ host, statuses: [400] });
    }
    expect(await statusesOf(request(''), 1)).toEqual([400]);
  });

  test('as a name, an address or with a port is right; HTTP/1.0 may leave it out', async () => {
    for (const host of ['test', 'a_b.example.com:8080', '127.0.0.1', '[::1]:80', '[2001:db8::1]']) {
      expect(await statusesOf(request(`Host: ${host}\r\n`), 1)).toEqual([200]);
    }
    expect(await statusesOf(request('', '1.0'), 1)).toEqual([200]);
  });

  test('a target without a host is not resolved', async () => {
    expect(await statusesOf(`GET /a/..${TIME} HTTP/1.0\r\n\r\n`, 1)).toEqual([404]);
  });
});

describe('floods', () => {
  test('of headers: rejected, and the connection ends', async () => {
    for (const headers of [
      'X: y\r\n'.repeat(2000),
      `X: ${'y'.repeat(100_000)}\r\n`,
      `${'X'.repeat(100_000)}: y\r\n`,
    ]) {
      const connection = new RawConnection(node.port);
      const answer = await connection.exchange(`GET ${TIME} HTTP/1.1\r\n${HOST}${headers}\r\n`);
      expect([0, 400, 431]).toContain(answer.status);
      expect(await connection.closed()).toBe(true);
    }
  });

  test('of idle and half-open connections: others are served', async () => {
    const idle = await Promise.all(
      Array.from({ length: 300 }, async (_, i) => {
        const connection = new RawConnection(node.port);
        await connection.send(['', 'GET ', `POST ${ORDER} HTTP/1.1\r\nContent-Le`][i % 3]!);
        return connection;
      }),
    );
    for (let i = 0; i < 20; i++) expectOk(await client.post(TEST_ORDER, LIMIT));
    for (const connection of idle) connection.close();
  });

  test('of bodies that end in the middle: nothing is done, nothing is our error', async () => {
    const request = Buffer.from(signedPost(undefined, {}, ORDER));
    for (let i = 0; i < 100; i++) {
      const connection = new RawConnection(node.port);
      await connection.send(request.subarray(0, request.length - 1 - (i % 40)));
      await connection.finish();
    }
  });
});

describe('lengths', () => {
  const smuggled = `GET /smuggled HTTP/1.1\r\n${HOST}\r\n`;
  const post = `POST ${TEST_ORDER} HTTP/1.1\r\n${HOST}Content-Type: application/json\r\n`;

  for (const [why, head, body] of [
    ['both lengths', 'Content-Length: 4\r\nTransfer-Encoding: chunked\r\n', '0\r\n\r\n'],
    [
      'both lengths, the other way',
      'Transfer-Encoding: chunked\r\nContent-Length: 4\r\n',
      '0\r\n\r\n',
    ],
    ['two lengths', 'Content-Length: 0\r\nContent-Length: 38\r\n', ''],
    ['a list of lengths', 'Content-Length: 0, 38\r\n', ''],
    ['a length with a sign', 'Content-Length: +0\r\n', ''],
    ['a negative length', 'Content-Length: -1\r\n', ''],
    ['a length in hexadecimal', 'Content-Length: 0x0\r\n', ''],
    ['another encoding', 'Transfer-Encoding: identity\r\n', ''],
    ['two encodings', 'Transfer-Encoding: gzip, chunked\r\n', '0\r\n\r\n'],
    ['a misspelt encoding', 'Transfer-Encoding: xchunked\r\n', '0\r\n\r\n'],
    ['a chunk size that is none', 'Transfer-Encoding: chunked\r\n', 'zz\r\n'],
    ['a chunk size beyond all', 'Transfer-Encoding: chunked\r\n', `${'f'.repeat(40)}\r\n`],
    ['a chunk longer than it says', 'Transfer-Encoding: chunked\r\n', '1\r\n{}\r\n0\r\n\r\n'],
  ] as const) {
    test(`${why}: rejected, and what follows is not read as a request`, async () => {
      const statuses = await statusesOf(`${post}${head}\r\n${body}${smuggled}`);
      expect(statuses.length).toBeLessThanOrEqual(1);
      for (const status of statuses) expect([400, 401, 413]).toContain(status);
    });
  }

  test('a request in the body of another is a body', async () => {
    const inner = Buffer.byteLength(GET_TIME);
    for (const outer of [`GET ${TIME}`, 'POST /nowhere', `POST ${TIME}`, `GET ${ORDER}`]) {
      const head = `${outer} HTTP/1.1\r\n${HOST}Content-Length: ${inner}\r\n\r\n`;
      const connection = new RawConnection(node.port);
      const { status } = await connection.exchange(head + GET_TIME);
      expect([400, 404, 405]).toContain(status);
      const next = await connection.exchange(rawRequest('GET', TIME, { 'X-Request-Id': 'next' }));
      expect(next.status).toBe(200);
      expect(next.head.toLowerCase()).toContain('x-request-id: next\r\n');
      connection.close();
    }
  });

  test('a chunked body is read like any other, up to the same limit', async () => {
    const connection = new RawConnection(node.port);
    const chunked = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;
    const send = (body: string, parts: readonly string[]) => {
      const path = TEST_ORDER;
      const signed = { method: 'POST', path, body, timestamp: client.timestamp() };
      const own = signedHeaders(client.credentials, signed);
      const headers = {
        'Content-Type': 'application/json',
        'Transfer-Encoding': 'chunked',
        ...own,
      };
      const chunks = parts.map(chunked).join('');
      return connection.exchange(rawRequest('POST', path, headers, `${chunks}0\r\n\r\n`));
    };
    const body = JSON.stringify(LIMIT);
    expect((await send(body, [body.slice(0, 9), body.slice(9)])).status).toBe(200);
    const large = ' '.repeat(USUAL_BODY.bytes + 1);
    const rejected = await send(large, [large]);
    expect(rejected.status).toBe(413);
    expect(JSON.parse(rejected.body)).toMatchObject({ code: '100413' });
    expect((await send(body, [body])).status).toBe(200);
    connection.close();
  });

  test('a caller that expects 100-continue gets it', async () => {
    const connection = new RawConnection(node.port);
    const request = Buffer.from(signedPost(undefined, { Expect: '100-continue' }));
    const split = request.indexOf('\r\n\r\n') + 4;
    const first = await connection.exchange(request.subarray(0, split));
    expect(first.status).toBe(100);
    expect((await connection.exchange(request.subarray(split))).status).toBe(200);
    connection.close();
  });
});

describe('pace', () => {
  // The runtime closes a connection with a further request before a late answer.
  test('requests in one packet are answered in their order', async () => {
    const connection = new RawConnection(node.port);
    const ids = Array.from({ length: 40 }, (_, i) => `pipelined-${i}`);
    const requests = ids.map((id, i) =>
      i % 2 === 0
        ? rawRequest('GET', TIME, { 'X-Request-Id': id })
        : signedPost(undefined, { 'X-Request-Id': id }),
    );
    await connection.send(Buffer.concat(requests));
    for (const id of ids) {
      const answer = await connection.read();
      expect(answer.status).toBe(200);
      expect(answer.head.toLowerCase()).toContain(`x-request-id: ${id}\r\n`);
    }
    connection.close();
  });

  test('a request that comes byte by byte is a request', async () => {
    const connection = new RawConnection(node.port);
    for (const byte of signedPost()) await connection.send(Uint8Array.of(byte));
    expect((await connection.read()).status).toBe(200);
    connection.close();
  });

  test('a body that does not come, or drips, is waited for in bounded time', async () => {
    const request = Buffer.from(signedPost());
    const split = request.indexOf('\r\n\r\n') + 4;
    const wait = async (drip: boolean): Promise<void> => {
      const connection = new RawConnection(node.port);
      await connection.send(request.subarray(0, split + 1));
      const timer = drip ? setInterval(() => void connection.send(' '), 300) : undefined;
      const answer = await connection.read();
      clearInterval(timer);
      expect(answer.status).toBe(400);
      expect(JSON.parse(answer.body)).toMatchObject({ details: { field: 'body', rule: 'time' } });
      expect(await connection.closed()).toBe(true);
    };
    await Promise.all([wait(false), wait(true)]);
  });
});

describe('garbage, seeded', () => {
  test('random bytes', async () => {
    const random = new Prng(20_260_103);
    for (let i = 0; i < 150; i++) {
      const bytes = Uint8Array.from({ length: random.between(1, 2000) }, () => random.below(256));
      for (const status of await statusesOf(bytes, 0, 5)) expect(status).toBeWithin(400, 506);
    }
  });

  test('bytes changed anywhere in a signed request: it passes whole or not at all', async () => {
    const random = new Prng(20_260_104);
    for (let i = 0; i < 250; i++) {
      const bytes = Buffer.from(signedPost());
      for (let n = random.between(1, 3); n > 0; n--) {
        bytes[random.below(bytes.length)] = random.below(256);
      }
      for (const status of await statusesOf(bytes, 0, 5)) {
        expect(status === 200 || status === 100 || (status >= 400 && status < 506)).toBe(true);
      }
    }
  });
});
