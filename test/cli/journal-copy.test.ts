// agio cluster migrate and agio journal copy with a real PostgreSQL: a venue moves from files to a
// database and back, whole or not at all.

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CopyTarget } from '../../src/cluster/postgres/copy-target.ts';
import type { PostgresStore } from '../../src/cluster/postgres/postgres-store.ts';
import type { JournalRecord } from '../../src/journal/journal.ts';
import { openFileJournal, openHistory } from '../../src/journal/open-journal.ts';
import { agio, expectRejected, Sandbox, Server } from '../support/cli.ts';
import { imageIn } from '../support/identity-rows.ts';
import { acquireAs } from '../support/members.ts';
import { NO_POSTGRES, PostgresServer } from '../support/postgres.ts';
import { connectNode, emptyStore, expireLease, NODE_ROLE } from '../support/postgres-store.ts';

describe.skipIf(NO_POSTGRES)('a venue in a database', () => {
  const sandbox = new Sandbox();
  const { data, place } = sandbox;
  let server: PostgresServer;
  let store: PostgresStore;
  let url: string;
  let masterKey: string;

  beforeAll(async () => {
    server = await PostgresServer.create();
    await server.query(`CREATE ROLE ${NODE_ROLE} LOGIN`);
    url = server.url(NODE_ROLE);
    store = connectNode('a', [server]);
    await using running = await Server.start(['--data', data, '--segment-bytes', '1048576']);
    await running.end('SIGTERM');
    masterKey = readFileSync(join(data, 'master.key'), 'utf8').trim();
    const migrated = await agio(['cluster', 'migrate', '--role', NODE_ROLE], {
      env: { AGIO_DATABASE_URL: server.url() },
    });
    expect(migrated).toMatchObject({ code: 0, stderr: '' });
    expect(migrated.stdout).toMatch(/^The schema agio has version \d+, and nodes can use it as /);
  });
  afterAll(async () => {
    await store?.close();
    await server?.dispose();
    await sandbox[Symbol.asyncDispose]();
  });
  beforeEach(() => emptyStore(server));

  const copyTo = () => agio(['journal', 'copy', '--to', url, '--data', data]);
  const copyFrom = (directory: string) =>
    agio(['journal', 'copy', '--from', url, '--data', directory], {
      env: { AGIO_MASTER_KEY: masterKey },
    });
  const verified = async (directory: string) => {
    const env = { AGIO_MASTER_KEY: masterKey };
    const { code, stdout } = await agio(['verify', '--data', directory], { env });
    expect({ code, stdout }).toMatchObject({ code: 0 });
    return (name: string) => stdout.split('\n').find((line) => line.startsWith(`✓ ${name} `));
  };

  async function records(): Promise<JournalRecord[]> {
    const history = openHistory(data, null);
    const all: JournalRecord[] = [];
    for await (const group of history.read(1)) all.push(...group);
    await history.close();
    return all;
  }

  /** Runs a command while the leader of this term renews its lease. */
  async function whileRenewed<T>(epoch: number, act: () => Promise<T>): Promise<T> {
    const timer = setInterval(() => void store.renew(epoch), 200);
    try {
      return await act();
    } finally {
      clearInterval(timer);
    }
  }

  test('comes back as the same venue, which starts', async () => {
    const there = await copyTo();
    expect(there).toMatchObject({ code: 0, stderr: '' });
    expect(there.stdout).toContain('verified');
    const last = (await records()).at(-1)!;
    expect((await store.head()).chainHash).toEqual(last.chainHash);
    // The next term is later than every one of the journal.
    const { lease } = await acquireAs(store, 'a', 'a:1');
    expect(lease).toMatchObject({ node: 'a', epoch: last.epoch + 1 });
    await expireLease(server);

    const single = place.path('single');
    expect(await copyFrom(single)).toMatchObject({ code: 0, stderr: '' });
    const [before, after] = [await verified(data), await verified(single)];
    for (const check of ['journal', 'identity', 'audit log', 'people']) {
      expect(after(check)).toBe(before(check)!);
    }
    const env = { AGIO_MASTER_KEY: masterKey };
    await using started = await Server.start(['--data', single], env);
    expect((await started.end('SIGTERM')).code).toBe(0);
    expectRejected(await copyFrom(single), 'has a venue: name a new directory');

    // The source would be a second venue. A repeated copy and the proof still work.
    const again = ['start', '--no-demo', '--port', '0', '--data', data];
    const rejected = await agio(again);
    expect(rejected.code).toBe(1);
    expect(rejected.stderr).toMatch(/was moved into a database \(\S+Z to \S+\/agio\) and goes on/);
    const copied = place.copy(data, 'accepted');
    const accepted = ['--data', copied, '--accept-moved'];
    expect((await (await Server.start(accepted)).end('SIGTERM')).code).toBe(0);
    expect((await (await Server.start(['--data', copied])).end('SIGTERM')).code).toBe(0);
  });

  test('an interrupted copy keeps nodes away, and continues', async () => {
    const all = await records();
    const target = new CopyTarget(url);
    await target.hold('');
    await target.append(all.slice(0, Math.floor(all.length / 2)));
    target[Symbol.dispose]();
    const { lease } = await acquireAs(store, 'a', 'a:1');
    expect(lease).toMatchObject({ node: 'journal copy' });
    expect(await copyTo()).toMatchObject({ code: 0, stderr: '' });
    expect((await store.head()).chainHash).toEqual(all.at(-1)!.chainHash);
    expect((await acquireAs(store, 'a', 'a:1')).lease).toMatchObject({ node: 'a' });
  });

  test('an interrupted copy to files continues', async () => {
    await copyTo();
    const single = place.path('continued');
    expectRejected(
      await agio(['journal', 'copy', '--from', server.url('nobody'), '--data', single]),
      'nobody',
    );
    expect(await copyFrom(single)).toMatchObject({ code: 0 });
    const partial = place.copy(single, 'partial');
    await Bun.file(join(partial, 'identity.db')).delete();
    expect(await copyFrom(partial)).toMatchObject({ code: 0, stderr: '' });
    expect(existsSync(join(partial, 'identity.db'))).toBe(true);
  });

  test('a node of a cluster is backed up and verified with the database', async () => {
    await copyTo();
    // A node that was started and has a part of the journal.
    const node = place.path('node');
    const journal = await openFileJournal(node, { onDamaged: () => {} });
    const all = await records();
    const half = all.slice(0, Math.floor(all.length / 2));
    for (const record of half) await journal.append(record);
    await journal.close();
    const env = { AGIO_MASTER_KEY: masterKey, AGIO_DATABASE_URL: url };
    const proof = await agio(['verify', '--data', node], { env });
    expect(proof).toMatchObject({ code: 0, stderr: '' });
    const rest =
      all.at(-1)!.firstSeq + all.at(-1)!.count - half.at(-1)!.firstSeq - half.at(-1)!.count;
    expect(proof.stdout).toContain(`which has ${rest.toLocaleString('en-US')} commands after them`);
    expect(proof.stdout).toContain('✓ people');

    const target = place.path('node-backup');
    const backup = await agio(['backup', target, '--data', node], { env });
    expect(backup).toMatchObject({ code: 0, stderr: '' });
    const [before, after] = [await verified(data), await verified(target)];
    for (const check of ['journal', 'identity', 'audit log', 'people']) {
      expect(after(check)).toBe(before(check)!);
    }
    await using started = await Server.start(['--data', target], { AGIO_MASTER_KEY: masterKey });
    expect((await started.end('SIGTERM')).code).toBe(0);
  });

  test('files of another venue are no node of the cluster', async () => {
    await copyTo();
    await using other = await Sandbox.start();
    await other.server.end('SIGTERM');
    const args = ['verify', '--data', other.data, '--database-url', url];
    const proof = await agio(args, { env: { AGIO_MASTER_KEY: masterKey } });
    expect(proof.code).toBe(1);
    expect(proof.stdout).toContain(
      "✗ journal     The journal files of this node are not those of the cluster's database",
    );
    const backup = ['backup', place.path('mixed'), '--data', other.data, '--database-url', url];
    expectRejected(await agio(backup), 'differ from it at command');
  });

  test('a database that another venue uses stays as it is', async () => {
    await acquireAs(store, 'a', 'a:1');
    expectRejected(
      await whileRenewed(1, copyTo),
      /^agio: a leads the cluster of this database: stop it first\.$/m,
    );
    await store.writeIdentity(1, 1, { removed: [], added: ['["users",1]'], mac: '' });
    await expireLease(server);
    expectRejected(await copyTo(), 'has another venue, of 0 commands');
    await emptyStore(server);
    const [first] = await records();
    const other = { ...first!, epoch: 1, chainHash: new Uint8Array(32).fill(7) };
    await acquireAs(store, 'a', 'a:1');
    await store.append(other);
    await expireLease(server);
    expectRejected(await copyTo(), 'has another venue');
    expect((await store.head()).chainHash).toEqual(other.chainHash);
  });

  test('a copy of a venue that a cluster has continued is rejected', async () => {
    await copyTo();
    const { lease } = await acquireAs(store, 'a', 'a:1');
    const { version } = await imageIn(store);
    const added = ['["audit_log",9999]'];
    await store.writeIdentity(lease!.epoch, version + 1, { removed: [], added, mac: '' });
    const early = () => copyFrom(place.path('early'));
    const rejected = await whileRenewed(lease!.epoch, early);
    expectRejected(rejected, 'a leads the cluster of this database');
    await expireLease(server);
    expectRejected(await copyTo(), 'has another identity than this directory');
  });
});
