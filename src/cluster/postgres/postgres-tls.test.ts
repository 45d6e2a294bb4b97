// TLS to PostgreSQL: what each sslmode of the URL accepts.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { chownSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { NO_POSTGRES, type PostgresServer } from '../../../test/support/postgres.ts';
import { createStoreServer, NODE_ROLE } from '../../../test/support/postgres-store.ts';
import { storeRejection } from '../../../test/support/store-contract.ts';
import { PostgresStore } from './postgres-store.ts';

describe.skipIf(NO_POSTGRES)('TLS to PostgreSQL', () => {
  let server: PostgresServer;

  beforeAll(async () => {
    server = await createStoreServer();
    createCertificate('server', 'localhost');
    createCertificate('other', 'localhost');
    const file = (name: string) => join(server.directory, name);
    await server.stop();
    server.configure(
      `ssl = on\nssl_cert_file = '${file('server.crt')}'\nssl_key_file = '${file('server.key')}'\n`,
    );
    await server.start();
  });
  afterAll(() => server?.dispose());

  /** A certificate that signs itself, in the directory of the server and readable by it alone. */
  function createCertificate(name: string, host: string): void {
    const { directory } = server;
    const [key, certificate] = [join(directory, `${name}.key`), join(directory, `${name}.crt`)];
    const created = Bun.spawnSync([
      ...['openssl', 'req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256'],
      ...['-nodes', '-subj', `/CN=${host}`, '-addext', `subjectAltName=DNS:${host}`],
      ...['-keyout', key, '-out', certificate],
    ]);
    if (created.exitCode !== 0) throw new Error(`openssl: ${created.stderr}`);
    const { uid, gid } = statSync(directory);
    for (const path of [key, certificate]) chownSync(path, uid, gid);
  }

  /** True if the connection is encrypted, by what PostgreSQL says. */
  async function isEncrypted(host: string, mode: string, root?: string): Promise<boolean> {
    const file = root === undefined ? '' : `&sslrootcert=${join(server.directory, `${root}.crt`)}`;
    const url = `postgres://${NODE_ROLE}@${host}:${server.port}/agio?sslmode=${mode}${file}`;
    const store = new PostgresStore({ url, node: mode });
    try {
      await store.readLease();
      const [row] = await server.query(
        `SELECT ssl FROM pg_stat_ssl JOIN pg_stat_activity USING (pid)
         WHERE application_name = 'agio/${mode}'`,
      );
      return row!.ssl === true;
    } finally {
      await store.close();
    }
  }

  test('each mode encrypts but disable', async () => {
    expect(await isEncrypted('localhost', 'disable')).toBe(false);
    expect(await isEncrypted('localhost', 'prefer')).toBe(true);
    expect(await isEncrypted('127.0.0.1', 'require')).toBe(true);
    expect(await isEncrypted('127.0.0.1', 'verify-ca', 'server')).toBe(true);
    expect(await isEncrypted('localhost', 'verify-full', 'server')).toBe(true);
  });

  test('verification needs a trusted certificate, and verify-full one of the host', async () => {
    const remedyOf = async (...[host, mode, root]: Parameters<typeof isEncrypted>) => {
      const error = await storeRejection('unreachable', isEncrypted(host, mode, root));
      expect(error.isMistake).toBe(true);
      return error.message;
    };
    for (const mode of ['verify-ca', 'verify-full']) {
      for (const root of [undefined, 'other']) {
        expect(await remedyOf('localhost', mode, root)).toContain('the CA of the server');
      }
    }
    expect(await remedyOf('127.0.0.1', 'verify-full', 'server')).toContain(
      'name the server in the database URL as in its certificate',
    );
  });
});
