// getOrders: its filters and the window of 30 days.
import { beforeEach, describe, expect, test } from 'bun:test';
import { type Client, ORDERS, type Query, TestNode } from '../support/node.ts';
import { expectError, expectOk, rowsOf } from '../support/shape.ts';

const DAY = 86_400_000;

const node = TestNode.forFile();
let client: Client;
beforeEach(async () => {
  client = await node.client();
});

const ask = async (query: Query, of = client) => expectOk(await of.get(ORDERS, query));

/** The orderIds of the answer. */
const ids = async (query: Query, of = client): Promise<number[]> =>
  rowsOf((await ask(query, of)).data!).map((row) => Number(row.orderId));

describe('filters', () => {
  let buy: number;
  let sell: number;
  let eth: number;
  let market: number;
  beforeEach(async () => {
    const other = await node.client();
    buy = await client.limit(1, '100', '1', { clOrdId: 'a,b' });
    sell = await client.limit(2, '900', '1');
    eth = await client.order({
      symbol: 'ETH-USDT',
      side: 1,
      ordType: 2,
      price: 10,
      orderQty: 1,
    });
    await other.limit(2, '101', '0.5');
    market = await client.order({ symbol: 'BTC-USDT', side: 1, ordType: 1, orderQty: 0.5 });
  });

  test('by pair: symbol, securityId, or both', async () => {
    for (const type of ['OPEN', 'COMPLETED']) {
      expect(await ids(`type=${type}&symbol=ETH-USDT`)).toEqual([eth]);
      expect(await ids(`type=${type}&securityId=2&symbol=ETH-USDT`)).toEqual([eth]);
    }
    expect(await ids('type=OPEN&securityId=1')).toEqual([sell, buy]);
    expectError(await client.get(ORDERS, 'type=OPEN&symbol=A-B'), 400, 100201, 'symbol');
    expectError(await client.get(ORDERS, 'type=OPEN&securityId=9'), 400, 100201, 'securityId');
  });

  test('filter=<field>,<value>', async () => {
    const cases: readonly (readonly [string, string, () => number[]])[] = [
      ['OPEN', 'side,1', () => [eth, buy]],
      ['OPEN', 'side,2', () => [sell]],
      ['COMPLETED', 'ordType,1', () => [market]],
      ['OPEN', 'ordType,1', () => []],
      ['COMPLETED', 'ordStatus,2', () => [market]],
      ['OPEN', 'ordStatus,2', () => []],
      ['OPEN', 'ordStatus,0', () => [eth, sell, buy]],
      ['OPEN', 'ordStatus,1', () => []],
      ['COMPLETED', 'clOrdId,a,b', () => [buy]],
      ['OPEN', 'clOrdId,a,b', () => [buy]],
      ['OPEN', 'clOrdId,nothing', () => []],
      ['OPEN', 'symbol,ETH-USDT', () => [eth]],
      ['COMPLETED', 'symbol,BTC-USDT', () => [market, sell, buy]],
    ];
    for (const [type, filter, expected] of cases) {
      expect({ type, filter, found: await ids({ type, filter }) }).toEqual({
        type,
        filter,
        found: expected(),
      });
    }
  });

  test('rejects other fields, and values that the field cannot have', async () => {
    for (const filter of ['price,1', 'side', ',', 'side;1', 'Side,1']) {
      const answer = await client.get(ORDERS, { type: 'OPEN', filter });
      expectError(answer, 400, 100200, 'filter');
      for (const field of ['side', 'ordType', 'ordStatus', 'clOrdId', 'symbol']) {
        expect<unknown>(answer.body.userMsg).toContain(field);
      }
    }
    for (const filter of ['side,3', 'side,', 'side,1,1', 'ordType,x', 'ordStatus,3']) {
      expectError(await client.get(ORDERS, { type: 'OPEN', filter }), 400, 100200, 'filter');
    }
    const unknown = await client.get(ORDERS, { type: 'OPEN', filter: 'symbol,A-B' });
    expectError(unknown, 400, 100201);
  });
});

describe('the window', () => {
  test('an order that has rested for more than 30 days is still open', async () => {
    const orderId = await client.limit(1, '100', '1');
    await node.engine.advanceClock(31 * DAY);
    expect(await ids('type=OPEN')).toEqual([orderId]);
    expect(await ids(`type=SINGLE&orderId=${orderId}`)).toEqual([orderId]);
    expect(await ids('type=COMPLETED')).toEqual([]);
    const newer = await client.limit(1, '100', '1');
    expect(await ids(`type=OPEN&startDate=${node.engine.now - DAY}`)).toEqual([newer]);
  });

  test('must lie within the last 30 days of business time: 100213', async () => {
    const now = node.engine.now;
    for (const [window, field] of [
      [`startDate=${now - 31 * DAY}`, 'startDate'],
      [`startDate=0`, 'startDate'],
      [`endDate=${now - 31 * DAY}`, 'endDate'],
      [`startDate=${now + DAY}`, 'startDate'],
      [`endDate=${now + DAY}`, 'endDate'],
      [`startDate=${now - DAY}&endDate=${now - 2 * DAY}`, 'startDate'],
    ] as const) {
      for (const type of ['OPEN', 'COMPLETED']) {
        const answer = await client.get(ORDERS, `type=${type}&${window}`);
        expectError(answer, 400, 100213, field);
      }
    }
    expectOk(await client.get(ORDERS, `type=COMPLETED&startDate=${now - 30 * DAY}`));
    expectOk(await client.get(ORDERS, `type=COMPLETED&endDate=${now + 1000}`));
  });
});
