// An identity.db that is older than the journal: users of the journal own money, and nobody owns
// the users. Start and verify name them, and an operator attaches each to an email address.
import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { verifyData } from '../../src/cli/verification.ts';
import { loadConfig } from '../../src/config.ts';
import { amount } from '../../src/core/units.ts';
import { type Node, startNode } from '../../src/node.ts';
import { Operator } from '../support/operator.ts';
import { expectError, expectOk } from '../support/shape.ts';

const operatorToken = 'token-of-the-test-operator';
let directory: string;
/** A copy for each test. */
let dataDir: string;
let copies = 0;

const start = (...flags: string[]): Promise<Node> =>
  startNode({
    config: loadConfig({
      argv: ['--data', dataDir, '--port', '0', '--no-demo', ...flags],
      env: {},
    }),
    operatorToken,
    log: pino({ level: 'silent' }),
    onFailure: (error) => {
      throw error;
    },
  });

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'agio-older-'));
  dataDir = join(directory, 'original');
  let node = await start();
  await new Operator({ ...node, operatorToken }).user('old@example.com');
  await node.stop();
  cpSync(join(dataDir, 'identity.db'), join(directory, 'identity.db'));
  node = await start();
  const operator = new Operator({ ...node, operatorToken });
  const asset = await operator.post('assets', { asset: 'BTC', scale: 8 });
  expectOk(asset);
  for (const email of ['rich@example.com', 'poor@example.com']) await operator.user(email);
  const { outcome } = await node.services.engine.submit({
    type: 'transferFunds',
    direction: 'credit',
    uid: 2,
    assetId: node.services.engine.exchange.state.assetNamed('BTC')!.assetId,
    amount: amount(5),
    reference: 'deposit',
  });
  expect(outcome.ok).toBe(true);
  await node.stop();
  for (const side of ['-wal', '-shm']) rmSync(join(dataDir, `identity.db${side}`), { force: true });
  cpSync(join(directory, 'identity.db'), join(dataDir, 'identity.db'));
});

beforeEach(() => {
  dataDir = join(directory, `copy-${++copies}`);
  // The follower may still be closing the views; a start rebuilds them.
  const filter = (path: string) => !path.includes('views.db');
  cpSync(join(directory, 'original'), dataDir, { recursive: true, filter });
});

afterAll(() => rmSync(directory, { recursive: true, force: true }));

async function peopleCheck(): Promise<string> {
  for await (const { name, ok, text } of verifyData({ directory: dataDir })) {
    if (name === 'people') return `${ok}: ${text}`;
  }
  throw new Error('people were not checked');
}

test('start and verify name the users who own something', async () => {
  const named = 'identity.db has no user for uid 2, who has money, orders or subscriptions';
  await expect(start()).rejects.toThrow(named);
  expect(await peopleCheck()).toStartWith(`false: ${named}`);
});

test('a start that accepts them leaves them unusable until they are attached', async () => {
  const node = await start('--accept-unowned');
  try {
    const operator = new Operator({ ...node, operatorToken });
    expectError(await operator.get('users/2'), 400, 100220);
    const attach = (uid: number | string, body: object) =>
      operator.post(`users/${uid}/attach`, body);
    expectError(await attach(1, { email: 'other@example.com' }), 409, 100222, 'uid');
    expectError(await attach(2, { email: 'old@example.com' }), 409, 100222, 'email');
    expectError(await attach(99, { email: 'rich@example.com' }), 400, 100220, 'uid');
    expectError(await attach('02', { email: 'rich@example.com' }), 400, 100220, 'uid');
    expectError(await attach(2, { email: 'rich@example.com', password: 'password' }), 400, 100200);
    expectOk(await attach(2, { email: 'rich@example.com' }));
    expect(operator.audited()[0]).toMatchObject({ action: 'user.attach', object: 'uid:2' });
    expect(String(expectOk(await operator.get('users/2')).email)).toBe('rich@example.com');
  } finally {
    await node.stop();
  }
  expect(await peopleCheck()).toStartWith('true: ');
  await (await start()).stop();
});
