// agio start as an operator and a supervisor see it: what it prints, what it rejects, and how it
// ends.
import { expect, test } from 'bun:test';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  agio,
  expectRejected,
  operate,
  Place,
  readSandbox,
  Sandbox,
  Server,
  segmentsOf,
} from '../support/cli.ts';
import { run } from '../support/program.ts';
import { RawConnection, rawRequest } from '../support/raw-http.ts';
import { until } from '../support/waiting.ts';

test('a sandbox prints its credentials, serves, and stops with 0 on SIGTERM', async () => {
  await using venue = await Sandbox.start();
  const { data, server } = venue;
  expect(await (await fetch(`${server.url}/health`)).json()).toMatchObject({ status: 'ok' });

  const sandbox = readSandbox(data);
  expect(sandbox.url).toBe(server.url);
  expect(statSync(join(data, 'sandbox.json')).mode & 0o777).toBe(0o600);
  expect(await operate(sandbox, 'GET', `users/${sandbox.demo!.uid}`)).toMatchObject({
    email: 'demo@example.com',
  });

  const ended = await server.end('SIGTERM');
  expect(ended).toMatchObject({ code: 0 });
  expect(ended.stdout.match(/agio listening on /g)).toHaveLength(1);
  const { demo, enterprise, operatorToken } = sandbox;
  for (const shown of [operatorToken, demo!.apiKey, demo!.secretKey, demo!.password, 'Ctrl-C']) {
    expect(ended.stdout).toContain(shown);
  }
  const { admin } = enterprise!;
  const line = `admin uid ${admin.uid}, ${admin.email}, password ${admin.password}, keys in`;
  expect(ended.stdout).toContain(line);
  // Logs are for others' eyes too: what opens the sandbox is printed, never logged.
  const secrets = [demo!.secretKey, demo!.password, admin.secretKey, admin.password];
  for (const secret of [operatorToken, ...secrets]) {
    expect(ended.stderr).not.toContain(secret);
  }
  expect(readdirSync(join(data, 'snapshots'))).toHaveLength(1);
  for (const name of readdirSync(data)) {
    expect({ name, others: statSync(join(data, name)).mode & 0o077 }).toEqual({ name, others: 0 });
  }
});

test('a second start continues the first, with the same token and key', async () => {
  using place = new Place();
  const data = place.path('data');
  const first = await Server.start(['--data', data]);
  const before = readSandbox(data);
  const head = await operate(before, 'GET', 'journal/head');
  expect((await first.end('SIGINT')).code).toBe(0);
  await using second = await Server.start(['--data', data]);
  const after = readSandbox(data);
  expect(after).toEqual({ ...before, url: second.url });
  expect(await operate(after, 'GET', 'journal/head')).toEqual(head);
  // A quiet venue does not lag.
  await until(async () => {
    const ready = (await (await fetch(`${second.url}/ready`)).json()) as Lag;
    return ready.seq === head.seq && ready.followerSeq === ready.seq;
  });
});

interface Lag {
  readonly seq: number;
  readonly followerSeq: number;
}

test('the demo market trades from the start, and does not outlive a stop', async () => {
  await using venue = await Sandbox.start([], {}, { demo: true });
  const { data, server } = venue;
  const sandbox = readSandbox(data);
  const seeded = Number((await operate(sandbox, 'GET', 'journal/head')).seq);
  await until(async () => {
    const { seq } = await operate(sandbox, 'GET', 'journal/head');
    return Number(seq) > seeded + 10;
  });
  const { code, stderr } = await server.end('SIGTERM');
  expect(code).toBe(0);
  expect(stderr).not.toMatch(/error|fatal/);
  expect(await agio(['verify', '--data', data])).toMatchObject({ code: 0 });
});

test('a configured operator token is the token, also for the command line', async () => {
  using place = new Place();
  const data = place.path('data');
  const AGIO_OPERATOR_TOKEN = 'chosen-by-the-operator';
  await using server = await Server.start(['--data', data], { AGIO_OPERATOR_TOKEN });
  expect(readSandbox(data)).toMatchObject({ operatorToken: AGIO_OPERATOR_TOKEN, url: server.url });
  expect(await agio(['head', '--data', data])).toMatchObject({ code: 0 });
});

test('a kill loses nothing that was acknowledged, and the next start verifies', async () => {
  await using venue = await Sandbox.start();
  const { data, server } = venue;
  const sandbox = readSandbox(data);
  const { uid } = await operate(sandbox, 'POST', 'users', { email: 'ada@example.com' });
  const body = { uid, asset: 'BTC', amount: '1.5', reference: 'before-the-kill' };
  const credited = await operate(sandbox, 'POST', 'ledger/credit', body);
  await server.end('SIGKILL');
  await using again = await Server.start(['--data', data]);
  const access = { ...sandbox, url: again.url };
  expect(await operate(access, 'POST', 'ledger/credit', body)).toEqual(credited);
  expect((await again.end('SIGTERM')).code).toBe(0);
  expect(await agio(['verify', '--data', data])).toMatchObject({ code: 0 });
});

test('production prints one line, logs JSON, and keeps no sandbox file', async () => {
  using place = new Place();
  const data = place.path('data');
  const env = {
    AGIO_OPERATOR_TOKEN: 'the-token-of-production',
    AGIO_MASTER_KEY: '8'.repeat(64),
    AGIO_SMTP_URL: 'smtp://user:mail-password@localhost:2525',
  };
  await using server = await Server.start(
    ['--production', '--host', '127.0.0.1', '--data', data],
    env,
  );
  const { code, stdout, stderr } = await server.end('SIGTERM');
  expect(code).toBe(0);
  expect(stdout).toBe(`agio listening on ${server.url}\n`);
  const lines = stderr.trimEnd().split('\n');
  expect(lines.map((line) => (JSON.parse(line) as { msg: string }).msg)).toContain('stopped');
  for (const secret of [env.AGIO_OPERATOR_TOKEN, env.AGIO_MASTER_KEY, 'mail-password']) {
    expect(stderr).not.toContain(secret);
  }
  expect(existsSync(join(data, 'sandbox.json'))).toBe(false);
  expect(existsSync(join(data, 'master.key'))).toBe(false);
});

test('a client that never finishes its request does not hold up the stop', async () => {
  await using venue = await Sandbox.start();
  const { data, server } = venue;
  const { operatorToken } = readSandbox(data);
  const slow = new RawConnection(Number(new URL(server.url).port));
  await slow.exchange(rawRequest('GET', '/health'));
  const headers = {
    Authorization: `Bearer ${operatorToken}`,
    'Content-Type': 'application/json',
    'Content-Length': '1000',
  };
  await slow.send(rawRequest('POST', '/operator/v1/users', headers, '{'));
  // The server reads in the order of arrival, so it has the start of the slow request.
  await fetch(`${server.url}/health`);
  const { code } = await server.end('SIGTERM');
  slow.close();
  expect(code).toBe(0);
});

test('a journal that cannot be written ends the process with 70 and its position', async () => {
  using place = new Place();
  const data = place.path('data');
  // No file may be larger than 600 KiB, and a segment is: the first append fails.
  const limited = 'trap "" XFSZ; ulimit -f 600; exec "$@"';
  const main = join(import.meta.dir, '../../src/main.ts');
  const start = ['start', '--port', '0', '--data', data, '--segment-bytes', '1048576'];
  const command = ['bash', '-c', limited, 'bash', process.execPath, main, ...start];
  const { code, stderr } = await run(command);
  expect(code).toBe(70);
  expect(stderr).toContain('agio has to stop');
  expect(stderr).toContain('seq=0');
  expect(stderr).toMatch(/stateHash=[0-9a-f]{16}/);
});

/** Turns a bit of the last record over; returns the segment, and what it now holds. */
function damageTheEnd(data: string): { readonly path: string; readonly bytes: Buffer } {
  const path = segmentsOf(data)[0]!;
  const bytes = readFileSync(path);
  bytes[bytes.findLastIndex((byte) => byte !== 0)]! ^= 1;
  writeFileSync(path, bytes);
  return { path, bytes };
}

test.each(['SIGTERM', 'SIGKILL'] as const)(
  'what was acknowledged before a %s is never taken for torn',
  async (signal) => {
    await using venue = await Sandbox.start();
    const { data, server } = venue;
    const sandbox = readSandbox(data);
    const body = { uid: 1, asset: 'BTC', amount: '1.5', reference: 'seen-by-the-views' };
    const { seq } = (await operate(sandbox, 'POST', 'ledger/credit', body)) as { seq: number };
    // A snapshot tells of it after SIGTERM, and the views alone after SIGKILL.
    const applied = async (): Promise<boolean> =>
      ((await (await fetch(`${server.url}/ready`)).json()) as Lag).followerSeq >= seq;
    await until(applied);
    await server.end(signal);
    if (signal === 'SIGKILL') rmSync(join(data, 'snapshots'), { recursive: true, force: true });
    const { path, bytes } = damageTheEnd(data);
    const damaged = `^agio: ${path} is damaged at byte \\d+: command \\d+ is not readable .*backup`;
    expectRejected(await agio(`start --port 0 --data ${data}`), new RegExp(damaged));
    expect(readFileSync(path).equals(bytes)).toBe(true);
  },
);

test('a reader that is gone ends nothing', async () => {
  using place = new Place();
  const data = place.path('data');
  const main = join(import.meta.dir, '../../src/main.ts');
  const start = [process.execPath, main, 'start', '--no-demo', '--port', '0', '--data', data];
  const child = Bun.spawn(['bash', '-c', 'set -o pipefail; "$@" | true', 'bash', ...start], {
    stdout: 'pipe',
    stderr: 'pipe',
    stdin: 'ignore',
  });
  let stderr = '';
  const read = (async () => {
    for await (const chunk of child.stderr.pipeThrough(new TextDecoderStream())) stderr += chunk;
  })();
  // The server prints directly after it has written the accounts.
  await until(() => existsSync(join(data, 'sandbox.json')) && readSandbox(data).demo);
  const { url } = readSandbox(data);
  expect((await fetch(`${url}/health`)).status).toBe(200);
  const pid = Number(readFileSync(join(data, 'lock.pid'), 'utf8').trim().split(/\s+/)[0]);
  process.kill(pid, 'SIGTERM');
  expect(await child.exited).toBe(0);
  await read;
  expect(stderr).not.toContain('EPIPE');
});
