// The operator's calls about a cluster, and what a node shows of it to balancers and monitoring.
// The nodes themselves are tested in test/cluster.
import { afterEach, describe, expect, test } from 'bun:test';
import { FakeCluster, FOLLOWER, GONE, LAG, LEADER } from '../support/fake-cluster.ts';
import { TestNode } from '../support/node.ts';
import { Operator } from '../support/operator.ts';
import { expectError, expectOk } from '../support/shape.ts';
import { until } from '../support/waiting.ts';

const node = TestNode.forFile();
const operator = new Operator(node);
afterEach(() => FakeCluster.remove(node));

const clusterLines = async (): Promise<string[]> =>
  (await node.get('/metrics')).text.split('\n').filter((line) => line.startsWith('agio_cluster_'));

describe('on a single machine', () => {
  test('GET cluster says so', async () => {
    expect<unknown>(expectOk(await operator.get('cluster'))).toEqual({
      ...{ mode: 'single', leader: null, epoch: 0, since: null },
      ...{ nodes: [], otherTokens: [], trouble: null, reason: null },
      ...{ rules: 0, newRules: 0, standbys: 0, standbysLost: 0 },
    });
    expect(operator.audited()[0]).toMatchObject({ action: 'cluster.read', result: 'ok' });
  });

  test('the lead cannot be handed over', async () => {
    expectError(await operator.post('cluster/lead', { node: FOLLOWER }), 409, 100702);
    expect(operator.audited()[0]).toMatchObject({ object: FOLLOWER, result: '100702' });
  });

  test('/ready and /metrics have nothing of a cluster', async () => {
    expect(Object.keys((await node.get('/ready')).body)).not.toContain('cluster');
    expect(await clusterLines()).toEqual([]);
  });
});

describe('in a cluster', () => {
  test('GET cluster has every node and its lag', async () => {
    FakeCluster.at(node);
    const { seq } = node;
    const { nodes, ...cluster } = expectOk(await operator.get('cluster'));
    expect<unknown>(cluster).toEqual({
      ...{ mode: 'cluster', leader: LEADER, epoch: 7 },
      ...{ since: expect.any(Number), otherTokens: [], trouble: null, reason: null },
      ...{ rules: 1, newRules: 1, standbys: 1, standbysLost: 0 },
    });
    const known = { release: '0.1.0', rules: 1, lastSeen: expect.any(Number) };
    expect<unknown>(nodes).toEqual([
      {
        ...{ node: LEADER, address: 'agio-1:7400', role: 'leader' },
        ...{ seq, lag: 0, connectedSince: null, ...known },
      },
      {
        ...{ node: FOLLOWER, address: 'agio-2:7400', role: 'follower' },
        ...{ seq: seq - LAG, lag: LAG, connectedSince: expect.any(Number), ...known },
      },
      {
        ...{ node: GONE, address: 'agio-3:7400', role: 'lost' },
        ...{ seq: null, lag: null, connectedSince: null, ...known },
      },
    ]);
  });

  test('POST cluster/upgrade and cluster/forget have audit entries', async () => {
    FakeCluster.at(node);
    expectOk(await operator.post('cluster/upgrade', { dryRun: true }));
    expect(operator.audited()[0]).toMatchObject({ action: 'cluster.upgrade', object: 'dry run' });
    expectError(await operator.post('cluster/forget', { node: FOLLOWER }), 409, 100706);
    expectOk(await operator.post('cluster/forget', { node: GONE }));
    expect(operator.audited()[0]).toMatchObject({ action: 'cluster.forget', object: GONE });
  });

  test('POST cluster/lead hands over after its audit entry', async () => {
    const cluster = FakeCluster.at(node);
    const answer = expectOk(await operator.post('cluster/lead', { node: FOLLOWER }));
    expect<unknown>(answer).toEqual({ node: FOLLOWER, epoch: 7 });
    await until(() => cluster.handovers.length > 0);
    const [entry] = operator.audited();
    expect(entry).toMatchObject({ action: 'cluster.lead', object: FOLLOWER, result: 'ok' });
    expect(cluster.handovers).toEqual([{ node: FOLLOWER, auditId: entry!.id }]);
  });

  test.each([
    ['a node that is not connected', { node: 'agio-9' }, 409, 100703, 'node'],
    ['the leader itself', { node: LEADER }, 409, 100704, undefined],
    ['no node', {}, 400, 100200, 'node'],
    ['an empty name', { node: '' }, 400, 100200, 'node'],
    ['a name that is too long', { node: 'a'.repeat(64) }, 400, 100200, 'node'],
  ] as const)('the lead does not go to %s', async (_, body, status, code, field) => {
    const cluster = FakeCluster.at(node);
    expectError(await operator.post('cluster/lead', body), status, code, field);
    expect(cluster.handovers).toEqual([]);
  });

  test('journal files are not removed for another node', async () => {
    FakeCluster.at(node);
    const body = { seq: 0, chainHash: '0'.repeat(64) };
    const rejected = await operator.post('journal/truncate', body);
    expectError(rejected, 409, 100701);
    expect(rejected.text).toContain('stop it, then archive its journal');
  });

  test('/ready takes no writes without a leader, and says so with status 200', async () => {
    const cluster = FakeCluster.at(node);
    const ready = async () => expectOk(await node.get('/ready'));
    expect<unknown>(await ready()).toMatchObject({
      status: 'ready',
      cluster: { role: 'leader', epoch: 7 },
    });
    cluster.role = 'follower';
    expect<unknown>(await ready()).toMatchObject({
      status: 'ready',
      cluster: { role: 'follower' },
    });
    cluster.role = 'none';
    const readOnly = { status: 'readOnly', reason: 'noLeader', cluster: { role: 'none' } };
    expect<unknown>(await ready()).toMatchObject(readOnly);
    const health = expectOk(await node.get('/health'));
    expect(health).toMatchObject({ status: 'ok', ready: false, reason: 'noLeader' });
    expect((await node.get('/metrics')).text).toContain('\nagio_ready 0\n');
  });

  test('/metrics has role, term, nodes and their lag', async () => {
    const cluster = FakeCluster.at(node);
    expect(await clusterLines()).toEqual([
      'agio_cluster_role{role="leader"} 1',
      'agio_cluster_role{role="follower"} 0',
      'agio_cluster_role{role="none"} 0',
      'agio_cluster_epoch 7',
      'agio_cluster_nodes 2',
      `agio_cluster_lag_commands{node="${FOLLOWER}"} ${LAG}`,
    ]);
    cluster.role = 'follower';
    expect((await clusterLines()).filter((line) => line.startsWith('agio_cluster_role'))).toEqual([
      'agio_cluster_role{role="leader"} 0',
      'agio_cluster_role{role="follower"} 1',
      'agio_cluster_role{role="none"} 0',
    ]);
    expect(await clusterLines()).toHaveLength(4);
  });
});
