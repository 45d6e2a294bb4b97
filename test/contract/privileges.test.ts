// The full matrix of access: every route with no key, with a key of each single privilege, with a
// key of all, and with the operator's token. A new route needs a row in the table below.
import { beforeAll, describe, expect, test } from 'bun:test';
import type { Route } from '../../src/gateway/http/route.ts';
import { routes } from '../../src/gateway/routes/routes.ts';
import { type Answer, type Client, signedHeaders, TestNode } from '../support/node.ts';
import { expectError, expectErrorShape, isRejection } from '../support/shape.ts';

const PRIVATE = '/spot-api/api/private/v1';
const PRIVATE_V2 = '/spot-api/api/private/v2';

const EARN = '/earn-api/v1/user';

/**
 * The privilege that each private call needs, as the contract says it: 5 to read and 6 to write for
 * trading; 1 to read, 2 to subscribe, 3 to redeem and 4 for an enterprise's admin in the earn area.
 */
const NEEDS: Readonly<Record<string, number>> = {
  [`POST ${PRIVATE}/testorder`]: 6,
  [`POST ${PRIVATE}/order`]: 6,
  [`POST ${PRIVATE}/order/cancel`]: 6,
  [`POST ${PRIVATE}/order/masscancel`]: 6,
  [`POST ${PRIVATE}/order/cancelallafter`]: 6,
  [`POST ${PRIVATE_V2}/testorder`]: 6,
  [`POST ${PRIVATE_V2}/order`]: 6,
  [`POST ${PRIVATE_V2}/order/amend`]: 6,
  [`POST ${PRIVATE_V2}/order/oco`]: 6,
  [`POST ${PRIVATE_V2}/orders`]: 6,
  [`GET ${PRIVATE}/orders`]: 5,
  [`GET ${PRIVATE}/balances`]: 5,
  [`GET ${PRIVATE}/fees`]: 5,
  [`GET ${PRIVATE}/feeTier`]: 5,
  [`GET ${PRIVATE}/trades`]: 5,
  [`GET ${PRIVATE}/ledger`]: 5,
  [`GET ${EARN}/apply/currentList`]: 1,
  [`GET ${EARN}/apply/endedList`]: 1,
  [`GET ${EARN}/apply/detail`]: 1,
  [`GET ${EARN}/apply/interest`]: 1,
  [`GET ${EARN}/apply/interest/explain`]: 1,
  [`GET ${EARN}/apply/preview`]: 1,
  [`GET ${EARN}/plan/detail`]: 1,
  [`GET ${EARN}/redeem/preview`]: 1,
  [`POST ${EARN}/plan/apply`]: 2,
  [`POST ${EARN}/plan/detail/edit`]: 2,
  [`POST ${EARN}/apply/redeem`]: 3,
  [`POST ${EARN}/earn/plans/list`]: 4,
  [`POST ${EARN}/edit/enterpriseMargin`]: 4,
  [`POST ${EARN}/yield/manage/list`]: 4,
};

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

const node = TestNode.forFile();
let single: Map<number, Client>;
let all: Client;
beforeAll(async () => {
  const uid = await node.user();
  // The enterprise calls ask for more than a privilege: their caller is an admin.
  const { enterpriseId } = await node.must({ type: 'createEnterprise', name: 'Matrix Inc.' });
  await node.must({ type: 'assignEnterprise', uid, enterpriseId, admin: true });
  single = new Map(MODULES.map((id) => [id, node.key(uid, { moduleIds: [id] })]));
  all = node.key(uid, { moduleIds: MODULES });
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
  });
}
