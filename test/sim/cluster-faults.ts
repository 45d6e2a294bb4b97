// The faults of a simulated cluster, from the seed: each begins at any moment and lasts its time,
// and several may hold together.
import { operatorPost } from '../harness/sender.ts';
import type { Prng } from '../support/prng.ts';
import { type ClusterNode, OPERATOR_TOKEN } from './cluster-node.ts';
import type { SimulatedCluster } from './simulated-cluster.ts';
import type { SimulatedTime } from './simulated-time.ts';

const MINUTE = 60_000;

type Kind =
  | 'kill'
  | 'power'
  | 'stop'
  | 'pause'
  | 'cutNodes'
  | 'cutStore'
  | 'loseAnswers'
  | 'slow'
  | 'down'
  | 'full'
  | 'slowDisk'
  | 'handover';

const KINDS: readonly Kind[] = [
  ...(['kill', 'kill', 'power', 'power', 'stop', 'pause', 'pause', 'pause'] as const),
  ...(['cutNodes', 'cutNodes', 'cutStore', 'cutStore'] as const),
  ...(['loseAnswers', 'loseAnswers', 'loseAnswers', 'slow', 'slow', 'down', 'full'] as const),
  ...(['slowDisk', 'slowDisk', 'handover', 'handover', 'handover'] as const),
];

export class ClusterFaults {
  readonly counts: Record<Kind, number> & { leaderHit: number };
  readonly #time: SimulatedTime;
  readonly #random: Prng;
  readonly #cluster: SimulatedCluster;
  readonly #kinds: readonly Kind[];
  /** Nodes that are away or stand still already. */
  readonly #hit = new Set<ClusterNode>();
  readonly #ongoing = new Set<Promise<void>>();

  constructor(time: SimulatedTime, random: Prng, cluster: SimulatedCluster) {
    this.#time = time;
    this.#random = random;
    this.#cluster = cluster;
    // Half of the seeds have one kind alone.
    this.#kinds = random.oneIn(2) ? KINDS : [random.pick(KINDS)];
    const none = Object.fromEntries(KINDS.map((kind) => [kind, 0])) as Record<Kind, number>;
    this.counts = { ...none, leaderHit: 0 };
  }

  /** Faults begin while `go` holds; resolves when the last one is healed. */
  async happen(go: () => boolean): Promise<void> {
    while (go()) {
      await this.#time.sleep(this.#random.below(3000));
      const fault = this.#fault(this.#random.pick(this.#kinds));
      this.#ongoing.add(fault);
      void fault.then(() => this.#ongoing.delete(fault));
    }
    await Promise.all(this.#ongoing);
  }

  async #fault(kind: Kind): Promise<void> {
    this.counts[kind]++;
    const { weather, network } = this.#cluster;
    const random = this.#random;
    switch (kind) {
      case 'kill':
      case 'power':
      case 'stop':
        return this.#onNode((node) => this.#away(node, kind));
      case 'pause':
        return this.#onNode((node) => this.#pause(node));
      case 'cutNodes': {
        const [one, other] = this.#two();
        network.cut(one.name, other.name);
        await this.#time.sleep(random.below(9000));
        network.heal(one.name, other.name);
        return;
      }
      case 'cutStore': {
        const { name } = this.#victim();
        weather.cut(name, 'request');
        await this.#time.sleep(random.below(7000));
        weather.cut(name, null);
        return;
      }
      case 'loseAnswers': {
        // Its last batch is durable, and it never learns that.
        const { name } = this.#cluster.nodes.find(({ leads }) => leads) ?? this.#victim();
        weather.cut(name, 'answer');
        await this.#time.sleep(random.between(1000, 6000));
        weather.cut(name, null);
        return;
      }
      case 'slow':
        weather.slowness = random.pick([20, 200, 1500, 6000]);
        await this.#time.sleep(random.below(8000));
        weather.slowness = 0;
        return;
      case 'slowDisk': {
        const node = this.#victim();
        node.diskSlowness = random.pick([5, 30, 100]);
        await this.#time.sleep(random.below(8000));
        node.diskSlowness = 0;
        return;
      }
      case 'down':
        weather.isDown = true;
        await this.#time.sleep(random.oneIn(6) ? MINUTE : random.below(5000));
        weather.isDown = false;
        return;
      case 'full':
        weather.isFull = true;
        await this.#time.sleep(random.below(6000));
        weather.isFull = false;
        return;
      case 'handover':
        return this.#handOver();
    }
  }

  async #handOver(): Promise<void> {
    const body = { node: this.#random.pick(this.#cluster.nodes).name };
    const through = this.#random.pick(this.#cluster.nodes);
    const init = operatorPost(OPERATOR_TOKEN, body);
    await this.#cluster.send(through, '/operator/v1/cluster/lead', init);
  }

  /** Mostly the leader. */
  #victim(): ClusterNode {
    const { nodes } = this.#cluster;
    const leader = nodes.find(({ leads }) => leads);
    const victim =
      leader === undefined || this.#random.oneIn(2) ? this.#random.pick(nodes) : leader;
    if (victim === leader) this.counts.leaderHit++;
    return victim;
  }

  #two(): readonly [ClusterNode, ClusterNode] {
    const { nodes } = this.#cluster;
    const at = this.#random.below(nodes.length);
    return [nodes[at]!, nodes[(at + 1) % nodes.length]!];
  }

  async #onNode(act: (node: ClusterNode) => Promise<void>): Promise<void> {
    const node = this.#victim();
    if (this.#hit.has(node)) return;
    this.#hit.add(node);
    await act(node);
    this.#hit.delete(node);
  }

  async #away(node: ClusterNode, how: 'kill' | 'power' | 'stop'): Promise<void> {
    if (how === 'stop') await node.stop();
    else await node.crash(how);
    await this.#time.sleep(this.#random.below(6000));
    if (node.process === null) node.start();
    if (this.#random.oneIn(2)) return;
    // Perhaps before it has all records of the leader.
    for (let looks = 0; looks < 400 && node.role !== 'follower'; looks++) await this.#time.sleep(5);
    await this.#handOver();
  }

  async #pause(node: ClusterNode): Promise<void> {
    node.pause(true);
    await this.#time.sleep(this.#random.below(7000));
    node.pause(false);
  }
}
