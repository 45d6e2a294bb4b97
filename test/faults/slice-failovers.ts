// Failovers in the middle of an order: nodes with small records match a large order in slices, and
// the lead changes hands between two of them, by a kill or by a handover. The audit is that of the
// rounds; the order is whole on every node.

import { type Call, isWrite } from '../harness/history.ts';
import { LargeOrder } from '../harness/large-order.ts';
import { HABITS } from '../harness/load.ts';
import { SLICED } from '../harness/server-process.ts';
import { Prng } from '../support/prng.ts';
import { smallRecords } from '../support/small-records.ts';
import type { ClusterAudit } from './cluster-audit.ts';
import { PostgresPair } from './postgres-pair.ts';
import { onCluster, type RealCluster } from './real-cluster.ts';

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
/** A switch of its owners would cancel the large order or its icebergs. */
const CALM = { ...HABITS, weights: { ...HABITS.weights, armSwitch: 0 } };
/** Writes that every node accepts before a failover and after it. */
const PROGRESS = 5;

/** Throws Error with the seed at the first broken promise. */
export async function runSliceFailovers(
  options: SliceFailoverOptions,
): Promise<SliceFailoverReport> {
  using _ = smallRecords();
  try {
    return await onCluster(
      options.directory,
      PostgresPair.start,
      (cluster, audit) => failOver(cluster, audit, options),
      SLICED,
    );
  } catch (error) {
    throw new Error(`seed ${options.seed}: ${(error as Error).message}`, { cause: error });
  }
}

async function failOver(
  cluster: RealCluster,
  audit: ClusterAudit,
  { failovers, seed, progress }: SliceFailoverOptions,
): Promise<SliceFailoverReport> {
  const random = new Prng(seed);
  const between = { kill: 0, handover: 0 };
  let whole = 0;
  for (let i = 1; i <= failovers; i++) {
    const how = i % 2 === 1 ? 'kill' : 'handover';
    const { order, calls } = await oneFailover(cluster, audit.calls, {
      how,
      random,
      name: `large-${i}`,
      isWaiting: i <= failovers / 2,
    });
    await audit.check({ calls, revocations: [] });
    const isThere = cluster.audit.writesNamed(order.clOrdId).some(({ accepted }) => accepted);
    if (isThere) {
      for (const { url } of cluster.nodes) await order.requireWhole(url);
      whole++;
    } else await order.clear((await cluster.leader()).node, cluster.access, audit.calls);
    const isBetween = cluster.audit.acrossTerms.has(order.clOrdId);
    if (isBetween) between[how]++;
    progress(`${i}/${failovers}: ${how} ${isBetween ? 'between two slices' : 'before or after'}`);
  }
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
  /** True: the lead moves when the match has begun. */
  readonly isWaiting: boolean;
}

/** Sends the large order beside a load, and moves the lead meanwhile. */
async function oneFailover(
  cluster: RealCluster,
  calls: Call[],
  { how, random, name, isWaiting }: Failover,
) {
  const { access, nodes } = cluster;
  const { node: leader, epoch } = await cluster.leader();
  const others = nodes.filter((node) => node !== leader);
  const order = new LargeOrder(leader.url, access, name);
  await order.rest(leader, access, calls);
  const load = cluster.load(`${name}-load`, random.between(1, 1_000_000), [], CALM);
  const sender = load.sender(name, access.market[1]!);
  try {
    await load.progress(PROGRESS);
    const placed = order.send(sender, random.pick(nodes));
    // On a busy machine no fixed time falls into the match.
    if (isWaiting) await order.begun(leader);
    else await Bun.sleep(random.below(FAULT_MS));
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
