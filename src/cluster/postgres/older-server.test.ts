// Servers that are older than what a node has used, or of another database: real servers, a store
// on them, and the file that the node keeps.
import { expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { acquireAs, candidate } from '../../../test/support/members.ts';
import { NO_POSTGRES, type PostgresServer } from '../../../test/support/postgres.ts';
import { connectNode, createStoreServer } from '../../../test/support/postgres-store.ts';
import { appendRecords, storeRejection } from '../../../test/support/store-contract.ts';
import { until } from '../../../test/support/waiting.ts';
import { KnownDatabase } from './known-database.ts';

/** With its owners. */
const copyDirectory = (from: string, to: string) => Bun.spawnSync(['cp', '-a', from, to]);

/** Runs a node at these servers until `act` is done; `log` gets its warnings. */
async function atServers<T>(
  dataDir: string,
  servers: readonly PostgresServer[],
  act: (store: ReturnType<typeof connectNode>, log: string[]) => Promise<T>,
): Promise<T> {
  const log: string[] = [];
  const known = new KnownDatabase({ dataDir, warn: (sentence) => log.push(sentence) });
  const store = connectNode('a', servers, undefined, known);
  try {
    return await act(store, log);
  } finally {
    await store.close();
  }
}

async function inDataDirectory(act: (dataDir: string) => Promise<void>): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'agio-older-'));
  await act(dataDir).finally(() => rmSync(dataDir, { recursive: true }));
}

test.skipIf(NO_POSTGRES)('a restored backup is used once the file is removed', () =>
  inDataDirectory(async (dataDir) => {
    const server = await createStoreServer();
    const data = join(server.directory, 'data');
    const copy = join(server.directory, 'copy');
    try {
      await server.stop();
      copyDirectory(data, copy);
      await server.start();
      await atServers(dataDir, [server], async (store) => {
        await acquireAs(store, 'a', 'a:1');
        await appendRecords(store, 1, [100_000]);
        await store.beat(candidate('a', 'a:1'));
      });
      await server.stop();
      rmSync(data, { recursive: true });
      copyDirectory(copy, data);
      await server.start();
      const error = await atServers(dataDir, [server], (store) =>
        storeRejection('unreachable', store.head()),
      );
      expect(error.message).toContain(`127.0.0.1:${server.port}, which has lost commits (its WAL`);
      expect(error.message).toEndWith(
        `stop all nodes and remove ${join(dataDir, 'database.json')}.`,
      );
      rmSync(join(dataDir, 'database.json'));
      expect(await atServers(dataDir, [server], (store) => store.head())).toMatchObject({ seq: 0 });
    } finally {
      await server.dispose();
    }
  }),
);

test.skipIf(NO_POSTGRES)('a promoted standby is used while the old primary still answers', () =>
  inDataDirectory(async (dataDir) => {
    const old = await createStoreServer();
    const next = await old.addStandby();
    try {
      await atServers(dataDir, [old, next], async (store, log) => {
        await acquireAs(store, 'a', 'a:1');
        await old.query('ALTER SYSTEM RESET synchronous_standby_names');
        await old.query('SELECT pg_reload_conf()');
        await next.promote();
        await until(async () => {
          // A call that the change interrupts is tried again, as a node does.
          await store.members().catch(() => undefined);
          return log.length > 0;
        });
        expect(log).toEqual([expect.stringContaining(`127.0.0.1:${old.port}, an old primary`)]);
        await store.readLease();
        const sessions = await next.query(
          "SELECT FROM pg_stat_activity WHERE application_name = 'agio/a'",
        );
        expect(sessions.length).toBeGreaterThan(0);
      });
    } finally {
      await next.dispose();
      await old.dispose();
    }
  }),
);

test.skipIf(NO_POSTGRES)('another database is not used, alone or beside the right one', () =>
  inDataDirectory(async (dataDir) => {
    const [own, other] = await Promise.all([createStoreServer(), createStoreServer()]);
    try {
      await atServers(dataDir, [own], (store) => acquireAs(store, 'a', 'a:1'));
      const error = await atServers(dataDir, [other], (store) =>
        storeRejection('unreachable', store.readLease()),
      );
      expect(error.message).toContain(`127.0.0.1:${other.port}, another database (system`);
      await atServers(dataDir, [other, own], async (store, log) => {
        expect((await store.readLease()).lease).toMatchObject({ node: 'a' });
        await until(() => log.length > 0);
        expect(log).toEqual([expect.stringContaining(`127.0.0.1:${other.port}, another database`)]);
      });
    } finally {
      await own.dispose();
      await other.dispose();
    }
  }),
);
