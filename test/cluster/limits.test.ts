// Limits of callers who use all nodes of a cluster at the same time: they are those of one node,
// within a tenth.
import { expect, spyOn, test } from 'bun:test';
import type { Usage } from '../../src/gateway/limits/limits.ts';
import { TestCluster } from '../support/cluster.ts';
import { BALANCES, Client, type TestNode } from '../support/node.ts';
import { CENTER, PASSWORD, Person } from '../support/person.ts';
import { until } from '../support/waiting.ts';

const NAMES = ['a', 'b', 'c'];
const TOLERANCE = 1.1;

/** Three nodes with these rate limits. */
const start = (limits: string) => TestCluster.start(NAMES, ['--rate-limits', limits]);

const nodesOf = ({ nodes }: TestCluster): TestNode[] => nodes.map(({ node }) => node);

/** A client of one key on each node. */
async function clientsOf(cluster: TestCluster): Promise<Client[]> {
  const nodes = nodesOf(cluster);
  const { credentials } = await nodes[0]!.client();
  await until(() =>
    nodes.every(({ services }) => services.identity.apiKeys.lookup(credentials.apiKey)),
  );
  return nodes.map((node) => new Client(node, credentials));
}

test('one key on three nodes passes as many requests as on one', async () => {
  const [perSecond, burst] = [400, 400];
  await using cluster = await start(`private=${perSecond}/1/${burst},user=off`);
  const clients = await clientsOf(cluster);
  const began = performance.now();
  const elapsed = () => (performance.now() - began) / 1000;
  let [sent, passed] = [0, 0];
  const hammer = async (client: Client, untilSeconds: number) => {
    while (elapsed() < untilSeconds) {
      sent++;
      if ((await client.get(BALANCES)).status === 200) passed++;
    }
  };
  for (const seconds of [0.1, 2.5]) {
    await Promise.all([...clients, ...clients].map((client) => hammer(client, seconds)));
    expect(passed).toBeLessThanOrEqual(TOLERANCE * (burst + perSecond * elapsed()));
  }
  // The debts of the nodes to each other cost the caller nothing. A slow machine may send fewer.
  expect(passed).toBeGreaterThan(Math.min(burst, sent - 1));
});

test('what passed while nobody led is not charged later', async () => {
  await using cluster = await start('private=1/1/20,user=off');
  const clients = await clientsOf(cluster);
  const others = await clientsOf(cluster);
  const nodes = nodesOf(cluster);
  const setFault = (fault: 'request' | null) => {
    for (const { store } of cluster.nodes) store.fault = fault;
  };
  const haveRoles = () => nodes.every(({ services }) => services.cluster!.status().role !== 'none');
  setFault('request');
  await until(() => nodes.every(({ services }) => services.cluster!.status().role === 'none'));
  for (let i = 0; i < 12; i++) {
    for (const client of clients) expect((await client.get(BALANCES)).status).toBe(200);
  }
  setFault(null);
  await until(haveRoles);
  const leader = await cluster.leader();
  // The count of another key shows when the nodes have told each other everything.
  const charged = spyOn(leader.node.services.limits, 'charge');
  const { apiKey } = others[0]!.credentials;
  for (const other of others) await other.get(BALANCES);
  await until(() => charged.mock.calls.flat(2).some((one) => (one as Usage).key === apiKey));
  for (const client of clients) expect((await client.get(BALANCES)).status).toBe(200);
});

test('the clock of a promoted standby that is an hour behind keeps nobody waiting', async () => {
  await using cluster = await start('public=2/1/4');
  const nodes = nodesOf(cluster);
  const ready = async (node: TestNode) => (await node.get('/ready')).status;
  for (const node of nodes) await until(async () => (await ready(node)) === 429);
  const { now } = cluster.shared;
  cluster.shared.now = () => now() - 3_600_000;
  const leader = await cluster.leader();
  await until(() => leader.node.services.engine.wall() < now() - 3_000_000);
  for (const node of nodes) await until(async () => (await ready(node)) === 200);
});

test('failed signatures are counted over all nodes', async () => {
  const burst = 40;
  await using cluster = await start(`failedAuth=1/600/${burst},failedAddress=off`);
  const clients = await clientsOf(cluster);
  const attempt = async (client: Client) => {
    const headers = { 'EXCHANGE-API-SIGN': '0'.repeat(64) };
    return (await client.get(BALANCES, '', { headers })).status;
  };
  const statuses: number[] = [];
  do {
    for (const client of clients) statuses.push(await attempt(client));
  } while (statuses.slice(-3).some((status) => status === 401));
  const failed = statuses.filter((status) => status === 401).length;
  expect(failed).toBeGreaterThanOrEqual(burst);
  expect(failed).toBeLessThanOrEqual(TOLERANCE * burst);
  // The right signature waits as well: the guesser may have found it.
  for (const client of clients) expect((await client.get(BALANCES)).status).toBe(429);
});

test('wrong passwords are counted over all nodes', async () => {
  await using cluster = await start('off');
  const nodes = nodesOf(cluster);
  const { email } = await Person.join(nodes[0]!);
  const logIn = async (node: TestNode, password: string) =>
    (await node.post(`${CENTER}/login`, { email, password })).status;
  const statuses: number[] = [];
  for (const node of [...nodes, ...nodes]) statuses.push(await logIn(node, 'wrong guesses'));
  expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
  for (const node of nodes) expect(await logIn(node, PASSWORD)).toBe(429);
});
