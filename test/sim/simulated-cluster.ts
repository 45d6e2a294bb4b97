// Three nodes, their store and the network between them, in one simulated time.

import type { Answer, Key } from '../harness/sender.ts';
import { MemoryCluster } from '../support/memory-store.ts';
import { MemoryNetwork } from '../support/memory-transport.ts';
import { TRADING } from '../support/node.ts';
import type { Prng } from '../support/prng.ts';
import { ClusterNode } from './cluster-node.ts';
import { foundOn } from './foundation.ts';
import type { SimulatedTime } from './simulated-time.ts';
import { StoreWeather } from './store-weather.ts';

const HOUR = 3_600_000;
/** The names of the nodes, and how far their wall clocks are ahead, ms. */
const NODES = [
  ['a', 0],
  ['b', HOUR],
  ['c', -HOUR],
] as const;
/** How long a caller waits for an answer. */
const PATIENCE_MS = 8000;
const WATCH_MS = 100;
const CUSTOMERS = 3;

export class SimulatedCluster {
  readonly nodes: readonly ClusterNode[];
  readonly network: MemoryNetwork;
  readonly weather: StoreWeather;
  readonly shared: MemoryCluster;
  /** The state hash after each command that any node has applied. */
  readonly hashes = new Map<number, string>();
  readonly #time: SimulatedTime;
  readonly #random: Prng;

  /** `foundation`: what the store has at the beginning. */
  constructor(time: SimulatedTime, random: Prng, foundation?: MemoryCluster) {
    this.#time = time;
    this.#random = random;
    this.shared = new MemoryCluster(() => time.wall);
    if (foundation !== undefined) copyInto(this.shared, foundation);
    this.weather = new StoreWeather(this.shared, time, random);
    this.network = new MemoryNetwork(
      () => this.#way(),
      (name, run) => this.#asNode(name, run),
    );
    this.nodes = NODES.map(([name, ahead]) => new ClusterNode(name, ahead, this.#around()));
  }

  #around() {
    const { network, weather, hashes } = this;
    return { time: this.#time, random: this.#random, network, weather, hashes };
  }

  /** Mostly a millisecond; now and then long enough for all others to overtake. */
  #way(): number {
    const random = this.#random;
    return random.oneIn(25) ? random.below(150) : random.below(1000) / 1000;
  }

  #asNode(name: string, run: () => void): void {
    const process = this.find(name).process;
    this.#time.as(process, () => {
      // Nobody there notices before the process goes on.
      if (process?.isPaused === true) void this.#time.sleep(0).then(run);
      else run();
    });
  }

  find(name: string): ClusterNode {
    return this.nodes.find((node) => node.name === name)!;
  }

  /** The answer of a node; null where none comes in time. */
  async send(node: ClusterNode, target: string, init: RequestInit): Promise<Answer | null> {
    const answered = async () => {
      await this.#time.sleep(this.#way());
      const answer = await node.serve(target, init);
      await this.#time.sleep(this.#way());
      return answer;
    };
    return Promise.race([answered(), this.#time.sleep(PATIENCE_MS).then(() => null)]);
  }

  /** Throws once a node has led for this long, ms, after a later term began; never resolves. */
  async watchTerms(within: number): Promise<never> {
    const deposed = new Map<ClusterNode, number>();
    for (;;) {
      await this.#time.sleep(WATCH_MS);
      for (const node of this.nodes) {
        if (node.process?.isPaused === true) continue;
        const isDeposed = node.role === 'leader' && node.term < this.shared.held!.epoch;
        const since = isDeposed ? (deposed.get(node) ?? 0) + WATCH_MS : 0;
        if (since > within) throw new Error(`node ${node.name} leads on after its term ended`);
        deposed.set(node, since);
      }
    }
  }

  /** True if one node leads and all others follow it, at the end of the journal. */
  get isWell(): boolean {
    const { head, identity } = this.shared;
    const leaders = this.nodes.filter(({ leads }) => leads);
    const states = this.nodes.map(({ node }) => node?.services);
    return (
      leaders.length === 1 &&
      this.nodes.every((node) => node.leads || node.role === 'follower') &&
      states.every((services) => services?.engine.seq === head.seq) &&
      states.every((one) => one?.identity.replication?.version === identity.version)
    );
  }

  /** Resolves to whether the cluster became well within this time, ms. */
  async becomesWell(within: number): Promise<boolean> {
    const until = this.#time.now + within;
    while (!this.isWell) {
      if (this.#time.now > until) return false;
      await this.#time.sleep(50);
    }
    return true;
  }

  remove(): void {
    for (const node of this.nodes) node.remove();
  }
}

/** Gives the shared store the content of another one, in an ended term. */
function copyInto(shared: MemoryCluster, from: MemoryCluster): void {
  shared.records.push(...from.records);
  shared.identity = from.identity;
  shared.identityEpoch = from.identityEpoch;
  shared.held = { ...from.held!, renewal: '' };
}

export interface ClusterFoundation {
  readonly store: MemoryCluster;
  readonly keys: readonly Key[];
}

/** Founds a venue in a store: BTC-USDT, and customers with money and a key. */
export async function foundCluster(time: SimulatedTime, random: Prng): Promise<ClusterFoundation> {
  const cluster = new SimulatedCluster(time, random);
  const [first] = cluster.nodes;
  first!.start();
  while (!first!.leads) await time.sleep(50);
  const node = first!.node!;
  const keys = await time.as(first!.process, async () => {
    const made = await foundOn(node, CUSTOMERS, TRADING);
    await node.services.identity.replication!.drain();
    return made;
  });
  await first!.stop();
  cluster.remove();
  return { store: cluster.shared, keys };
}
