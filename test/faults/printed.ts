// The installation that docs/cluster.md prints, on this machine: the test takes files and commands
// from the document and replaces addresses, ports, paths and secrets, nothing else. Each machine of
// the document has an address in 127.0.0.0/8 and a folder of its own.
import { randomBytes } from 'node:crypto';
import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Subprocess } from 'bun';
import { freePort, programsFolder, temporaryDirectory, withoutRoot } from '../support/postgres.ts';

const ROOT = join(import.meta.dir, '../..');
/** The message of a failure has so many lines of each log. */
const LOG_LINES = 25;

/** All that were started, so that none outlives this process. */
const running = new Set<Subprocess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** The last byte of its address, by the name of the machine. */
const MACHINES = {
  'lb-1': 10,
  'agio-1': 11,
  'agio-2': 12,
  'agio-3': 13,
  'db-1': 21,
  'db-2': 22,
  'db-3': 23,
} as const;
export type Machine = keyof typeof MACHINES;

/** The block of a document whose fence ends in `title`, such as `/etc/default/etcd`. */
export function printedBlock(file: string, title: string): string {
  const document = readFileSync(join(ROOT, 'docs', file), 'utf8');
  const blocks = [...document.matchAll(/^ *```\w+ (.+)\n([\s\S]*?)^ *```$/gm)];
  const [found, ...more] = blocks.filter(([, each]) => each === title);
  if (found === undefined || more.length > 0) {
    throw new Error(`docs/${file} has not one block ${title}`);
  }
  return found[2]!;
}

interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** PostgreSQL, Patroni and etcd do not run as root. */
  readonly asRoot?: boolean;
}

export class Installation {
  readonly directory = temporaryDirectory();
  readonly #network = `127.${16 + (randomBytes(1)[0]! % 200)}.${randomBytes(1)[0]!}`;
  readonly #ports = new Map<string, string>();
  readonly #secrets = new Map<string, string>();

  /** The address of a machine. */
  address(machine: Machine): string {
    return `${this.#network}.${MACHINES[machine]}`;
  }

  /** The port in place of a printed one, which is the same on every machine. */
  port(printed: number): number {
    const known = this.#ports.get(`${printed}`) ?? `${freePort()}`;
    this.#ports.set(`${printed}`, known);
    return Number(known);
  }

  /** The secret in place of a word such as NODE_PASSWORD. */
  secret(word: string): string {
    const known = this.#secrets.get(word) ?? randomBytes(32).toString('hex');
    this.#secrets.set(word, known);
    return known;
  }

  /** A path of the document on a machine. */
  path(machine: Machine, printed: string): string {
    return join(this.directory, machine, printed);
  }

  /** A printed text as it is on a machine. */
  text(machine: Machine, printed: string): string {
    return printed
      .replace(/\b(?:[A-Z]+_PASSWORD|MASTER_KEY|OPERATOR_TOKEN)\b/g, (word) => this.secret(word))
      .replace(/\b10\.0\.0\.0\/\d+/g, '127.0.0.0/8')
      .replace(/\b10\.0\.0\.(\d+)/g, `${this.#network}.$1`)
      .replace(/(?<=127\.\d+\.\d+\.\d+:|AGIO_PORT=)\d+/g, (port) => `${this.port(Number(port))}`)
      .replace(/\/usr\/lib\/postgresql\/15\/bin/g, programsFolder())
      .replace(/\/opt\/agio\b/g, ROOT)
      .replace(/(?<![\w.])\/(etc|var)\//g, `${this.path(machine, '$1')}/`);
  }

  /**
   * Writes the file that the document prints for the first machine of its kind. On another one, a
   * line about one machine alone is about that one.
   */
  async write(machine: Machine, path: string, first: Machine = machine): Promise<string> {
    const own = printedBlock('cluster.md', path)
      .split('\n')
      .map((line) => {
        const addresses = new Set(line.match(/\b10\.0\.0\.\d+/g));
        if (addresses.size > 1) return line;
        return line
          .replaceAll(`10.0.0.${MACHINES[first]}`, `10.0.0.${MACHINES[machine]}`)
          .replaceAll(first, machine);
      })
      .join('\n');
    const file = this.path(machine, path);
    mkdirSync(join(file, '..'), { recursive: true });
    await Bun.write(file, this.text(machine, own));
    return file;
  }

  /** Gives everything that a machine has to the user of PostgreSQL. */
  giveAway(machine: Machine): void {
    const id = withoutRoot('id', '-u').includes('setpriv') ? ['postgres:postgres'] : [];
    if (id.length === 0) return;
    Bun.spawnSync(['chown', '-R', ...id, join(this.directory, machine)]);
  }

  /** Starts a program that stays; its output goes to NAME.log. */
  run(name: string, command: readonly string[], options: RunOptions = {}): Subprocess {
    const log = openSync(join(this.directory, `${name}.log`), 'a');
    const child = Bun.spawn(options.asRoot ? [...command] : withoutRoot(...command), {
      cwd: options.cwd ?? this.directory,
      env: { ...this.environment, ...options.env },
      stdin: 'ignore',
      stdout: log,
      stderr: log,
    });
    closeSync(log);
    running.add(child);
    void child.exited.then(() => running.delete(child));
    return child;
  }

  /** Runs a printed command in a shell; returns what it prints. Throws Error where it fails. */
  async shell(machine: Machine, printed: string): Promise<string> {
    const main = `${join(ROOT, 'node_modules/.bin/bun')} ${join(ROOT, 'src/main.ts')}`;
    // The test restarts a unit itself.
    const known = `agio() { ${main} "$@"; }\nsystemctl() { :; }\n`;
    const child = Bun.spawn(['bash', '-e', '-c', known + this.text(machine, printed)], {
      cwd: this.directory,
      env: this.environment,
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'pipe',
    });
    return outputOf(child, printed);
  }

  /** Without the settings of a server beside this test, and those of its user for libpq. */
  get environment(): Record<string, string> {
    const kept = Object.entries(process.env).filter(([name]) => !/^(AGIO|PG|ETCD)/.test(name));
    return { ...(Object.fromEntries(kept) as Record<string, string>), HOME: this.directory };
  }

  /** The last lines of every log. */
  logs(): string {
    const files = readdirSync(this.directory).filter((file) => file.endsWith('.log'));
    return files
      .map((file) => {
        const lines = readFileSync(join(this.directory, file), 'utf8').trimEnd().split('\n');
        return `${file}:\n${lines.slice(-LOG_LINES).join('\n')}`;
      })
      .join('\n');
  }

  remove(): void {
    rmSync(this.directory, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** The output of a command that ends. Throws Error with its errors where it fails. */
export async function outputOf(
  child: Subprocess<'ignore' | Blob, 'pipe', 'pipe'>,
  what: string,
): Promise<string> {
  const [code, out, errors] = await Promise.all([
    child.exited,
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  if (code !== 0) throw new Error(`${what} ended with ${code}: ${errors}`);
  return out;
}

/** The settings of an environment file, as systemd reads them. */
export function environmentOf(file: string): Record<string, string> {
  const lines = readFileSync(file, 'utf8').split('\n');
  const settings = lines.map((line) => /^(\w+)=(.*)$/.exec(line)).filter((found) => found !== null);
  return Object.fromEntries(
    settings.map(([, name, value]) => [name!, value!.replace(/^'(.*)'$/, '$1')]),
  );
}
