// A promotion by hand as docs/cluster.md prints it. The old primary comes back and accepts writes,
// also as the only server: no node uses it, none ends, and orders go on at the new one.
import { expect, test } from 'bun:test';
import { join } from 'node:path';
import type { Load } from '../harness/load.ts';
import { inDirectory } from '../harness/server-process.ts';
import {
  NO_POSTGRES,
  type PostgresServer,
  programsFolder,
  withoutRoot,
} from '../support/postgres.ts';
import { createStoreServer } from '../support/postgres-store.ts';
import { until } from '../support/waiting.ts';
import { outputOf, printedBlock } from './printed.ts';
import { onCluster, type RealCluster } from './real-cluster.ts';

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

/** Runs a printed step of the promotion as the user of PostgreSQL. */
async function step(
  title: string,
  [old, next]: readonly [PostgresServer, PostgresServer],
): Promise<string> {
  const text = printedBlock('cluster.md', title)
    .replaceAll('/usr/lib/postgresql/15/bin', programsFolder())
    .replaceAll('/var/lib/postgresql/15/main', join(old.directory, 'data'))
    .replaceAll('port=5432', `port=${next.port}`)
    .replaceAll('10.0.0.22', '127.0.0.1');
  const child = Bun.spawn(withoutRoot('bash', '-e', '-c', text), {
    cwd: old.directory,
    env: { PATH: process.env.PATH!, PGPORT: `${next.port}`, HOME: old.directory },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  });
  return outputOf(child, title);
}

/** The old primary becomes the standby that every commit waits for. */
async function becomeStandby(servers: readonly [PostgresServer, PostgresServer]): Promise<void> {
  const [old, next] = servers;
  await next.query('CREATE ROLE replicator REPLICATION LOGIN');
  await step('copy the new primary', servers);
  old.configure('');
  await step('start the new standby', servers);
  await until(async () => /\bsync\b/.test(await step('synchronous again', servers)));
}

async function promoteByHand(
  cluster: RealCluster,
  load: Load,
  servers: readonly [PostgresServer, PostgresServer],
): Promise<void> {
  const [old, next] = servers;
  const log = (text: string): boolean => cluster.logs().includes(text);
  await load.progress(PROGRESS);
  await step('stop the old primary', servers);
  await step('promote the standby', servers);
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
  await step('stop the old primary', servers);
  await becomeStandby(servers);
  await load.progress(PROGRESS);
  expect(cluster.nodes.map(({ isRunning }) => isRunning)).toEqual([true, true, true]);
}

async function startServers() {
  const old = await createStoreServer();
  const next = await old.addStandby();
  const servers = [old, next] as const;
  return {
    servers,
    ports: [old.port, next.port],
    async [Symbol.asyncDispose]() {
      await step('stop the old primary', servers).catch(() => undefined);
      await next.dispose();
      await old.dispose();
    },
  };
}

test.skipIf(NO_POSTGRES)('no node uses an old primary that accepts writes again', () =>
  inDirectory((directory) =>
    onCluster(directory, startServers, async (cluster, audit, { servers }) => {
      const load = cluster.load('promotion');
      await promoteByHand(cluster, load, servers).finally(() => load.stop());
      await audit.check(load);
    }),
  ),
);
