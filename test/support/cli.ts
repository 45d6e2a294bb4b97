// The real command line in processes of its own: commands that run to their end, and servers that
// are started, spoken to and stopped.
import { afterAll, beforeAll, expect } from 'bun:test';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SandboxFile } from '../../src/cli/data-directory.ts';
import { BinaryWriter } from '../../src/core/binary.ts';
import type { Command } from '../../src/core/command.ts';
import { amount } from '../../src/core/units.ts';
import { encodeBatch } from '../../src/journal/codec.ts';
import { openFileJournal } from '../../src/journal/open-journal.ts';
import { collect } from './journal-contract.ts';
import { type ProgramEnd, run } from './program.ts';
import { until } from './waiting.ts';

const MAIN = join(import.meta.dir, '../../src/main.ts');

export type { ProgramEnd };

type Environment = Readonly<Record<string, string>>;

/** The tests' own environment without settings of agio. */
function environment(more: Environment): Record<string, string> {
  const clean = Object.entries(process.env).filter(([name]) => !name.startsWith('AGIO_'));
  const kept = Object.fromEntries(clean) as Record<string, string>;
  return { ...kept, NO_COLOR: '1', ...more };
}

/** The words of a line as a shell reads them; quotes are no part of a word. */
export const wordsOf = (line: string): string[] =>
  [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word]) => quoted ?? word!);

/** The command ended with 1 and one sentence, and printed no result. */
export function expectRejected(
  { code, stdout, stderr }: ProgramEnd,
  sentence: string | RegExp,
): void {
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  if (typeof sentence === 'string') expect(stderr).toContain(sentence);
  else expect(stderr).toMatch(sentence);
}

/** Starts a command that the test ends. */
export const launch = (args: readonly string[], env: Environment) =>
  Bun.spawn([process.execPath, MAIN, ...args], {
    env: environment(env),
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'pipe',
  });

/**
 * Runs a command to its end; a line is split into its words. `as` are the words of a program that
 * runs it.
 */
export async function agio(
  command: string | readonly string[],
  options: {
    readonly env?: Environment;
    readonly stdin?: string;
    readonly as?: readonly string[];
  } = {},
): Promise<ProgramEnd> {
  const args = typeof command === 'string' ? wordsOf(command) : command;
  const env = environment(options.env ?? {});
  const { as = [], stdin = '' } = options;
  return run([...as, process.execPath, MAIN, ...args], { env, stdin });
}

/** A market that goes on has some that are on their way. */
const FEW_COMMANDS = 50;

/** A server that was started with these arguments. */
export class Server {
  readonly url: string;
  readonly #child: Bun.Subprocess<'ignore', 'pipe', 'pipe'>;
  readonly #stdout: Promise<string>;
  readonly #stderr: Promise<string>;

  private constructor(
    url: string,
    child: Bun.Subprocess<'ignore', 'pipe', 'pipe'>,
    stdout: Promise<string>,
    stderr: Promise<string>,
  ) {
    this.url = url;
    this.#child = child;
    this.#stdout = stdout;
    this.#stderr = stderr;
  }

  /**
   * Resolves when it listens; the demo market trades only with `demo`. Throws its output when it
   * ends before. `descriptors` is the limit of open files.
   */
  static async start(
    args: readonly string[],
    env: Environment = {},
    { demo = false, descriptors }: { readonly demo?: boolean; readonly descriptors?: number } = {},
  ): Promise<Server> {
    const market = demo ? [] : ['--no-demo'];
    const command = [process.execPath, MAIN, 'start', '--port', '0', ...market, ...args];
    const limit = ['sh', '-c', `ulimit -n ${descriptors}; exec "$@"`, 'sh'];
    const child = Bun.spawn(descriptors === undefined ? command : [...limit, ...command], {
      env: environment(env),
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'pipe',
    });
    const listening = Promise.withResolvers<string>();
    const stderr = new Response(child.stderr).text();
    const stdout = (async () => {
      let text = '';
      const decoder = new TextDecoder();
      for await (const chunk of child.stdout) {
        text += decoder.decode(chunk, { stream: true });
        const url = /^agio listening on (http:\/\/\S+)$/m.exec(text)?.[1];
        if (url !== undefined) listening.resolve(url);
      }
      listening.reject(new Error(`the server ended: ${text}${await stderr}`));
      return text;
    })();
    return new Server(await listening.promise, child, stdout, stderr);
  }

  get pid(): number {
    return this.#child.pid;
  }

  /** Resolves when the history has every command of the journal, so that reads are answered. */
  async caughtUp(): Promise<this> {
    await until(async () => {
      const ready = await (await fetch(`${this.url}/ready`)).json();
      const { seq, followerSeq } = ready as { readonly seq: number; readonly followerSeq: number };
      return seq - followerSeq < FEW_COMMANDS;
    });
    return this;
  }

  /** Sends a signal and waits for the end. */
  end(signal: NodeJS.Signals): Promise<ProgramEnd> {
    this.#child.kill(signal);
    return this.ended();
  }

  /** Waits until the server ends without being asked to. */
  async ended(): Promise<ProgramEnd> {
    const code = await this.#child.exited;
    return { code, stdout: await this.#stdout, stderr: await this.#stderr };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode === null) await this.end('SIGKILL');
  }
}

/** A place for data directories, removed with `using`. */
export class Place {
  readonly #root = mkdtempSync(join(tmpdir(), 'agio-cli-'));

  path(name: string): string {
    return join(this.#root, name);
  }

  /** A copy of a directory, to be damaged. */
  copy(directory: string, name: string): string {
    const copy = this.path(name);
    cpSync(directory, copy, { recursive: true });
    return copy;
  }

  [Symbol.dispose](): void {
    rmSync(this.#root, { recursive: true, force: true });
  }
}

/** A sandbox in a directory of its own. `await using` ends it and removes the directory. */
export class Sandbox implements AsyncDisposable {
  readonly place = new Place();
  readonly data = this.place.path('data');
  #server: Server | null = null;

  static async start(...[args = [], ...more]: Partial<Parameters<typeof Server.start>>) {
    const sandbox = new Sandbox();
    sandbox.#server = await Server.start(['--data', sandbox.data, ...args], ...more);
    return sandbox;
  }

  /** The sandbox of a test file. */
  static forFile(args: readonly string[] = []): Sandbox {
    const sandbox = new Sandbox();
    beforeAll(async () => {
      sandbox.#server = await Server.start(['--data', sandbox.data, ...args]);
    });
    afterAll(() => sandbox[Symbol.asyncDispose]());
    return sandbox;
  }

  get server(): Server {
    return this.#server!;
  }
  get access(): SandboxFile {
    return readSandbox(this.data);
  }

  /** A call of the operator API. */
  operate(method: string, path: string, body?: object): ReturnType<typeof operate> {
    return operate({ ...this.access, url: this.server.url }, method, path, body);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server?.[Symbol.asyncDispose]();
    this.place[Symbol.dispose]();
  }
}

export const readSandbox = (dataDir: string): SandboxFile =>
  JSON.parse(readFileSync(join(dataDir, 'sandbox.json'), 'utf8')) as SandboxFile;

/** The paths of the journal's segments, oldest first. */
export const segmentsOf = (dataDir: string): string[] =>
  readdirSync(join(dataDir, 'journal'))
    .filter((name) => name.endsWith('.seg'))
    .sort()
    .map((name) => join(dataDir, 'journal', name));

/** Removes the views, which a start rebuilds. */
export function loseViews(dataDir: string): void {
  const files = readdirSync(dataDir).filter((name) => name.startsWith('views.db'));
  for (const name of files) rmSync(join(dataDir, name));
}

/** Smaller than an operator may choose, so that there are many. */
const SMALL_FILES = { segmentBytes: 8 * 1024 };
const COMMANDS_A_RECORD = 10;

/** The same journal in new files, of which later ones are small as well. */
export async function cutIntoSmallFiles(dataDir: string): Promise<void> {
  const old = await openFileJournal(dataDir);
  const records = await collect(old.read(1));
  await old.close();
  rmSync(join(dataDir, 'journal'), { recursive: true });
  const journal = await openFileJournal(dataDir, SMALL_FILES);
  for (const record of records) await journal.append(record);
  await journal.close();
}

/**
 * Credits to the demo user in small files, as if a server had journaled them. `name` begins their
 * references.
 */
export async function appendCredits(dataDir: string, name: string, count: number): Promise<void> {
  const { uid } = readSandbox(dataDir).demo!;
  const journal = await openFileJournal(dataDir, SMALL_FILES);
  for (let n = 0; n < count; n += COMMANDS_A_RECORD) {
    const commands = Array.from({ length: COMMANDS_A_RECORD }, (_, i): Command => {
      const reference = `${name}-${n + i}`;
      const money = { assetId: 0, amount: amount(1n) };
      return { type: 'transferFunds', direction: 'credit', uid, ...money, reference };
    });
    const payload = encodeBatch(new BinaryWriter(), { time: Date.now(), commands });
    const firstSeq = journal.head.seq + 1;
    await journal.append({ firstSeq, count: COMMANDS_A_RECORD, epoch: 1, payload });
  }
  await journal.close();
}

/** A call of the operator API. */
export async function operate(
  { url, operatorToken }: Pick<SandboxFile, 'url' | 'operatorToken'>,
  method: string,
  path: string,
  body?: object,
): Promise<Readonly<Record<string, unknown>>> {
  const response = await fetch(`${url}/operator/v1/${path}`, {
    method,
    headers: { Authorization: `Bearer ${operatorToken}`, 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const answer = (await response.json()) as Readonly<Record<string, unknown>>;
  if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
  return answer;
}
