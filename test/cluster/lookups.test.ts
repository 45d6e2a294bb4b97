// Orders whose outcome nobody knows yet: a client looks them up by clOrdId, as the documentation
// says, and sends again what is not there. So "not there" must mean never.
import { expect, spyOn, test } from 'bun:test';
import { openIds, TestCluster } from '../support/cluster.ts';
import { Client, type Credentials, ORDER, ORDERS, type TestNode } from '../support/node.ts';
import { expectError } from '../support/shape.ts';
import { until } from '../support/waiting.ts';

const NAMES = ['a', 'b', 'c'];
const start = () => TestCluster.start(NAMES, ['--rate-limits', 'off']);
const bid = (clOrdId: string, price = '100') => ({
  symbol: 'BTC-USDT',
  side: 1,
  ordType: 2,
  price,
  orderQty: '0.001',
  clOrdId,
});

const lookUp = (node: TestNode, credentials: Credentials, clOrdId: string) =>
  new Client(node, credentials).get(ORDERS, { type: 'SINGLE', clOrdId });

/** True if the node has the order; null where it does not know. */
async function has(node: TestNode, credentials: Credentials, clOrdId: string) {
  const answer = await lookUp(node, credentials, clOrdId);
  if (answer.status === 503) {
    expectError(answer, 503, 100504);
    return null;
  }
  expect(answer.status).toBe(200);
  return (answer.body.data as unknown as unknown[]).length > 0;
}

test('while nobody leads, a node does not say that an order is not there', async () => {
  await using cluster = await start();
  const { credentials } = await cluster.nodes[0]!.node.client();
  const leader = await cluster.leader();
  const rest = cluster.nodes.filter((one) => one !== leader);
  await new Client(leader.node, credentials).post(ORDER, bid('there'));
  await cluster.settled();
  cluster.kill(leader);
  for (const { node } of rest) {
    await until(() => node.services.cluster!.status().role === 'none');
    expect(await has(node, credentials, 'never-sent')).toBeNull();
    expect(await has(node, credentials, 'there')).toBe(true);
  }
  await cluster.leader(rest);
  for (const { node } of rest) {
    await until(async () => (await has(node, credentials, 'never-sent')) === false);
  }
});

test('a leader that lives takes no command of a link that its node has given up', async () => {
  await using cluster = await start();
  const [a, b, c] = cluster.nodes.map(({ node }) => node) as [TestNode, TestNode, TestNode];
  const { credentials, uid } = await a.client(undefined, { replayGuard: false });
  await cluster.settled();
  cluster.network.cut('a', 'b');
  const answer = await new Client(b, credentials).post(ORDER, bid('on-the-way'));
  expectError(answer, 503, 100504);
  cluster.network.heal('a', 'b');
  for (const node of [a, c, b]) {
    await until(async () => (await has(node, credentials, 'on-the-way')) === false);
  }
  await until(() => b.services.cluster!.status().role === 'follower');
  await new Client(b, credentials).post(ORDER, bid('the-next'));
  expect(openIds(a, uid)).toEqual(['the-next']);
});

test('a look-up waits for the commands of a lost link that the leader has taken', async () => {
  await using cluster = await start();
  const [a, , c] = cluster.nodes.map(({ node }) => node) as [TestNode, TestNode, TestNode];
  const { credentials } = await a.client(undefined, { replayGuard: false });
  await cluster.settled();
  const leader = cluster.nodes[0]!;
  const stored = Promise.withResolvers<void>();
  const append = leader.store.append.bind(leader.store);
  const appending = spyOn(leader.store, 'append').mockImplementation(async (record) => {
    await stored.promise;
    return append(record);
  });
  const placing = new Client(cluster.find('b').node, credentials).post(ORDER, bid('taken'));
  await until(() => appending.mock.calls.length > 0);
  cluster.network.cut('a', 'b');
  await until(() => a.services.cluster!.status().nodes.length === 2);
  let isAnswered = false;
  const looking = Promise.all([a, c].map((node) => has(node, credentials, 'taken')));
  void looking.then(() => {
    isAnswered = true;
  });
  for (let turns = 0; turns < 50; turns++) await new Promise(setImmediate);
  expect(isAnswered).toBe(false);
  stored.resolve();
  cluster.network.heal('a', 'b');
  expect(await looking).toEqual([true, true]);
  await placing;
});
