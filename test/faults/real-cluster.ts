// A cluster as in production, on one machine: three node processes over one PostgreSQL, and a proxy
// on every connection. Tests break parts of it, and audit it as a whole.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { PostgresStore } from '../../src/cluster/postgres/postgres-store.ts';
import { openJournalReader } from '../../src/journal/open-journal.ts';
import type { NodeCopy } from '../harness/checker.ts';
import type { Call } from '../harness/history.ts';
import { OperatorClient } from '../harness/http.ts';
import { JournalAudit } from '../harness/journal-audit.ts';
import { HABITS, Load } from '../harness/load.ts';
import type { Key } from '../harness/sender.ts';
import { MAIN, type SandboxFile, sandboxFile } from '../harness/server-process.ts';
import { viewsOf } from '../harness/views.ts';
import { connectNode, NODE_ROLE } from '../support/postgres-store.ts';
import { until } from '../support/waiting.ts';
import { ClusterAudit } from './cluster-audit.ts';
import { ClusterNode } from './node-process.ts';

const NAMES = ['a', 'b', 'c'];
/** A suspended node does not answer. */
const ASK_MS = 1000;
/** The operator gives up a call after so long. */
const OPERATOR_MS = 4000;
const READ_BYTES = 4 * 1024 * 1024;

/** The answer of a node to /ready. */
export interface Role {
  readonly role: 'leader' | 'follower' | 'none';
  readonly epoch: number;
  readonly seq: number;
}

/** A PostgreSQL with the schema, replicated to several servers. */
export interface SharedDatabase {
  readonly ports: readonly number[];
}

export class RealCluster {
  readonly nodes: readonly ClusterNode[];
  readonly audit = new JournalAudit();
  readonly access: SandboxFile;
  readonly #store: PostgresStore;

  private constructor(nodes: readonly ClusterNode[], store: PostgresStore, access: SandboxFile) {
    this.nodes = nodes;
    this.#store = store;
    this.access = access;
  }

  /** Starts nodes over this database, with files in a directory of the caller's. */
  static async start(
    directory: string,
    { ports }: SharedDatabase,
    main = MAIN,
  ): Promise<RealCluster> {
    const secrets = {
      masterKey: randomBytes(32).toString('hex'),
      operatorToken: randomBytes(24).toString('hex'),
    };
    const nodes = await Promise.all(
      NAMES.map((name) => {
        const place = { name, directory: join(directory, name), postgres: ports };
        return ClusterNode.create({ ...place, databaseUrl, secrets, main });
      }),
    );
    try {
      // The first leads, and fills the sandbox.
      await nodes[0]!.start();
      await Promise.all(nodes.slice(1).map((node) => node.start()));
      const servers = ports.map((port) => ({ port }));
      return new RealCluster(nodes, connectNode('audit', servers), sandboxFile(nodes[0]!.dataDir));
    } catch (error) {
      await Promise.all(nodes.map((node) => node.dispose()));
      throw error;
    }
  }

  /** The accounts of the sandbox, which have money of every asset. */
  get keys(): readonly Key[] {
    const { demo, market, enterprise } = this.access;
    return [demo, ...market, enterprise.admin, ...enterprise.members];
  }

  node(name: string): ClusterNode {
    return this.nodes.find((node) => node.name === name)!;
  }

  /** The node that leads, once there is one whose term is later than `epoch`. */
  async leader(epoch = 0): Promise<{ readonly node: ClusterNode; readonly epoch: number }> {
    let found: { readonly node: ClusterNode; readonly epoch: number } | undefined;
    await until(async () => {
      const roles = await this.roles();
      const leaders = [...roles].filter(([, role]) => role?.role === 'leader');
      const [newest] = leaders.toSorted(([, a], [, b]) => b!.epoch - a!.epoch);
      if (newest === undefined || newest[1]!.epoch <= epoch) return false;
      found = { node: newest[0], epoch: newest[1]!.epoch };
      return true;
    });
    return found!;
  }

  /** The answer of each node to /ready; null from one that does not answer. */
  async roles(): Promise<Map<ClusterNode, Role | null>> {
    const pairs = this.nodes.map(async (node) => [node, await roleOf(node)] as const);
    return new Map(await Promise.all(pairs));
  }

  /** Resolves when one node leads, the others follow, and all have the whole journal. */
  async settled(): Promise<void> {
    const isSettled = async (): Promise<boolean> => {
      const roles = [...(await this.roles()).values()];
      if (roles.filter((role) => role?.role === 'leader').length !== 1) return false;
      if (roles.some((role) => role === null || role.role === 'none')) return false;
      const { seq } = await this.#store.head();
      if (roles.some((role) => role!.seq !== seq)) return false;
      return this.nodes.every((node) => viewsOf(node.dataDir).seq === seq);
    };
    await until(isSettled, () => this.#state());
  }

  /** The state of each node, for the message of a failure. */
  async #state(): Promise<object> {
    const nodes = [...(await this.roles())].map(([node, role]) => {
      const { name, isRunning, exitCode } = node;
      return { name, isRunning, exitCode, views: viewsOf(node.dataDir).seq, ...role };
    });
    return { head: (await this.#store.head()).seq, nodes };
  }

  /** Applies what the journal has more than at the last audit; returns what is wrong. */
  async auditJournal(calls: readonly Call[]): Promise<string[]> {
    const faults: string[] = [];
    let reads = calls.filter(({ kind }) => kind === 'balances');
    for (;;) {
      const records = await this.#store.read(this.audit.seq + 1, READ_BYTES);
      const more = records.length > 0;
      const end = more ? records.at(-1)!.firstSeq + records.at(-1)!.count - 1 : Infinity;
      const now = reads.filter(({ seq }) => (seq ?? 0) < end);
      reads = reads.filter(({ seq }) => (seq ?? 0) >= end);
      faults.push(...this.audit.apply(records, now));
      if (!more || faults.length > 0) return faults;
    }
  }

  /** The copies of all nodes, read from `fromSeq` on; the cluster is settled. */
  copies(fromSeq = 1): Promise<NodeCopy[]> {
    return Promise.all(this.nodes.map((node) => copyOf(node, fromSeq)));
  }

  /** A call of the operator on this node. Throws Error with the rejection. */
  operator({ url }: ClusterNode, path: string, body: object): Promise<unknown> {
    return new OperatorClient(url, this.access).post(path, body, OPERATOR_MS);
  }

  /** A load on all nodes by all accounts, and by these keys. */
  load(prefix: string, seed = 1, more: readonly Key[] = [], habits = HABITS): Load {
    const { nodes, access } = this;
    const keys = [...this.keys, ...more];
    return new Load({ nodes, keys, operatorToken: access.operatorToken, seed, prefix, habits });
  }

  heal(): void {
    for (const node of this.nodes) node.heal();
  }

  /** The ends of all logs, for the message of a failure. */
  logs(): string {
    return this.nodes.map((node) => `--- ${node.name}\n${node.lastLog()}`).join('\n');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#store.close();
    await Promise.all(this.nodes.map((node) => node.dispose()));
  }
}

/** Runs `work` on a cluster over a database, which it then disposes of, with the audit begun. */
export async function onCluster<Database extends SharedDatabase & AsyncDisposable, T>(
  directory: string,
  start: () => Promise<Database>,
  work: (cluster: RealCluster, audit: ClusterAudit, database: Database) => Promise<T>,
  main = MAIN,
): Promise<T> {
  await using database = await start();
  await using cluster = await RealCluster.start(directory, database, main);
  const audit = new ClusterAudit(cluster);
  try {
    await audit.begin();
    const result = await work(cluster, audit, database);
    await audit.end();
    return result;
  } catch (error) {
    throw new Error(`${(error as Error).message}\n${cluster.logs()}`, { cause: error });
  }
}

const databaseUrl = (ports: readonly number[]): string =>
  `postgres://${NODE_ROLE}@${ports.map((port) => `127.0.0.1:${port}`).join(',')}/agio`;

async function roleOf(node: ClusterNode): Promise<Role | null> {
  if (!node.isRunning) return null;
  try {
    const answer = await fetch(`http://127.0.0.1:${node.clients.target}/ready`, {
      keepalive: false,
      signal: AbortSignal.timeout(ASK_MS),
    });
    const body = (await answer.json()) as { seq: number; cluster: Omit<Role, 'seq'> };
    return { ...body.cluster, seq: body.seq };
  } catch {
    return null;
  }
}

async function copyOf(node: ClusterNode, fromSeq: number): Promise<NodeCopy> {
  const reader = openJournalReader(node.dataDir);
  let seq = 0;
  let chainHash: Uint8Array = new Uint8Array(32);
  try {
    for await (const records of reader.read(fromSeq)) {
      const last = records.at(-1)!;
      seq = last.firstSeq + last.count - 1;
      chainHash = last.chainHash;
    }
  } finally {
    await reader.close();
  }
  // The follower writes the last commands of the file a moment later.
  let views = viewsOf(node.dataDir);
  await until(() => {
    views = viewsOf(node.dataDir);
    return views.seq >= seq;
  });
  // Views that are further on show a command that came meanwhile.
  return { node: node.name, seq: Math.max(seq, views.seq), chainHash, stateHash: views.stateHash };
}
