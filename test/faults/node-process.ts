// A node of the cluster as a process: started as an operator starts it, with proxies between it and
// PostgreSQL, the other nodes and its clients, and killed, suspended and started again.
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { Glob } from 'bun';
import { freePort } from '../support/postgres.ts';
import { TcpProxy } from '../support/tcp-proxy.ts';
import { PATIENCE_MS, until } from '../support/waiting.ts';

export const MAIN = join(import.meta.dir, '../../src/main.ts');

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
}

export class ClusterNode {
  readonly name: string;
  readonly dataDir: string;
  /** Between this node and each PostgreSQL. */
  readonly toPostgres: readonly TcpProxy[];
  /** Between other nodes and this one. */
  readonly link: TcpProxy;
  /** Between clients and this node. */
  readonly clients: TcpProxy;
  /** The program of its next start: another one is another build of agio. */
  main = MAIN;
  readonly #place: NodePlace;
  readonly #linkPort: number;
  #child: Bun.Subprocess<'ignore', 'pipe', number> | null = null;

  private constructor(place: NodePlace, proxies: readonly TcpProxy[], linkPort: number) {
    this.#place = place;
    this.name = place.name;
    this.dataDir = join(place.directory, 'data');
    const [link, clients, ...toPostgres] = proxies;
    this.link = link!;
    this.clients = clients!;
    this.toPostgres = toPostgres;
    this.#linkPort = linkPort;
  }

  /** Opens its proxies; `start` starts it. */
  static async create(place: NodePlace): Promise<ClusterNode> {
    mkdirSync(place.directory, { recursive: true });
    const linkPort = freePort();
    const targets = [linkPort, 0, ...place.postgres];
    const proxies = await Promise.all(targets.map((target) => TcpProxy.open(target)));
    return new ClusterNode(place, proxies, linkPort);
  }

  get url(): string {
    return this.clients.url;
  }

  get isRunning(): boolean {
    return this.#child !== null && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** The exit code of a process that has ended without a signal; null for any other. */
  get exitCode(): number | null {
    return this.#child?.exitCode ?? null;
  }

  get #log(): string {
    return join(this.#place.directory, 'log');
  }

  /** Resolves when it listens. Throws its output where it ends before. */
  async start(clockOffset = ''): Promise<void> {
    const { name, databaseUrl, secrets } = this.#place;
    const ports = this.toPostgres.map(({ port }) => port);
    const fake = {
      LD_PRELOAD: `/usr/${FAKETIME}`,
      FAKETIME: clockOffset,
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    };
    const fixed = '--port 0 --no-demo'.split(' ');
    const argv = [process.execPath, this.main, 'start', ...fixed, '--data', this.dataDir];
    const log = openSync(this.#log, 'a');
    const child = Bun.spawn(argv, {
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: log,
      env: {
        ...process.env,
        AGIO_RATE_LIMITS: 'off',
        AGIO_SEGMENT_BYTES: '1048576',
        AGIO_SNAPSHOT_EVERY: '5000',
        AGIO_DATABASE_URL: databaseUrl(ports),
        AGIO_NODE: name,
        AGIO_LINK: `127.0.0.1:${this.link.port}`,
        AGIO_LINK_LISTEN: `127.0.0.1:${this.#linkPort}`,
        AGIO_MASTER_KEY: secrets.masterKey,
        AGIO_OPERATOR_TOKEN: secrets.operatorToken,
        ...(clockOffset === '' ? {} : fake),
      },
    });
    closeSync(log);
    this.#child = child;
    running.add(child);
    void child.exited.then(() => running.delete(child));
    const giveUp = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS);
    const port = await listeningPort(child.stdout);
    clearTimeout(giveUp);
    if (port === null) throw new Error(`node ${name} did not start: ${await this.lastLog()}`);
    this.clients.target = port;
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

  /** The end of its log. */
  async lastLog(): Promise<string> {
    const text = await Bun.file(this.#log).text();
    return text.slice(-4000);
  }

  /** As a power cut. */
  async kill(): Promise<void> {
    this.#child?.kill('SIGKILL');
    await this.#child?.exited;
  }

  suspend(): void {
    this.#child?.kill('SIGSTOP');
  }

  resume(): void {
    this.#child?.kill('SIGCONT');
  }

  /** Stops it as an operator does, and returns the exit code. */
  async stop(): Promise<number> {
    this.#child?.kill('SIGTERM');
    return (await this.#child?.exited) ?? 0;
  }

  /** Everything between it and others works again. */
  heal(): void {
    for (const proxy of this.#proxies) proxy.heal();
  }

  async dispose(): Promise<void> {
    this.resume();
    await this.kill();
    await Promise.all(this.#proxies.map((proxy) => proxy.close()));
  }

  get #proxies(): readonly TcpProxy[] {
    return [this.link, this.clients, ...this.toPostgres];
  }
}

/** All that were started, so that none outlives this process. */
const running = new Set<Bun.Subprocess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** Whether nodes can have a wrong clock. */
export const HAS_FAKETIME = FAKETIME !== undefined;

if (!HAS_FAKETIME) console.warn('libfaketime was not found (Debian: `faketime`): no wrong clocks.');

async function listeningPort(stdout: ReadableStream<Uint8Array>): Promise<number | null> {
  const decoder = new TextDecoder();
  let text = '';
  // The stream stays open and unread afterwards: the banner is all that the server prints there.
  const reader = stdout.getReader();
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return null;
    text += decoder.decode(value, { stream: true });
    const found = /agio listening on http:\S+:(\d+)/.exec(text);
    if (found !== null) return Number(found[1]);
  }
}
