// Clients over the kill of a leader, on a real cluster: the streams of the ccxt class, and writes
// to earn.
import { expect, test } from 'bun:test';
import { agio } from '../../src/ccxt/agio.ts';
import { AgioClient } from '../../src/sdk/client.ts';
import { inDirectory } from '../harness/server-process.ts';
import { NO_POSTGRES } from '../support/postgres.ts';
import { createStoreServer } from '../support/postgres-store.ts';
import { until } from '../support/waiting.ts';
import { RealCluster } from './real-cluster.ts';

const PAIR = 'BTC/USDT';
const COUNT = 20;

/** The clientOrderIds that a stream of own orders shows; a bot watches again after an error. */
function watchOrders(exchange: agio): { readonly seen: ReadonlySet<string>; stop(): void } {
  const seen = new Set<string>();
  let isOver = false;
  const watching = async () => {
    while (!isOver) {
      const orders = await exchange.watchOrders(PAIR).catch(() => []);
      for (const { clientOrderId } of orders) seen.add(clientOrderId!);
    }
  };
  void watching();
  return {
    seen,
    stop() {
      isOver = true;
    },
  };
}

/** Kills the leader in the middle of these writes, which clients with all URLs repeat. */
async function overKill(cluster: RealCluster, write: (n: number) => Promise<unknown>) {
  const { node, epoch } = await cluster.leader();
  for (let n = 0; n < COUNT; n++) {
    const writing = write(n);
    if (n === COUNT / 2) await node.kill();
    await writing;
  }
  await cluster.leader(epoch);
  await node.startSupervised();
}

test.skipIf(NO_POSTGRES)('streams of the ccxt class and earn go on after a kill', () =>
  inDirectory(async (directory) => {
    await using server = await createStoreServer();
    await using cluster = await RealCluster.start(directory, server);
    const { apiKey, secretKey: secret } = cluster.access.demo;
    const urls = cluster.nodes.map(({ url }) => url);
    const hosts = urls.map((url) => new URL(url).host);
    const exchange = new agio({ apiKey, secret, sandbox: true, rateLimit: 1, options: { hosts } });
    const client = new AgioClient({ url: urls, apiKey, secretKey: secret });
    const stream = watchOrders(exchange);
    try {
      const placed: string[] = [];
      await overKill(cluster, async (n) => {
        const clientOrderId = `watched-${n}`;
        await exchange.createOrder(PAIR, 'limit', 'buy', 0.001, 50_000 + n, { clientOrderId });
        placed.push(clientOrderId);
      });
      await until(() => placed.every((name) => stream.seen.has(name)));
      const open = (await exchange.fetchOpenOrders(PAIR)).map((order) => order.clientOrderId!);
      expect(open.toSorted()).toEqual(placed.toSorted());

      const plans = await client.plans();
      const { planId } = plans.find(({ planName }) => planName === 'USDT Flexible')!;
      await overKill(cluster, () => client.applyPlan({ planId, amount: '10' }));
      const [subscription] = await client.subscriptions();
      expect(Number(subscription!.amount)).toBe(10 * COUNT);
    } finally {
      stream.stop();
      await exchange.close();
    }
  }),
);
