// The clock of the store steps, as when a standby with another time is promoted: no lease depends
// on it, and business time never goes back.
import { expect, test } from 'bun:test';
import { Exchange } from '../../src/core/exchange.ts';
import { applyRecord } from '../../src/engine/recovery.ts';
import { emptyState } from '../../src/engine/snapshot-store.ts';
import { type ClusterNode, TestCluster } from '../support/cluster.ts';
import { until } from '../support/waiting.ts';

test.each([-30_000, 3_600_000])(
  'a store whose clock steps by %d ms keeps its leader, and gets another one when it is lost',
  async (step) => {
    await using cluster = await TestCluster.start(['a', 'b']);
    const [a, b] = cluster.nodes as [ClusterNode, ClusterNode];
    await a.node.user({});
    await cluster.settled();
    const { now } = cluster.shared;
    const { epoch, renewal } = cluster.shared.held!;
    cluster.shared.now = () => now() + step;
    await until(() => {
      const { wall } = a.node.services.engine;
      return Math.abs(wall() - now() - step) < 10_000;
    });
    await until(() => cluster.shared.held!.renewal !== renewal);
    await a.node.client();
    expect([cluster.shared.held!.epoch, a.node.services.cluster!.leads]).toEqual([epoch, true]);

    cluster.kill(a);
    await cluster.leader([b]);
    expect(cluster.shared.held!.epoch).toBe(epoch + 1);
    await b.node.must({ type: 'createAsset', asset: 'SOL', scale: 8, fiat: false });

    const exchange = new Exchange(emptyState());
    let last = 0;
    for (const record of cluster.shared.records) {
      applyRecord(exchange, record, () => undefined);
      expect(exchange.state.time).toBeGreaterThanOrEqual(last);
      last = exchange.state.time;
    }
  },
);
