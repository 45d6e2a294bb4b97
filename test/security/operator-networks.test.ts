// Only the configured networks reach the operator area, whatever the spelling of a path and
// whatever address a request claims.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type Answer, TestNode } from '../support/node.ts';
import { RawConnection, rawRequest } from '../support/raw-http.ts';
import { expectError, expectOk, rowsOf } from '../support/shape.ts';

const INSIDE = '10.1.2.3';
const OUTSIDE = '203.0.113.9';
const USERS = '/operator/v1/users';

let node: TestNode;
beforeAll(async () => {
  const networks = ['--operator-networks', '10.0.0.0/8,fd00::/8'];
  node = await TestNode.start({ flags: ['--trusted-proxies', '127.0.0.1,::1', ...networks] });
});
afterAll(() => node.stop());

const token = (): Record<string, string> => ({ Authorization: `Bearer ${node.operatorToken}` });
const ask = (path: string, forwardedFor: string, init: RequestInit = {}) =>
  node.request(path, { ...init, headers: { ...token(), 'X-Forwarded-For': forwardedFor } });

/** Ways of writing a path, which Bun and browsers take for the plain one. */
const TRICKS = [
  '/operator\\v1/users',
  '/./operator/v1/users',
  '/operator/./v1/users',
  '/x/../operator/v1/users',
  '/x\\..\\operator/v1/users',
  '/%2e/operator/v1/users',
  '/x/%2e%2e/operator/v1/users',
  '/x/.%2E/operator/v1/users',
  '/.\\metrics',
  '/%2e/metrics',
  '/trade/../metrics',
];

describe('from outside of the networks of operators', () => {
  test('their calls and the metrics do not exist, also with the right token', async () => {
    const unknown = await ask('/operator/v1/no-such-call', INSIDE);
    expectError(unknown, 404, 100404);
    const asked: readonly (readonly [string, RequestInit])[] = [
      [USERS, {}],
      [USERS, { method: 'POST', body: '{}' }],
      [USERS, { method: 'DELETE' }],
      [USERS, { method: 'OPTIONS' }],
      ['/operator/v1/no-such-call', {}],
      ['/metrics', {}],
      ['/metrics', { method: 'OPTIONS' }],
    ];
    for (const [path, init] of asked) {
      const answer = await ask(path, OUTSIDE, init);
      expect([path, init.method, answer.status, answer.text]).toEqual([
        path,
        init.method,
        404,
        unknown.text,
      ]);
      expect(namesOf(answer)).toEqual(namesOf(unknown));
    }
  });

  test('no way of writing a path leads to them', async () => {
    const connection = new RawConnection(node.port);
    for (const path of TRICKS) {
      const from = (ip: string) => rawRequest('GET', path, { ...token(), 'X-Forwarded-For': ip });
      const outside = await connection.exchange(from(OUTSIDE));
      expect({ path, status: outside.status }).toEqual({ path, status: 404 });
      // An operator reaches this spelling, so the trick is real; it does not help an outsider.
      const inside = await connection.exchange(from(INSIDE));
      expect({ path, status: inside.status }).toEqual({ path, status: 200 });
    }
    connection.close();
  });

  test('everything else is answered', async () => {
    for (const path of ['/health', '/ready', '/spot-api/api/public/v1/time']) {
      expectOk(await ask(path, OUTSIDE));
    }
  });

  test('it is in the audit log once in a while, with the number of those before', async () => {
    for (let n = 0; n < 40; n++) await ask(USERS, OUTSIDE);
    const entries = node.services.identity.audit
      .list({ page: 1, pageSize: 1_000 })
      .items.filter(({ action }) => action === 'operator.outside');
    expect(entries).toHaveLength(5);
    expect(entries.at(-1)).toMatchObject({
      actor: 'anonymous',
      ip: OUTSIDE,
      object: USERS,
      result: '100404',
    });
  });
});

describe('from inside', () => {
  test('they are as ever', async () => {
    for (const ip of [INSIDE, 'fd00::7', `10.4.4.4, ${INSIDE}`]) {
      expect(rowsOf(expectOk(await ask(USERS, ip)).items!)).toEqual([]);
      expect((await ask('/metrics', ip)).status).toBe(200);
    }
    const wrong = { Authorization: 'Bearer x', 'X-Forwarded-For': INSIDE };
    expectError(await node.request(USERS, { headers: wrong }), 401, 100401);
  });

  test('a hop that is outside shuts them, wherever it stands', async () => {
    for (const chain of [`${INSIDE}, ${OUTSIDE}`, `${OUTSIDE}, ${INSIDE}`]) {
      expectError(await ask(USERS, chain), 404, 100404);
    }
    // The address of this test, which is not in the list.
    expectError(await node.request(USERS, { headers: token() }), 404, 100404);
  });
});

test('behind an unnamed proxy, which has one address for everybody, nobody gets in', async () => {
  await using behind = await TestNode.start({ flags: ['--operator-networks', '127.0.0.1'] });
  const headers = { Authorization: `Bearer ${behind.operatorToken}` };
  expectOk(await behind.request(USERS, { headers }));
  for (const ip of [OUTSIDE, '127.0.0.1', '']) {
    const sent = { ...headers, 'X-Forwarded-For': ip };
    expectError(await behind.request(USERS, { headers: sent }), 404, 100404);
  }
});

/** The headers of an answer, but for what differs from one to the next. */
const namesOf = ({ headers }: Answer): string[] =>
  [...headers.keys()].filter((name) => !['date', 'content-length'].includes(name)).sort();
