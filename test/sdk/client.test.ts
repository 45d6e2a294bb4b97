// The SDK on a real server: iteration over pages, statements, the browser's session, and rejections
// with the nearest value.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { AgioClient } from '../../src/sdk/client.ts';
import * as decimal from '../../src/sdk/decimal.ts';
import { EarnRejection } from '../../src/sdk/errors.ts';
import {
  InsufficientBalance,
  InvalidRequest,
  OrderNotFound,
  Unauthorized,
} from '../../src/sdk/generated/rejections.ts';
import { OperatorClient } from '../../src/sdk/operator-client.ts';
import { UserCenterClient } from '../../src/sdk/user-center-client.ts';
import { createPlan, EARN } from '../support/earn.ts';
import { TestNode, TRADING } from '../support/node.ts';
import { PASSWORD, Person } from '../support/person.ts';

const SYMBOL = 'BTC-USDT';
let node: TestNode;
let operator: OperatorClient;

beforeAll(async () => {
  node = await TestNode.start({ flags: ['--rate-limits', 'off'] });
  operator = new OperatorClient({ url: node.url, operatorToken: node.operatorToken });
});
afterAll(() => node.stop());

async function customer(): Promise<AgioClient> {
  const { credentials } = await node.client(undefined, { moduleIds: [...EARN, ...TRADING] });
  return new AgioClient({ url: node.url, ...credentials });
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

test('lists are read page by page, each item once', async () => {
  const client = await customer();
  const limit = { symbol: SYMBOL, ordType: 2, price: 60000 } as const;
  for (let i = 0; i < 8; i++) {
    await client.createOrder({ ...limit, side: 2, orderQty: '0.01' });
    await client.createOrder({ ...limit, side: 1, orderQty: '0.01' });
  }
  for (const size of [1, 3, 16, 100]) {
    const orders = await all(client.allOrders({ type: 'COMPLETED', size }));
    expect(orders.map(({ rowId }) => rowId)).toEqual(
      [...new Set(orders.map(({ rowId }) => rowId))].sort((a, b) => b - a),
    );
    expect(orders).toHaveLength(16);
    // A trade with oneself is two rows.
    expect(await all(client.allFills({ size }))).toHaveLength(16);
    const entries = await all(client.allLedgerEntries({ size }));
    expect(new Set(entries.map(({ entryId }) => entryId)).size).toBe(entries.length);
    expect(entries.length).toBe((await client.ledger()).data.length);
    const trades = await all(client.allTrades({ symbol: SYMBOL, limit: size }));
    expect(trades).toHaveLength(8);
  }
  const users = await all(operator.allUsers());
  expect(new Set(users.map(({ uid }) => uid)).size).toBe(users.length);
});

test('interest is read page by page, also while a day is added', async () => {
  const client = await customer();
  const planId = await createPlan(node);
  const { applyId } = await client.applyPlan({ planId, amount: 1000 });
  await operator.advanceClock({ ms: 8 * 86_400_000 });
  const dates: number[] = [];
  for await (const { date } of client.allInterest({ applyId, pageSize: 3 })) {
    dates.push(date);
    if (dates.length === 2) await operator.advanceClock({ ms: 86_400_000 });
  }
  expect(dates.length).toBeGreaterThanOrEqual(7);
  expect(dates).toEqual([...new Set(dates)].sort((a, b) => b - a));
  const sum = decimal.sum(
    (await all(client.allInterest({ applyId }))).map(({ earnedAmount }) => earnedAmount),
  );
  expect((await client.subscription({ applyId })).totalEarnedAmount).toBe(sum);
});

test('the statement as CSV', async () => {
  const client = await customer();
  const csv = await client.ledgerCsv({ asset: 'BTC' });
  expect(csv).toStartWith('entryId,time,type,asset,amount,');
  expect(csv).toContain('opening,BTC');
});

test('a rejection has the field and the nearest accepted value, as text', async () => {
  const client = await customer();
  const order = { symbol: SYMBOL, side: 1, ordType: 2, price: '60000.005', orderQty: 1 } as const;
  const off = await client.createOrder(order).catch((error: unknown) => error);
  expect(off).toBeInstanceOf(InvalidRequest);
  expect(off).toMatchObject({ code: 100208, status: 400, field: 'price', nearest: '60000' });
  const { nearest } = off as InvalidRequest;
  const poor = await client
    .createOrder({ ...order, price: nearest!, orderQty: '1000' })
    .catch((error: unknown) => error);
  expect(poor).toBeInstanceOf(InsufficientBalance);
  const gone = await client.cancelOrder({ orderId: 999_999 }).catch((error: unknown) => error);
  expect(gone).toBeInstanceOf(OrderNotFound);
  const planId = await createPlan(node);
  const little = await client.applyPlan({ planId, amount: '5' }).catch((error: unknown) => error);
  expect(little).toBeInstanceOf(EarnRejection);
  expect(little).toMatchObject({ errorCode: 40002, nearest: '10', details: { value: '5' } });
});

/** A client that loses the answer to its write with this number. */
async function losing(write: number) {
  const { credentials } = await node.client();
  let writes = 0;
  const client = new AgioClient({
    url: node.url,
    ...credentials,
    async fetch(url, init) {
      const response = await fetch(url, init);
      if (init.method !== 'POST' || ++writes !== write) return response;
      throw new TypeError('the connection broke');
    },
  });
  return { client, writes: () => writes };
}

test('an order whose answer is lost exists once', async () => {
  const { client, writes } = await losing(1);
  const order = { symbol: SYMBOL, side: 1, ordType: 2, price: '100', orderQty: '1' } as const;
  const { orderId } = await client.createOrder(order);
  expect(writes()).toBe(2);
  const { data } = await client.orders({ type: 'OPEN' });
  expect(data.map((order) => order.orderId)).toEqual([orderId]);
});

test('a cancel by name whose answer is lost cancels one order', async () => {
  const { client, writes } = await losing(3);
  const order = { symbol: SYMBOL, side: 1, ordType: 2, price: '100', orderQty: '1' } as const;
  const older = await client.createOrder({ ...order, clOrdId: 'grid' });
  const newer = await client.createOrder({ ...order, clOrdId: 'grid' });
  expect((await client.cancelOrder({ origClOrdId: 'grid' })).orderId).toBe(newer.orderId);
  expect(writes()).toBe(4);
  const { data } = await client.orders({ type: 'OPEN' });
  expect(data.map(({ orderId }) => orderId)).toEqual([older.orderId]);
});

test('a client reads the write of another by its position', async () => {
  const client = await customer();
  await client.createOrder({ symbol: SYMBOL, side: 1, ordType: 2, price: '100', orderQty: '1' });
  const reader = new AgioClient({ url: node.url });
  expect(client.lastSeq).toBeGreaterThan(0);
  const book = await reader.orderbook({ symbol: SYMBOL }, { minSeq: client.lastSeq });
  expect(book.bids.at(-1)?.[0]).toBe('100');
  expect(reader.lastSeq).toBeGreaterThanOrEqual(client.lastSeq);
});

test('a page of the server acts by its cookie', async () => {
  const person = await Person.join(node);
  let cookie = '';
  // Like a browser, it sends the cookie and keeps a new one.
  const options = {
    url: node.url,
    cookie: true,
    async fetch(url: string, init: RequestInit): Promise<Response> {
      const headers = { ...init.headers, Cookie: cookie, 'Sec-Fetch-Site': 'same-origin' };
      const response = await fetch(url, { ...init, headers });
      cookie = response.headers.get('set-cookie')?.split(';')[0] ?? cookie;
      return response;
    },
  } as const;
  const center = new UserCenterClient(options);
  const client = new AgioClient(options);
  await center.login({ email: person.email, password: PASSWORD });
  expect(center.sessionToken).toBeNull();
  expect((await center.me()).uid).toBe(person.uid);
  await center.faucet({ asset: 'USDT' });
  await client.createOrder({ symbol: SYMBOL, side: 1, ordType: 2, price: '100', orderQty: '1' });
  expect((await client.balances()).find(({ asset }) => asset === 'USDT')?.held).toBe('100');
  await center.logout();
  const over = await client.balances().catch((error: unknown) => error);
  expect(over).toBeInstanceOf(Unauthorized);
});

test('a client makes private calls by the session of a user center, until its logout', async () => {
  const { email, uid } = await Person.join(node);
  const center = new UserCenterClient({ url: node.url });
  const own = new AgioClient({ url: node.url, sessionToken: () => center.sessionToken });
  await center.login({ email, password: PASSWORD });
  await node.credit(uid, 'USDT', '12.5');
  const usdt = (await own.balances()).find(({ asset }) => asset === 'USDT')!;
  expect(usdt.available).toBe('12.5');
  await center.logout();
  expect(center.sessionToken).toBeNull();
});
