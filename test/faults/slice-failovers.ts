// Failovers in the middle of an order: nodes with small records match a large order in slices, and
// the lead changes hands between two of them, by a kill or by a handover. The audit is that of the
// rounds; the order is whole on every node.

import { LARGE_QUANTITY, LARGE_TERMS, LargeOrder } from '../crash/large-order.ts';
import { SLICED } from '../crash/server-process.ts';
import { Prng } from '../support/prng.ts';
import { smallRecords } from '../support/small-records.ts';
import { ClusterAudit } from './cluster-audit.ts';
import { isWrite } from './history.ts';
import { Load } from './load.ts';
import { PostgresPair } from './postgres-pair.ts';
import { RealCluster } from './real-cluster.ts';
import { Sender } from './sender.ts';

export interface SliceFailoverOptions {
  /** Every other one is a handover. */
  readonly failovers: number;
  readonly seed: number;
  readonly directory: string;
  readonly progress: (line: string) => void;
}

export interface SliceFailoverReport {
  readonly acknowledged: number;
  /** Large orders, of which each is there once and whole. */
  readonly whole: number;
  /** Failovers that left the order to another leader. */
  readonly killsBetween: number;
  readonly handoversBetween: number;
}

/** The lead changes within so long after the order was sent, ms. */
const FAULT_MS = 150;
/** Writes that every node accepts before a failover and after it. */
const PROGRESS = 5;

/** Throws Error with the seed at the first broken promise. */
export async function runSliceFailovers(
  options: SliceFailoverOptions,
): Promise<SliceFailoverReport> {
  using _ = smallRecords();
  const database = await PostgresPair.start();
  try {
    const cluster = await RealCluster.start(options.directory, database, SLICED);
    try {
      return await failOver(cluster, options);
    } catch (error) {
      const { message } = error as Error;
      const text = `seed ${options.seed}: ${message}\n${await cluster.logs()}`;
      throw new Error(text, { cause: error });
    } finally {
      await cluster.dispose();
    }
  } finally {
    await database.dispose();
  }
}

async function failOver(
  cluster: RealCluster,
  { failovers, seed, progress }: SliceFailoverOptions,
): Promise<SliceFailoverReport> {
  const audit = new ClusterAudit(cluster);
  const random = new Prng(seed);
  const { uid } = cluster.access.enterprise.members[0]!;
  const credit = { uid, asset: 'ETH', amount: `${failovers * LARGE_QUANTITY}` };
  await cluster.operator(cluster.nodes[0]!, 'ledger/credit', { ...credit, reference: 'icebergs' });
  await audit.begin();
  const between = { kill: 0, handover: 0 };
  let whole = 0;
  for (let i = 1; i <= failovers; i++) {
    const how = i % 2 === 1 ? 'kill' : 'handover';
    const { order, calls } = await oneFailover(cluster, { how, random, name: `large-${i}` });
    await audit.check({ calls, revocations: [] });
    const isThere = cluster.audit.writesNamed(order.clOrdId).some(({ accepted }) => accepted);
    if (isThere) {
      for (const { url } of cluster.nodes) await order.requireWhole(url);
      whole++;
    }
    const isBetween = cluster.audit.acrossTerms.has(order.clOrdId);
    if (isBetween) between[how]++;
    progress(`${i}/${failovers}: ${how} ${isBetween ? 'between two slices' : 'before or after'}`);
  }
  await audit.end();
  const { length: acknowledged } = audit.calls.filter(
    (call) => isWrite(call) && call.outcome === 'acknowledged',
  );
  const { kill: killsBetween, handover: handoversBetween } = between;
  return { acknowledged, whole, killsBetween, handoversBetween };
}

interface Failover {
  readonly how: 'kill' | 'handover';
  readonly random: Prng;
  readonly name: string;
}

/** Sends the large order beside a load, and moves the lead meanwhile. */
async function oneFailover(cluster: RealCluster, { how, random, name }: Failover) {
  const { access, nodes, keys } = cluster;
  const { node: leader, epoch } = await cluster.leader();
  const others = nodes.filter((node) => node !== leader);
  const order = new LargeOrder(leader.url, access, name);
  await order.rest();
  const { operatorToken } = access;
  const seed = random.between(1, 1_000_000);
  const load = new Load({ nodes, keys, operatorToken, seed, prefix: `${name}-load` });
  const sender = new Sender(name, access.market[1]!, operatorToken, load.calls);
  try {
    await load.progress(PROGRESS);
    const placed = sender.placeOrder(random.pick(nodes), name, LARGE_TERMS);
    await Bun.sleep(random.below(FAULT_MS));
    if (how === 'kill') await leader.kill();
    else await cluster.operator(leader, 'cluster/lead', { node: random.pick(others).name });
    await cluster.leader(epoch);
    await load.progress(PROGRESS, others);
    await placed;
    if (!leader.isRunning) await leader.startSupervised();
    await load.progress(PROGRESS);
  } finally {
    await load.stop();
  }
  return { order, calls: load.calls };
}
