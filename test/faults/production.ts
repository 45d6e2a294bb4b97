// A whole production installation as docs/cluster.md prints it: etcd, Patroni with PostgreSQL, the
// nodes and HAProxy, all of them processes of this machine.
import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Subprocess } from 'bun';
import { KnownDatabase } from '../../src/cluster/postgres/known-database.ts';
import { PostgresStore } from '../../src/cluster/postgres/postgres-store.ts';
import {
  copyFaults,
  historyFaults,
  inventedFaults,
  type NodeCopy,
  requireNone,
} from '../harness/checker.ts';
import type { Call } from '../harness/history.ts';
import { type Server as HttpServer, OperatorClient } from '../harness/http.ts';
import { JournalAudit } from '../harness/journal-audit.ts';
import type { Key } from '../harness/sender.ts';
import { NO_POSTGRES, postgresCommand } from '../support/postgres.ts';
import { until } from '../support/waiting.ts';
import { environmentOf, Installation, outputOf, printedBlock } from './printed.ts';

const PROGRAMS = { etcd: Bun.which('etcd'), patroni: Bun.which('patroni') };
const HAPROXY = Bun.which('haproxy') ?? Bun.which('haproxy', { PATH: '/usr/sbin' });
const MISSING = [
  ...Object.entries({ ...PROGRAMS, haproxy: HAPROXY }).flatMap(([name, path]) =>
    path === null ? [name] : [],
  ),
  ...(NO_POSTGRES ? ['postgresql'] : []),
];

/** True if the test of the printed installation is skipped. */
export const NO_PRODUCTION = MISSING.length > 0;

if (NO_PRODUCTION) {
  console.warn(
    `${MISSING.join(', ')} was not found (Debian: etcd-server, patroni, haproxy, postgresql): ` +
      'the test of the printed production installation is skipped.',
  );
}

const ETCD = ['db-1', 'db-2', 'db-3'] as const;
const SERVERS = ['db-1', 'db-2'] as const;
const NODES = ['agio-1', 'agio-2', 'agio-3'] as const;
export type NodeName = (typeof NODES)[number];
type Server = (typeof SERVERS)[number];

const READ_BYTES = 4 * 1024 * 1024;
const CLIENT_CERTIFICATE = 'haproxy';

/** The state of a server, by its Patroni. */
interface PatroniState {
  readonly role: string;
  readonly state: string;
  readonly sync_standby?: boolean;
}

export class Production {
  readonly installation = new Installation();
  readonly #children: Subprocess[] = [];
  readonly #nodes = new Map<NodeName, Subprocess>();
  readonly audit = new JournalAudit();

  /** Starts everything, in the order of the document. */
  static async start(): Promise<Production> {
    const production = new Production();
    try {
      await production.#startDatabase();
      for (const node of NODES) await production.#installNode(node);
      await Promise.all(NODES.map((node) => production.startNode(node)));
      await production.#startBalancer();
      return production;
    } catch (error) {
      const message = `${(error as Error).message}\n${production.logs()}`;
      await production.dispose();
      throw new Error(message, { cause: error });
    }
  }

  logs(): string {
    return this.installation.logs();
  }

  async #startDatabase(): Promise<void> {
    const { installation } = this;
    await installation.shell('db-1', printedBlock('cluster.md', 'certificates'));
    for (const machine of ETCD) {
      const env = environmentOf(await installation.write(machine, '/etc/default/etcd', 'db-1'));
      mkdirSync(join(env.ETCD_DATA_DIR!, '..'), { recursive: true });
      installation.giveAway(machine);
      this.#run(`${machine}-etcd`, [PROGRAMS.etcd!], env);
    }
    // Patroni may end where etcd answers, but has not elected a leader yet.
    await until(() => this.#isEtcdHealthy());
    for (const machine of SERVERS) {
      const file = await installation.write(machine, '/etc/patroni/config.yml', 'db-1');
      for (const folder of ['/etc/postgresql', '/var/lib/postgresql/15', '/var/run/postgresql']) {
        mkdirSync(installation.path(machine, folder), { recursive: true });
      }
      for (const kind of ['crt', 'key']) {
        const from = join(installation.directory, `${machine}.${kind}`);
        copyFileSync(from, installation.path(machine, `/etc/postgresql/agio.${kind}`));
      }
      installation.giveAway(machine);
      this.#run(`${machine}-patroni`, [PROGRAMS.patroni!, file]);
    }
    await this.primary();
    await this.sql('roles');
    copyFileSync(join(installation.directory, 'db-ca.pem'), this.#authority('agio-1'));
    await installation.shell('agio-1', printedBlock('cluster.md', 'migrate'));
  }

  /** The CA of PostgreSQL on a node. */
  #authority(node: NodeName): string {
    const path = this.installation.path(node, '/etc/agio/db-ca.pem');
    mkdirSync(join(path, '..'), { recursive: true });
    return path;
  }

  #run(name: string, command: readonly string[], env: Record<string, string> = {}): void {
    this.#children.push(this.installation.run(name, command, { env }));
  }

  async #isEtcdHealthy(): Promise<boolean> {
    const { installation } = this;
    const url = `http://${installation.address('db-1')}:${installation.port(2379)}/health`;
    const answer = await fetch(url, { keepalive: false }).catch(() => null);
    return ((await answer?.json()) as { health?: string } | undefined)?.health === 'true';
  }

  async #stateOf(server: Server): Promise<PatroniState | null> {
    const { installation } = this;
    const url = `http://${installation.address(server)}:${installation.port(8008)}/patroni`;
    const answer = await fetch(url, { keepalive: false }).catch(() => null);
    return (await answer?.json().catch(() => null)) as PatroniState | null;
  }

  /** The primary, once there is one other than `before`. */
  async primary(before?: Server): Promise<Server> {
    let found: Server | undefined;
    await until(async () => {
      for (const server of SERVERS) {
        const state = await this.#stateOf(server);
        const leads = /^(primary|master)$/.test(state?.role ?? '') && state?.state === 'running';
        if (leads && server !== before) found = server;
      }
      return found !== undefined;
    });
    return found!;
  }

  /** Resolves when the primary waits for the other server with every commit. */
  async synchronous(): Promise<void> {
    await until(async () => {
      const states = await Promise.all(SERVERS.map((server) => this.#stateOf(server)));
      return states.some((state) => state?.sync_standby === true);
    });
  }

  /** Kills PostgreSQL of the primary, as a crash; resolves when another server is the primary. */
  async failOver(): Promise<void> {
    const before = await this.primary();
    const folder = this.installation.path(before, '/var/lib/postgresql/15/agio');
    const [pid] = readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n');
    process.kill(Number(pid), 'SIGKILL');
    await this.primary(before);
  }

  /** Runs a block of SQL on the primary as its superuser; returns what psql prints. */
  async sql(title: string, database = 'postgres'): Promise<string> {
    const { installation } = this;
    const primary = await this.primary();
    const printed = installation.text(primary, printedBlock('cluster.md', title));
    const at = `host=${installation.address(primary)} port=${installation.port(5432)}`;
    const child = Bun.spawn(
      postgresCommand(
        'psql',
        `${at} user=postgres dbname=${database} sslmode=require`,
        ...['-v', 'ON_ERROR_STOP=1', '-At', '-f', '-'],
      ),
      {
        env: { ...installation.environment, PGPASSWORD: installation.secret('SUPERUSER_PASSWORD') },
        cwd: installation.directory,
        stdin: new Blob([printed]),
        stdout: 'pipe',
        stderr: 'pipe',
      },
    );
    return outputOf(child, title);
  }

  async #installNode(node: NodeName): Promise<void> {
    const { installation } = this;
    copyFileSync(join(installation.directory, 'db-ca.pem'), this.#authority(node));
    await installation.write(node, '/etc/agio/secrets.env', 'agio-1');
    mkdirSync(installation.path(node, '/var/lib/agio'), { recursive: true });
  }

  /** Starts a node as the unit does; resolves when it accepts writes. */
  async startNode(node: NodeName): Promise<void> {
    const { installation } = this;
    const unit = installation.text(node, printedBlock('operating.md', 'agio.service'));
    const setting = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(unit)![1]!;
    const env = environmentOf(setting('EnvironmentFile'));
    const command = setting('ExecStart').split(' ');
    const options = { env, cwd: setting('WorkingDirectory'), asRoot: true };
    this.#nodes.set(node, installation.run(node, command, options));
    await until(async () => {
      const answer = await fetch(`${this.url(node)}/ready`).catch(() => null);
      return ((await answer?.json()) as { status?: string } | undefined)?.status === 'ready';
    });
  }

  /** `systemctl restart agio`. */
  async restartNode(node: NodeName): Promise<void> {
    await this.#stopNode(node);
    await this.startNode(node);
  }

  async #stopNode(name: NodeName): Promise<void> {
    const child = this.#nodes.get(name)!;
    child.kill('SIGTERM');
    const code = await child.exited;
    if (code !== 0) throw new Error(`node ${name} ended with ${code}`);
  }

  url(node: NodeName): string {
    return `http://${this.installation.address(node)}:${this.installation.port(8080)}`;
  }

  async #startBalancer(): Promise<void> {
    const { installation } = this;
    const file = await installation.write('lb-1', '/etc/haproxy/haproxy.cfg');
    const certificate = installation.path('lb-1', `/etc/haproxy/${CLIENT_CERTIFICATE}`);
    const subject = ['-subj', '/CN=agio', '-addext', `subjectAltName=IP:${this.#balancer}`];
    const key = ['-newkey', 'rsa:2048', '-nodes', '-keyout', `${certificate}.key`];
    const signed = ['-x509', '-days', '2', '-out', `${certificate}.crt`];
    Bun.spawnSync(['openssl', 'req', ...key, ...signed, ...subject], { stderr: 'ignore' });
    const parts = ['crt', 'key'].map((kind) => readFileSync(`${certificate}.${kind}`, 'utf8'));
    await Bun.write(installation.path('lb-1', '/etc/haproxy/agio.pem'), parts.join(''));
    const command = [HAPROXY!, '-db', '-f', file];
    this.#children.push(installation.run('haproxy', command, { asRoot: true }));
    await until(async () => {
      const { url, ca } = this.balancer;
      const answer = await fetch(`${url}/ready`, { tls: { ca: ca! } }).catch(() => null);
      return answer?.status === 200;
    });
  }

  get #balancer(): string {
    return this.installation.address('lb-1');
  }

  /** HAProxy, as its clients know it. */
  get balancer(): HttpServer {
    const { installation } = this;
    const certificate = installation.path('lb-1', `/etc/haproxy/${CLIENT_CERTIFICATE}.crt`);
    return {
      name: 'haproxy',
      url: `https://${this.#balancer}:${installation.port(443)}`,
      ca: readFileSync(certificate, 'utf8'),
    };
  }

  get operatorToken(): string {
    return this.installation.secret('OPERATOR_TOKEN');
  }

  /** Lists BTC-USDT, and returns keys of so many customers with money. */
  async openVenue(customers: number): Promise<Key[]> {
    const operator = new OperatorClient(this.url('agio-1'), this);
    for (const asset of ['BTC', 'USDT']) await operator.post('assets', { asset, scale: 8 });
    await operator.post('instruments', {
      symbol: 'BTC-USDT',
      baseAssetIncrement: '0.000001',
      quoteAssetIncrement: '0.01',
      baseAssetMinOrderSize: '0.00001',
      quoteAssetMinOrderSize: '0.1',
    });
    const keys: Key[] = [];
    for (let i = 1; i <= customers; i++) {
      const user = { email: `customer-${i}@example.com`, kyc: true };
      const { uid } = (await operator.post('users', user)) as { uid: number };
      for (const asset of ['BTC', 'USDT']) {
        const reference = `begin-${uid}-${asset}`;
        await operator.post('ledger/credit', { uid, asset, amount: '1000000', reference });
      }
      const terms = { alias: 'load', moduleIds: [5, 6] };
      const key = (await operator.post(`users/${uid}/keys`, terms)) as Omit<Key, 'uid'>;
      keys.push({ uid, apiKey: key.apiKey, secretKey: key.secretKey });
    }
    await this.readJournal([]);
    return keys;
  }

  /** Applies the rest of the journal; throws Error with what is wrong. */
  async readJournal(calls: readonly Call[]): Promise<void> {
    const { AGIO_DATABASE_URL: url } = environmentOf(
      this.installation.path('agio-1', '/etc/agio/secrets.env'),
    );
    const store = new PostgresStore({ url: url!, node: 'audit', known: new KnownDatabase() });
    try {
      for (;;) {
        const records = await store.read(this.audit.seq + 1, READ_BYTES);
        const end = records.at(-1);
        const last = end === undefined ? Infinity : end.firstSeq + end.count;
        const reads = calls.filter(({ seq }) => (seq ?? 0) < last && (seq ?? 0) >= this.audit.seq);
        requireNone(this.audit.apply(records, reads));
        if (end === undefined) return;
      }
    } finally {
      await store.close();
    }
  }

  /** The end of the journal and the state of a node that runs. */
  async #copyOf(node: NodeName): Promise<NodeCopy> {
    const operator = new OperatorClient(this.url(node), this);
    const head = (await operator.get('journal/head')) as NodeCopy & { readonly chainHash: string };
    return { ...head, node, chainHash: Buffer.from(head.chainHash, 'hex') };
  }

  /** Every node has the journal of PostgreSQL and its state, at a moment without a command. */
  async #compareCopies(calls: readonly Call[]): Promise<void> {
    let copies: NodeCopy[] = [];
    await until(async () => {
      await this.readJournal(calls);
      copies = await Promise.all(NODES.map((node) => this.#copyOf(node)));
      return copies.every(({ seq }) => seq === this.audit.seq);
    });
    requireNone(copyFaults(copies, this.audit));
  }

  /** Compares what the nodes have, and then what clients saw, with the journal. Stops the nodes. */
  async check(calls: readonly Call[]): Promise<void> {
    const before = this.audit.seq;
    await this.#compareCopies(calls);
    for (const node of NODES) await this.#stopNode(node);
    await this.readJournal(calls);
    this.audit.checkInvariants();
    requireNone([
      ...historyFaults({ calls, revocations: [] }, this.audit),
      ...inventedFaults(calls, this.audit, before),
    ]);
  }

  async dispose(): Promise<void> {
    const nodes = [...this.#nodes.values()];
    for (const node of nodes) node.kill('SIGKILL');
    await Promise.all(nodes.map(({ exited }) => exited));
    // Patroni stops its PostgreSQL; etcd is needed until then.
    for (const child of this.#children.reverse()) {
      child.kill('SIGTERM');
      await child.exited;
    }
    this.installation.remove();
  }
}
