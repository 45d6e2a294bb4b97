// A command that ends the process and each start: the fourth start names it, the operator sets it
// aside, and every reader of the journal agrees about the state without it.
import { expect, test } from 'bun:test';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  agio,
  expectRejected,
  operate,
  Place,
  type ProgramEnd,
  readSandbox,
  Server,
} from '../support/cli.ts';
import { POISONS } from '../support/poisonous-core.ts';
import { until } from '../support/waiting.ts';

const POISONOUS = {
  BUN_OPTIONS: `--preload=${join(import.meta.dir, '../support/poisonous-core.ts')}`,
};

/** A start that ends without having listened. */
const endedStart = (data: string): Promise<ProgramEnd> =>
  agio(['start', '--port', '0', '--no-demo', '--data', data], { env: POISONOUS });

async function credit(data: string, reference: string): Promise<void> {
  const sandbox = readSandbox(data);
  const { uid } = sandbox.demo!;
  await operate(sandbox, 'POST', 'ledger/credit', { uid, asset: 'BTC', amount: '1', reference });
}

async function btcOf(data: string): Promise<number> {
  const sandbox = readSandbox(data);
  const rows = await operate(sandbox, 'GET', `users/${sandbox.demo!.uid}/balances`);
  const balances = rows as unknown as readonly { readonly asset: string; readonly total: number }[];
  return balances.find(({ asset }) => asset === 'BTC')!.total;
}

/** The objects of the audit entries about commands that were set aside. */
async function skipsOf(data: string): Promise<unknown[]> {
  const page = await operate(readSandbox(data), 'GET', 'audit?pageSize=100');
  const { items } = page as unknown as { readonly items: readonly Record<string, unknown>[] };
  return items.filter(({ action }) => action === 'journal.skip').map(({ object }) => object);
}

test.each([POISONS.throws, POISONS.kills])('a command that %s is set aside', async (poison) => {
  using place = new Place();
  const data = place.path('data');
  const first = await Server.start(['--data', data], POISONOUS);
  await credit(data, 'before');
  const owned = await btcOf(data);
  const head = await operate(readSandbox(data), 'GET', 'journal/head');
  const seq = Number(head.seq) + 1;
  await credit(data, poison).catch(() => undefined);
  const code = poison === POISONS.throws ? 70 : 137;
  expect((await first.ended()).code).toBe(code);
  expectRejected(await agio(`journal skip ${seq} --reason test --data ${data}`), 'No command has');

  for (let starts = 0; starts < 3; starts++) expect((await endedStart(data)).code).toBe(code);
  for (let starts = 0; starts < 2; starts++) {
    const named = await endedStart(data);
    expect(named.code).toBe(65);
    expect(named.stderr).toContain(`Command ${seq} (transferFunds of account `);
    expect(named.stderr).toContain(`agio journal skip ${seq} `);
  }

  expectRejected(
    await agio(`journal skip ${seq - 1} --reason test --data ${data}`),
    `Command ${seq} ended the last three starts`,
  );
  expect((await agio(`journal skip ${seq} --reason test --data ${data}`)).code).toBe(0);
  const second = await Server.start(['--data', data], POISONOUS);
  expect(await btcOf(data)).toBe(owned);
  await credit(data, 'after');
  expect(await skipsOf(data)).toEqual([`seq:${seq}`]);
  expect((await second.end('SIGKILL')).code).toBe(137);
  await using third = await Server.start(['--data', data], POISONOUS);
  expect(await btcOf(data)).toBe(owned + 1);
  expect(await skipsOf(data)).toEqual([`seq:${seq}`]);
  expect((await third.end('SIGTERM')).code).toBe(0);
  await expectAgreement(place, data, seq);
});

/** Replay, verification, export and a backup know that the command has no effect. */
async function expectAgreement(place: Place, data: string, seq: number): Promise<void> {
  const copy = place.path('copy');
  const made = await agio(`backup ${copy} --data ${data} --include-key`);
  expect({ code: made.code, text: made.stderr }).toEqual({ code: 0, text: '' });
  const hashes = await Promise.all(
    [data, copy].map(async (directory) => {
      const verified = await agio(`verify --data ${directory}`, { env: POISONOUS });
      expect({ code: verified.code, text: verified.stdout }).toMatchObject({ code: 0 });
      expect(verified.stdout).toContain(`${seq} (transferFunds of account `);
      return JSON.parse((await agio(`replay --json --data ${directory}`)).stdout).stateHash;
    }),
  );
  expect(hashes[0]).toBe(hashes[1]);
  const exported = await agio(`export journal --from ${seq} --to ${seq} --data ${data}`);
  expect(JSON.parse(exported.stdout)).toMatchObject({ seq, setAside: true });

  const list = join(copy, 'journal', 'set-aside');
  writeFileSync(list, readFileSync(list, 'utf8').replace('"test"', '"other"'));
  const forged = await agio(`start --port 0 --data ${copy}`);
  expectRejected(forged, 'is not authentic');
  expect((await agio(`verify --data ${copy}`)).code).toBe(1);
}

test('a follower that ends the process three times is not started again', async () => {
  using place = new Place();
  const data = place.path('data');
  const first = await Server.start(['--data', data], POISONOUS);
  await credit(data, POISONS.killsFollower);
  expect((await first.ended()).code).toBe(137);
  for (let starts = 0; starts < 2; starts++) {
    // The start itself applies the command, and the follower's thread ends the process.
    const again = await Server.start(['--data', data], POISONOUS).catch(() => null);
    if (again !== null) expect((await again.ended()).code).toBe(137);
  }

  await using server = await Server.start(['--data', data], POISONOUS);
  await until(async () => (await ready(server)).includes('stopped'));
  await credit(data, 'after');
  expect((await server.end('SIGTERM')).code).toBe(0);

  const mark = join(data, 'replay.mark');
  expect(existsSync(mark)).toBe(true);
  rmSync(mark);
  await using repaired = await Server.start(['--data', data]);
  await until(async () => !(await ready(repaired)).includes('stopped'));
});

const ready = async ({ url }: Server): Promise<string> => (await fetch(`${url}/ready`)).text();
