// A stage for browser tests of a cluster: a real one over one PostgreSQL, a balancer in front of
// its nodes, and a browser.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { AgioClient } from '../../src/sdk/client.ts';
import { OperatorClient } from '../../src/sdk/operator-client.ts';
import { RealCluster } from '../faults/real-cluster.ts';
import { openBrowser, Tab } from './browser.ts';
import type { PostgresServer } from './postgres.ts';
import { createStoreServer } from './postgres-store.ts';
import { TcpProxy } from './tcp-proxy.ts';
import { until } from './waiting.ts';

export type NodeName = 'a' | 'b' | 'c';

export class ClusterStage implements AsyncDisposable {
  readonly #opened: AsyncDisposableStack;
  readonly postgres: PostgresServer;
  readonly cluster: RealCluster;
  readonly browser: Browser;
  readonly balancer: TcpProxy;

  private constructor(
    opened: AsyncDisposableStack,
    parts: Pick<ClusterStage, 'postgres' | 'cluster' | 'browser' | 'balancer'>,
  ) {
    this.#opened = opened;
    this.postgres = parts.postgres;
    this.cluster = parts.cluster;
    this.browser = parts.browser;
    this.balancer = parts.balancer;
  }

  /** Starts everything. The balancer prefers the nodes in the order of `preferred`. */
  static async set(preferred: readonly NodeName[]): Promise<ClusterStage> {
    await using opening = new AsyncDisposableStack();
    const directory = opening.adopt(mkdtempSync(join(tmpdir(), 'agio-stage-')), (path) =>
      rmSync(path, { recursive: true, force: true }),
    );
    const postgres = opening.use(await createStoreServer());
    const cluster = opening.use(await RealCluster.start(directory, postgres));
    const nodes = preferred.map((name) => cluster.node(name));
    const balancer = opening.adopt(await TcpProxy.open(() => readyOf(nodes)), (proxy) =>
      proxy.close(),
    );
    const browser = opening.adopt(await openBrowser(), (each) => each.close());
    await cluster.settled();
    return new ClusterStage(opening.move(), { postgres, cluster, browser, balancer });
  }

  urlOf(name: NodeName): string {
    return this.cluster.node(name).url;
  }

  /** A client of the API with the URLs of all nodes. */
  client(credentials: { readonly apiKey: string; readonly secretKey: string }): AgioClient {
    return new AgioClient({ url: this.cluster.nodes.map(({ url }) => url), ...credentials });
  }

  operatorOf(name: NodeName): OperatorClient {
    const { operatorToken } = this.cluster.access;
    return new OperatorClient({ url: this.urlOf(name), operatorToken });
  }

  /** The name of the node that leads; waits until there is one. */
  async leader(): Promise<string> {
    return (await this.cluster.leader()).node.name;
  }

  /** Hands the lead to a node. */
  async lead(name: NodeName): Promise<void> {
    const leader = await this.leader();
    if (leader === name) return;
    await this.operatorOf(leader as NodeName).handOver({ node: name });
    await until(async () => (await this.leader()) === name);
  }

  /** A tab in which the demo customer is logged in. */
  async customer(): Promise<Tab> {
    const tab = await Tab.open(this.browser, { url: this.balancer.url });
    const { email, password } = this.cluster.access.demo;
    await tab.logIn(email, password);
    return tab;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#opened.disposeAsync();
  }
}

/** Like a load balancer: the port of the first node whose /ready answers 200. */
async function readyOf(nodes: RealCluster['nodes']): Promise<number | null> {
  for (const { isRunning, url } of nodes) {
    const answer = isRunning ? await fetch(`${url}/ready`).catch(() => null) : null;
    if (answer?.status === 200) return Number(new URL(url).port);
  }
  return null;
}
