// Rounds against a real cluster: signed load on all nodes, one fault or two of the table, a key
// that is revoked meanwhile, and then the whole audit. Everything is chosen by a seed.
import { type Call, isWrite, longestGap } from '../harness/history.ts';
import { httpWorld } from '../harness/http.ts';
import type { Load } from '../harness/load.ts';
import { CREDIT, type Key, Sender } from '../harness/sender.ts';
import { Prng } from '../support/prng.ts';
import { PATIENCE_MS } from '../support/waiting.ts';
import type { ClusterAudit } from './cluster-audit.ts';
import { FAULTS, type Fault, type FaultTimes, type FaultWorld } from './faults.ts';
import { PostgresPair } from './postgres-pair.ts';
import { onCluster, type RealCluster } from './real-cluster.ts';

export interface RoundOptions {
  readonly rounds: number;
  readonly seed: number;
  /** How long PostgreSQL is down when it is down on purpose. */
  readonly outageMs: number;
  /** Each round inflicts this fault alone; any of the table by default. */
  readonly only?: string | undefined;
  readonly directory: string;
  readonly progress: (line: string) => void;
}

export interface RoundsReport {
  readonly acknowledged: number;
  readonly rejected: number;
  readonly unknown: number;
  /** Unknown writes that the journal has. */
  readonly unknownDone: number;
  readonly reads: number;
  /** From the kill of a leader to the first write that a later term has answered, ms. */
  readonly failoverMs: readonly number[];
  /** The longest time without an answered write around a handover, ms. */
  readonly handoverMs: readonly number[];
  /** From the answer to a write to that of a read of it on another node, ms. */
  readonly lagMs: readonly number[];
}

/** A mixed round heals after at most so long. */
const MAX_MIX_MS = 3_000;
/** Writes that every node accepts before a fault and after it. */
const PROGRESS = 10;
/** Calls with a revoked key that every node rejects. */
const REJECTIONS = 2;
/** A handover is over for all clients after so long. */
const HANDOVER_TAIL_MS = 1_000;
const LAG_SAMPLES = 100;

/** Throws Error with the seed, the round and its faults at the first broken promise. */
export const runClusterRounds = (options: RoundOptions): Promise<RoundsReport> =>
  onCluster(options.directory, PostgresPair.start, (cluster, audit, database) =>
    new Rounds(cluster, audit, database, options).run(),
  );

class Rounds {
  readonly #cluster: RealCluster;
  readonly #database: PostgresPair;
  readonly #options: RoundOptions;
  readonly #random: Prng;
  readonly #audit: ClusterAudit;
  readonly #measured: FaultTimes = { kills: [], handovers: [], outages: [] };
  #deck: Fault[] = [];

  constructor(
    cluster: RealCluster,
    audit: ClusterAudit,
    database: PostgresPair,
    options: RoundOptions,
  ) {
    this.#cluster = cluster;
    this.#database = database;
    this.#options = options;
    this.#random = new Prng(options.seed);
    this.#audit = audit;
  }

  async run(): Promise<RoundsReport> {
    const lagMs = await this.#lag();
    for (let round = 1; round <= this.#options.rounds; round++) {
      const faults = this.#draw(round);
      const names = faults.map(({ name }) => name).join(' + ');
      try {
        const calls = await this.#round(round, faults);
        this.#options.progress(`round ${round}: ${names}: ${summaryOf(calls)}`);
      } catch (error) {
        const { seed } = this.#options;
        const message = `seed ${seed}, round ${round} (${names}): ${(error as Error).message}`;
        throw new Error(message);
      }
    }
    return this.#report(lagMs);
  }

  /** Odd rounds have one fault, so that its effect shows; even ones have two. */
  #draw(round: number): Fault[] {
    const { only } = this.#options;
    if (only !== undefined) return FAULTS.filter(({ name }) => name === only);
    const first = this.#next(FAULTS);
    if (round % 2 === 1) return [first];
    // Two faults of one PostgreSQL are no more than one of them.
    const others = FAULTS.filter(({ part }) => part !== 'PostgreSQL' || first.part !== part);
    return [first, this.#next(others.filter((fault) => fault !== first))];
  }

  /** One of these. Each of the table comes once, in a random order, before any comes again. */
  #next(faults: readonly Fault[]): Fault {
    if (!this.#deck.some((fault) => faults.includes(fault))) this.#deck = [...FAULTS];
    const fault = this.#random.pick(this.#deck.filter((each) => faults.includes(each)));
    this.#deck = this.#deck.filter((each) => each !== fault);
    return fault;
  }

  async #round(round: number, faults: readonly Fault[]): Promise<readonly Call[]> {
    const cluster = this.#cluster;
    const { seed, outageMs } = this.#options;
    const revoked = await this.#newKey(`round-${round}`);
    const load = cluster.load(`r${round}`, seed * 1000 + round, [revoked]);
    try {
      await load.progress(PROGRESS);
      const { node: leader, epoch } = await cluster.leader();
      const world: FaultWorld = {
        cluster,
        database: this.#database,
        load,
        random: this.#random,
        outageMs,
        leader,
        epoch,
        measured: this.#measured,
      };
      await this.#inflict(world, faults, revoked);
      await load.progress(PROGRESS);
      await load.rejections(revoked.apiKey, REJECTIONS);
    } finally {
      this.#cluster.heal();
      await load.stop();
    }
    await this.#audit.check(load, this.#outageFaults(load.calls));
    return load.calls;
  }

  async #inflict(world: FaultWorld, faults: readonly Fault[], key: Key): Promise<void> {
    const inflicted: Awaited<ReturnType<Fault['inflict']>>[] = [];
    for (const fault of faults) inflicted.push(await fault.inflict(world));
    const [first, ...others] = inflicted;
    const waiting = async (): Promise<void> => {
      if (others.length === 0) await first!.effect?.();
      else await Bun.sleep(this.#random.below(MAX_MIX_MS));
      await Promise.all(inflicted.map(({ heal }) => heal()));
    };
    await Promise.all([this.#revoke(world.load, key), waiting()]);
  }

  async #newKey(alias: string): Promise<Key> {
    const { uid } = this.#cluster.access.demo;
    const body = { alias, moduleIds: [5, 6] };
    const created = (await this.#operator(`users/${uid}/keys`, body)) as Key;
    return { uid, apiKey: created.apiKey, secretKey: created.secretKey };
  }

  async #revoke({ revocations }: Load, { uid, apiKey }: Key): Promise<void> {
    const revocation = { apiKey, sentAt: performance.now(), answeredAt: Number.POSITIVE_INFINITY };
    revocations.push(revocation);
    await this.#operator(`users/${uid}/keys/${apiKey}/revoke`, {});
    revocation.answeredAt = performance.now();
  }

  /** A call of the operator that may be repeated, on any node until one carries it out. */
  #operator(path: string, body: object): Promise<unknown> {
    const cluster = this.#cluster;
    return untilDone(() => cluster.operator(this.#random.pick(cluster.nodes), path, body));
  }

  /** While PostgreSQL or its standby is down, nothing is accepted. */
  #outageFaults(calls: readonly Call[]): string[] {
    return this.#measured.outages.flatMap(({ from, to }) =>
      calls
        .filter((call) => isWrite(call) && call.outcome === 'acknowledged')
        .filter(({ sentAt, answeredAt }) => sentAt > from && answeredAt < to)
        .map(({ name, node }) => `${node} accepted ${name} while PostgreSQL was down`),
    );
  }

  /** How long a session waits for its write on another node, without other load. */
  async #lag(): Promise<number[]> {
    const { nodes, keys, access } = this.#cluster;
    const world = httpWorld(nodes, access.operatorToken);
    const sender = new Sender('lag', keys[0]!, world, this.#audit.calls);
    const { uid } = keys[0]!;
    const found: number[] = [];
    for (let i = 0; i < LAG_SAMPLES; i++) {
      const name = `lag-${i}`;
      const write = await sender.write({
        ...{ kind: 'transferFunds', name, path: CREDIT, to: () => nodes[i % nodes.length]! },
        body: { uid, asset: 'USDT', amount: '0.01', reference: name },
      });
      const read = await sender.balances(nodes[(i + 1) % nodes.length]!);
      if (write.outcome !== 'acknowledged' || read.outcome !== 'acknowledged') {
        throw new Error(`without a fault: ${write.detail}${read.detail}`);
      }
      found.push(read.answeredAt - write.answeredAt);
    }
    return found;
  }

  #report(lagMs: readonly number[]): RoundsReport {
    const { audit } = this.#cluster;
    const writes = this.#audit.calls.filter(isWrite);
    const count = (outcome: Call['outcome']) =>
      writes.filter((call) => call.outcome === outcome).length;
    const isDone = ({ name }: Call) => audit.writesNamed(name).some(({ accepted }) => accepted);
    const answered = writes
      .filter(({ outcome }) => outcome === 'acknowledged')
      .map(({ name, answeredAt }) => ({ answeredAt, epoch: audit.writesNamed(name)[0]!.epoch }))
      .toSorted((a, b) => a.answeredAt - b.answeredAt);
    const { kills, handovers } = this.#measured;
    return {
      acknowledged: count('acknowledged'),
      rejected: count('rejected'),
      unknown: count('unknown'),
      unknownDone: writes.filter((call) => call.outcome === 'unknown' && isDone(call)).length,
      reads: this.#audit.calls.length - writes.length,
      failoverMs: kills.flatMap(({ at, epoch }) => {
        const first = answered.find((one) => one.answeredAt > at && one.epoch > epoch);
        return first === undefined ? [] : [first.answeredAt - at];
      }),
      handoverMs: handovers.map(({ from, to }) => longestGap(writes, from, to + HANDOVER_TAIL_MS)),
      lagMs,
    };
  }
}

/** Repeats `attempt` until it succeeds. Throws its last error after a very long time. */
async function untilDone<T>(attempt: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + 2 * PATIENCE_MS;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await Bun.sleep(50);
    }
  }
}

function summaryOf(calls: readonly Call[]): string {
  const writes = calls.filter(isWrite);
  const count = (outcome: Call['outcome']) =>
    writes.filter((call) => call.outcome === outcome).length;
  return (
    `${count('acknowledged')} writes acknowledged, ${count('rejected')} rejected, ` +
    `${count('unknown')} unknown, ${calls.length - writes.length} reads`
  );
}
