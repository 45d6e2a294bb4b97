// The nearest value of a rejection, over HTTP: it passes every check that the server can make now,
// or the
// rejection says that no nearby value does. test/model/nearest.test.ts sends random requests.
import { expect, test } from 'bun:test';
import {
  createPlan,
  expectData,
  expectLegacy,
  PLAN_APPLY,
  REDEEM,
  REDEEM_PREVIEW,
  saver,
  subscribe,
} from '../support/earn.ts';
import {
  AMEND,
  type Answer,
  type Client,
  type Json,
  OCO,
  ORDER,
  ORDER_V2,
  ORDERS_V2,
  TEST_ORDER,
  TestNode,
} from '../support/node.ts';
import { expectError, expectOk } from '../support/shape.ts';

const node = TestNode.forFile();
const NONE = 'With the other fields as sent, no nearby value was found.';
const SELL = { symbol: 'BTC-USDT', side: 2, ordType: 2, price: 100 };

const nearestOf = (answer: Answer, field: string): unknown =>
  expectError(answer, 400, Number(answer.body.code), field).nearest;

/** The rejection names this value, with which the same request passes. */
async function expectNearest(client: Client, path: string, body: object, field: string, n: number) {
  const nearest = nearestOf(await client.post(path, body), field);
  expect<unknown>(nearest).toBe(n);
  expectOk(await client.post(path, { ...body, [field]: nearest }));
}

/** The rejection says that no nearby value passes. */
function expectNone(answer: Answer, field: string): void {
  expect<unknown>(nearestOf(answer, field)).toBeUndefined();
  expect(String(answer.body.userMsg)).toEndWith(NONE);
}

test('a quantity off the grid is rounded down where the balance ends', async () => {
  const client = await node.client({ BTC: '0.99819288' });
  await expectNearest(client, ORDER, { ...SELL, orderQty: 0.9981928 }, 'orderQty', 0.998192);
});

test('a quantity between the minimum and the balance', async () => {
  const poor = await node.client({ USDT: '0.5' });
  const buy = { ...SELL, side: 1, price: 1, orderQty: 2 };
  await expectNearest(poor, ORDER, buy, 'orderQty', 0.5);
  const poorer = await node.client({ USDT: '0.05' });
  for (const orderQty of [2, 0.01, 0.0500001]) {
    expectNone(await poorer.post(ORDER, { ...buy, orderQty }), 'orderQty');
  }
});

test('none where another field is rejected too', async () => {
  const client = await node.client();
  const order = { ...SELL, side: 1, price: 100.001, orderQty: 1 };
  expectNone(await client.post(ORDER, { ...order, orderQty: '0.0000001' }), 'price');
  expectNone(await client.post(ORDER, { ...order, orderQty: 1_000_000_000 }), 'price');
  await expectNearest(client, ORDER, order, 'price', 100);
});

test('a price is rounded to the side that the balance pays for', async () => {
  const client = await node.client({ USDT: '100.01' });
  const buy = { ...SELL, side: 1, price: 100.018, orderQty: 1 };
  await expectNearest(client, ORDER, buy, 'price', 100.01);
});

test('a pair and an amendment name what the balance covers', async () => {
  const client = await node.client({ BTC: '1.5' });
  const pair = { symbol: 'BTC-USDT', side: 2, price: 110, stopPx: 90 };
  await expectNearest(client, OCO, { ...pair, orderQty: 2 }, 'orderQty', 1.5);
  const other = await node.client({ BTC: '1.5' });
  const orderId = await other.limit(2, '120', '1');
  await expectNearest(other, AMEND, { orderId, orderQty: 2 }, 'orderQty', 1.5);
});

test('a market order names a quantity that the balance covers in this book', async () => {
  const seller = await node.client();
  for (const price of ['200', '300']) await seller.limit(2, price, '1');
  const client = await node.client({ USDT: '50' });
  const market = { symbol: 'BTC-USDT', side: 1, ordType: 1 };
  for (const orderQty of [2, 1.9999994]) {
    const nearest = nearestOf(await client.post(TEST_ORDER, { ...market, orderQty }), 'orderQty');
    expect(Number(nearest)).toBeGreaterThan(0.2);
    expectOk(await client.post(TEST_ORDER, { ...market, orderQty: nearest }));
  }
});

test('a displayQty off the grid and above orderQty names orderQty', async () => {
  const client = await node.client({ BTC: '10' });
  const iceberg = { ...SELL, price: 500, orderQty: 10, displayQty: 100.0000007 };
  await expectNearest(client, ORDER_V2, iceberg, 'displayQty', 10);
});

test('in a batch it counts the other entries; under an Idempotency-Key there is none', async () => {
  const place = { op: 'place', ...SELL, price: 500 };
  const orders = [
    { ...place, orderQty: 1 },
    { ...place, orderQty: 0.9981928 },
  ];
  const entries = async (headers: Record<string, string>): Promise<Json> => {
    const client = await node.client({ BTC: '1.5' });
    const batch = async () => {
      const { body, text } = await client.post(ORDERS_V2, { orders }, { headers });
      return { rejected: (body.orders as unknown as Json[])[1]!, text };
    };
    const first = await batch();
    if (Object.keys(headers).length > 0) expect((await batch()).text).toBe(first.text);
    return first.rejected;
  };
  expect<unknown>((await entries({})).details).toMatchObject({ field: 'orderQty', nearest: 0.5 });
  const keyed = await entries({ 'Idempotency-Key': 'the-batch' });
  expect<unknown>(keyed.details).not.toHaveProperty('nearest');
  expect(String(keyed.userMsg)).not.toContain(NONE);
});

test('an amount of earn is within the plan, the balance and the decimals', async () => {
  const planId = await createPlan(node);
  const client = await node.client({ USDT: '10' }, { moduleIds: [1, 2, 3] });
  expect<unknown>(
    expectLegacy(await client.post(PLAN_APPLY, { planId, amount: '11.123456789' }), 40001, 'amount')
      .nearest,
  ).toBe(10);
  const poor = await node.client({ USDT: '9' }, { moduleIds: [1, 2, 3] });
  for (const [amount, code] of [
    ['9.5', 40002],
    ['11', 40020],
    ['9.123456789', 40001],
  ] as const) {
    const answer = await poor.post(PLAN_APPLY, { planId, amount });
    expect<unknown>(expectLegacy(answer, code, 'amount')).not.toHaveProperty('nearest');
    expect(String(answer.body.userMsg)).toEndWith(NONE);
  }
});

test('a redemption and its preview name at most what is held', async () => {
  const client = await saver(node);
  const applyId = await subscribe(client, await createPlan(node), '50');
  const body = { applyId, amount: '50.0000000049' };
  const previewed = await client.get(REDEEM_PREVIEW, body);
  expect<unknown>(expectLegacy(previewed, 40001, 'amount').nearest).toBe(50);
  expect<unknown>(expectLegacy(await client.post(REDEEM, body), 40001, 'amount').nearest).toBe(50);
  expectData(await client.get(REDEEM_PREVIEW, { applyId, amount: 50 }));
});
