// Failovers of PostgreSQL itself: Patroni runs primary and standby, the primary crashes under load,
// and the nodes find the promoted standby without help. The audit is that of the rounds.
import { ClusterAudit } from './cluster-audit.ts';
import { isWrite, longestGap } from './history.ts';
import { Load } from './load.ts';
import { PatroniPair } from './patroni.ts';
import { RealCluster } from './real-cluster.ts';

export interface FailoverOptions {
  readonly failovers: number;
  readonly seed: number;
  readonly directory: string;
}

export interface FailoverReport {
  readonly acknowledged: number;
  /** The longest time without an answered write after a crash of the primary, ms. */
  readonly failovers: readonly number[];
}

/** Writes that every node accepts before a failover and after it. */
const PROGRESS = 10;

/** Throws Error at the first broken promise. */
export async function runFailovers(options: FailoverOptions): Promise<FailoverReport> {
  const database = await PatroniPair.start();
  try {
    const cluster = await RealCluster.start(options.directory, database);
    try {
      return await failOver(cluster, database, options);
    } catch (error) {
      const message = `${(error as Error).message}\n${await cluster.logs()}`;
      throw new Error(message, { cause: error });
    } finally {
      await cluster.dispose();
    }
  } finally {
    await database.dispose();
  }
}

async function failOver(
  cluster: RealCluster,
  database: PatroniPair,
  { failovers, seed }: FailoverOptions,
): Promise<FailoverReport> {
  const audit = new ClusterAudit(cluster);
  await audit.begin();
  const durations: number[] = [];
  for (let i = 1; i <= failovers; i++) {
    const load = new Load({
      nodes: cluster.nodes,
      keys: cluster.keys,
      operatorToken: cluster.access.operatorToken,
      seed: seed * 1000 + i,
      prefix: `failover-${i}`,
    });
    let killedAt = 0;
    let workedAt = 0;
    try {
      await load.progress(PROGRESS);
      killedAt = performance.now();
      await database.primary(await database.killPrimary());
      await load.progress(PROGRESS);
      workedAt = performance.now();
      await database.synchronous();
    } finally {
      await load.stop();
    }
    await audit.check(load);
    durations.push(longestGap(load.calls, killedAt, workedAt));
  }
  await audit.end();
  const acknowledged = audit.calls.filter(
    (call) => isWrite(call) && call.outcome === 'acknowledged',
  ).length;
  return { acknowledged, failovers: durations };
}
