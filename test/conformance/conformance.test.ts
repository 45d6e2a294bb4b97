// The conformance kit against a server that keeps the contract: nothing fails, nothing is left behind, and what the account lacks is
// skipped with a reason.
import { beforeAll, expect, test } from 'bun:test';
import { CHECKS, type CheckResult, conformance } from '../../src/conformance/run.ts';
import { agio, Place, readSandbox, Server } from '../support/cli.ts';
import { createPlan, EARN, fixedPlan } from '../support/earn.ts';
import { ORDERS, TestNode, TRADING } from '../support/node.ts';

const node = TestNode.forFile();
beforeAll(async () => {
  await createPlan(node);
  await fixedPlan(node);
});

type Options = Omit<Parameters<typeof conformance>[0], 'url'>;

async function results(options: Options): Promise<CheckResult[]> {
  const found: CheckResult[] = [];
  for await (const result of conformance({ url: node.url, ...options })) found.push(result);
  return found;
}

const bad = (found: readonly CheckResult[]) => found.filter(({ outcome }) => outcome !== 'passed');

test('every check has an id and a clause of its own', () => {
  expect(CHECKS.length).toBeGreaterThan(80);
  expect(new Set(CHECKS.map(({ id }) => id)).size).toBe(CHECKS.length);
  expect(new Set(CHECKS.map(({ clause }) => clause.rule)).size).toBe(CHECKS.length);
  for (const { id, clause } of CHECKS) {
    expect(id).toMatch(/^[A-Z]{3,4}-\d\d$/);
    expect(clause.rule).toMatch(
      /^[A-Z].+\.$|^(OPEN|SINGLE|type|size|side|symbol|filter|depth).+\.$/i,
    );
  }
});

test('passes whole against a server of ours, and leaves nothing behind', async () => {
  const client = await node.client(undefined, { moduleIds: [...EARN.slice(0, 3), ...TRADING] });
  const found = await results({ ...client.credentials, subscribe: true });
  expect(bad(found)).toEqual([]);
  const open = await client.get(ORDERS, { type: 'OPEN' });
  expect<unknown>(open.body.data).toEqual([]);
});

test('beside other people’s orders, and the account’s own', async () => {
  const other = await node.client();
  await other.limit(1, '60000', '0.5');
  await other.limit(2, '60000.5', '0.5');
  const client = await node.client(undefined, { moduleIds: [...EARN, ...TRADING] });
  const kept = await client.limit(1, '59000', '0.25');
  const found = await results({ ...client.credentials, symbol: 'BTC-USDT' });
  const skipped = bad(found).filter(({ outcome }) => outcome === 'skipped');
  expect(bad(found).filter(({ outcome }) => outcome === 'failed')).toEqual([]);
  expect(skipped.map(({ id }) => id)).toEqual(
    expect.arrayContaining(['CXL-08', 'CXL-10', 'CXL-12', 'ERN-15']),
  );
  expect<unknown>((await client.row(kept)).ordStatus).toBe(0);
});

test('a key that may only read, and an account without money: skipped, with the reason', async () => {
  const poor = await node.client({}, { moduleIds: [5] });
  const found = await results(poor.credentials);
  expect(found.filter(({ outcome }) => outcome === 'failed')).toEqual([]);
  const reasons = found.flatMap(({ reason }) => reason ?? []);
  expect(reasons.some((reason) => reason.includes('the account has 0'))).toBe(true);
  expect(reasons.some((reason) => reason.includes('the key may not'))).toBe(true);
  expect(found.filter(({ outcome }) => outcome === 'passed').length).toBeGreaterThan(25);
});

test('agio conformance against a fresh sandbox', async () => {
  using place = new Place();
  const data = place.path('data');
  await using server = await Server.start(['--data', data]);
  const { demo } = readSandbox(data);
  const env = { AGIO_KEY: demo!.apiKey, AGIO_SECRET: demo!.secretKey };
  const json = await agio(['conformance', '--url', server.url, '--json', '--subscribe'], { env });
  const { failed, passed, results: found } = JSON.parse(json.stdout);
  const faults = found.filter((result: CheckResult) => result.outcome === 'failed');
  expect({ faults, failed, code: json.code }).toEqual({ faults: [], failed: 0, code: 0 });
  expect(passed).toBeGreaterThan(80);
  const text = await agio([
    'conformance',
    '--url',
    server.url,
    '--key',
    demo!.apiKey,
    '--secret',
    'wrong',
  ]);
  expect(text.code).toBe(1);
  expect(text.stdout).toContain('✗ AUTH-01');
  expect(text.stdout).toContain('Earn interface and shared conventions: Authentication');
});

test('what is missing on the command line is said', async () => {
  const without = await agio(['conformance', '--url', 'http://127.0.0.1:1']);
  expect([without.code, without.stderr]).toEqual([1, expect.stringContaining('--secret')]);
  const nobody = await agio([
    'conformance',
    '--url',
    'http://127.0.0.1:1',
    '--key',
    'a',
    '--secret',
    'b',
  ]);
  expect([nobody.code, nobody.stderr]).toEqual([1, expect.stringContaining('does not answer')]);
});
