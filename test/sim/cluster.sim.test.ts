// A cluster of three nodes in a simulated world, from a seed. Nodes crash, lose power, stand still
// beyond their lease and have wrong clocks. The network and the way to the store are cut. The store
// is slow, full or away; the lead is handed over. One journal remains, on all nodes, with each
// acknowledged write once, and after the last fault every node serves.
import { afterAll, beforeAll, expect } from 'bun:test';
import { Prng } from '../support/prng.ts';
import { ClusterCallers } from './cluster-callers.ts';
import { ClusterFaults } from './cluster-faults.ts';
import { judge } from './cluster-judge.ts';
import { restoreCrypto, seedCrypto } from './seeded-crypto.ts';
import { type ClusterFoundation, foundCluster, SimulatedCluster } from './simulated-cluster.ts';
import type { SimulatedTime } from './simulated-time.ts';
import { testWorlds } from './worlds.ts';

const DEFAULT_SEEDS = 32;
/** In this time after the last fault the cluster is well again. */
const RECOVERY_MS = 15_000;
/** A node that leads no more notices within its lease and the time of a call. */
const DEPOSED_MS = 4000;

/** Counted over all seeds. */
const happened: Record<string, number> = {};

function countAll(counts: Readonly<Record<string, number>>): void {
  for (const [what, count] of Object.entries(counts)) {
    happened[what] = (happened[what] ?? 0) + count;
  }
}

/** The source of all keys and nonces. */
let randomness = new Prng(0);

class Simulation {
  readonly #random: Prng;
  readonly #time: SimulatedTime;
  readonly #cluster: SimulatedCluster;
  readonly #callers: ClusterCallers;
  readonly #faults: ClusterFaults;

  constructor(seed: number, time: SimulatedTime, { store, keys }: ClusterFoundation) {
    this.#random = new Prng(seed);
    this.#time = time;
    this.#cluster = new SimulatedCluster(time, this.#random, store);
    this.#callers = new ClusterCallers(time, this.#random, this.#cluster, keys);
    this.#faults = new ClusterFaults(time, this.#random, this.#cluster);
  }

  run(): Promise<void> {
    return Promise.race([this.#live(), this.#cluster.watchTerms(DEPOSED_MS)]);
  }

  async #live(): Promise<void> {
    const { nodes } = this.#cluster;
    for (const node of nodes) node.start();
    await this.#requireWell();
    const end = this.#time.now + this.#random.between(4000, 16_000);
    const isGoingOn = () => this.#time.now < end;
    let isFaulty = true;
    const calls = this.#callers.call(() => isFaulty);
    await this.#faults.happen(isGoingOn);
    await this.#requireServing();
    isFaulty = false;
    await calls;
    await this.#requireWell();
    countAll({ commandsInSlices: await judge(this.#cluster, this.#callers.callers) });
    this.#count();
    for (const node of nodes) await node.stop();
    expect(nodes.map(({ stopsThatHung }) => stopsThatHung)).toEqual([0, 0, 0]);
  }

  async #requireWell(): Promise<void> {
    if (await this.#cluster.becomesWell(RECOVERY_MS)) return;
    const { nodes, shared } = this.#cluster;
    const each = nodes.map(({ name, role, node, failures }) =>
      [name, role, node?.services.engine.seq, ...failures].join(' '),
    );
    throw new Error(`nobody leads, or not all follow, at ${shared.head.seq}: ${each.join(', ')}`);
  }

  /** After the last fault every node takes a write within a time. */
  async #requireServing(): Promise<void> {
    await Promise.all(
      this.#cluster.nodes.map(async (node) => {
        const until = this.#time.now + RECOVERY_MS;
        await this.#callers.untilServing(node, async () => {
          if (this.#time.now > until) throw new Error(`node ${node.name} takes no write`);
          await this.#time.sleep(100);
        });
      }),
    );
  }

  #count(): void {
    const { callers, counts, revoked } = this.#callers;
    const { nodes, shared } = this.#cluster;
    countAll(this.#faults.counts);
    countAll(counts);
    countAll({
      acknowledged: callers.count('acknowledged'),
      readings: callers.calls.filter(({ kind, text }) => kind === 'balances' && text !== null)
        .length,
      lookups: callers.calls.filter(({ rows }) => rows !== null).length,
      unknown: callers.count('unknown'),
      rejected: callers.count('rejected'),
      revoked,
      terms: new Set(shared.records.map(({ epoch }) => epoch)).size,
      damages: nodes.reduce((sum, node) => sum + node.damages, 0),
    });
  }

  /** A digest of the journal, the state and the identity that the cluster has in the end. */
  digest(): string {
    const { shared, hashes } = this.#cluster;
    const text = [shared.head, shared.identity, [...hashes], this.#callers.counts];
    return new Bun.CryptoHasher('sha256').update(Bun.inspect(text, { depth: 9 })).digest('hex');
  }

  remove(): void {
    this.#cluster.remove();
  }
}

beforeAll(() => seedCrypto(() => randomness));
afterAll(() => restoreCrypto());

testWorlds({
  promise: 'no crash, no pause and no cut makes a cluster lose, repeat or invent anything',
  seeds: DEFAULT_SEEDS,
  onSeed(seed) {
    randomness = new Prng(seed);
  },
  found: (time) => foundCluster(time, new Prng(1)),
  simulate: (seed, time, foundation) => new Simulation(seed, time, foundation),
  requireTrouble() {
    expect(Object.entries(happened).filter(([, count]) => count === 0)).toEqual([]);
  },
});
