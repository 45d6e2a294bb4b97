// Nodes that differ: in their state, which ends a node and all that it wrote, or in their release,
// during an upgrade. And two that do not differ enough: in their name.
import { afterEach, describe, expect, test } from 'bun:test';
import { cpSync, existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ADDED, RULES } from '../../src/core/rules.ts';
import { amount } from '../../src/core/units.ts';
import { DivergenceError } from '../../src/engine/follower.ts';
import { snapshotDirectory } from '../../src/engine/snapshot-store.ts';
import { type ClusterNode, TestCluster } from '../support/cluster.ts';
import { processOf } from '../support/members.ts';
import { ORDER_V2, ORDERS_V2 } from '../support/node.ts';
import { Operator } from '../support/operator.ts';
import { expectError, expectOk } from '../support/shape.ts';
import { until } from '../support/waiting.ts';

afterEach(() => {
  delete ADDED.orderBatch;
});

test('a node with another state ends, and its next start uses nothing that it wrote', async () => {
  await using cluster = await TestCluster.start(['a', 'b']);
  const [a, b] = cluster.nodes.map(({ node }) => node);
  const uid = await a!.user();
  await cluster.settled();
  const { ledger } = b!.state;
  const { assetId } = b!.state.assetNamed('BTC')!;
  ledger.move(uid, assetId, 2, 3, amount(1));
  await a!.user();
  await until(() => b!.failures.length > 0);
  expect(b!.failures[0]).toBeInstanceOf(DivergenceError);

  // The process would end here. This copy of its directory is what its next start finds.
  const dataDir = mkdtempSync(join(tmpdir(), 'agio-node-'));
  cpSync(b!.dataDir, dataDir, { recursive: true });
  const snapshots = snapshotDirectory(dataDir);
  mkdirSync(snapshots, { recursive: true });
  const left = join(snapshots, 'of-the-other-state');
  writeFileSync(left, '');
  const { node: again } = await cluster.add('c', { dataDir });
  expect(existsSync(left)).toBe(false);
  expect(existsSync(join(dataDir, 'diverged'))).toBe(false);
  await until(() => again.seq === a!.seq);
  expect(again.state.stateHash()).toBe(a!.state.stateHash());
  await b!.stop().catch(() => undefined);
});

/** A node of the older release is a member, and not connected. */
const addOlder = ({ shared }: TestCluster): void => {
  const older = processOf('z', 'z:1', { newestRules: RULES - 1, release: '0.0.9' });
  shared.members.set('z', { ...older, beats: 1, seenAt: 0, isStopped: false });
};

const rulesOf = ({ shared }: TestCluster): number[] =>
  shared.records.map(({ payload }) => payload[0]!);

test('records keep the rules that every member reads until an operator raises them', async () => {
  await using cluster = await TestCluster.start([]);
  addOlder(cluster);
  const { node: a } = await cluster.add('a');
  const operator = new Operator(a);
  const create = (asset: string) => a.must({ type: 'createAsset', asset, scale: 8, fiat: false });
  await create('BTC');
  const trial = expectOk(await operator.post('cluster/upgrade', { dryRun: true }));
  const olderNodes = ['z (agio 0.0.9)'];
  expect(trial).toMatchObject({ from: RULES - 1, to: RULES, dryRun: true, olderNodes });
  const blocked = await operator.post('cluster/upgrade', {});
  expectError(blocked, 409, 100707);
  expect<unknown>(blocked.body.userMsg).toContain('z (agio 0.0.9)');
  // The older node was upgraded.
  await (await cluster.add('z')).node.stop();
  await create('ETH');
  expect(rulesOf(cluster)).toEqual([RULES - 1, RULES - 1]);
  expectOk(await operator.post('cluster/upgrade', {}));
  await create('AED');
  expect(rulesOf(cluster)).toEqual([RULES - 1, RULES - 1, RULES]);
  expect(expectOk(await operator.get('cluster'))).toMatchObject({ rules: RULES });
});

test('a release that cannot read the rules is rejected with a sentence', async () => {
  await using cluster = await TestCluster.start(['a']);
  cluster.shared.rules = RULES + 1;
  await expect(cluster.add('b')).rejects.toThrow(
    `The journal of this cluster has version ${RULES + 1} of the rules, and agio`,
  );
  expect(cluster.shared.members.has('b')).toBe(false);
  cluster.shared.rules = RULES;
});

test('a release that cannot talk to a member is rejected until that is forgotten', async () => {
  await using cluster = await TestCluster.start(['a']);
  const [{ node: a }] = cluster.nodes as [ClusterNode];
  const operator = new Operator(a);
  const far = processOf('z', 'z:1', { oldestLink: 8, newestLink: 9, release: '9.0.0' });
  cluster.shared.members.set('z', { ...far, beats: 1, seenAt: 0, isStopped: false });
  await expect(cluster.add('b')).rejects.toThrow('If z is gone, run "agio cluster forget z".');
  expectError(await operator.post('cluster/forget', { node: 'a' }), 409, 100706);
  expectError(await operator.post('cluster/forget', { node: 'none' }), 409, 100705);
  await until(async () => (await operator.post('cluster/forget', { node: 'z' })).status === 200);
  await cluster.add('b');
});

describe('a second node with the name of one that runs', () => {
  test.each([
    ['leads', 'other:1'],
    ['leads', 'a:1'],
    ['follows', 'other:1'],
  ])('does not start where that one %s, with the link %s', async (how, link) => {
    await using cluster = await TestCluster.start(['a', 'b']);
    const { epoch } = cluster.shared.held!;
    const name = how === 'leads' ? 'a' : 'b';
    await until(() => cluster.nodes[0]!.node.services.cluster!.status().nodes.length === 2);
    await expect(cluster.add(name, { link })).rejects.toThrow(
      `Another node named ${name} runs, with the link ${name}:1: give each node its own name`,
    );
    expect(cluster.shared.held!.epoch).toBe(epoch);
    expect(cluster.nodes[0]!.node.services.cluster!.status().nodes).toHaveLength(2);
  });

  test('leads where it is that node after a crash', async () => {
    await using cluster = await TestCluster.start(['a']);
    cluster.kill(cluster.nodes[0]!);
    const { node } = await cluster.add('a');
    expect(node.services.cluster!.leads).toBe(true);
  });
});

test('no command needs newer rules than the cluster has', async () => {
  ADDED.orderBatch = RULES;
  await using cluster = await TestCluster.start([]);
  addOlder(cluster);
  const { node: a } = await cluster.add('a');
  await a.list();
  const client = await a.client();
  const order = { symbol: 'BTC-USDT', side: 1, ordType: 2, price: 100, orderQty: 1 };
  const { seq } = a;
  const batch = { orders: [{ op: 'place', ...order }] };
  const rejected = await client.post(ORDERS_V2, batch);
  expect<unknown>([rejected.status, rejected.body.code]).toEqual([503, '100503']);
  expect<unknown>(rejected.body.userMsg).toContain('agio cluster upgrade');
  expect(rejected.headers.get('retry-after')).toBe('1');
  expect(a.seq).toBe(seq);
  expectOk(await client.post(ORDER_V2, order));
  expect(new Set(rulesOf(cluster))).toEqual(new Set([RULES - 1]));
  await (await cluster.add('z')).node.stop();
  expectOk(await new Operator(a).post('cluster/upgrade', {}));
  expectOk(await client.post(ORDERS_V2, batch));
  expect(rulesOf(cluster).at(-1)).toBe(RULES);
});
