// PostgreSQL under Patroni with etcd, from Debian's packages: two servers, of which Patroni keeps
// one as the primary and makes the other its synchronous standby.
import { closeSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SQL, type Subprocess } from 'bun';
import { migrate } from '../../src/cluster/postgres/schema.ts';
import {
  freePort,
  NO_POSTGRES,
  OWNER,
  programsFolder,
  temporaryDirectory,
  withoutRoot,
} from '../support/postgres.ts';
import { NODE_ROLE } from '../support/postgres-store.ts';
import { until } from '../support/waiting.ts';
import type { SharedDatabase } from './real-cluster.ts';

const PATRONI = Bun.which('patroni');
const ETCD = Bun.which('etcd');
const DATABASE = 'agio';

/** The message of a failed start has so many of each log. */
const LOG_LINES = 25;
const START_ATTEMPTS = 2;

/** Whether tests that need Patroni are skipped. */
export const NO_PATRONI = NO_POSTGRES || PATRONI === null || ETCD === null;

if (NO_PATRONI) {
  console.warn(
    'Patroni, etcd or PostgreSQL was not found (Debian has them as `patroni`, `etcd-server` and ' +
      '`postgresql`): the tests of a failover of PostgreSQL are skipped.',
  );
}

/** All that were started, so that none outlives this process. */
const running = new Set<Subprocess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

interface Server {
  readonly name: string;
  readonly port: number;
  readonly apiPort: number;
}

/** The state of a server, by its Patroni. */
interface Member {
  readonly role: string;
  readonly state: string;
  readonly isSynchronous: boolean;
}

export class PatroniPair implements SharedDatabase {
  readonly #directory = temporaryDirectory();
  readonly #servers: readonly Server[];
  readonly #etcdPort = freePort();
  readonly #children: Subprocess[] = [];

  private constructor() {
    this.#servers = ['left', 'right'].map((name) => {
      return { name, port: freePort(), apiPort: freePort() };
    });
  }

  /**
   * Resolves when one server is the primary, with the schema, and the other synchronous. Where
   * Patroni does not get there, a second pair is tried: tests begin after its bootstrap.
   */
  static async start(): Promise<PatroniPair> {
    for (let attempt = 1; ; attempt++) {
      const pair = new PatroniPair();
      try {
        await pair.#start();
        return pair;
      } catch (error) {
        const message = `Patroni did not start. ${(error as Error).message}\n${pair.#logs()}`;
        await pair.dispose();
        if (attempt === START_ATTEMPTS) throw new Error(message, { cause: error });
        console.warn(message);
      }
    }
  }

  /** The last lines that each program printed. */
  #logs(): string {
    const files = readdirSync(this.#directory).filter((file) => file.endsWith('.log'));
    return files
      .map((file) => {
        const lines = readFileSync(join(this.#directory, file), 'utf8').trimEnd().split('\n');
        return `${file}:\n${lines.slice(-LOG_LINES).join('\n')}`;
      })
      .join('\n');
  }

  get ports(): readonly number[] {
    return this.#servers.map(({ port }) => port);
  }

  async #start(): Promise<void> {
    const client = `http://127.0.0.1:${this.#etcdPort}`;
    const peer = `http://127.0.0.1:${freePort()}`;
    const etcd = ['--data-dir', join(this.#directory, 'etcd'), '--name', 'etcd'];
    const urls = ['--listen-client-urls', client, '--advertise-client-urls', client];
    const peers = ['--listen-peer-urls', peer, '--initial-advertise-peer-urls', peer];
    this.#run('etcd', [ETCD!, ...etcd, ...urls, ...peers, '--initial-cluster', `etcd=${peer}`]);
    // Patroni may end where etcd answers, but has not elected itself yet.
    await until(() => isHealthy(client));
    for (const server of this.#servers) {
      const file = join(this.#directory, `${server.name}.json`);
      writeFileSync(file, JSON.stringify(this.#configuration(server)));
      this.#run(server.name, [PATRONI!, file]);
    }
    const { port } = await this.primary();
    await this.#createStore(port);
    await this.synchronous();
  }

  #run(name: string, command: string[]): void {
    const log = openSync(join(this.#directory, `${name}.log`), 'a');
    const child = Bun.spawn(withoutRoot(...command), {
      cwd: this.#directory,
      stdin: 'ignore',
      stdout: log,
      stderr: log,
    });
    closeSync(log);
    running.add(child);
    void child.exited.then(() => running.delete(child));
    this.#children.push(child);
  }

  /** As Patroni's file has it; JSON is YAML. */
  #configuration({ name, port, apiPort }: Server): object {
    return {
      scope: 'agio',
      name,
      restapi: { listen: `127.0.0.1:${apiPort}`, connect_address: `127.0.0.1:${apiPort}` },
      etcd3: { host: `127.0.0.1:${this.#etcdPort}` },
      bootstrap: {
        dcs: {
          ttl: 20,
          loop_wait: 1,
          retry_timeout: 5,
          synchronous_mode: true,
          // A primary that crashes gives way immediately.
          primary_start_timeout: 0,
          master_start_timeout: 0,
          postgresql: { use_pg_rewind: true, parameters: { wal_log_hints: 'on' } },
        },
        initdb: [{ encoding: 'UTF8' }, 'no-sync'],
      },
      postgresql: {
        listen: `127.0.0.1:${port}`,
        connect_address: `127.0.0.1:${port}`,
        data_dir: join(this.#directory, name),
        bin_dir: programsFolder(),
        basebackup: [{ checkpoint: 'fast' }, 'no-sync'],
        remove_data_directory_on_rewind_failure: true,
        remove_data_directory_on_diverged_timelines: true,
        pgpass: join(this.#directory, `${name}.pgpass`),
        authentication: { superuser: { username: OWNER }, replication: { username: OWNER } },
        pg_hba: ['all', 'replication'].map((what) => `host ${what} all 127.0.0.1/32 trust`),
        parameters: { unix_socket_directories: this.#directory, shared_buffers: '16MB' },
      },
    };
  }

  async #createStore(port: number): Promise<void> {
    const url = `postgres://${OWNER}@127.0.0.1:${port}`;
    const owner = new SQL(`${url}/postgres`, { max: 1 });
    await owner.unsafe(`CREATE DATABASE ${DATABASE}`);
    await owner.unsafe(`CREATE ROLE ${NODE_ROLE} LOGIN`);
    await owner.close();
    await migrate(`${url}/${DATABASE}`, NODE_ROLE);
  }

  /** The server that is the primary, once there is one other than `before`. */
  async primary(before?: string): Promise<Server> {
    let found: Server | undefined;
    await until(async () => {
      for (const server of this.#servers) {
        const member = await memberOf(server);
        if (member?.role !== 'primary' || member.state !== 'running') continue;
        if (server.name !== before) found = server;
      }
      return found !== undefined;
    });
    return found!;
  }

  /** Resolves when the primary waits for the other server with every commit. */
  async synchronous(): Promise<void> {
    await until(async () => {
      const members = await Promise.all(this.#servers.map(memberOf));
      return members.some((member) => member?.isSynchronous === true);
    });
  }

  /** Kills PostgreSQL of the primary, as a crash; returns its name. */
  async killPrimary(): Promise<string> {
    const { name } = await this.primary();
    const [pid] = readFileSync(join(this.#directory, name, 'postmaster.pid'), 'utf8').split('\n');
    process.kill(Number(pid), 'SIGKILL');
    return name;
  }

  async dispose(): Promise<void> {
    // Patroni stops its PostgreSQL; etcd is needed until then.
    for (const child of this.#children.reverse()) {
      child.kill('SIGTERM');
      await child.exited;
    }
    rmSync(this.#directory, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Whether etcd can be read and written. */
async function isHealthy(etcd: string): Promise<boolean> {
  try {
    const answer = await fetch(`${etcd}/health`, { keepalive: false });
    return ((await answer.json()) as { readonly health: string }).health === 'true';
  } catch {
    return false;
  }
}

/** null where it does not answer. */
async function memberOf({ apiPort }: Server): Promise<Member | null> {
  try {
    const answer = await fetch(`http://127.0.0.1:${apiPort}/patroni`, { keepalive: false });
    const status = (await answer.json()) as {
      readonly role: string;
      readonly state: string;
      readonly sync_standby?: boolean;
    };
    return {
      role: status.role === 'master' ? 'primary' : status.role,
      state: status.state,
      isSynchronous: status.sync_standby === true,
    };
  } catch {
    return null;
  }
}
