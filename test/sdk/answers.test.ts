// Every method of the SDK against a real server: its answer has exactly the described fields.
import { expect, test } from 'bun:test';
import { faultsOf } from '../../src/contract/answer-faults.ts';
import { allCalls, CALLS } from '../../src/contract/calls.ts';
import { AgioClient } from '../../src/sdk/client.ts';
import { UserCenterClient } from '../../src/sdk/user-center-client.ts';
import { recordAll } from '../docs/reference-calls.ts';
import { TestNode } from '../support/node.ts';
import { PASSWORD, Person } from '../support/person.ts';

/** An empty list proves nothing. */
const isEmptyList = (answer: unknown): boolean => {
  const { data, items } = Object(answer) as { data?: unknown; items?: unknown };
  return [answer, data, items].some((list) => Array.isArray(list) && list.length === 0);
};

test('every answer has the described fields', async () => {
  const faults: string[] = [];
  const filled = new Set<string>();
  await recordAll(undefined, (client, name, answer) => {
    const call = `${client} ${name}`;
    const { answer: description } = (CALLS[client] as Record<string, (typeof allCalls)[number]>)[
      name
    ]!;
    faults.push(...faultsOf(description, answer, 'sdk').map((fault) => `${call}: ${fault}`));
    if (!isEmptyList(answer)) filled.add(call);
  });
  expect(faults).toEqual([]);
  expect([...filled].sort()).toEqual(
    allCalls.map(({ client, name }) => `${client} ${name}`).sort(),
  );
});

test('a client makes private calls by the session of a user center, until its logout', async () => {
  await using node = await TestNode.start();
  const { email, uid } = await Person.join(node);
  const center = new UserCenterClient({ url: node.url });
  const own = new AgioClient({ url: node.url, sessionToken: () => center.sessionToken });
  await center.login({ email, password: PASSWORD });
  await node.credit(uid, 'USDT', '12.5');
  const usdt = (await own.balances()).find(({ asset }) => asset === 'USDT')!;
  expect(usdt.available).toBe('12.5');
  await center.logout();
  expect(center.sessionToken).toBeNull();
});
