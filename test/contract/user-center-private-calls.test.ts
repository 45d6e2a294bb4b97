// Trading, earn and account calls with a session, as a full matrix: every call that needs a
// privilege, with no session, a live one by header and by cookie, a cookie from elsewhere, and an
// ended one.
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

type Headers = Record<string, string>;

const privateRoutes = routes.filter(({ access }) => typeof access === 'object');
const moduleOf = ({ access }: Route): number => (access as { module: number }).module;
const ENTERPRISE = 4;

const node = TestNode.forFile();
let admin: Person;
let customer: Person;
let ended: Headers;
let other: Client;
let planId: string;
beforeAll(async () => {
  planId = await createPlan(node);
  admin = await Person.join(node, { totp: true });
  customer = await Person.join(node);
  const leaver = await Person.join(node);
  ended = leaver.headers;
  expectOk(await leaver.post('logout'));
  const { enterpriseId } = await node.must({ type: 'createEnterprise', name: 'Matrix Inc.' });
  await assign(node, admin.uid, enterpriseId, true);
  for (const { uid } of [admin, customer]) await node.credit(uid, 'USDT', '100000');
  other = await node.client();
});

/** The route with nothing in it: enough to find out whether the caller may. */
function call({ method, path }: Route, headers: Headers): Promise<Answer> {
  return method === 'GET' ? node.request(path, { headers }) : node.post(path, {}, headers);
}

function expectAdmitted(answer: Answer): void {
  const { status, text } = answer;
  expect({ status, text, admitted: status === 200 || status === 400 }).toMatchObject({
    admitted: true,
  });
  if (isRejection(answer)) expectErrorShape(answer.body);
}

const cookie = ({ token }: Person): Headers => ({ Cookie: `agio=${token}` });
const ownPage = (): Headers => ({ Origin: node.url, 'Sec-Fetch-Site': 'same-origin' });
const ELSEWHERE: readonly Headers[] = [
  {},
  { Origin: 'https://evil.example.com' },
  { Origin: 'https://evil.example.com', 'Sec-Fetch-Site': 'cross-site' },
  { Origin: 'http://127.0.0.1:1', 'Sec-Fetch-Site': 'same-site' },
];

for (const route of privateRoutes) {
  describe(`${route.method} ${route.path}`, () => {
    test('without credentials: 401', async () => {
      expectError(await call(route, {}), 401, 100401);
      expectError(await call(route, { Cookie: 'theme=dark' }), 401, 100401);
    });

    test('with a session in the header', async () => {
      expectAdmitted(await call(route, admin.headers));
      const answer = await call(route, customer.headers);
      if (moduleOf(route) !== ENTERPRISE) {
        expectAdmitted(answer);
        return;
      }
      const details = expectError(answer, 403, 100403);
      expect<unknown>(details).toEqual({ field: 'moduleIds', rule: 'privilege', limit: 4 });
    });

    test('with the cookie, from a page of the service', async () => {
      expectAdmitted(await call(route, { ...cookie(admin), ...ownPage() }));
    });

    test('with the cookie, from elsewhere: a change is rejected', async () => {
      for (const headers of ELSEWHERE) {
        const answer = await call(route, { ...cookie(admin), ...headers });
        if (route.method === 'GET') expectAdmitted(answer);
        else expectError(answer, 403, 100310);
      }
    });

    test('with a session that has ended, or a token that never was: 401', async () => {
      expectError(await call(route, ended), 401, 100401);
      const token = ended['exchange-token'];
      expectError(await call(route, { Cookie: `agio=${token}`, ...ownPage() }), 401, 100401);
      for (const guess of ['', 'x'.repeat(43), 'x'.repeat(5000)]) {
        expectError(await call(route, { 'exchange-token': guess }), 401, 100401);
      }
    });

    test('a key that is sent along is what counts', async () => {
      const key = { 'EXCHANGE-API-KEY': other.credentials.apiKey };
      expectError(await call(route, { ...admin.headers, ...key }), 401, 100401);
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
