// A cluster as the gateway of one node sees it, for tests of calls: the test says which nodes there
// are and what this one is.

import { Problem } from '../../src/contract/problem.ts';
import type {
  ClusterControl,
  ClusterStatus,
  ClusterUpgrade,
} from '../../src/gateway/cluster-control.ts';
import type { TestNode } from './node.ts';

export const LEADER = 'agio-1';
export const FOLLOWER = 'agio-2';
/** A node of this cluster that is gone. */
export const GONE = 'agio-3';
/** How many commands the other node is behind. */
export const LAG = 3;
const BEGAN = 1_795_000_000_000;

export class FakeCluster implements ClusterControl {
  /** The nodes that got the lead, with the newest audit entry at that moment. */
  readonly handovers: { readonly node: string; readonly auditId: number }[] = [];
  role: ClusterStatus['role'] = 'leader';
  readonly #node: TestNode;

  private constructor(node: TestNode) {
    this.#node = node;
  }

  /** Makes a single machine the leader of two nodes, as its calls see it. */
  static at(node: TestNode): FakeCluster {
    const cluster = new FakeCluster(node);
    Object.assign(node.services, { cluster });
    return cluster;
  }

  static remove(node: TestNode): void {
    Object.assign(node.services, { cluster: null });
  }

  get leads(): boolean {
    return this.role === 'leader';
  }

  status(): ClusterStatus {
    const { seq } = this.#node;
    const own = {
      node: LEADER,
      address: 'agio-1:7400',
      role: 'leader',
      connectedSince: null,
    } as const;
    const other = { node: FOLLOWER, address: 'agio-2:7400', role: 'follower' } as const;
    return {
      node: LEADER,
      role: this.role,
      epoch: 7,
      leader: this.leads ? { node: LEADER, address: own.address } : null,
      since: BEGAN,
      nodes: [
        { ...own, seq },
        { ...other, seq: Math.max(0, seq - LAG), connectedSince: BEGAN + 500 },
      ],
      members: [LEADER, FOLLOWER, GONE].map((name) => ({
        node: name,
        address: `${name}:7400`,
        release: '0.1.0',
        newestRules: 1,
        seenAt: BEGAN + 1000,
        isStopped: false,
        isRunning: name !== GONE,
      })),
      rules: 1,
      standbys: { now: 1, most: 1 },
      otherTokens: [],
      seesStore: true,
      trouble: null,
    };
  }

  relay(): Promise<Response> {
    return Promise.reject(new Error('no test relays'));
  }

  syncIdentity(): Promise<void> {
    return Promise.reject(new Error('no test waits for identity'));
  }

  settle(): Promise<void> {
    return Promise.reject(new Error('no test looks up what is not there'));
  }

  isFirstUse(): Promise<boolean> {
    return Promise.reject(new Error('no test asks the leader'));
  }

  handOver(node: string): Promise<void> {
    const { audit } = this.#node.services.identity;
    this.handovers.push({ node, auditId: audit.head().id });
    return Promise.resolve();
  }

  upgrade(): Promise<ClusterUpgrade> {
    return Promise.resolve({ from: 1, to: 1, older: [] });
  }

  forget(node: string): Promise<void> {
    return node === GONE ? Promise.resolve() : Promise.reject(new Problem('nodeRuns'));
  }
}
