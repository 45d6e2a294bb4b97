// The edges of a term: what a leader finishes before it hands the lead over, what it gives up when
// it is deposed, and what a node gets that connects meanwhile.

import { expect, spyOn, test } from 'bun:test';
import { KEPT } from '../../src/cluster/store.ts';
import { idsOf } from '../../src/identity/storage/change.ts';
import { type ClusterNode, connected, TestCluster } from '../support/cluster.ts';
import { candidate } from '../support/members.ts';
import { sorted } from '../support/memory-store.ts';
import { Client, ORDER, TRADING } from '../support/node.ts';
import { Operator } from '../support/operator.ts';
import { expectError, expectOk } from '../support/shape.ts';
import { until } from '../support/waiting.ts';

const NEW_KEY = { alias: 'new', moduleIds: TRADING };
const BID = { symbol: 'BTC-USDT', side: 1, ordType: 2, price: '100', orderQty: '0.1' };

const nodesOf = ({ nodes }: TestCluster) => nodes as [ClusterNode, ClusterNode, ClusterNode];

/** Enough for all work that waits for nothing outside of this process. */
async function turns(): Promise<void> {
  for (let left = 50; left > 0; left--) await new Promise((resolve) => setImmediate(resolve));
}

/** Calls `before` when the node writes a key, before the store has it; the write waits for it. */
function beforeKeyWrite({ store }: ClusterNode, before: () => unknown): void {
  const write = store.writeIdentity.bind(store);
  spyOn(store, 'writeIdentity').mockImplementation(async (epoch, version, change) => {
    if (idsOf('api_keys', change.added).length > 0) await before();
    return write(epoch, version, change);
  });
}

const createKey = ({ node }: ClusterNode, uid: number) =>
  new Operator(node).post(`users/${uid}/keys`, NEW_KEY);

/** True if the node has exactly the rows of identity that the store has. */
function requireSameIdentity({ shared }: TestCluster, { node }: ClusterNode): void {
  const { store, replication } = node.services.identity;
  expect(sorted(store.image(replication!.version))).toEqual(sorted(shared.identity));
}

test('a leader whose term has ended stops at its first renewal', async () => {
  await using cluster = await TestCluster.start(['a']);
  const [a] = nodesOf(cluster);
  const renew = a.store.renew.bind(a.store);
  let rejected = 0;
  spyOn(a.store, 'renew').mockImplementation((epoch) =>
    renew(epoch).catch((error: unknown) => {
      rejected++;
      throw error;
    }),
  );
  const epoch = cluster.shared.held!.epoch + 1;
  cluster.shared.held = {
    ...candidate('z', 'z:1'),
    epoch,
    renewal: KEPT,
  };
  await until(() => a.node.services.cluster!.status().role === 'none');
  expect(rejected).toBe(1);
});

test('a call that writes identity is answered once the store has the write', async () => {
  await using cluster = await TestCluster.start(['a']);
  const [a] = nodesOf(cluster);
  const uid = await a.node.user({});
  const [writing, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  beforeKeyWrite(a, () => {
    writing.resolve();
    return gate.promise;
  });
  let isAnswered = false;
  const creating = createKey(a, uid).finally(() => {
    isAnswered = true;
  });
  await writing.promise;
  // A later call on a connection of its own shows that an answer would have come by now.
  for (let calls = 5; calls > 0; calls--) await a.node.get('/ready');
  expect(isAnswered).toBe(false);
  gate.resolve();
  expectOk(await creating);
});

test('a handover waits for the writes of identity', async () => {
  await using cluster = await TestCluster.start(['a', 'b']);
  const [a, b] = nodesOf(cluster);
  const uid = await a.node.user({});
  await connected(a, 2);
  const [writing, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  beforeKeyWrite(a, () => {
    writing.resolve();
    return gate.promise;
  });
  const handOver = spyOn(a.store, 'handOver');
  const creating = createKey(a, uid);
  await writing.promise;
  const handingOver = a.node.services.cluster!.handOver('b');
  await turns();
  expect(handOver).not.toHaveBeenCalled();
  gate.resolve();
  await handingOver;
  const { apiKey } = expectOk(await creating);
  expect(b.node.services.identity.apiKeys.lookup(String(apiKey))?.uid).toBe(uid);
});

test('a deposed leader forgets the writes of identity that the store does not have', async () => {
  await using cluster = await TestCluster.start(['a', 'b']);
  const [a, b] = nodesOf(cluster);
  const uid = await a.node.user({});
  await connected(a, 2);
  beforeKeyWrite(a, () => {
    a.store.fault = 'request';
  });
  const creating = createKey(a, uid);
  await until(() => a.node.services.identity.apiKeys.list(uid).length === 1);
  await cluster.leader([b]);
  expectError(await creating, 503, 100504);
  a.store.fault = null;
  await until(() => a.node.services.cluster!.status().role === 'follower');
  requireSameIdentity(cluster, a);
});

test('a command that comes while the lead changes hands is carried out once', async () => {
  await using cluster = await TestCluster.start(['a', 'b', 'c']);
  const [a, b, c] = nodesOf(cluster);
  // Without the replay guard, a second copy of the order would be placed as well.
  const { credentials, uid } = await a.node.client(undefined, { replayGuard: false });
  await cluster.settled();
  await connected(a, 3);
  const handOver = a.store.handOver.bind(a.store);
  let ordering: Promise<unknown> | undefined;
  spyOn(a.store, 'handOver').mockImplementation(async (...lease) => {
    ordering = new Client(b.node, credentials).post(ORDER, BID);
    await until(() => b.node.services.engine.queueLength > 0);
    // The answer shows that the leader has read what was sent before.
    await turns();
    await b.node.services.cluster!.relay(new Request(b.node.url), '127.0.0.1');
    return handOver(...lease);
  });
  await a.node.services.cluster!.handOver('c');
  await ordering;
  await cluster.settled();
  expect(c.node.services.engine.exchange.state.orders.countOf(uid)).toBe(1);
});

test('a node that connects gets the writes of identity since it read the store', async () => {
  await using cluster = await TestCluster.start(['a', 'b', 'c']);
  const [a, b, c] = nodesOf(cluster);
  const uid = await a.node.user({});
  await cluster.settled();
  await connected(a, 3);
  const version = c.store.identityVersion.bind(c.store);
  spyOn(c.store, 'identityVersion').mockImplementationOnce(async () => {
    const read = await version();
    await cluster.leader([b]);
    expectOk(await createKey(b, uid));
    return read;
  });
  const reload = spyOn(c.node.services.identity.replication!, 'reload');
  await a.node.services.cluster!.handOver('b');
  await until(() => c.node.services.cluster!.status().role === 'follower');
  await until(() => c.node.services.identity.apiKeys.list(uid).length === 1);
  expect(reload).not.toHaveBeenCalled();
  requireSameIdentity(cluster, c);
});
