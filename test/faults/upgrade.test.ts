// A rolling upgrade with two builds of agio under load: old and new nodes lead and follow each
// other, the lead moves by handover and by kill, nodes go back, then the rules are raised.
import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { RULES } from '../../src/core/rules.ts';
import type { Load } from '../harness/load.ts';
import { inDirectory, MAIN } from '../harness/server-process.ts';
import { NO_POSTGRES } from '../support/postgres.ts';
import { createStoreServer } from '../support/postgres-store.ts';
import type { ClusterAudit } from './cluster-audit.ts';
import type { ClusterNode } from './node-process.ts';
import { otherBuild } from './other-build.ts';
import { onCluster, type RealCluster } from './real-cluster.ts';

const OLDER = { release: '0.0.9', rules: RULES - 1, link: 0 };
/** Two versions of the link ahead of the older release. */
const FAR = { release: '9.0.0', rules: RULES + 1, link: 3 };
/** Writes that every node accepts after each step. */
const PROGRESS = 5;

interface Upgrade {
  readonly cluster: RealCluster;
  readonly load: Load;
  readonly older: string;
  readonly far: string;
}

/** Stops a node, in order or not, and starts it as another build. */
async function change(node: ClusterNode, main: string, how: 'stop' | 'kill'): Promise<void> {
  if (how === 'stop') expect(await node.stop()).toBe(0);
  else await node.kill();
  node.main = main;
  await node.start();
}

async function lead({ cluster, load }: Upgrade, name: string): Promise<void> {
  const { node, epoch } = await cluster.leader();
  if (node.name !== name) {
    await cluster.operator(node, 'cluster/lead', { node: name });
    expect((await cluster.leader(epoch)).node.name).toBe(name);
  }
  await load.progress(PROGRESS);
}

const upgradeBy = ({ cluster }: Upgrade, node: ClusterNode): Promise<unknown> =>
  cluster.operator(node, 'cluster/upgrade', {});

async function rollOn(world: Upgrade): Promise<void> {
  const { cluster, load, older, far } = world;
  const [a, b, c] = cluster.nodes as [ClusterNode, ClusterNode, ClusterNode];
  await load.progress(PROGRESS);
  // An old leader and a new follower.
  await change(c, MAIN, 'stop');
  await load.progress(PROGRESS);
  await expect(upgradeBy(world, a)).rejects.toThrow('a (agio 0.0.9)');
  // A new leader and old followers, by a handover; then an old leader after a kill.
  await lead(world, 'c');
  const { epoch } = await cluster.leader();
  await c.kill();
  expect(['a', 'b']).toContain((await cluster.leader(epoch)).node.name);
  await load.progress(PROGRESS, [a, b]);
  // A release too far ahead gets no lease, and ends nobody.
  c.main = far;
  await expect(c.start()).rejects.toThrow('cannot talk to node');
  await load.progress(PROGRESS, [a, b]);
  await change(c, MAIN, 'kill');
  await lead(world, 'c');
  // A new leader after a kill: the other old node is gone.
  await change(b, MAIN, 'kill');
  await load.progress(PROGRESS);
  // Back, while the rules are still the old ones.
  await change(b, older, 'stop');
  await lead(world, 'b');
  await change(b, MAIN, 'stop');
  await change(a, MAIN, 'stop');
  await load.progress(PROGRESS);
  expect(cluster.nodes.map((node) => node.isRunning)).toEqual([true, true, true]);
}

test.skipIf(NO_POSTGRES)('a rolling upgrade loses nothing, and ends no node', () =>
  inDirectory(async (directory) => {
    const older = otherBuild(join(directory, 'older'), OLDER);
    const far = otherBuild(join(directory, 'far'), FAR);
    const upgrade = async (cluster: RealCluster, audit: ClusterAudit): Promise<void> => {
      const load = cluster.load('upgrade');
      const world = { cluster, load, older, far };
      const [a, b] = cluster.nodes as [ClusterNode, ClusterNode];
      try {
        await rollOn(world);
        expect(await upgradeBy(world, a)).toMatchObject({ from: RULES - 1, to: RULES });
        await load.progress(PROGRESS);
        await b.kill();
        b.main = older;
        const known = `agio 0.0.9 reads version ${RULES - 1}`;
        const rejected = `has version ${RULES} of the rules, and ${known}`;
        await expect(b.start()).rejects.toThrow(rejected);
        await change(b, MAIN, 'kill');
        await load.progress(PROGRESS);
      } finally {
        await load.stop();
      }
      await audit.check(load);
    };
    await onCluster(directory, createStoreServer, upgrade, older);
  }),
);
