// URLs of the store: what is accepted, and what a rejection says without the password.
import { describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { StoreError } from '../store.ts';
import { parseDatabaseUrl } from './database-url.ts';

describe('the database URL', () => {
  test('names several servers of one database', () => {
    expect(parseDatabaseUrl('postgres://node:p%40ss:w@a:6432,b,[::1]:1/agio')).toEqual({
      servers: [
        { hostname: 'a', port: 6432 },
        { hostname: 'b', port: 5432 },
        { hostname: '::1', port: 1 },
      ],
      username: 'node',
      password: 'p@ss:w',
      database: 'agio',
      sslMode: 'prefer',
    });
  });

  test('may say that it wants the server that accepts writes, and how TLS is checked', () => {
    const url = 'postgresql://node@a/agio?sslmode=verify-full&target_session_attrs=read-write';
    expect(parseDatabaseUrl(url)).toMatchObject({ password: '', sslMode: 'verify-full' });
    const [certificate] = rootCertificates;
    const file = join(mkdtempSync(join(tmpdir(), 'agio-ca-')), 'ca.pem');
    writeFileSync(file, certificate!);
    const withFile = parseDatabaseUrl(`${url}&sslrootcert=${encodeURIComponent(file)}`);
    expect(withFile.trusted).toBe(certificate);
    rmSync(dirname(file), { recursive: true });
  });

  test.each([
    ['mysql://u:hunter2@a/agio', 'postgres://USER:PASSWORD@HOST:PORT,HOST:PORT/DATABASE'],
    ['postgres://a/agio', 'postgres://USER:PASSWORD@HOST:PORT'],
    ['postgres://u:hunter2@a', '/DATABASE'],
    ['postgres://u:hunter2@a:0/agio', '"a:0" must be HOST or HOST:PORT'],
    ['postgres://u:hunter2@a:65536/agio', 'ports from 1 to 65535'],
    ['postgres://u:hunter2@a,,b/agio', '"" must be HOST'],
    ['postgres://u:hunter2%@a/agio', 'percent-encoded'],
    ['postgres://u:hunter2@a/agio?sslmode=on', 'sslmode must be one of disable'],
    ['postgres://u:hunter2@a/agio?sslrootcert=/no/file', 'sslrootcert must be a readable file'],
    [
      `postgres://u:hunter2@a/agio?sslrootcert=${import.meta.path}`,
      `sslrootcert must be a PEM certificate, not ${import.meta.path}`,
    ],
    ['postgres://u:hunter2@a/agio?target_session_attrs=any', 'must be read-write'],
    ['postgres://u:hunter2@a/agio?hots=b', '"hots" is unknown; it accepts sslmode'],
  ])('%s is rejected', (url, reason) => {
    try {
      parseDatabaseUrl(url);
      expect.unreachable();
    } catch (error) {
      expect(error).toBeInstanceOf(StoreError);
      expect((error as StoreError).message).toContain(reason);
      expect((error as StoreError).message).not.toContain('hunter2');
    }
  });
});
