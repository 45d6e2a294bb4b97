// A node of the cluster: a server process with proxies between it and PostgreSQL, the other nodes
// and its clients, which is killed, suspended and started again.
import { Glob } from 'bun';
import { ServerProcess } from '../harness/server-process.ts';
import { freePort } from '../support/postgres.ts';
import { TcpProxy } from '../support/tcp-proxy.ts';
import { until } from '../support/waiting.ts';

/** Debian's library, which moves the wall clock of a process. */
const [FAKETIME] = [...new Glob('lib/*/faketime/libfaketimeMT.so.1').scanSync('/usr')];

/** The secrets that all nodes of a cluster share. */
export interface ClusterSecrets {
  readonly masterKey: string;
  readonly operatorToken: string;
}

export interface NodePlace {
  readonly name: string;
  /** A directory of this node's own. */
  readonly directory: string;
  /** The ports of PostgreSQL, primary and standby. */
  readonly postgres: readonly number[];
  readonly databaseUrl: (ports: readonly number[]) => string;
  readonly secrets: ClusterSecrets;
  readonly main: string;
}

export class ClusterNode extends ServerProcess {
  /** Between this node and each PostgreSQL. */
  readonly toPostgres: readonly TcpProxy[];
  /** Between other nodes and this one. */
  readonly link: TcpProxy;
  /** Between clients and this node. */
  readonly clients: TcpProxy;
  readonly #name: string;

  private constructor(place: NodePlace, proxies: readonly TcpProxy[], linkPort: number) {
    const [link, clients, ...toPostgres] = proxies;
    const { name, secrets, databaseUrl } = place;
    const env = {
      AGIO_DATABASE_URL: databaseUrl(toPostgres.map(({ port }) => port)),
      AGIO_NODE: name,
      AGIO_LINK: `127.0.0.1:${link!.port}`,
      AGIO_LINK_LISTEN: `127.0.0.1:${linkPort}`,
      AGIO_MASTER_KEY: secrets.masterKey,
      AGIO_OPERATOR_TOKEN: secrets.operatorToken,
    };
    super(place.directory, env, place.main);
    this.#name = name;
    this.link = link!;
    this.clients = clients!;
    this.toPostgres = toPostgres;
  }

  /** Opens its proxies; `start` starts it. */
  static async create(place: NodePlace): Promise<ClusterNode> {
    const linkPort = freePort();
    const targets = [linkPort, 0, ...place.postgres];
    const proxies = await Promise.all(targets.map((target) => TcpProxy.open(target)));
    return new ClusterNode(place, proxies, linkPort);
  }

  override get name(): string {
    return this.#name;
  }

  override get url(): string {
    return this.clients.url;
  }

  /** Starts it, its wall clock so far off. */
  override async start(clockOffset = ''): Promise<void> {
    const fake = {
      LD_PRELOAD: `/usr/${FAKETIME}`,
      FAKETIME: clockOffset,
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    };
    this.clients.target = await this.spawn(clockOffset === '' ? {} : fake);
  }

  /** Starts it again and again until it runs, as a supervisor does. */
  async startSupervised(clockOffset = ''): Promise<void> {
    await until(() =>
      this.start(clockOffset).then(
        () => true,
        () => false,
      ),
    );
  }

  /** Everything between it and others works again. */
  heal(): void {
    for (const proxy of this.#proxies) proxy.heal();
  }

  async dispose(): Promise<void> {
    this.signal('SIGCONT');
    await this.kill();
    await Promise.all(this.#proxies.map((proxy) => proxy.close()));
  }

  get #proxies(): readonly TcpProxy[] {
    return [this.link, this.clients, ...this.toPostgres];
  }
}

/** True if nodes can have a wrong clock. */
export const HAS_FAKETIME = FAKETIME !== undefined;

if (!HAS_FAKETIME) console.warn('libfaketime was not found (Debian: `faketime`): no wrong clocks.');
