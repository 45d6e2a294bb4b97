// Trading, earn and account calls with a session, as a full matrix: every call that needs a
// privilege, with no session, a live one by header and by cookie, a cookie from elsewhere, and an
// ended one; and with ids of another customer.
import { beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import type { Route } from '../../src/gateway/http/route.ts';
import { routes } from '../../src/gateway/routes/routes.ts';
import {
  APPLY_DETAIL,
  assign,
  CURRENT_LIST,
  createPlan,
  EDIT,
  EDIT_MARGIN,
  EXPLAIN,
  expectData,
  expectLegacy,
  INTEREST,
  MEMBERS,
  PLAN_APPLY,
  REDEEM,
  REDEEM_PREVIEW,
  saver,
  subscribe,
} from '../support/earn.ts';
import {
  type Answer,
  BALANCES,
  CANCEL,
  type Client,
  FILLS,
  LEDGER,
  MASS_CANCEL,
  ORDER,
  ORDERS,
  signedHeaders,
  TestNode,
} from '../support/node.ts';
import { CENTER, Person, tamper } from '../support/person.ts';
import { expectError, expectErrorShape, expectOk, isRejection, rowsOf } from '../support/shape.ts';

type Headers = Record<string, string>;

const privateRoutes = routes.filter(({ access }) => typeof access === 'object');
const moduleOf = ({ access }: Route): number => (access as { module: number }).module;
const ENTERPRISE = 4;

const node = TestNode.forFile();
let admin: Person;
let customer: Person;
let ended: Headers;
let victim: Client;
let planId: string;
let orderId: number;
let applyId: string;
beforeAll(async () => {
  planId = await createPlan(node);
  admin = await Person.join(node, { totp: true });
  customer = await Person.join(node);
  const leaver = await Person.join(node);
  ended = leaver.headers;
  expectOk(await leaver.post('logout'));
  const { enterpriseId } = await node.must({ type: 'createEnterprise', name: 'Matrix Inc.' });
  await assign(node, admin.uid, enterpriseId, true);
  for (const { uid } of [admin, customer]) {
    await node.credit(uid, 'USDT', '100000');
    await node.credit(uid, 'BTC', '10');
  }
  const saving = await saver(node, { USDT: '100000', BTC: '1' });
  applyId = await subscribe(saving, planId, '1000');
  victim = node.key(saving.uid);
  orderId = await victim.limit(1, '100', '0.01', { clOrdId: 'of-the-victim' });
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
      const key = { 'EXCHANGE-API-KEY': victim.credentials.apiKey };
      expectError(await call(route, { ...admin.headers, ...key }), 401, 100401);
    });
  });
}

describe('ids of another customer', () => {
  const get = (target: string): Promise<Answer> =>
    node.request(target, { headers: customer.headers });
  const post = (path: string, body: object): Promise<Answer> =>
    node.post(path, body, customer.headers);
  beforeEach(() => post(MASS_CANCEL, {}));
  const before = () => JSON.stringify([node.balance(victim.uid, 'USDT'), node.state.orders.size]);

  test('orders are neither seen nor canceled', async () => {
    const untouched = before();
    expectError(await post(CANCEL, { orderId }), 400, 100203);
    expectError(await post(CANCEL, { origClOrdId: 'of-the-victim' }), 400, 100203);
    expectOk(await post(MASS_CANCEL, {}));
    expect<unknown>(expectOk(await get(`${ORDERS}?type=SINGLE&orderId=${orderId}`)).data).toEqual(
      [],
    );
    const byName = `${ORDERS}?type=SINGLE&clOrdId=of-the-victim`;
    expect<unknown>(expectOk(await get(byName)).data).toEqual([]);
    expect<unknown>(expectOk(await get(`${FILLS}?orderId=${orderId}`))).toEqual([]);
    expect(before()).toBe(untouched);
  });

  test('subscriptions are neither seen nor changed', async () => {
    const untouched = await ofTheVictim();
    expectLegacy(await get(`${APPLY_DETAIL}?applyId=${applyId}`), 40005);
    expectLegacy(await get(`${INTEREST}?applyId=${applyId}`), 40005);
    expectLegacy(await get(`${EXPLAIN}?applyId=${applyId}&date=${Date.now()}`), 40005);
    expectLegacy(await get(`${REDEEM_PREVIEW}?applyId=${applyId}`), 40005);
    expectLegacy(await post(REDEEM, { applyId, amount: 10 }), 40005);
    expectLegacy(await post(PLAN_APPLY, { planId, amount: 10, applyId }), 40005);
    expectLegacy(await post(EDIT, { applyId, autoRenew: true }), 40005);
    expectError(await post(EDIT, { uid: victim.uid, autoRenew: true }), 403, 100403);
    expect(rowsOf(expectData(await get(CURRENT_LIST)))).toEqual([]);
    expect(await ofTheVictim()).toEqual(untouched);
  });

  test('balances and statement are those of the session, whatever uid is sent', async () => {
    const assets = rowsOf(expectOk(await get(BALANCES)));
    const usdt = assets.find(({ asset }) => String(asset) === 'USDT');
    expect<unknown>(usdt!.available).toBe(100000);
    expectError(await get(`${BALANCES}?uid=${victim.uid}`), 400, 100200, 'uid');
    expectError(await get(`${LEDGER}?uid=${victim.uid}`), 400, 100200, 'uid');
  });

  test('an admin sees the own enterprise alone', async () => {
    const page = expectData(await node.post(MEMBERS, {}, admin.headers), true);
    expect<unknown>(page.items).toEqual([]);
  });

  const ofTheVictim = async () => {
    const key = node.key(victim.uid, { moduleIds: [1] });
    return expectData(await key.get(APPLY_DETAIL, { applyId }));
  };
});

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

  test('of a suspended account may read, and changes nothing', async () => {
    const person = await Person.join(node);
    await node.credit(person.uid, 'USDT', '1000');
    const open = expectOk(await node.post(ORDER, limit, person.headers)).orderId;
    const unchanged = { kyc: null, makerFee: null, takerFee: null, maxOpenOrders: null };
    await node.must({ type: 'amendUser', uid: person.uid, suspended: true, ...unchanged });
    const bySession = await node.post(ORDER, limit, person.headers);
    const byKey = await node.key(person.uid).post(ORDER, limit);
    expect(bySession.status).toBe(403);
    expect([bySession.status, bySession.body]).toEqual([byKey.status, byKey.body]);
    expectError(await node.post(CANCEL, { orderId: open }, person.headers), 403, 100403);
    expectOk(await node.request(BALANCES, { headers: person.headers }));
  });

  test('that ends stops trading immediately', async () => {
    const person = await Person.join(node);
    expectOk(await node.request(BALANCES, { headers: person.headers }));
    const second = String(expectOk(await person.login()).token);
    const sessions = rowsOf((await person.get('sessions')).body);
    const { sessionId } = sessions.find(({ current }) => !current)!;
    expectOk(await person.post('sessions/revoke', { sessionId }));
    const revoked = { headers: { 'exchange-token': second } };
    expectError(await node.request(BALANCES, revoked), 401, 100401);
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
  test('are counted by user, not by session', async () => {
    const flags = ['--rate-limits', 'private=3/60/3,order=2/60/2'];
    await using small = await TestNode.start({ flags });
    const person = await Person.join(small);
    const other = await Person.join(small);
    const second = String(expectOk(await person.login()).token);
    const tokens = [person.token, second, person.token];
    for (const token of tokens) {
      expectOk(await small.request(BALANCES, { headers: { 'exchange-token': token } }));
    }
    const rejected = await small.request(BALANCES, { headers: { 'exchange-token': second } });
    expectError(rejected, 429, 100429);
    expect(rejected.headers.get('ratelimit-policy')).toBe('"private";q=3;w=60');
    expectOk(await small.request(BALANCES, { headers: other.headers }));
    for (const token of tokens.slice(0, 2)) {
      const sent = { 'exchange-token': token };
      expect((await small.post(MASS_CANCEL, {}, sent)).status).toBe(200);
    }
    expectError(await small.post(MASS_CANCEL, {}, person.headers), 429, 100429);
  });

  test('count dead tokens by address', async () => {
    await using small = await TestNode.start({ flags: ['--rate-limits', 'public=3/60/3'] });
    const dead = { headers: { 'exchange-token': 'x'.repeat(43) } };
    for (let n = 0; n < 3; n++) expectError(await small.request(BALANCES, dead), 401, 100401);
    expectError(await small.request(BALANCES, dead), 429, 100429);
    expectError(await small.request(`${CENTER}/me`, dead), 429, 100429);
  });
});
