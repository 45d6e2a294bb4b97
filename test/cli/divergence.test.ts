// A follower that has diverged: the process says so and ends with 70, and nothing that the follower
// wrote is ever used again.
import { expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { agio, operate, Place, readSandbox, Server } from '../support/cli.ts';
import { DIVERGES } from '../support/diverging-follower.ts';

const DIVERGING = {
  BUN_OPTIONS: `--preload=${join(import.meta.dir, '../support/diverging-follower.ts')}`,
};
const CREDIT = { asset: 'BTC', amount: '1', reference: DIVERGES };

interface Balance {
  readonly asset: string;
  readonly total: number;
}

const btcOf = async (data: string, uid: number): Promise<number> => {
  const balances = (await operate(
    readSandbox(data),
    'GET',
    `users/${uid}/balances`,
  )) as unknown as Balance[];
  return balances.find(({ asset }) => asset === 'BTC')!.total;
};

const snapshots = (data: string): string[] => readdirSync(join(data, 'snapshots')).sort();

const MOMENTS = ['at the stop', 'for a snapshot on demand', 'while it runs'] as const;

test.each(MOMENTS)('a diverged follower never becomes the truth: %s', async (moment) => {
  using place = new Place();
  const data = place.path('data');
  await (await Server.start(['--data', data])).end('SIGTERM');
  const before = snapshots(data);
  expect(before.length).toBeGreaterThan(0);

  const every = moment === 'while it runs' ? ['--snapshot-every', '1'] : [];
  await using server = await Server.start(['--data', data, ...every], DIVERGING);
  const { uid } = readSandbox(data).demo!;
  const owned = await btcOf(data, uid);
  const sandbox = readSandbox(data);
  await operate(sandbox, 'POST', 'ledger/credit', { uid, ...CREDIT });
  if (moment === 'for a snapshot on demand') {
    await operate(sandbox, 'POST', 'snapshot', {}).catch(() => undefined);
  }
  const ended = await (moment === 'while it runs' ? server.ended() : server.end('SIGTERM'));
  expect(ended.code).toBe(70);
  expect(ended.stderr).toMatch(
    /leader and follower differ at seq \d+: [0-9a-f]{16} and [0-9a-f]{16}/,
  );
  expect(snapshots(data)).toEqual(before);

  await using right = await Server.start(['--data', data]);
  expect(await btcOf(data, uid)).toBe(owned + 1);
  expect((await right.end('SIGTERM')).code).toBe(0);
  const verified = await agio(['verify', '--data', data]);
  expect({ code: verified.code, text: verified.stdout + verified.stderr }).toMatchObject({
    code: 0,
  });
});
