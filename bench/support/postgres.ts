// A PostgreSQL for part `sql`: Debian's package, a new cluster in a temporary directory, a free
// port of the loopback, and its usual settings, which sync every commit. PostgreSQL does not run as
// root, so root runs it as the package's user `postgres`.
import { chownSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../test/support/postgres.ts';
import { makeDirectory, removeDirectory, startService, textOf } from './processes.ts';

const PACKAGES = '/usr/lib/postgresql';
const RUN_AS = 'postgres';
const READY = /ready to accept connections/;

export interface Postgres extends AsyncDisposable {
  readonly version: string;
  readonly port: number;
}

/** The directory of the newest installed version's programs; null when there is none. */
function programs(): string | null {
  if (!existsSync(PACKAGES)) return null;
  const versions = readdirSync(PACKAGES).filter((name) =>
    existsSync(join(PACKAGES, name, 'bin/initdb')),
  );
  const newest = versions.sort((a, b) => Number(b) - Number(a))[0];
  return newest === undefined ? null : join(PACKAGES, newest, 'bin');
}

/** The account that PostgreSQL runs as where it cannot be the caller's. */
interface Account {
  readonly uid: number;
  readonly gid: number;
}

function lentAccount(): Account | null {
  if (process.getuid?.() !== 0) return null;
  const line = new RegExp(`^${RUN_AS}:[^:]*:(\\d+):(\\d+):`, 'm').exec(
    readFileSync('/etc/passwd', 'utf8'),
  );
  if (line === null) throw new Error(`there is no user ${RUN_AS} for root to run PostgreSQL as`);
  return { uid: Number(line[1]), gid: Number(line[2]) };
}

/** Replaces the process, so that its pid is the one of what it runs. */
const runAs = (account: Account | null): string[] =>
  account === null
    ? []
    : ['setpriv', `--reuid=${account.uid}`, `--regid=${account.gid}`, '--clear-groups'];

/** Starts a new cluster; null when PostgreSQL is not installed. */
export async function startPostgres(): Promise<Postgres | null> {
  const bin = programs();
  if (bin === null) return null;
  const account = lentAccount();
  // Not within the directory of the part, which its owner alone may enter.
  const directory = makeDirectory();
  try {
    if (account !== null) chownSync(directory, account.uid, account.gid);
    const data = join(directory, 'data');
    const flags = ['-D', data, '-U', 'bench', '-A', 'trust', '--no-locale', '-E', 'UTF8'];
    await run([...runAs(account), join(bin, 'initdb'), ...flags]);
    const port = freePort();
    const service = await startService(
      [
        ...runAs(account),
        join(bin, 'postgres'),
        ...['-D', data, '-p', String(port), '-k', directory],
        ...['-c', 'listen_addresses=127.0.0.1', '-c', 'fsync=on', '-c', 'synchronous_commit=on'],
      ],
      READY,
    );
    return {
      version: versionOf(data),
      port,
      async [Symbol.asyncDispose]() {
        // Its processes end by themselves when the first one is asked to stop; killed, it would
        // leave them for a while.
        await service.stop();
        removeDirectory(directory);
      },
    };
  } catch (error) {
    removeDirectory(directory);
    throw error;
  }
}

async function run(command: readonly string[]): Promise<void> {
  const child = Bun.spawn([...command], {
    cwd: '/',
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'pipe',
  });
  const [errors, code] = await Promise.all([textOf(child.stderr), child.exited]);
  if (code !== 0)
    throw new Error(`${command.join(' ')} ended with ${code}: ${errors.slice(-1000)}`);
}

const versionOf = (data: string): string => readFileSync(join(data, 'PG_VERSION'), 'utf8').trim();
