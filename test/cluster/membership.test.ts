// The membership of a cluster: a second process of a node, a link that nobody reaches, a node that
// stops, and what a node says of the others while nobody leads.
import { expect, spyOn, test } from 'bun:test';
import { requireReachable } from '../../src/cluster/link/probe.ts';
import { LinkError } from '../../src/cluster/link/transport.ts';
import { tokenFingerprint, tokensDiffer } from '../../src/cluster/token-fingerprint.ts';
import { parseMasterKeys } from '../../src/identity/master-key.ts';
import type { Cluster } from '../../src/sdk/index.ts';
import { type ClusterNode, connected, TestCluster } from '../support/cluster.ts';
import { MemoryNetwork } from '../support/memory-transport.ts';
import { Client } from '../support/node.ts';
import { until } from '../support/waiting.ts';

const nodesOf = ({ nodes }: TestCluster) => nodes as [ClusterNode, ClusterNode, ClusterNode];

test('a process whose name another one has taken over ends', async () => {
  await using cluster = await TestCluster.start(['a', 'b']);
  const [, b] = nodesOf(cluster);
  const row = cluster.shared.members.get('b')!;
  cluster.shared.members.set('b', { ...row, instance: 'another process' });
  await until(() => b.node.failures.length > 0);
  expect(String(b.node.failures[0])).toContain('Another node named b runs');
});

/** The first node leads; nobody reaches the link of the second, which therefore cannot. */
async function unreachablePair(): Promise<TestCluster> {
  const cluster = await TestCluster.start(['a']);
  await cluster.add('b', { link: 'nowhere:1', flags: ['--link-listen', 'b:1'] });
  await connected(cluster.nodes[0]!, 2);
  return cluster;
}

test('a node whose link cannot be reached takes no lease, and is not ready', async () => {
  await using cluster = await unreachablePair();
  const [a, b] = nodesOf(cluster);
  const handingOver = a.node.services.cluster!.handOver('b');
  await expect(handingOver).rejects.toThrow('its link cannot be reached at nowhere:1');
  cluster.kill(a);
  const acquire = spyOn(b.store, 'acquire');
  const lease = spyOn(b.store, 'readLease');
  await until(() => lease.mock.calls.length > 30);
  expect(acquire).not.toHaveBeenCalled();
  const ready = await b.node.get('/ready');
  expect(ready.body).toMatchObject({ status: 'readOnly', cluster: { role: 'none' } });
  await a.node.stop().catch(() => undefined);
});

test('the probe of a link names what answers there', async () => {
  const network = new MemoryNetwork();
  const nobody = { node: 'x', address: 'x:1', instance: 'one' };
  const probing = requireReachable(network.of('x'), nobody);
  await expect(probing).rejects.toBeInstanceOf(LinkError);
  await expect(probing).rejects.toThrow('Node x does not lead, since its link cannot be reached');
  await using cluster = await TestCluster.start(['a']);
  const behind = { node: 'a', address: 'a:1', instance: 'one' };
  await expect(requireReachable(cluster.network.of('x'), behind)).rejects.toThrow(
    'another process of node a answers',
  );
});

/** Until it is open, no record of this node becomes durable. */
function gateOf({ store }: ClusterNode) {
  const append = store.append.bind(store);
  const gate = Promise.withResolvers<void>();
  const { mock } = spyOn(store, 'append').mockImplementation(async (record) => {
    await gate.promise;
    return append(record);
  });
  return { open: gate.resolve, waiting: () => mock.calls.length > 0 };
}

test('a follower that stops waits for the answers that it has asked for', async () => {
  await using cluster = await TestCluster.start(['a', 'b']);
  const [a, b] = nodesOf(cluster);
  const { credentials } = await a.node.client();
  await cluster.settled();
  await connected(a, 2);
  await until(() => b.node.services.identity.apiKeys.lookup(credentials.apiKey) !== undefined);
  const gate = gateOf(a);
  const order = new Client(b.node, credentials).limit(1, '100', '1');
  await until(() => b.node.services.engine.queueLength > 0);
  const stopping = b.node.stop();
  setImmediate(gate.open);
  expect(await order).toBeGreaterThan(0);
  await stopping;
});

test('a follower that stops waits for the calls that it has passed on', async () => {
  await using cluster = await TestCluster.start(['a', 'b']);
  const [a, b] = nodesOf(cluster);
  const { uid } = await a.node.client();
  await cluster.settled();
  await connected(a, 2);
  const gate = gateOf(a);
  const credit = fetch(`${b.node.url}/operator/v1/ledger/credit`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${b.node.operatorToken}`,
      'Content-Type': 'application/json',
    },
    body: JSON.stringify({ uid, asset: 'BTC', amount: '1', reference: 'passed-on' }),
  });
  await until(gate.waiting);
  const stopping = b.node.stop();
  setImmediate(gate.open);
  expect((await credit).status).toBe(200);
  await stopping;
});

/** Without a leader the call has no audit entry, which Operator would ask for. */
async function statusOf({ url, operatorToken }: ClusterNode['node']): Promise<Partial<Cluster>> {
  const headers = { Authorization: `Bearer ${operatorToken}` };
  return (await (await fetch(`${url}/operator/v1/cluster`, { headers })).json()) as Cluster;
}

/** The roles of the nodes by their names, as this node answers. */
async function rolesBy({ node }: ClusterNode): Promise<unknown> {
  const { nodes = [] } = await statusOf(node);
  return Object.fromEntries(nodes.map((each) => [each.node, each.role]));
}

test('without a leader a node says who was seen when', async () => {
  await using cluster = await unreachablePair();
  const [a, b] = nodesOf(cluster);
  cluster.kill(a);
  await until(async () => Bun.deepEquals(await rolesBy(b), { a: 'lost', b: 'follower' }));
  expect(await statusOf(b.node)).toMatchObject({ mode: 'cluster', leader: null, since: null });
  const Authorization = 'Bearer another-token-of-operators';
  const rejected = await fetch(`${b.node.url}/operator/v1/cluster`, { headers: { Authorization } });
  expect(rejected.status).toBe(401);
  await a.node.stop().catch(() => undefined);
});

test('without the database a node calls no other one lost, and says what is wrong', async () => {
  await using cluster = await TestCluster.start(['a', 'b']);
  const [a, b] = nodesOf(cluster);
  await connected(a, 2);
  b.store.fault = 'request';
  cluster.network.cut('a', 'b');
  await until(async () => Bun.deepEquals(await rolesBy(b), { a: 'unknown', b: 'follower' }));
  expect((await statusOf(b.node)).trouble).toBeString();
  b.store.fault = null;
  cluster.network.heal('a', 'b');
  await until(async () => (await statusOf(b.node)).trouble === null);
});

test('a lost node and a stopped one are called that', async () => {
  await using cluster = await TestCluster.start(['a', 'b', 'c']);
  const [a, b, c] = nodesOf(cluster);
  await connected(a, 3);
  await c.node.stop();
  b.store.fault = 'request';
  cluster.network.cut('a', 'b');
  const roles = { a: 'leader', b: 'lost', c: 'stopped' };
  await until(async () => Bun.deepEquals(await rolesBy(a), roles));
  b.store.fault = null;
  cluster.network.heal('a', 'b');
});

test('fingerprints show another operator token, and no rotation of the master key', () => {
  const [older, newer] = ['5a'.repeat(32), '5b'.repeat(32)];
  const of = (keys: string, token: string) => tokenFingerprint(parseMasterKeys(keys)!, token);
  const one = of(`${older},${newer}`, 'one');
  expect(tokensDiffer(one, of(`${newer},${older}`, 'one'))).toBe(false);
  expect(tokensDiffer(one, of(newer, 'two'))).toBe(true);
  expect(tokensDiffer(of(older, 'one'), of(newer, 'two'))).toBe(false);
});
