// A stage for browser tests of a cluster: three sandbox nodes in processes of their own over a real
// PostgreSQL, a balancer in front of them, and a browser.
import { randomBytes } from 'node:crypto';
import type { Browser } from 'playwright-core';
import type { SandboxFile } from '../../src/cli/data-directory.ts';
import { AgioClient } from '../../src/sdk/client.ts';
import { OperatorClient } from '../../src/sdk/operator-client.ts';
import { openBrowser, Tab } from './browser.ts';
import { Place, readSandbox, Server } from './cli.ts';
import { freePort, type PostgresServer } from './postgres.ts';
import { createStoreServer, NODE_ROLE } from './postgres-store.ts';
import { TcpProxy } from './tcp-proxy.ts';
import { until } from './waiting.ts';

const NAMES = ['a', 'b', 'c'] as const;
export type NodeName = (typeof NAMES)[number];

/** The answer of a node to /ready. */
interface Ready {
  readonly status: string;
  readonly seq: number;
  readonly cluster: { readonly role: 'leader' | 'follower' | 'none' };
}

interface Running {
  readonly server: Server;
  /** The address of its link. */
  readonly link: string;
}

export class ClusterStage implements AsyncDisposable {
  readonly #place = new Place();
  readonly #postgres: PostgresServer;
  readonly #env: Readonly<Record<string, string>>;
  readonly #running = new Map<NodeName, Running>();
  /** The nodes to which the balancer sends connections, the preferred one first. */
  order: readonly NodeName[] = NAMES;
  balancer!: TcpProxy;
  browser!: Browser;
  sandbox!: SandboxFile;

  private constructor(postgres: PostgresServer) {
    this.#postgres = postgres;
    this.#env = {
      AGIO_DATABASE_URL: postgres.url(NODE_ROLE),
      AGIO_MASTER_KEY: randomBytes(32).toString('hex'),
      AGIO_OPERATOR_TOKEN: randomBytes(24).toString('hex'),
    };
  }

  /** Starts nodes one after the other; the first one fills the sandbox. */
  static async set(): Promise<ClusterStage> {
    const stage = new ClusterStage(await createStoreServer());
    try {
      for (const name of NAMES) await stage.start(name);
      stage.sandbox = readSandbox(stage.#place.path(NAMES[0]));
      stage.balancer = await TcpProxy.open(() => stage.#target());
      stage.browser = await openBrowser();
      await stage.settled();
      return stage;
    } catch (error) {
      await stage[Symbol.asyncDispose]();
      throw error;
    }
  }

  get postgres(): PostgresServer {
    return this.#postgres;
  }

  /** Starts a node on its data, of which it has none at first. */
  async start(name: NodeName): Promise<void> {
    const link = `127.0.0.1:${freePort()}`;
    const data = this.#place.path(name);
    const args = ['--data', data, '--node', name, '--link', link];
    const server = await Server.start(args, this.#env);
    this.#running.set(name, { server, link });
  }

  async kill(name: NodeName): Promise<void> {
    const { server } = this.#running.get(name)!;
    this.#running.delete(name);
    await server.end('SIGKILL');
  }

  urlOf(name: NodeName): string {
    return this.#running.get(name)!.server.url;
  }

  /** A client of the API with the URLs of the running nodes. */
  client(credentials: { readonly apiKey: string; readonly secretKey: string }): AgioClient {
    const url = [...this.#running.values()].map(({ server }) => server.url);
    return new AgioClient({ url, ...credentials });
  }

  operatorOf(name: NodeName): OperatorClient {
    return new OperatorClient({
      url: this.urlOf(name),
      operatorToken: this.#env.AGIO_OPERATOR_TOKEN!,
    });
  }

  async #ready(name: NodeName): Promise<Ready> {
    return (await (await fetch(`${this.urlOf(name)}/ready`)).json()) as Ready;
  }

  /** The node that leads; waits until there is one. */
  async leader(): Promise<NodeName> {
    let found: NodeName | undefined;
    await until(async () => {
      for (const name of this.#running.keys()) {
        if ((await this.#ready(name)).cluster.role === 'leader') found = name;
      }
      return found !== undefined;
    });
    return found!;
  }

  /** Hands the lead to a node. */
  async lead(name: NodeName): Promise<void> {
    const leader = await this.leader();
    if (leader === name) return;
    await this.operatorOf(leader).handOver({ node: name });
    await until(async () => (await this.leader()) === name);
  }

  /** Resolves when all running nodes have the same journal, and one of them leads. */
  async settled(): Promise<void> {
    await until(async () => {
      const all = await Promise.all([...this.#running.keys()].map((name) => this.#ready(name)));
      const isOne = new Set(all.map(({ seq }) => seq)).size === 1;
      return isOne && all.every(({ cluster }) => cluster.role !== 'none');
    });
  }

  /** As a load balancer: the first node whose /ready answers 200. */
  async #target(): Promise<number | null> {
    for (const name of this.order) {
      const url = this.#running.get(name)?.server.url;
      if (url === undefined) continue;
      const answer = await fetch(`${url}/ready`).catch(() => null);
      if (answer?.status === 200) return Number(new URL(url).port);
    }
    return null;
  }

  /** A tab in which the demo customer is logged in. */
  async customer(): Promise<Tab> {
    const tab = await Tab.open(this.browser, { url: this.balancer.url });
    const { email, password } = this.sandbox.demo!;
    await tab.logIn(email, password);
    return tab;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.browser?.close();
    await this.balancer?.close();
    for (const name of [...this.#running.keys()]) await this.kill(name);
    await this.#postgres.dispose();
    this.#place[Symbol.dispose]();
  }
}
