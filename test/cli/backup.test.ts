// agio backup of a busy server: the copy is whole, verifies, holds a key only on request, and is a
// venue that starts again.
import { expect, test } from 'bun:test';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { agio, expectRejected, operate, readSandbox, Sandbox, Server } from '../support/cli.ts';

/** Each is another moment of the race with sign-ups. */
const BACKUPS = 8;
const venue = Sandbox.forFile(['--segment-bytes', '1048576']);
const { data, place } = venue;

test('a backup under load verifies, has all that was acknowledged before, and starts', async () => {
  const sandbox = readSandbox(data);
  const uid = sandbox.demo!.uid;
  let busy = true;
  let acknowledged = 0;
  const load = (async () => {
    for (let n = 0; busy; n++) {
      const calls = [0, 1, 2, 3].map((i) =>
        operate(sandbox, 'POST', 'ledger/credit', {
          uid,
          asset: 'BTC',
          amount: '0.00000001',
          reference: `load-${n}-${i}`,
        }),
      );
      const email = `load-${n}@example.com`;
      await Promise.all([...calls, operate(sandbox, 'POST', 'users', { email })]);
      acknowledged = n;
    }
  })();
  const target = place.path('backup');
  await operate(sandbox, 'POST', 'snapshot', {});
  const before = acknowledged;
  const backup = await agio(['backup', target, '--data', data, '--include-key']);
  busy = false;
  await load;
  expect(backup).toMatchObject({ code: 0, stderr: '' });
  expect(backup.stdout).toContain('✓ journal');
  expect(backup.stdout).toContain('✓ snapshot');
  expect(backup.stdout).toContain('✓ people');
  expect(existsSync(`${target}.partial`)).toBe(false);
  expect(await agio(['verify', '--data', target])).toMatchObject({ code: 0 });
  expect(readdirSync(target)).not.toContain('views.db');

  await using restored = await Server.start(['--data', target]);
  const access = readSandbox(target);
  expect(access.demo).toEqual(sandbox.demo!);
  const again = { uid, asset: 'BTC', amount: '0.00000001' };
  for (const n of [0, before]) {
    const body = { ...again, reference: `load-${n}-3` };
    const [here, there] = await Promise.all([
      operate(sandbox, 'POST', 'ledger/credit', body),
      operate({ ...access, url: restored.url }, 'POST', 'ledger/credit', body),
    ]);
    expect(there).toEqual(here);
  }
});

test('every backup verifies while customers sign up and get money', async () => {
  const sandbox = readSandbox(data);
  let isOver = false;
  let signedUp = 0;
  const signUps = [0, 1, 2, 3].map(async (loop) => {
    for (let n = 0; !isOver; n++) {
      const email = `new-${loop}-${n}@example.com`;
      const { uid } = await operate(sandbox, 'POST', 'users', { email });
      const body = { uid, asset: 'BTC', amount: '1', reference: email };
      await operate(sandbox, 'POST', 'ledger/credit', body);
      signedUp++;
    }
  });
  try {
    for (let n = 0; n < BACKUPS; n++) {
      const before = signedUp;
      const target = place.path(`sign-ups-${n}`);
      const backup = await agio(['backup', target, '--data', data, '--include-key']);
      expect(backup).toMatchObject({ code: 0, stderr: '' });
      const [, people = ''] = /✓ people +([\d,]+)/.exec(backup.stdout) ?? [];
      expect(Number(people.replaceAll(',', ''))).toBeGreaterThanOrEqual(before);
      expect(signedUp).toBeGreaterThan(before);
    }
  } finally {
    isOver = true;
    await Promise.all(signUps);
  }
  await using restored = await Server.start(['--data', place.path('sign-ups-0')]);
  expect((await fetch(`${restored.url}/ready`)).status).toBe(200);
});

test('without --include-key nothing in it opens anything', async () => {
  const target = place.path('sealed');
  expect(await agio(['backup', target, '--data', data])).toMatchObject({ code: 0 });
  const names = readdirSync(target, { recursive: true }) as string[];
  expect(names).not.toContain('master.key');
  expect(names).not.toContain('sandbox.json');
  const { demo, market, operatorToken } = readSandbox(data);
  const key = readFileSync(join(data, 'master.key'), 'utf8').trim();
  const secrets = [
    operatorToken,
    key,
    ...[demo!, ...market!].flatMap((user) => [user.password, user.secretKey]),
  ];
  for (const name of names) {
    const path = join(target, name);
    expect({ name, others: statSync(path).mode & 0o077 }).toEqual({ name, others: 0 });
    if (statSync(path).isDirectory()) continue;
    const content = readFileSync(path, 'latin1');
    for (const secret of secrets) expect(content.includes(secret)).toBe(false);
  }
  const start = await agio(['start', '--port', '0', '--data', target]);
  expectRejected(start, 'set AGIO_MASTER_KEY as before');
});

test('a target in the directory itself is rejected', async () => {
  const target = join(data, 'copies', 'monday');
  const backup = await agio(['backup', target, '--data', data]);
  expectRejected(backup, `agio: ${target} lies in ${data}, and would be lost with it.\n`);
});

test('a target that exists is left alone', async () => {
  const target = place.path('sealed-twice');
  expect(await agio(['backup', target, '--data', data])).toMatchObject({ code: 0 });
  const again = await agio(['backup', target, '--data', data]);
  expectRejected(again, `agio: ${target} exists already: a backup is a new directory.\n`);
});
