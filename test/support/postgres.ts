// PostgreSQL for tests: real servers from Debian's package, on free ports in a temporary directory,
// alone or as a primary with a synchronous standby. Tests stop, kill, suspend and promote them.
import {
  appendFileSync,
  chownSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SQL, type Subprocess } from 'bun';
import { until } from './waiting.ts';

const PACKAGES = '/usr/lib/postgresql';

/** The programs of the newest installed version; null where there is none. */
const PROGRAMS = newestPrograms();

if (PROGRAMS === null) {
  console.warn(
    'PostgreSQL was not found (AGIO_POSTGRES_BIN sets the folder of its programs, Debian has it ' +
      'as `postgresql`): its tests are skipped.',
  );
}

/** True if tests that need PostgreSQL are skipped. */
export const NO_POSTGRES = PROGRAMS === null;

export const OWNER = 'postgres';
const DATABASE = 'agio';
const STANDBY = 'standby';

/** PostgreSQL rejects to run as root, so root starts it as the user of Debian's package. */
const IS_ROOT = process.getuid?.() === 0;

const SETTINGS = `
listen_addresses = '127.0.0.1'
shared_buffers = 16MB
max_connections = 40
max_wal_size = 256MB
fsync = on
logging_collector = off
`;

/** All that were started, so that none outlives this process. */
const running = new Set<Subprocess>();
process.on('exit', () => {
  for (const process of running) process.kill('SIGQUIT');
});

export class PostgresServer {
  readonly port: number;
  readonly directory: string;
  #process: Subprocess | undefined;

  private constructor(directory: string, port: number) {
    this.directory = directory;
    this.port = port;
  }

  /** A new server with an empty database. Its superuser is OWNER, and it asks for no password. */
  static async create(settings = ''): Promise<PostgresServer> {
    const server = new PostgresServer(temporaryDirectory(), freePort());
    await run('initdb', '-D', server.#data, '-U', OWNER, '-A', 'trust', '-E', 'UTF8', '-N');
    server.configure(SETTINGS + settings);
    await server.start();
    await server.query(`CREATE DATABASE ${DATABASE}`, 'postgres');
    return server;
  }

  /** A standby, for which every commit of this server then waits. */
  async addStandby(): Promise<PostgresServer> {
    const standby = new PostgresServer(temporaryDirectory(), freePort());
    const source = `host=127.0.0.1 port=${this.port} user=${OWNER} application_name=${STANDBY}`;
    const backup = ['-d', source, '-D', standby.#data, '-R', '-C', '-S', STANDBY];
    await run('pg_basebackup', ...backup, '-c', 'fast', '-X', 'stream', '--no-sync');
    standby.configure('');
    await standby.start();
    await this.query(`ALTER SYSTEM SET synchronous_standby_names = '${STANDBY}'`);
    await this.query('SELECT pg_reload_conf()');
    await until(async () => {
      const rows = await this.query('SELECT sync_state FROM pg_stat_replication');
      return rows[0]?.sync_state === 'sync';
    });
    return standby;
  }

  get #data(): string {
    return join(this.directory, 'data');
  }

  /** The process id of the postmaster. */
  get pid(): number {
    return this.#process!.pid;
  }

  get isRunning(): boolean {
    return this.#process?.exitCode === null && this.#process.signalCode === null;
  }

  url(user = OWNER, parameters = ''): string {
    return `postgres://${user}@127.0.0.1:${this.port}/${DATABASE}${parameters}`;
  }

  /** Appends to the configuration, which the next start reads. */
  configure(settings: string): void {
    const own = `port = ${this.port}\nunix_socket_directories = '${this.directory}'\n`;
    appendFileSync(join(this.#data, 'postgresql.conf'), `\n${own}${settings}`);
  }

  /** Rows of one statement of the superuser. */
  async query(sql: string, database = DATABASE): Promise<Record<string, unknown>[]> {
    const { port } = this;
    const hostname = '127.0.0.1';
    const client = new SQL({
      adapter: 'postgres',
      hostname,
      port,
      username: OWNER,
      database,
      max: 1,
    });
    try {
      return await client.unsafe(sql);
    } finally {
      await client.close();
    }
  }

  /** Resolves once it takes connections. */
  async start(): Promise<void> {
    // The children of a killed postmaster end a moment later, and hold the memory until then.
    await until(async () => {
      await this.#process?.exited;
      const log = Bun.file(join(this.directory, 'log'));
      this.#process = Bun.spawn(postgresCommand('postgres', '-D', this.#data), {
        cwd: this.directory,
        stdout: log,
        stderr: log,
      });
      running.add(this.#process);
      const { exited } = this.#process;
      void exited.then(() => running.delete(this.#process!));
      let ended = false;
      void exited.then(() => {
        ended = true;
      });
      await until(() => ended || this.#isReady());
      return !ended;
    });
  }

  /** A fast shutdown, which ends connections in order and writes a checkpoint. */
  async stop(): Promise<void> {
    this.#process?.kill('SIGINT');
    await this.#process?.exited;
  }

  /** Sends a signal to all processes of the server: SIGKILL is a crash, SIGSTOP a hang. */
  async signal(signal: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): Promise<void> {
    const children = childrenOf(this.pid);
    // The postmaster first: it would start again what ends before it.
    for (const pid of [this.pid, ...children]) sendSignal(pid, signal);
    if (signal === 'SIGKILL') await this.#process?.exited;
  }

  /** Makes a standby a primary. */
  async promote(): Promise<void> {
    await this.query('SELECT pg_promote()');
  }

  /** Ends the server in whatever state it is, and removes its files. */
  get ports(): readonly number[] {
    return [this.port];
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.dispose();
  }

  async dispose(): Promise<void> {
    if (this.isRunning) {
      await this.signal('SIGCONT');
      this.#process?.kill('SIGQUIT');
      await this.#process?.exited;
    }
    rmSync(this.directory, { recursive: true, force: true, maxRetries: 5 });
  }

  #isReady(): boolean {
    const lines = statusLines(join(this.#data, 'postmaster.pid'));
    return lines[0] === `${this.pid}` && lines[7]?.trim() === 'ready';
  }
}

function statusLines(path: string): string[] {
  return existsSync(path) ? readFileSync(path, 'utf8').split('\n') : [];
}

function newestPrograms(): string | null {
  const set = process.env.AGIO_POSTGRES_BIN;
  if (set !== undefined) return set;
  if (!existsSync(PACKAGES)) return null;
  const versions = readdirSync(PACKAGES).sort((a, b) => Number(b) - Number(a));
  const folders = versions.map((version) => join(PACKAGES, version, 'bin'));
  return folders.find((folder) => existsSync(join(folder, 'initdb'))) ?? null;
}

/** The folder of PostgreSQL's programs. */
export const programsFolder = (): string => PROGRAMS!;

/** The command line that runs a program of PostgreSQL without the rights of root. */
export const postgresCommand = (program: string, ...args: string[]): string[] =>
  withoutRoot(join(programsFolder(), program), ...args);

export function withoutRoot(...command: string[]): string[] {
  if (!IS_ROOT) return command;
  return ['setpriv', `--reuid=${OWNER}`, `--regid=${OWNER}`, '--init-groups', '--', ...command];
}

async function run(program: string, ...args: string[]): Promise<void> {
  const child = Bun.spawn(postgresCommand(program, ...args), {
    cwd: tmpdir(),
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [code, output] = await Promise.all([child.exited, new Response(child.stderr).text()]);
  if (code !== 0) throw new Error(`${program} ended with ${code}: ${output}`);
}

/** A directory that PostgreSQL may write to. */
export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'agio-postgres-'));
  if (IS_ROOT) chownSync(directory, userId('-u'), userId('-g'));
  return directory;
}

const userId = (flag: '-u' | '-g'): number =>
  Number(Bun.spawnSync(['id', flag, OWNER]).stdout.toString());

/**
 * A port that is free now, below those that the system gives to connections: none of these takes it
 * before the caller does.
 */
export function freePort(): number {
  for (;;) {
    const port = 12_000 + Math.floor(Math.random() * 20_000);
    try {
      Bun.listen({ hostname: '127.0.0.1', port, socket: { data() {} } }).stop(true);
      return port;
    } catch {
      // Somebody listens there.
    }
  }
}

/** The processes whose parent is `pid`, as Linux lists them. */
function childrenOf(pid: number): number[] {
  const parentOf = (process: string): number => {
    try {
      const stat = readFileSync(`/proc/${process}/stat`, 'utf8');
      return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
    } catch {
      return 0;
    }
  };
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return all.filter((process) => parentOf(process) === pid).map(Number);
}

/** A process that has ended gets no signal. */
function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
