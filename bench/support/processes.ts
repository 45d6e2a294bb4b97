// Every process and directory of the benchmark. Each subject runs in a process of its own, so
// neither compiled code nor garbage of one run affects the next. At the end, however it comes, the
// benchmark kills the processes by pid and removes the directories.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Subprocess } from 'bun';

export const ROOT = join(import.meta.dir, '../..');
const MAIN = join(ROOT, 'src/main.ts');
const LISTENING = /listening on (http:\S+)/;

const alive = new Set<Subprocess>();
const directories = new Set<string>();

export type Environment = Readonly<Record<string, string>>;

/** Without the settings of agio, which are those of another node. */
function options(more: Environment = {}) {
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('AGIO_'));
  return { cwd: ROOT, env: { ...Object.fromEntries(own), ...more }, stdin: 'ignore' } as const;
}

function register<T extends Subprocess>(child: T): T {
  alive.add(child);
  void child.exited.then(() => alive.delete(child));
  return child;
}

/** Kills everything that was started and has not ended. */
export function killAll(): void {
  for (const child of alive) child.kill('SIGKILL');
}

/** An empty directory, removed by `removeDirectory` or at the latest by `cleanUp`. */
export function makeDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'agio-bench-'));
  directories.add(directory);
  return directory;
}

export function removeDirectory(directory: string): void {
  // A process that was killed may be writing its last file.
  rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
  directories.delete(directory);
}

/** For the end of the benchmark. */
export function cleanUp(): void {
  killAll();
  for (const directory of directories) removeDirectory(directory);
}

/** A server that runs until it is ended; disposing of it kills it. */
export interface Service extends Process {
  readonly url: string;
  /** That one, and those of the other nodes of a cluster. */
  readonly urls: readonly string[];
}

interface Process extends AsyncDisposable {
  readonly pid: number;
}

const processOf = (child: Subprocess): Process => ({
  pid: child.pid,
  async [Symbol.asyncDispose]() {
    child.kill('SIGKILL');
    await child.exited;
  },
});

/** Starts a node of agio; resolves when it listens. */
export async function startAgio(
  flags: readonly string[],
  environment: Environment = {},
): Promise<Service> {
  const argv = [process.execPath, MAIN, 'start', '--port', '0', '--log-level', 'warn', ...flags];
  const pipes = { stdout: 'pipe', stderr: 'pipe' } as const;
  const child = register(Bun.spawn(argv, { ...options(environment), ...pipes }));
  const errors = new Response(child.stderr).text();
  // Its output stays open afterwards: a closed one would end it at its next line.
  const reader = child.stdout.getReader();
  const decoder = new TextDecoder();
  for (let text = ''; ; ) {
    const { value, done } = await reader.read();
    if (done) throw new Error(`a node did not start: ${text}${await errors}`);
    text += decoder.decode(value, { stream: true });
    const url = LISTENING.exec(text)?.[1];
    if (url !== undefined) return { ...processOf(child), url, urls: [url] };
  }
}

/** Runs a command of agio to its end and returns its output. Throws unless it succeeds. */
export async function runAgio(args: readonly string[]): Promise<string> {
  const pipes = { stdout: 'pipe', stderr: 'pipe' } as const;
  const child = register(Bun.spawn([process.execPath, MAIN, ...args], { ...options(), ...pipes }));
  const streams = [child.stdout, child.stderr].map((stream) => new Response(stream).text());
  const [output, errors] = await Promise.all(streams);
  if ((await child.exited) !== 0) throw new Error(`agio ${args.join(' ')} failed: ${errors}`);
  return output!;
}

/** A process that uses one core until it is disposed of. */
export const startBusyProcess = (): AsyncDisposable =>
  processOf(register(Bun.spawn([process.execPath, '-e', 'for (;;);'], options())));

type Functions = Readonly<Record<string, (...args: never[]) => unknown>>;
type Calls<F extends Functions> = {
  readonly [K in keyof F]: (...args: Parameters<F[K]>) => Promise<Awaited<ReturnType<F[K]>>>;
};
/** The functions of a running process, called one at a time. */
export type Remote<F extends Functions> = Calls<F> & Process;

interface Call {
  readonly name: string;
  readonly args: readonly never[];
}
type Reply = { readonly answer: unknown } | { readonly error: string };

interface Program<F extends Functions> {
  /** Starts a process that keeps its state between calls. */
  start(): Remote<F>;
  /** Runs each call in a process of its own. */
  readonly once: Calls<F>;
}

/** Functions that run in another process: the module that declares them is the program. */
export function program<F extends Functions>(module: ImportMeta, functions: F): Program<F> {
  if (module.main) serve(functions);
  const calls = (call: (name: string, args: never[]) => Promise<unknown>): Calls<F> => {
    const names = Object.keys(functions);
    const entries = names.map((name) => [name, (...args: never[]) => call(name, args)]);
    return Object.fromEntries(entries) as Calls<F>;
  };
  const start = (): Remote<F> => {
    const { ask, ...child } = startProgram(module.path);
    return { ...calls(ask), ...child };
  };
  const once = calls(async (name, args) => {
    await using remote = startProgram(module.path);
    return await remote.ask(name, args);
  });
  return { start, once };
}

function startProgram(path: string) {
  let settle: (reply: Reply) => void = () => undefined;
  const child = register(
    Bun.spawn([process.execPath, path], {
      ...options(),
      stdout: 'ignore',
      stderr: 'inherit',
      ipc: (reply: Reply) => settle(reply),
    }),
  );
  void child.exited.then((code) => settle({ error: `${path} ended with ${code}` }));
  const ask = (name: string, args: readonly never[]): Promise<unknown> =>
    new Promise((resolve, reject) => {
      settle = (reply) =>
        'error' in reply ? reject(new Error(reply.error)) : resolve(reply.answer);
      child.send({ name, args } satisfies Call);
    });
  return { ask, ...processOf(child) };
}

function serve(functions: Functions): void {
  const answer = async ({ name, args }: Call): Promise<Reply> => {
    try {
      return { answer: await functions[name]!(...args) };
    } catch (error) {
      return { error: (error as Error).stack ?? String(error) };
    }
  };
  process.on('message', async (call: Call) => process.send?.(await answer(call)));
  process.on('disconnect', () => process.exit());
}
