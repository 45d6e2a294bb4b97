// Forms that a client of the spec may send to every call of a kind: the account, either name of a
// page, no body where no field is required, and filters that match nothing.
import { beforeAll, describe, expect, test } from 'bun:test';
import { type ApiCall, fieldsOf } from '../../src/contract/call.ts';
import { allCalls } from '../../src/contract/calls.ts';
import { accountCalls, orderCalls } from '../../src/contract/trading/calls.ts';
import { CURRENT_LIST, ENDED_LIST } from '../support/earn.ts';
import { type Client, INSTRUMENTS, MASS_CANCEL, signedHeaders, TestNode } from '../support/node.ts';
import { Operator } from '../support/operator.ts';
import { Person } from '../support/person.ts';
import { expectError, expectOk } from '../support/shape.ts';

const node = TestNode.forFile();
let client: Client;
beforeAll(async () => {
  client = await node.client({ USDT: '1000' }, { moduleIds: [1, 2, 3, 4, 5, 6] });
});

const tradingCalls: readonly ApiCall[] = Object.values({ ...orderCalls, ...accountCalls });
/** The fields that a trading call needs, so that it is not rejected for another one. */
const NEEDED: Readonly<Record<string, object>> = {
  orders: { type: 'OPEN' },
  cancelAllAfter: { timeout: 0 },
};

describe('account 1 is accepted by every trading call, and no other', () => {
  test.each(tradingCalls.map((call) => [call.name, call] as const))('%s', async (name, call) => {
    const send = (account: number | string) => {
      const fields = { ...NEEDED[name], account };
      return call.method === 'GET' ? client.get(call.path, fields) : client.post(call.path, fields);
    };
    for (const account of [1, '1']) {
      const { status, body } = await send(account);
      expect([account, status === 200 || String(body.details?.field) !== 'account']).toEqual([
        account,
        true,
      ]);
      if (call.method === 'GET') expect(status).toBe(200);
    }
    expectError(await send(2), 400, 100210, 'account');
  });
});

describe('both names of a page are accepted by every list that has pages', () => {
  const paged = allCalls.filter((call) => fieldsOf(call).fields.has('pageSize'));

  test('and each list has them', () => {
    expect(paged.length).toBeGreaterThanOrEqual(9);
    for (const call of paged) {
      const names = [...fieldsOf(call).fields.keys()];
      expect(names).toEqual(expect.arrayContaining(['currentPage', 'pageNum', 'pageSize']));
    }
    const answers = allCalls.filter(
      ({ answer: { shape } }) => shape.kind === 'object' && shape.pageOf !== undefined,
    );
    expect(answers.filter((call) => !paged.includes(call))).toEqual([]);
  });

  test('of the operator and the user center', async () => {
    const operator = new Operator(node);
    for (const path of ['users', 'audit', 'ledger/venue-statement']) {
      for (const name of ['page', 'currentPage', 'pageNum']) {
        const answer = expectOk(await operator.get(`${path}?${name}=2&pageSize=1`));
        expect<unknown>([path, answer.currentPage]).toEqual([path, 2]);
      }
      const differ = await operator.get(`${path}?page=3&pageNum=2`);
      expectError(differ, 400, 100200, 'pageNum');
      expectOk(await operator.get(`${path}?page=2&pageNum=2&currentPage=`));
    }
    const person = await Person.join(node);
    const headers = { 'exchange-token': person.token };
    const { body } = await node.request('/user-center/v1/audit?pageNum=2', { headers });
    expect<unknown>(body.currentPage).toBe(2);
  });

  test('of earn', async () => {
    for (const name of ['currentPage', 'pageNum']) {
      const { data } = expectOk(await client.get(ENDED_LIST, `${name}=2`));
      expect<unknown>(data!.currentPage).toBe(2);
    }
    expectOk(await client.get(CURRENT_LIST, 'pageNum=1&pageSize=100'));
  });
});

describe('an empty body is {}, with a type or without one', () => {
  const signedPosts = allCalls.filter(
    ({ method, access }) => method === 'POST' && typeof access === 'object',
  );
  const send = (path: string, type?: string) => {
    const signed = { method: 'POST', path, timestamp: client.timestamp() };
    const headers = {
      ...signedHeaders(client.credentials, signed),
      ...(type && { 'Content-Type': type }),
    };
    return node.request(path, { method: 'POST', headers });
  };

  test.each(signedPosts.map((call) => [call.name, call] as const))('%s', async (_, call) => {
    const empty = await send(call.path, 'application/json');
    const object = await client.post(call.path, '{}');
    for (const answer of [empty, await send(call.path)]) {
      expect([answer.status, answer.body.code, answer.body.details]).toEqual([
        ...[object.status, object.body.code, object.body.details],
      ]);
    }
  });

  test('a cancel of all orders without a body cancels them', async () => {
    const orderId = await client.limit(1, '90', '1');
    expectOk(await send(MASS_CANCEL));
    expect<unknown>((await client.row(orderId)).ordStatus).toBe(4);
  });

  test('also of an anonymous call', async () => {
    const answer = await node.request('/user-center/v1/login', { method: 'POST' });
    expectError(answer, 400, 100200);
    expect(answer.body.details).toMatchObject({ field: 'email', rule: 'required' });
  });

  test('a call with a cookie still needs the JSON type', async () => {
    const { token } = await Person.join(node);
    const path = '/user-center/v1/logout';
    const cookie = { Cookie: `agio=${token}`, 'Sec-Fetch-Site': 'same-origin' };
    for (const headers of [{ 'exchange-token': token }, cookie] as HeadersInit[]) {
      expect((await node.request(path, { method: 'POST', headers })).status).toBe(415);
    }
  });
});

describe('a filter that matches nothing gives an empty list', () => {
  test.each(['v1', 'v2'])('instruments of %s', async (version) => {
    const path = INSTRUMENTS.replace('v2', version);
    for (const query of ['symbol=NO-SUCH', 'securityId=999', 'securityType=FOO']) {
      expect(expectOk(await node.get(path, query))).toEqual([] as never);
    }
    const one = expectOk(await node.get(path, 'securityType=SPOT_PAIR&symbol=BTC-USDT'));
    expect(one).toMatchObject([{ symbol: 'BTC-USDT' }]);
    expect(expectOk(await node.get(path, 'securityId=1&symbol=NO-SUCH'))).toEqual([] as never);
    expectError(await node.get(path, 'securityId=2&symbol=BTC-USDT'), 400, 100202, 'securityId');
  });
});
