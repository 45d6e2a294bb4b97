// The operator's cancels of the orders of a user and of an instrument, and suspensions, which
// cancel orders, end sessions and reject every later write.
import { describe, expect, test } from 'bun:test';
import { BALANCES, type Client, ORDER, TestNode } from '../support/node.ts';
import { Operator } from '../support/operator.ts';
import { Person } from '../support/person.ts';
import { expectError, expectOk } from '../support/shape.ts';

const CANCEL = `${ORDER}/cancel`;
const MASS_CANCEL = `${ORDER}/masscancel`;
const SWITCH = `${ORDER}/cancelallafter`;

const node = TestNode.forFile();
const operator = new Operator(node);

const openOf = ({ uid }: Client): number => node.state.orders.countOf(uid);
const eth = { symbol: 'ETH-USDT', side: 1, ordType: 2, price: 10, orderQty: 1 } as const;
const reason = 'Ticket 4711';

describe('POST orders/cancel', () => {
  test('of a pair, and of a user in a pair', async () => {
    const [client, other] = [await node.client(), await node.client()];
    for (const each of [client, other]) {
      await each.limit(1, '100', '1');
      await each.order(eth);
    }
    const symbol = 'ETH-USDT';
    const ofUser = expectOk(
      await operator.post('orders/cancel', { uid: client.uid, symbol, reason }),
    );
    expect<unknown>(ofUser).toMatchObject({ canceled: 1 });
    expect(operator.audited()[0]!.object).toBe(`uid:${client.uid}/${symbol}`);
    expectOk(await operator.post('orders/cancel', { symbol, reason }));
    expect(operator.audited()[0]!.object).toBe(symbol);
    expect(node.state.instrumentNamed(symbol)!.book.bestAgainst(2)).toBe(-1);
    expect([openOf(client), openOf(other)]).toEqual([1, 1]);
  });

  test('rejects a call without a user or a pair, and unknown ones', async () => {
    const { seq } = node;
    const nobody = expectError(await operator.post('orders/cancel', { reason }), 400, 100200);
    expect<unknown>(nobody).toMatchObject({ field: 'uid', rule: 'required' });
    expectError(await operator.post('orders/cancel', { uid: 9999, reason }), 400, 100220);
    const symbol = 'NO-SUCH';
    expectError(await operator.post('orders/cancel', { symbol, reason }), 400, 100201);
    expect(node.seq).toBe(seq);
  });
});

const suspended = (uid: number) => operator.patch(`users/${uid}`, { status: 'suspended' });

describe('a suspension', () => {
  test('cancels open orders and rejects later writes of a key; reads still work', async () => {
    const client = await node.client();
    const orderId = await client.limit(1, '100', '1');
    expectOk(await client.post(SWITCH, { timeout: 60_000 }));
    expectOk(await suspended(client.uid));
    expect(openOf(client)).toBe(0);
    expect(node.state.switches.all().some(({ uid }) => uid === client.uid)).toBe(false);
    for (const [path, body] of [
      [ORDER, eth],
      [CANCEL, { orderId }],
      [MASS_CANCEL, {}],
      [SWITCH, { timeout: 60_000 }],
    ] as const) {
      expectError(await client.post(path, body), 403, 100403);
    }
    expectOk(await client.get(BALANCES));
    expectOk(await operator.patch(`users/${client.uid}`, { status: 'active' }));
    expectOk(await client.post(ORDER, eth));
  });

  test('ends every session; one that is opened later can read and change nothing', async () => {
    const person = await Person.join(node);
    await node.credit(person.uid, 'USDT', '100');
    expectOk(await person.get('me'));
    expectOk(await suspended(person.uid));
    expectError(await person.get('me'), 401, 100401);
    person.token = String(expectOk(await person.login()).token);
    expectOk(await node.request(BALANCES, { headers: person.headers }));
    expectError(await node.post(ORDER, eth, person.headers), 403, 100403);
  });

  test('freezes the account although a crash kept it from identity', async () => {
    const client = await node.client();
    await client.limit(1, '100', '1');
    await node.amendUser(client.uid, { suspended: true });
    await node.restart();
    expect(openOf(client)).toBe(0);
    expectError(await client.post(ORDER, eth), 403, 100403);
  });
});
