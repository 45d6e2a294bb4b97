// A cluster of whole nodes in this process, on a store and a network in memory, which a test cuts.

import { NONE } from '../../src/core/matching/order-store.ts';
import { MemoryCluster, MemoryStore } from './memory-store.ts';
import { MemoryNetwork } from './memory-transport.ts';
import { TestNode, type TestNodeOptions } from './node.ts';
import { TcpProxy } from './tcp-proxy.ts';
import { until } from './waiting.ts';

export const MASTER_KEY = '5a'.repeat(32);
const ENV = { AGIO_MASTER_KEY: MASTER_KEY, AGIO_OPERATOR_TOKEN: 'token-of-the-test-operator' };

export interface ClusterNode {
  readonly name: string;
  readonly node: TestNode;
  readonly store: MemoryStore;
  /** The way to its HTTP server that `kill` breaks. */
  readonly door: TcpProxy;
}

interface NodeParts extends Pick<TestNodeOptions, 'dataDir' | 'flags' | 'log'> {
  readonly link?: string;
  /** Its access to the shared store, which the test prepares. */
  readonly store?: MemoryStore;
}

export class TestCluster {
  readonly shared = new MemoryCluster();
  readonly network = new MemoryNetwork();
  readonly nodes: ClusterNode[] = [];

  /** Starts nodes one after the other; the first leads, and lists the usual assets and pairs. */
  static async start(
    names: readonly string[],
    flags: readonly string[] = [],
  ): Promise<TestCluster> {
    const cluster = new TestCluster();
    for (const name of names) {
      const { node } = await cluster.add(name, { flags });
      if (cluster.nodes.length === 1) await node.list();
    }
    return cluster;
  }

  async add(name: string, parts: NodeParts = {}): Promise<ClusterNode> {
    const { flags = [], link = `${name}:1`, store = this.store(), ...rest } = parts;
    const node = await TestNode.start({
      ...rest,
      flags: ['--node', name, '--link', link, ...flags],
      env: { ...ENV, AGIO_DATABASE_URL: 'postgres://memory/agio' },
      cluster: { openStore: () => store, openTransport: () => this.network.of(name) },
    });
    const door = await TcpProxy.open(() => node.port);
    const added = { name, node, store, door };
    this.nodes.push(added);
    return added;
  }

  /** The access of one more node to the shared store. */
  store(): MemoryStore {
    return new MemoryStore(this.shared);
  }

  find(name: string): ClusterNode {
    return this.nodes.find((one) => one.name === name)!;
  }

  /** The node that leads; waits until there is one among `nodes`. */
  async leader(nodes: readonly ClusterNode[] = this.nodes): Promise<ClusterNode> {
    let found: ClusterNode | undefined;
    await until(() => {
      found = nodes.find(({ node }) => node.services.cluster?.leads);
      return found !== undefined;
    });
    return found!;
  }

  /** Resolves when every node has applied the whole journal. */
  async settled(nodes: readonly ClusterNode[] = this.nodes): Promise<void> {
    await until(() => nodes.every(({ node }) => node.seq === this.shared.head.seq));
  }

  /** Cuts a node off from its clients, the other nodes and the store, as a killed process is. */
  kill({ name, store, door }: ClusterNode): void {
    store.fault = 'request';
    this.network.crash(name);
    void door.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.nodes.map(({ door }) => door.close()));
    await Promise.all(this.nodes.map(({ node }) => node.stop()));
  }
}

/** The clOrdIds of a user's open orders, oldest first. */
export function openIds({ state: { orders } }: TestNode, uid: number): string[] {
  const ids: string[] = [];
  for (let slot = orders.firstOf(uid); slot !== NONE; slot = orders.newerOf(slot)) {
    ids.push(orders.clOrdId(slot));
  }
  return ids;
}

/** Resolves when the leader has so many nodes, itself among them. */
export const connected = (leader: ClusterNode, count: number) =>
  until(() => leader.node.services.cluster!.status().nodes.length === count);
