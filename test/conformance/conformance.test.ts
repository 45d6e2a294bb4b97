// The checks that `agio conformance` runs against any server, in this process. The tests of
// test/contract cover what needs the inside of a node.
import { beforeAll, describe, expect, test } from 'bun:test';
import type { Kit } from '../../src/conformance/kit.ts';
import {
  CHECKS,
  type CheckResult,
  conformance,
  openKit,
  resultOf,
} from '../../src/conformance/run.ts';
import { agio, Place, readSandbox, Server } from '../support/cli.ts';
import { createPlan, EARN, fixedPlan } from '../support/earn.ts';
import { type Client, ORDERS, TestNode, TRADING } from '../support/node.ts';

const node = TestNode.forFile();
beforeAll(async () => {
  await createPlan(node);
  await fixedPlan(node);
});

const results = (options: Omit<Parameters<typeof conformance>[0], 'url'>): Promise<CheckResult[]> =>
  Array.fromAsync(conformance({ url: node.url, ...options }));

const withOutcome = (found: readonly CheckResult[], outcome: CheckResult['outcome']) =>
  found.filter((result) => result.outcome === outcome);

const ETH = { symbol: 'ETH-USDT', ordType: 2 };

test('every check has an id and a clause of its own', () => {
  expect(CHECKS.length).toBeGreaterThan(80);
  expect(new Set(CHECKS.map(({ id }) => id)).size).toBe(CHECKS.length);
  expect(new Set(CHECKS.map(({ clause }) => clause.rule)).size).toBe(CHECKS.length);
  for (const { id, clause } of CHECKS) {
    expect(id).toMatch(/^[A-Z]{3,4}-\d\d$/);
    expect(clause.rule).toMatch(/^[A-Z].+\.$/i);
  }
});

describe('every check passes here', () => {
  let client: Client;
  let kit: Kit;
  beforeAll(async () => {
    // The book of a market: several orders at each of several prices.
    const other = await node.client();
    for (let i = 0; i < 60; i++) {
      await other.order({ ...ETH, side: 1, price: 100 + (i % 7), orderQty: `0.0${10 + i}` });
      await other.order({ ...ETH, side: 2, price: 200 + (i % 5), orderQty: `0.0${10 + i}` });
    }
    client = await node.client(undefined, { moduleIds: [...EARN.slice(0, 3), ...TRADING] });
    const { url } = node;
    kit = await openKit({ url, ...client.credentials, symbol: ETH.symbol, subscribe: true });
    // The checks of all answers look through these, whichever test runs alone.
    const first = CHECKS.filter(({ id }) => /^(ACC|ERN)/.test(id));
    for (const check of first) await resultOf(check, kit);
  });

  for (const check of CHECKS) {
    test(`${check.id}: ${check.clause.rule}`, async () => {
      expect(await resultOf(check, kit)).toMatchObject({ outcome: 'passed' });
    });
  }

  test('and nothing is left behind', async () => {
    await resultOf(CHECKS.find(({ id }) => id === 'ORD-01')!, kit);
    const open = await client.get(ORDERS, { type: 'OPEN' });
    expect<unknown>(open.body.data).toEqual([]);
  });
});

test('beside orders of other accounts, and the account’s own', async () => {
  const other = await node.client();
  await other.limit(1, '60000', '0.5');
  await other.limit(2, '60000.5', '0.5');
  const client = await node.client(undefined, { moduleIds: [...EARN, ...TRADING] });
  const kept = await client.limit(1, '59000', '0.25');
  const found = await results({ ...client.credentials, symbol: 'BTC-USDT' });
  expect(withOutcome(found, 'failed')).toEqual([]);
  expect(withOutcome(found, 'skipped').map(({ id }) => id)).toEqual(
    expect.arrayContaining(['CXL-08', 'CXL-10', 'CXL-12', 'ERN-15']),
  );
  expect<unknown>((await client.row(kept)).ordStatus).toBe(0);
});

test('a read-only key and an account without money skip checks, with the reason', async () => {
  const poor = await node.client({}, { moduleIds: [5] });
  const found = await results(poor.credentials);
  expect(withOutcome(found, 'failed')).toEqual([]);
  const reasons = found.flatMap(({ reason }) => reason ?? []);
  expect(reasons.some((reason) => reason.includes('the account has 0'))).toBe(true);
  expect(reasons.some((reason) => reason.includes('the key may not'))).toBe(true);
  expect(withOutcome(found, 'passed').length).toBeGreaterThan(25);
});

test('agio conformance against a fresh sandbox', async () => {
  using place = new Place();
  const data = place.path('data');
  await using server = await Server.start(['--data', data]);
  const { demo } = readSandbox(data);
  const env = { AGIO_KEY: demo!.apiKey, AGIO_SECRET: demo!.secretKey };
  const json = await agio(['conformance', '--url', server.url, '--json', '--subscribe'], { env });
  const { failed, passed, results: found } = JSON.parse(json.stdout);
  const faults = withOutcome(found, 'failed');
  expect({ faults, failed, code: json.code }).toEqual({ faults: [], failed: 0, code: 0 });
  expect(passed).toBeGreaterThan(80);
  const credentials = ['--key', demo!.apiKey, '--secret', 'wrong'];
  const text = await agio(['conformance', '--url', server.url, ...credentials]);
  expect(text.code).toBe(1);
  expect(text.stdout).toContain('✗ AUTH-01');
  expect(text.stdout).toContain('Earn interface and shared conventions: Authentication');
});

test.each([
  ['without credentials', [], '--secret'],
  ['without a server', ['--key', 'a', '--secret', 'b'], 'does not answer'],
])('agio conformance %s says so', async (_, credentials, sentence) => {
  const { code, stderr } = await agio([
    ...['conformance', '--url', 'http://127.0.0.1:1'],
    ...credentials,
  ]);
  expect([code, stderr]).toEqual([1, expect.stringContaining(sentence)]);
});
