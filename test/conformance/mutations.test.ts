// The conformance kit against servers that break one rule each: it fails, and names the clause.
import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test';
import { CHECKS, type CheckResult, conformance } from '../../src/conformance/run.ts';
import { createPlan, EARN } from '../support/earn.ts';
import { type Client, MASS_CANCEL, TestNode, TRADING } from '../support/node.ts';
import { undocumented } from '../support/openapi-answers.ts';
import { BreakingProxy, type Passing } from './breaking-proxy.ts';
import { MUTATIONS } from './mutations.ts';

let node: TestNode;
let proxy: BreakingProxy;
let client: Client;
beforeAll(async () => {
  node = await TestNode.start();
  await createPlan(node);
  client = await node.client(undefined, { moduleIds: [...EARN.slice(0, 3), ...TRADING] });
  for (const price of ['60000', '60001']) {
    await client.limit(2, price, '0.01');
    await client.limit(1, price, '0.01');
  }
  proxy = new BreakingProxy(node.url);
});
// A check that fails leaves its orders, and others skip where there are any.
beforeEach(() => client.post(MASS_CANCEL, {}));
afterAll(async () => {
  await proxy.stop();
  await node.stop();
});

async function failures(only?: readonly string[]): Promise<CheckResult[]> {
  const options = { url: proxy.url, ...client.credentials, subscribe: true, only };
  const found: CheckResult[] = [];
  for await (const result of conformance(options)) found.push(result);
  return found.filter(({ outcome }) => outcome === 'failed');
}

test('with nothing broken nothing fails, and docs/openapi.json has every answer', async () => {
  const seen: Passing[] = [];
  proxy.break({ answer: (passing) => void seen.push({ ...passing }) });
  expect(await failures()).toEqual([]);
  proxy.break({});
  // An unknown path or method belongs to no call.
  const known = seen.filter(({ status }) => status !== 404 && status !== 405);
  expect(known.flatMap((passing) => undocumented(passing) ?? [])).toEqual([]);
  expect(new Set(seen.map(({ text }) => /"code":"(\d{6})"/.exec(text)?.[1])).size).toBeGreaterThan(
    20,
  );
});

/**
 * The checks that run with the one that must fail: its group, and for clauses about all answers a
 * group that makes some. A check of streams waits long for a missing message, so it runs alone.
 */
const groupOf = (id: string): string[] => {
  const group = id.split('-')[0]!;
  if (group === 'STR') return [id];
  return group === 'FORM' ? ['ACC', 'FORM'] : [group];
};

test.each(MUTATIONS)('%s: %s', async (id, _, how) => {
  proxy.break(how);
  const found = await failures(groupOf(id));
  proxy.break({});
  expect(found.map((result) => result.id)).toContain(id);
  const { expected, got } = found.find((result) => result.id === id)!;
  expect(expected!.length).toBeGreaterThan(3);
  expect(got!.length).toBeGreaterThan(0);
});

test('there are mutations of every group', () => {
  expect(MUTATIONS.length).toBeGreaterThan(60);
  const groups = (ids: readonly string[]) => new Set(ids.map((id) => id.split('-')[0]));
  expect(groups(MUTATIONS.map(([id]) => id))).toEqual(groups(CHECKS.map(({ id }) => id)));
});
