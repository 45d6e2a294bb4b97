// The full matrix of access: every route with no key, with a key of each single privilege, with a
// key of all, with the operator's token, and with a session by header and by cookie: live, ended,
// and from a page elsewhere. A new route needs a row in the table below.
import { beforeAll, describe, expect, test } from 'bun:test';
import type { Route } from '../../src/gateway/http/route.ts';
import { routes } from '../../src/gateway/routes/routes.ts';
import { assign, createPlan, EDIT_MARGIN, expectData } from '../support/earn.ts';
import {
  type Answer,
  BALANCES,
  CANCEL,
  type Client,
  ORDER,
  signedHeaders,
  TestNode,
} from '../support/node.ts';
import { CENTER, Person, tamper } from '../support/person.ts';
import { expectError, expectErrorShape, expectOk, isRejection } from '../support/shape.ts';

const PRIVATE = '/spot-api/api/private/v1';
const PRIVATE_V2 = '/spot-api/api/private/v2';

const EARN = '/earn-api/v1/user';

/**
 * The privilege that each private call needs, as the contract says it: 5 to read and 6 to write for
 * trading; 1 to read, 2 to subscribe, 3 to redeem and 4 for an enterprise's admin in the earn area.
 */
const NEEDS: Readonly<Record<string, number>> = Object.fromEntries(
  (
    [
      [6, `POST ${PRIVATE}/`, 'testorder order order/cancel order/masscancel order/cancelallafter'],
      [6, `POST ${PRIVATE_V2}/`, 'testorder order order/amend order/oco orders'],
      [5, `GET ${PRIVATE}/`, 'orders balances fees feeTier trades ledger'],
      [1, `GET ${EARN}/apply/`, 'currentList endedList detail interest interest/explain preview'],
      [1, `GET ${EARN}/`, 'plan/detail redeem/preview'],
      [2, `POST ${EARN}/plan/`, 'apply detail/edit'],
      [3, `POST ${EARN}/`, 'apply/redeem'],
      [4, `POST ${EARN}/`, 'earn/plans/list edit/enterpriseMargin yield/manage/list'],
    ] as const
  ).flatMap(([module, start, names]) => names.split(' ').map((name) => [start + name, module])),
);

/** The privileges in a key of one: 2, 3 and 4 include 1, and 6 does not include 5. */
const GRANTS: Readonly<Record<number, readonly number[]>> = {
  1: [1],
  2: [1, 2],
  3: [1, 3],
  4: [1, 4],
  5: [5],
  6: [6],
};
const MODULES = Object.keys(GRANTS).map(Number);

/** The areas of the API and their callers. */
const AREAS = [
  ['/spot-api/api/public/', 'public'],
  ['/market-data-server/api/public/', 'public'],
  ['/spot-api/api/private/', 'private'],
  [`${EARN}/plan/list`, 'public'],
  ['/earn-api/', 'private'],
  ['/user-center/v1/register', 'public'],
  ['/user-center/v1/login', 'public'],
  ['/user-center/v1/password/reset', 'public'],
  ['/user-center/', 'session'],
  ['/operator/', 'operator'],
] as const;

type Headers = Record<string, string>;
const ENTERPRISE = 4;

const node = TestNode.forFile();
let single: Map<number, Client>;
let all: Client;
let planId: string;
let admin: Person;
let customer: Person;
let ended: Headers;
beforeAll(async () => {
  planId = await createPlan(node);
  const uid = await node.user();
  // The enterprise calls ask for more than a privilege: their caller is an admin.
  const { enterpriseId } = await node.must({ type: 'createEnterprise', name: 'Matrix Inc.' });
  await assign(node, uid, enterpriseId, true);
  single = new Map(MODULES.map((id) => [id, node.key(uid, { moduleIds: [id] })]));
  all = node.key(uid, { moduleIds: MODULES });
  admin = await Person.join(node, { totp: true });
  customer = await Person.join(node);
  await assign(node, admin.uid, enterpriseId, true);
  for (const { uid } of [admin, customer]) await node.credit(uid, 'USDT', '100000');
  const leaver = await Person.join(node);
  ended = leaver.headers;
  expectOk(await leaver.post('logout'));
});

const nameOf = ({ method, path }: Route): string => `${method} ${path}`;
const targetOf = ({ path }: Route): string => path.replaceAll(/\{\w+\}/g, '1');

/** Calls the route without fields: enough to learn whether the caller may. */
function call(
  route: Route,
  by: Client | null,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const path = targetOf(route);
  const { method } = route;
  const body = method === 'GET' ? '' : '{}';
  const signed =
    by === null
      ? {}
      : signedHeaders(by.credentials, { method, path, body, timestamp: by.timestamp() });
  return node.request(path, {
    method,
    ...(body === '' ? {} : { body }),
    headers: { 'Content-Type': 'application/json', ...signed, ...headers },
  });
}

function expectAdmitted(answer: Answer): void {
  expect({ status: answer.status, text: answer.text }).not.toMatchObject({ status: 401 });
  expect({ status: answer.status, text: answer.text }).not.toMatchObject({ status: 403 });
  if (isRejection(answer)) expectErrorShape(answer.body);
  expect(answer.status).toBeLessThan(500);
}

const cookie = ({ token }: Person): Headers => ({ Cookie: `agio=${token}` });
const ownPage = (): Headers => ({ Origin: node.url, 'Sec-Fetch-Site': 'same-origin' });
const ELSEWHERE: readonly Headers[] = [
  {},
  { Origin: 'https://evil.example.com' },
  { Origin: 'https://evil.example.com', 'Sec-Fetch-Site': 'cross-site' },
  { Origin: 'http://127.0.0.1:1', 'Sec-Fetch-Site': 'same-site' },
];

describe('routes', () => {
  test('every private route has its privilege in the table, and no other has one', () => {
    const declared = routes
      .filter(({ access }) => typeof access === 'object')
      .map((route) => [nameOf(route), (route.access as { module: number }).module] as const);
    expect(Object.fromEntries(declared)).toEqual({ ...NEEDS });
  });

  test('a path lies in the area of its audience', () => {
    for (const route of routes) {
      const area = AREAS.find(([prefix]) => route.path.startsWith(prefix));
      if (area === undefined) continue;
      const audience = typeof route.access === 'object' ? 'private' : route.access;
      expect([nameOf(route), audience as string]).toEqual([nameOf(route), area[1]]);
    }
  });
});

for (const route of routes) {
  const { access } = route;
  describe(nameOf(route), () => {
    if (access === 'public') {
      test('is for everyone', async () => {
        expectAdmitted(await call(route, null));
        expectAdmitted(await call(route, single.get(1)!));
      });
      return;
    }
    if (access === 'operator') {
      test('is for the operator alone', async () => {
        expectError(await call(route, null), 401, 100401);
        expectError(await call(route, all), 401, 100401);
        for (const Authorization of ['Bearer wrong', 'Bearer ', node.operatorToken]) {
          const answer = await call(route, null, { Authorization });
          expectError(answer, 401, 100401);
          expect(answer.text).not.toContain(node.operatorToken);
        }
      });
      return;
    }
    if (access === 'session') {
      test('is for sessions alone', async () => {
        expectError(await call(route, null), 401, 100401);
        expectError(await call(route, all), 401, 100401);
        const operator = { Authorization: `Bearer ${node.operatorToken}` };
        expectError(await call(route, null, operator), 401, 100401);
        expectError(await call(route, null, { 'exchange-token': 'x'.repeat(43) }), 401, 100401);
      });
      return;
    }
    if (typeof access !== 'object') return;
    test('needs a signature', async () => {
      expectError(await call(route, null), 401, 100401);
      expectError(await call(route, null, { Cookie: 'theme=dark' }), 401, 100401);
      const operator = { Authorization: `Bearer ${node.operatorToken}` };
      expectError(await call(route, null, operator), 401, 100401);
    });
    for (const id of MODULES) {
      const granted = GRANTS[id]!.includes(access.module);
      test(`${granted ? 'admits' : 'rejects'} a key with privilege ${id}`, async () => {
        const answer = await call(route, single.get(id)!);
        if (granted) {
          expectAdmitted(answer);
          return;
        }
        const details = expectError(answer, 403, 100403);
        expect<unknown>(details.limit).toBe(access.module);
        expect<unknown>(answer.body.userMsg).toContain(`module ${access.module}`);
      });
    }
    test('admits a key with all privileges', async () => {
      expectAdmitted(await call(route, all));
    });

    test('with a session in the header', async () => {
      expectAdmitted(await call(route, null, admin.headers));
      const answer = await call(route, null, customer.headers);
      if (access.module !== ENTERPRISE) {
        expectAdmitted(answer);
        return;
      }
      const details = expectError(answer, 403, 100403);
      expect<unknown>(details).toEqual({ field: 'moduleIds', rule: 'privilege', limit: 4 });
    });

    test('with the cookie, from a page of the service', async () => {
      expectAdmitted(await call(route, null, { ...cookie(admin), ...ownPage() }));
    });

    test('with the cookie, from elsewhere: a change is rejected', async () => {
      for (const headers of ELSEWHERE) {
        const answer = await call(route, null, { ...cookie(admin), ...headers });
        if (route.method === 'GET') expectAdmitted(answer);
        else expectError(answer, 403, 100310);
      }
    });

    test('with a session that has ended, or a token that never was: 401', async () => {
      expectError(await call(route, null, ended), 401, 100401);
      const token = ended['exchange-token'];
      expectError(await call(route, null, { Cookie: `agio=${token}`, ...ownPage() }), 401, 100401);
      for (const guess of ['', 'x'.repeat(43), 'x'.repeat(5000)]) {
        expectError(await call(route, null, { 'exchange-token': guess }), 401, 100401);
      }
    });

    test('a key that is sent along is what counts', async () => {
      const key = { 'EXCHANGE-API-KEY': all.credentials.apiKey };
      expectError(await call(route, null, { ...admin.headers, ...key }), 401, 100401);
    });
  });
}

describe('a session', () => {
  const limit = { symbol: 'BTC-USDT', side: 1, ordType: 2, price: 100, orderQty: 0.01 };

  test('places the same order twice: there is no signature to replay', async () => {
    const first = expectOk(await node.post(ORDER, limit, customer.headers));
    const second = expectOk(await node.post(ORDER, limit, customer.headers));
    expect<unknown>(second.orderId).not.toBe(first.orderId);
    expectOk(await node.post(CANCEL, { orderId: first.orderId }, customer.headers));
    expectOk(await node.post(CANCEL, { orderId: second.orderId }, customer.headers));
  });

  test('shares the Idempotency-Keys of the account with its API keys only', async () => {
    const headers = { 'Idempotency-Key': 'one-of-both' };
    const first = await node.post(ORDER, limit, { ...customer.headers, ...headers });
    const again = await node.key(customer.uid).post(ORDER, limit, { headers });
    expect<unknown>(expectOk(again).orderId).toBe(expectOk(first).orderId);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    const other = await node.post(ORDER, limit, { ...admin.headers, ...headers });
    expect<unknown>(expectOk(other).orderId).not.toBe(first.body.orderId);
    expect(other.headers.get('idempotency-replayed')).toBeNull();
    const changed = { ...limit, price: 101 };
    const conflict = await node.post(ORDER, changed, { ...customer.headers, ...headers });
    expectError(conflict, 409, 100409);
  });

  test('sets a margin only with a code of the authenticator of the last five minutes', async () => {
    const boss = await Person.join(node, { totp: true });
    const { enterpriseId } = await node.must({ type: 'createEnterprise', name: 'Margin Inc.' });
    await assign(node, boss.uid, enterpriseId, true);
    const stepUpAt = (time: string) =>
      tamper(node, `UPDATE sessions SET stepped_up_at = ${time} WHERE uid = ${boss.uid}`);
    const target = `${EDIT_MARGIN}?planId=${planId}&margin=0.001`;
    const set = () => node.post(target, {}, boss.headers);
    expectData(await set(), true);
    stepUpAt(String(Date.now() - 300_001));
    const details = expectError(await set(), 403, 100311);
    expect<unknown>(details.rule).toBe('stepUp');
    boss.token = String(
      expectOk(await boss.post('stepUp', { googleAuthCode: boss.spare() })).token,
    );
    expectData(await set(), true);
    stepUpAt('NULL');
    expectError(await set(), 403, 100311);
    // A key has proved itself by its signature and needs no authenticator.
    const key = node.key(boss.uid, { moduleIds: [4] });
    const timestamp = key.timestamp();
    const query = `planId=${planId}&margin=0.002`;
    const signed = { method: 'POST', path: EDIT_MARGIN, query, body: '{}', timestamp };
    const headers = signedHeaders(key.credentials, signed);
    expectData(await node.post(`${EDIT_MARGIN}?${query}`, {}, headers), true);
  });
});

describe('rate limits', () => {
  test('count dead tokens by address', async () => {
    await using small = await TestNode.start({ flags: ['--rate-limits', 'public=3/60/3'] });
    const dead = { headers: { 'exchange-token': 'x'.repeat(43) } };
    for (let n = 0; n < 3; n++) expectError(await small.request(BALANCES, dead), 401, 100401);
    expectError(await small.request(BALANCES, dead), 429, 100429);
    expectError(await small.request(`${CENTER}/me`, dead), 429, 100429);
  });
});
