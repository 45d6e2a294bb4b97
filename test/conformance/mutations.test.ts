// The conformance kit against servers that break one rule each: it fails, and names the clause.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { type CheckResult, conformance } from '../../src/conformance/run.ts';
import { createPlan, EARN } from '../support/earn.ts';
import { type Client, TestNode, TRADING } from '../support/node.ts';
import { untold } from '../support/told.ts';
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

test('with nothing broken, nothing fails; and every answer is one that docs/openapi.json tells of', async () => {
  const seen: Passing[] = [];
  proxy.break({ answer: (passing) => void seen.push({ ...passing }) });
  expect(await failures()).toEqual([]);
  proxy.break({});
  // An unknown path or method belongs to no call.
  const known = seen.filter(({ status }) => status !== 404 && status !== 405);
  expect(known.flatMap((passing) => untold(passing) ?? [])).toEqual([]);
  expect(new Set(seen.map(({ text }) => /"code":"(\d{6})"/.exec(text)?.[1])).size).toBeGreaterThan(
    20,
  );
});

/**
 * The checks beside the one that must fail: all of its group, and for what holds of all answers those that make some. Checks of
 * streams wait long for what does not come, so each is made alone.
 */
const beside = (id: string): string[] => {
  const group = id.split('-')[0]!;
  if (group === 'STR') return [id];
  return group === 'FORM' ? ['ACC', 'FORM'] : [group];
};

test.each(MUTATIONS)('$what: $id', async ({ id, how }) => {
  proxy.break(how);
  const found = await failures(beside(id));
  proxy.break({});
  const named = found.find((result) => result.id === id);
  expect({ failed: found.map((result) => result.id), named: named !== undefined }).toMatchObject({
    named: true,
  });
  expect(named!.expected!.length).toBeGreaterThan(3);
  expect(named!.got!.length).toBeGreaterThan(0);
  expect(named!.clause.rule.length).toBeGreaterThan(20);
});

test('there are mutations of every group', () => {
  expect(MUTATIONS.length).toBeGreaterThan(60);
  expect(new Set(MUTATIONS.map(({ id }) => id.split('-')[0])).size).toBe(10);
});
