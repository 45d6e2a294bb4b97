// A node behind PgBouncer: the start is rejected with a sentence in every mode of pooling.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Subprocess } from 'bun';
import {
  freePort,
  NO_POSTGRES,
  type PostgresServer,
  temporaryDirectory,
  withoutRoot,
} from '../../../test/support/postgres.ts';
import { connectNode, createStoreServer } from '../../../test/support/postgres-store.ts';
import { storeRejection } from '../../../test/support/store-contract.ts';
import { until } from '../../../test/support/waiting.ts';

const PGBOUNCER = Bun.which('pgbouncer', { PATH: `${process.env.PATH}:/usr/sbin` });
if (PGBOUNCER === null) console.warn('pgbouncer was not found: its tests are skipped.');

const IGNORED =
  'ignore_startup_parameters = synchronous_commit,default_transaction_isolation,statement_timeout';

describe.skipIf(NO_POSTGRES || PGBOUNCER === null)('PgBouncer', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await createStoreServer();
  });
  afterAll(() => server?.dispose());

  test.each([
    ['session', ''],
    ['session', IGNORED],
    ['transaction', ''],
    ['transaction', IGNORED],
    ['statement', IGNORED],
  ])('with %s pooling is rejected (%s)', async (mode, settings) => {
    const directory = temporaryDirectory();
    const port = freePort();
    const file = join(directory, 'pgbouncer.ini');
    writeFileSync(
      file,
      `[databases]\nagio = host=127.0.0.1 port=${server.port}\n[pgbouncer]\n` +
        `listen_addr = 127.0.0.1\nlisten_port = ${port}\nunix_socket_dir =\n` +
        `auth_type = trust\npool_mode = ${mode}\n${settings}\n` +
        `auth_file = ${join(directory, 'users')}\n`,
    );
    writeFileSync(join(directory, 'users'), '"agio_node" ""\n');
    for (const path of [file, join(directory, 'users')]) chmodSync(path, 0o644);
    const pooler: Subprocess = Bun.spawn(withoutRoot(PGBOUNCER!, file), {
      cwd: directory,
      stdout: 'ignore',
      stderr: Bun.file(join(directory, 'log')),
    });
    const node = connectNode('a', [{ port }]);
    try {
      await until(() => isListening(port));
      const { message } = await storeRejection('rejected', node.readLease());
      expect(message).toContain('a pooler such as PgBouncer');
      expect(message).not.toContain('\n');
    } finally {
      await node.close();
      pooler.kill('SIGKILL');
      await pooler.exited;
      rmSync(directory, { recursive: true, force: true });
    }
  });
});

async function isListening(port: number): Promise<boolean> {
  try {
    (await Bun.connect({ hostname: '127.0.0.1', port, socket: { data() {} } })).end();
    return true;
  } catch {
    return false;
  }
}
