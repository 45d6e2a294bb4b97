// A promotion by hand, after which the old primary comes back and accepts writes: no node uses it,
// none ends, and orders go on at the new one. It may even be the only server for some time.
import { expect, test } from 'bun:test';
import { inDirectory } from '../crash/server-process.ts';
import { NO_POSTGRES, type PostgresServer } from '../support/postgres.ts';
import { createStoreServer } from '../support/postgres-store.ts';
import { until } from '../support/waiting.ts';
import { ClusterAudit } from './cluster-audit.ts';
import { Load } from './load.ts';
import { RealCluster } from './real-cluster.ts';

/** Writes that every node accepts after each step. */
const PROGRESS = 5;
const REJECTED = 'an old primary (timeline 1, and 2 has begun)';

/** Everything that nodes may have changed on a server. */
const journalOf = (server: PostgresServer) =>
  server.query(`
    SELECT (SELECT count(*) FROM agio.journal)::int AS records, lease.renewal, lease.epoch::int,
      (SELECT sum(beats) FROM agio.member)::int AS beats
    FROM agio.lease`);

/** Ends all connections of nodes, which then look for the primary again. */
const disconnect = (server: PostgresServer) =>
  server.query(`
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE application_name IN ('agio/a', 'agio/b', 'agio/c')`);

async function promoteByHand(
  cluster: RealCluster,
  load: Load,
  [old, next]: readonly [PostgresServer, PostgresServer],
): Promise<void> {
  const log = async (text: string): Promise<boolean> => (await cluster.logs()).includes(text);
  await load.progress(PROGRESS);
  await old.signal('SIGKILL');
  await next.promote();
  await load.progress(PROGRESS);
  // It accepts writes and confirms them alone.
  await old.start();
  await old.query('ALTER SYSTEM RESET synchronous_standby_names');
  await old.query('SELECT pg_reload_conf()');
  const before = await journalOf(old);
  for (let round = 0; round < 3; round++) {
    await disconnect(next);
    await load.progress(PROGRESS);
  }
  await until(() => log(REJECTED));
  // It is the only server that answers, also for a node that starts.
  const [, , node] = cluster.nodes;
  await node!.kill();
  await next.signal('SIGKILL');
  await load.failures(PROGRESS);
  const starting = node!.start();
  await until(() => log('The start waits for it.'));
  await next.start();
  await starting;
  await load.progress(PROGRESS);
  expect(await journalOf(old)).toEqual(before);
  expect(cluster.nodes.map(({ isRunning }) => isRunning)).toEqual([true, true, true]);
}

test.skipIf(NO_POSTGRES)('no node uses an old primary that accepts writes again', () =>
  inDirectory(async (directory) => {
    const old = await createStoreServer();
    const next = await old.addStandby();
    try {
      const cluster = await RealCluster.start(directory, { ports: [old.port, next.port] });
      try {
        const audit = new ClusterAudit(cluster);
        await audit.begin();
        const load = new Load({
          nodes: cluster.nodes,
          keys: cluster.keys,
          operatorToken: cluster.access.operatorToken,
          seed: 1,
          prefix: 'promotion',
        });
        await promoteByHand(cluster, load, [old, next]).finally(() => load.stop());
        await old.stop();
        await audit.check(load);
        await audit.end();
      } catch (error) {
        throw new Error(`${(error as Error).message}\n${await cluster.logs()}`, { cause: error });
      } finally {
        await cluster.dispose();
      }
    } finally {
      await next.dispose();
      await old.dispose();
    }
  }),
);
