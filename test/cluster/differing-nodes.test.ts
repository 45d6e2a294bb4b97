// Nodes that differ: in their state, which ends a node and all that it wrote, or in their release,
// during an upgrade. And two that do not differ enough: in their name.
import { afterEach, describe, expect, test } from 'bun:test';
import { cpSync, existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Hello, helloFrame } from '../../src/cluster/link/hello.ts';
import { readDown } from '../../src/cluster/link/messages.ts';
import { ADDED, RULES } from '../../src/core/rules.ts';
import { amount } from '../../src/core/units.ts';
import { DivergenceError } from '../../src/engine/follower.ts';
import { snapshotDirectory } from '../../src/engine/snapshot-store.ts';
import { genesisHash } from '../../src/journal/record.ts';
import { TestCluster } from '../support/cluster.ts';
import { ORDER_V2, ORDERS_V2 } from '../support/node.ts';
import { expectOk } from '../support/shape.ts';
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

/** A node of the older release, as far as the leader knows. */
async function olderNode(cluster: TestCluster) {
  const { head, records, identityVersion } = cluster.shared;
  const clusterId = records[0]?.chainHash ?? genesisHash();
  const own: Hello = { node: 'z', address: 'z:1', clusterId, epoch: 1, ...head, identityVersion };
  const channel = await cluster.network.of('z').dial('a:1');
  /** The rules of each record that came. */
  const rules: number[] = [];
  let isGreeted = false;
  channel.attach({
    onFrame(frame) {
      const message = isGreeted ? readDown(frame) : null;
      isGreeted = true;
      if (message?.type === 'record') rules.push(message.record.payload[0]!);
    },
    onClose() {},
  });
  channel.send(helloFrame(own, { rules: RULES - 1 }));
  await until(() => isGreeted);
  return { channel, rules };
}

test('while a node of the older release is there, records keep its rules', async () => {
  await using cluster = await TestCluster.start([]);
  const { node: a } = await cluster.add('a');
  const create = (asset: string) => a.must({ type: 'createAsset', asset, scale: 8, fiat: false });
  const older = await olderNode(cluster);
  await until(() => a.services.cluster!.status().nodes.length === 2);
  await create('BTC');
  await until(() => older.rules.length === 1);
  expect(older.rules).toEqual([RULES - 1]);
  older.channel.close('it is upgraded');
  await until(() => a.services.cluster!.status().nodes.length === 1);
  await create('ETH');
  expect(cluster.shared.records.map(({ payload }) => payload[0])).toEqual([RULES - 1, RULES]);
  const late = await olderNode(cluster);
  await until(() => late.channel.closed !== null);
});

describe('a second node with the name of one that runs', () => {
  test.each(['leads', 'follows'])('refuses to start where that one %s', async (how) => {
    await using cluster = await TestCluster.start(['a', 'b']);
    const { epoch } = cluster.shared.held!;
    const name = how === 'leads' ? 'a' : 'b';
    await until(() => cluster.nodes[0]!.node.services.cluster!.status().nodes.length === 2);
    await expect(cluster.add(name, { link: 'other:1' })).rejects.toThrow(
      `Another node named ${name} runs, with the link ${name}:1: give each node its own name`,
    );
    expect(cluster.shared.held!.epoch).toBe(epoch);
    expect(cluster.nodes[0]!.node.services.cluster!.status().nodes).toHaveLength(2);
  });

  test('leads immediately where it is that node after a crash', async () => {
    await using cluster = await TestCluster.start(['a']);
    cluster.kill(cluster.nodes[0]!);
    cluster.shared.held!.expiresAt = Number.POSITIVE_INFINITY;
    const { node } = await cluster.add('a');
    expect(node.services.cluster!.leads).toBe(true);
  });
});

test('a node of the older release gets no command that it cannot read', async () => {
  ADDED.orderBatch = RULES;
  await using cluster = await TestCluster.start([]);
  const { node: a } = await cluster.add('a');
  const older = await olderNode(cluster);
  await until(() => a.services.cluster!.status().nodes.length === 2);
  await a.list();
  const client = await a.client();
  const order = { symbol: 'BTC-USDT', side: 1, ordType: 2, price: 100, orderQty: 1 };
  const { seq } = a;
  const batch = { orders: [{ op: 'place', ...order }] };
  const rejected = await client.post(ORDERS_V2, batch);
  expect<unknown>([rejected.status, rejected.body.code]).toEqual([503, '100503']);
  expect<unknown>(rejected.body.userMsg).toContain('older release');
  expect(rejected.headers.get('retry-after')).toBe('1');
  expect(a.seq).toBe(seq);
  expectOk(await client.post(ORDER_V2, order));
  await until(() => older.rules.length > 0);
  expect(new Set(older.rules)).toEqual(new Set([RULES - 1]));
  older.channel.close('it is upgraded');
  await until(() => a.services.cluster!.status().nodes.length === 1);
  expectOk(await client.post(ORDERS_V2, batch));
  expect(cluster.shared.records.at(-1)!.payload[0]).toBe(RULES);
});
