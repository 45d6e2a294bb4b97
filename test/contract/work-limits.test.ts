// The limits of a user charge the work of commands, wherever they come from: a write includes ten
// units, and as many more cost another write. Keys are not charged, and neither are makers.
import { expect, test } from 'bun:test';
import { UNIT } from '../../src/core/work.ts';
import { UNITS_PER_WRITE } from '../../src/gateway/limits/limits.ts';
import { TestCluster } from '../support/cluster.ts';
import { Client, ORDER, ORDERS_V2, TEST_ORDER, TestNode } from '../support/node.ts';
import { expectError, expectOk } from '../support/shape.ts';
import { OWN_ORDERS, StreamClient } from '../support/stream.ts';
import { jumpAhead, until } from '../support/waiting.ts';

const BID = { symbol: 'BTC-USDT', side: 1, ordType: 2, price: 90, orderQty: 0.01 };
/** A write refills in a minute, so none does during a test. */
const LIMITS = ['--rate-limits', 'order=60/3600/1000,userOrder=60/3600/100'];

/** Each command of this node does so much work from now on. */
function doWork({ engine }: TestNode, units: number): void {
  Object.defineProperty(engine.exchange, 'work', { get: () => units, configurable: true });
}

/** The writes that the user has left, as the header of an order shows it. */
const leftAfter = async (client: Client, orders: object[] = [BID]): Promise<number> => {
  const answer = orders.length === 1 ? client.post(ORDER, orders[0]!) : batch(client, orders);
  const { headers } = await answer;
  return Number(/^"user-order";r=(\d+);t=\d+$/.exec(headers.get('ratelimit')!)![1]);
};
const batch = (client: Client, orders: object[]) =>
  client.post(ORDERS_V2, { orders: orders.map((order) => ({ op: 'place', ...order })) });

test('the taker pays for its fills, not the maker; a test of an order is a read', async () => {
  const flags = ['--rate-limits', 'userOrder=60/3600/100,user=60/3600/100'];
  await using node = await TestNode.start({ flags });
  const [maker, taker] = [await node.client(), await node.client()];
  const asks = Array.from({ length: 45 }, () => ({ ...BID, side: 2, price: 95 }));
  expect(await leftAfter(maker, asks)).toBe(55);
  expect(await leftAfter(taker, [{ ...BID, price: 95, orderQty: 0.45 }])).toBe(95);
  expect(await leftAfter(maker)).toBe(54);
  node.engine.exchange.checkOrder = (_, work) => {
    work!.left -= 75 * UNIT;
    return null;
  };
  const { headers } = await taker.post(TEST_ORDER, BID);
  expect(headers.get('ratelimit')).toStartWith('"user";r=92;');
});

test('an order costs a write for each ten units, and the header shows it', async () => {
  await using node = await TestNode.start({ flags: LIMITS });
  const client = await node.client();
  expect(await leftAfter(client)).toBe(99);
  doWork(node, UNITS_PER_WRITE);
  expect(await leftAfter(client)).toBe(98);
  doWork(node, UNITS_PER_WRITE + 1);
  expect(await leftAfter(client)).toBe(96);
  doWork(node, 300);
  expect(await leftAfter(client)).toBe(66);
});

test('a batch of plain orders costs its entries, one that works more costs more', async () => {
  await using node = await TestNode.start({ flags: LIMITS });
  const client = await node.client();
  const orders = Array.from({ length: 40 }, () => BID);
  doWork(node, orders.length);
  expect(await leftAfter(client, orders)).toBe(60);
  doWork(node, 500);
  expect(await leftAfter(client, orders)).toBe(10);
});

test('over a websocket an order and a batch cost the same', async () => {
  await using node = await TestNode.start({ flags: LIMITS });
  const client = await node.client();
  await using own = await StreamClient.login(node, OWN_ORDERS, client);
  doWork(node, 200);
  const orders = Array.from({ length: 30 }, () => ({ op: 'place', ...BID }));
  await own.order('order.batch', { orders });
  await own.order('order.place', BID);
  doWork(node, 1);
  expect(await leftAfter(client)).toBe(49);
});

test('what is beyond the allowance is a debt, of ten seconds at most', async () => {
  const flags = ['--rate-limits', 'userOrder=10/1/20'];
  await using node = await TestNode.start({ flags });
  const client = await node.client();
  const other = await node.client();
  doWork(node, 1_000_000);
  expectOk(await client.post(ORDER, BID));
  doWork(node, 1);
  const rejected = await client.post(ORDER, BID);
  expectError(rejected, 429, 100429);
  expect(rejected.headers.get('ratelimit')).toBe('"user-order";r=0;t=12');
  expect(Number(rejected.headers.get('retry-after'))).toBeWithin(10, 12);
  // Neither the maker nor anybody else pays.
  expectOk(await other.post(ORDER, BID));
  jumpAhead(11_000);
  expectOk(await client.post(ORDER, BID));
});

test('a write that the limit of the user rejects takes nothing from the key', async () => {
  const flags = ['--rate-limits', 'order=6/86400/6,userOrder=4/60/4'];
  await using node = await TestNode.start({ flags });
  const client = await node.client();
  const send = async () => (await client.post(ORDER, BID)).status;
  const statuses = [];
  for (let n = 0; n < 9; n++) statuses.push(await send());
  expect(statuses).toEqual([...Array(4).fill(200), ...Array(5).fill(429)]);
  expect((await batch(client, [BID, BID])).status).toBe(429);
  jumpAhead(60_000);
  expect([await send(), await send(), await send()]).toEqual([200, 200, 429]);
});

test('the nodes of a cluster charge the same user', async () => {
  await using cluster = await TestCluster.start(['a', 'b'], LIMITS);
  const [a, b] = cluster.nodes.map(({ node }) => node) as [TestNode, TestNode];
  const { credentials } = await a.client();
  await until(() => b.services.identity.apiKeys.lookup(credentials.apiKey));
  const clients = [a, b].map((node) => new Client(node, credentials)) as [Client, Client];
  for (const node of [a, b]) doWork(node, 200);
  expect(await leftAfter(clients[1])).toBe(80);
  for (const node of [a, b]) doWork(node, 1);
  await until(async () => (await leftAfter(clients[0])) < 80);
  const left = await leftAfter(clients[0]);
  await until(async () => (await leftAfter(clients[1])) < left);
});
