// The roles of nodes in one process, over a store and a network in memory: each node accepts each
// call, a follower reads what the leader wrote, and the lead changes hands.
import { expect, test } from 'bun:test';
import { TestCluster } from '../support/cluster.ts';
import { Client, ORDER } from '../support/node.ts';
import { until } from '../support/waiting.ts';

test('a leader that is cut off from the store answers 503, and another one leads', async () => {
  await using cluster = await TestCluster.start(['a', 'b', 'c']);
  const a = cluster.find('a');
  const rest = [cluster.find('b'), cluster.find('c')];
  const { credentials } = await a.node.client();
  await cluster.settled();
  a.store.fault = 'request';
  const next = await cluster.leader(rest);
  await until(() => next.node.services.identity.apiKeys.lookup(credentials.apiKey) !== undefined);
  await new Client(next.node, credentials).limit(1, '100', '1');
  expect(a.node.services.cluster!.leads).toBe(false);
  const body = { symbol: 'BTC-USDT', side: 1, ordType: 2, price: '100', orderQty: '1' };
  const rejected = await new Client(a.node, credentials).post(ORDER, body);
  expect([rejected.status, rejected.body.code]).toEqual([503, '100503' as never]);
  a.store.fault = null;
  await cluster.settled();
  expect(new Set(cluster.nodes.map(({ node }) => node.state.stateHash())).size).toBe(1);
  await until(() => a.node.services.cluster!.status().role === 'follower');
  await new Client(a.node, credentials).limit(1, '101', '1');
});

test('a leader that stops alone first answers what is on its way to the store', async () => {
  await using cluster = await TestCluster.start(['a']);
  const { node, store } = cluster.find('a');
  const client = await node.client();
  const [sent, stopping] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const append = store.append.bind(store);
  store.append = async (record) => {
    sent.resolve();
    await stopping.promise;
    return append(record);
  };
  const placed = client.limit(1, '100', '1');
  await sent.promise;
  const stopped = node.stop();
  stopping.resolve();
  expect(await placed).toBeGreaterThan(0);
  await stopped;
});
