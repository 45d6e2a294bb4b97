// The audit of a real cluster: after each load, and once more after all, everything that its
// clients saw is compared with the journal in PostgreSQL, and with the copy of every node.
import {
  copyFaults,
  historyFaults,
  inventedFaults,
  type NodeCopy,
  requireNone,
} from '../harness/checker.ts';
import type { Call, History, Revocation } from '../harness/history.ts';
import type { RealCluster } from './real-cluster.ts';

/** Commands of the venue are seldom, so a few attempts find a moment without one. */
const ATTEMPTS = 10;

export class ClusterAudit {
  /** Every call of every load. */
  readonly calls: Call[] = [];
  readonly #revocations: Revocation[] = [];
  readonly #cluster: RealCluster;
  /** The end of the journal before the first load. */
  #startSeq = 0;

  constructor(cluster: RealCluster) {
    this.#cluster = cluster;
  }

  async begin(): Promise<void> {
    await this.#cluster.settled();
    requireNone(await this.#cluster.auditJournal([]));
    this.#startSeq = this.#cluster.audit.seq;
  }

  /** Checks a load that has ended, once all nodes have settled. `found` are faults of its kind. */
  async check(load: History, found: readonly string[] = []): Promise<void> {
    const cluster = this.#cluster;
    this.calls.push(...load.calls);
    this.#revocations.push(...load.revocations);
    const copies = await this.#settledCopies(load.calls);
    cluster.audit.checkInvariants();
    requireNone([
      ...historyFaults(load, cluster.audit),
      ...inventedFaults(this.calls, cluster.audit, this.#startSeq),
      ...copyFaults(copies, cluster.audit),
      ...found,
    ]);
  }

  /** The copies of all nodes when no command came while they were read. */
  async #settledCopies(calls: readonly Call[]): Promise<readonly NodeCopy[]> {
    const cluster = this.#cluster;
    const from = cluster.audit.seq + 1;
    let reads = calls;
    for (let attempt = 1; ; attempt++) {
      await cluster.settled();
      requireNone(await cluster.auditJournal(reads));
      reads = [];
      const copies = await cluster.copies(from);
      // The venue has commands of its own, such as a timer's.
      const hasMoved = copies.some(({ seq }) => seq > cluster.audit.seq);
      if (!hasMoved || attempt === ATTEMPTS) return copies;
    }
  }

  /** Stops every node in order. The whole history holds, also for writes that came late. */
  async end(): Promise<void> {
    const cluster = this.#cluster;
    const { seq } = cluster.audit;
    for (const node of cluster.nodes) {
      const code = await node.stop();
      if (code !== 0) throw new Error(`node ${node.name} ended with ${code}`);
    }
    requireNone(await cluster.auditJournal([]));
    const copies = await cluster.copies();
    // The venue has commands of its own, which come after the stop of the first nodes.
    const early = copies.slice(0, -1).filter((copy) => copy.seq !== cluster.audit.seq);
    requireNone([
      ...historyFaults({ calls: this.calls, revocations: this.#revocations }, cluster.audit),
      ...inventedFaults(this.calls, cluster.audit, this.#startSeq),
      ...copyFaults(
        copies.filter((copy) => !early.includes(copy)),
        cluster.audit,
      ),
      ...early.filter((copy) => copy.seq < seq).map(({ node }) => `${node} lacks what it had`),
    ]);
  }
}
