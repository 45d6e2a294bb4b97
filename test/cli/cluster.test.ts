// Nodes of a cluster as an operator runs them, with a real PostgreSQL: a venue moves to two nodes,
// goes on there, changes its leader and its master key, is backed up, and comes back.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  agio,
  expectRejected,
  launch,
  operate,
  Place,
  readSandbox,
  Server,
} from '../support/cli.ts';
import { freePort, NO_POSTGRES, type PostgresServer } from '../support/postgres.ts';
import { createStoreServer, NODE_ROLE } from '../support/postgres-store.ts';
import { until } from '../support/waiting.ts';

const NEW_KEY = 'ab'.repeat(32);

test('a start without its database waits for it, and ends with 0 on SIGTERM', async () => {
  using place = new Place();
  const env = {
    AGIO_DATABASE_URL: `postgres://agio_node@127.0.0.1:${freePort()}/agio`,
    AGIO_MASTER_KEY: NEW_KEY,
    AGIO_OPERATOR_TOKEN: 'token-of-the-test-operator',
  };
  const args = ['--data', place.path('a'), '--node', 'a', '--link', `127.0.0.1:${freePort()}`];
  const start = launch(['start', '--port', '0', ...args], env);
  let log = '';
  for await (const chunk of start.stderr) {
    log += Buffer.from(chunk).toString();
    if (log.includes('The start waits for it.')) break;
  }
  start.kill('SIGTERM');
  expect(await start.exited).toBe(0);
});

describe.skipIf(NO_POSTGRES)('a cluster of two nodes', () => {
  const place = new Place();
  const single = place.path('single');
  const links = { a: freePort(), b: freePort() };
  const nodes = new Map<string, Server>();
  let database: PostgresServer;
  let env: Record<string, string>;
  let uid: number;

  beforeAll(async () => {
    database = await createStoreServer();
    const before = await Server.start(['--data', single]);
    await before.end('SIGTERM');
    const { operatorToken, demo } = readSandbox(single);
    uid = demo!.uid;
    env = {
      AGIO_DATABASE_URL: database.url(NODE_ROLE),
      AGIO_MASTER_KEY: readFileSync(join(single, 'master.key'), 'utf8').trim(),
      AGIO_OPERATOR_TOKEN: operatorToken,
    };
    const copied = await agio([
      'journal',
      'copy',
      '--to',
      env.AGIO_DATABASE_URL!,
      '--data',
      single,
    ]);
    expect(copied).toMatchObject({ code: 0, stderr: '' });
    for (const name of ['a', 'b'] as const) await start(name);
  });
  afterAll(async () => {
    for (const node of nodes.values()) await node[Symbol.asyncDispose]();
    await database?.dispose();
    place[Symbol.dispose]();
  });

  async function start(name: 'a' | 'b', more: Readonly<Record<string, string>> = {}) {
    const link = `127.0.0.1:${links[name]}`;
    const args = ['--data', place.path(name), '--node', name, '--link', link];
    nodes.set(name, await Server.start(args, { ...env, ...more }));
  }

  const urlOf = (name: string) => nodes.get(name)!.url;
  /** A command about the cluster, at this node. */
  const run = (name: string, line: string) => agio(`${line} --url ${urlOf(name)}`, { env });
  /** The call behind `cluster status`; null while nobody leads. */
  const status = (name: string) =>
    operate({ url: urlOf(name), operatorToken: env.AGIO_OPERATOR_TOKEN! }, 'GET', 'cluster').then(
      (answer) => answer as { readonly leader: string; readonly nodes: readonly unknown[] },
      () => null,
    );
  const whole = (name: string) => until(async () => (await status(name))?.nodes.length === 2);
  /** Again while the lead changes hands; once per reference. */
  const credit = async (name: string, reference: string) => {
    const access = { url: urlOf(name), operatorToken: env.AGIO_OPERATOR_TOKEN! };
    const body = { uid, asset: 'BTC', amount: '0.5', reference };
    let credited: Awaited<ReturnType<typeof operate>> | null = null;
    await until(async () => {
      credited = await operate(access, 'POST', 'ledger/credit', body).catch((error: Error) => {
        if (error.message.includes('"100503"')) return null;
        throw error;
      });
      return credited !== null;
    });
    return credited!;
  };

  test('both nodes show the same leader, and hand the lead over', async () => {
    await whole('b');
    const shown = await run('b', 'cluster status');
    expect(shown.stdout).toMatch(/^a leads since \S+Z, term \d+\.$/m);
    const printed = await run('b', 'cluster status --json');
    expect(JSON.parse(printed.stdout)).toMatchObject({ leader: 'a' });
    expect(shown.stdout).toMatch(/^b +follower +\d+ +\d+ +\S+Z .*127\.0\.0\.1:/m);
    const first = await credit('b', 'before');
    expect(await run('b', 'cluster lead b')).toMatchObject({ code: 0, stderr: '' });
    expect(await credit('a', 'before')).toEqual(first);
    expectRejected(await run('a', 'cluster lead b'), '(100704, HTTP 409)');
    expectRejected(await run('a', 'cluster lead c'), '(100703, HTTP 409)');
    await whole('a');
    const back = await run('a', 'cluster lead a --json');
    expect(JSON.parse(back.stdout)).toMatchObject({ mode: 'cluster', leader: 'a' });
  });

  test('a running node is backed up as a directory of one machine', async () => {
    await credit('a', 'in-the-backup');
    const target = place.path('backup');
    const backup = await agio(['backup', target, '--data', place.path('b')], { env });
    expect(backup).toMatchObject({ code: 0, stderr: '' });
    const { AGIO_DATABASE_URL: _, ...alone } = env;
    await using restored = await Server.start(['--data', target], alone);
    const access = { url: restored.url, operatorToken: env.AGIO_OPERATOR_TOKEN! };
    const body = { uid, asset: 'BTC', amount: '0.5', reference: 'in-the-backup' };
    const again = await operate(access, 'POST', 'ledger/credit', body);
    expect(again).toEqual(await credit('a', 'in-the-backup'));
  });

  test('a backup and a new node while customers sign up', async () => {
    const access = { url: urlOf('a'), operatorToken: env.AGIO_OPERATOR_TOKEN! };
    let isOver = false;
    let signedUp = 0;
    const signUps = [0, 1, 2].map(async (loop) => {
      for (let n = 0; !isOver; n++) {
        const email = `new-${loop}-${n}@example.com`;
        const user = (await operate(access, 'POST', 'users', { email })) as { uid: number };
        const body = { uid: user.uid, asset: 'BTC', amount: '1', reference: email };
        await operate(access, 'POST', 'ledger/credit', body);
        signedUp++;
      }
    });
    try {
      await until(() => signedUp > 10);
      const target = place.path('backup-of-sign-ups');
      const backup = await agio(['backup', target, '--data', place.path('b')], { env });
      expect(backup).toMatchObject({ code: 0, stderr: '' });
      const { AGIO_DATABASE_URL: _, ...alone } = env;
      expect(await agio(['verify', '--data', target], { env: alone })).toMatchObject({ code: 0 });
      await (await Server.start(['--data', target], alone)).end('SIGTERM');
      const link = `127.0.0.1:${freePort()}`;
      const joining = ['--data', place.path('joined'), '--node', 'joined', '--link', link];
      expect((await (await Server.start(joining, env)).end('SIGTERM')).code).toBe(0);
      expect(await run('a', 'cluster forget joined')).toMatchObject({ code: 0 });
    } finally {
      isOver = true;
      await Promise.all(signUps);
    }
  });

  test('the master key changes in three rounds, without a stop of the cluster', async () => {
    const old = env.AGIO_MASTER_KEY!;
    for (const AGIO_MASTER_KEY of [`${old},${NEW_KEY}`, `${NEW_KEY},${old}`, NEW_KEY]) {
      for (const [name, other] of [
        ['a', 'b'],
        ['b', 'a'],
      ] as const) {
        expect((await nodes.get(name)!.end('SIGTERM')).code).toBe(0);
        await until(async () => (await status(other))?.leader === other);
        await start(name, { AGIO_MASTER_KEY });
        await whole(name);
        await credit(name, `${AGIO_MASTER_KEY.slice(0, 8)}-${name}`);
      }
    }
    env = { ...env, AGIO_MASTER_KEY: NEW_KEY };
  });

  test('the venue comes back to one machine', async () => {
    const last = await credit('b', 'the-last');
    for (const node of nodes.values()) expect((await node.end('SIGTERM')).code).toBe(0);
    const { AGIO_DATABASE_URL: url, ...alone } = env;
    const directory = place.path('again');
    const from = ['journal', 'copy', '--from', url!, '--data', directory];
    // The last lease expires after two seconds.
    await until(async () => (await agio(from, { env: alone })).code === 0);
    expect(await agio(['verify', '--data', directory], { env: alone })).toMatchObject({ code: 0 });
    await using back = await Server.start(['--data', directory], alone);
    const access = { url: back.url, operatorToken: env.AGIO_OPERATOR_TOKEN! };
    const body = { uid, asset: 'BTC', amount: '0.5', reference: 'the-last' };
    expect(await operate(access, 'POST', 'ledger/credit', body)).toEqual(last);
  });
});
