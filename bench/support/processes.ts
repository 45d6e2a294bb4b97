// Starts and ends every process of the benchmark, and makes and removes every directory. Each
// subject runs in its own process, so neither compiled code nor garbage of one run affects the
// next. At the end, however it comes, the benchmark kills the processes by pid and removes the
// directories.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Subprocess } from 'bun';

export const ROOT = join(import.meta.dir, '../..');
const SUPPORT = import.meta.dir;

const alive = new Set<Subprocess>();

/** Kills everything that was started and has not ended. */
export function killAll(): void {
  for (const child of alive) child.kill('SIGKILL');
}

const directories = new Set<string>();

/**
 * Makes an empty directory that is removed with `removeDirectory`, or at the latest by `cleanUp`.
 */
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

/**
 * The environment without settings of agio, which would reach the servers that are started here.
 */
const cleanEnvironment = (): Record<string, string | undefined> =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('AGIO_')));

function register<T extends Subprocess>(child: T): T {
  alive.add(child);
  void child.exited.then(() => alive.delete(child));
  return child;
}

/** Runs a program to its end and returns its output. Throws with its errors if it fails. */
async function runProgram(
  argv: readonly string[],
  settings: Readonly<Record<string, string>> = {},
): Promise<string> {
  const child = register(
    Bun.spawn([process.execPath, ...argv], {
      cwd: ROOT,
      env: { ...cleanEnvironment(), ...settings },
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'pipe',
    }),
  );
  const streams = [child.stdout, child.stderr].map((stream) => new Response(stream).text());
  const [out, errors] = await Promise.all(streams);
  const code = await child.exited;
  if (code !== 0) throw new Error(`${argv.join(' ')} ended with ${code}: ${errors!.slice(-2000)}`);
  return out!;
}

/** Runs a command of agio to its end and returns its output. */
export const runAgio = (args: readonly string[]): Promise<string> =>
  runProgram([join(ROOT, 'src/main.ts'), ...args]);

/**
 * Work that runs in a process of its own each time: the module that declares it is the program. Its
 * plan and its answer are JSON.
 */
export function job<Plan, Answer>(
  module: ImportMeta,
  work: (plan: Plan) => Answer | Promise<Answer>,
  name = 'job',
): (plan: Plan) => Promise<Answer> {
  const [, , asked, plan = ''] = process.argv;
  const run = async (): Promise<void> => {
    const answer = await work(JSON.parse(plan) as Plan);
    process.stdout.write(JSON.stringify(answer));
  };
  // Once the module is complete.
  if (module.main && asked === name) setTimeout(() => void run());
  return async (plan) =>
    JSON.parse(await runProgram([module.path, name, JSON.stringify(plan)])) as Answer;
}

/** A process that serves until it is ended. */
export interface Service extends AsyncDisposable {
  readonly pid: number;
  /** The first group of the pattern that it was waited for with. */
  readonly ready: string;
  /** Asks it to stop and waits; kills it when that takes too long. */
  stop(): Promise<void>;
  /** Kills it; its data is thrown away. */
  kill(): Promise<void>;
}

const READY_SECONDS = 60;
const STOP_SECONDS = 15;

/**
 * Starts a service and waits until a line of its output matches. Throws with its last output when
 * it does not come.
 */
export async function startService(
  command: readonly string[],
  ready: RegExp,
  settings: Readonly<Record<string, string>> = {},
): Promise<Service> {
  const child = register(
    Bun.spawn([...command], {
      cwd: ROOT,
      env: { ...cleanEnvironment(), ...settings },
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'pipe',
    }),
  );
  const end = async (signal: 'SIGTERM' | 'SIGKILL'): Promise<void> => {
    child.kill(signal);
    const late = setTimeout(() => child.kill('SIGKILL'), STOP_SECONDS * 1000);
    await child.exited;
    clearTimeout(late);
  };
  const found = await firstMatch(child, ready).catch(async (error) => {
    await end('SIGKILL');
    throw error;
  });
  return {
    pid: child.pid,
    ready: found,
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
    [Symbol.asyncDispose]: () => end('SIGKILL'),
  };
}

/** A process that uses one core until it is disposed. */
export function startBusyProcess(): AsyncDisposable {
  const child = register(
    Bun.spawn([process.execPath, '-e', 'for (;;);'], { stdio: ['ignore', 'ignore', 'ignore'] }),
  );
  return {
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await child.exited;
    },
  };
}

/** Reads both outputs, for as long as the process lives, so that it never blocks on a full pipe. */
function firstMatch(child: Subprocess<'ignore', 'pipe', 'pipe'>, pattern: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const fail = (why: string): void =>
      reject(new Error(`${child.pid} ${why}; it wrote: ${text.slice(-2000)}`));
    const timer = setTimeout(() => fail('was not ready in time'), READY_SECONDS * 1000);
    const read = async (stream: ReadableStream<Uint8Array>): Promise<void> => {
      const decoder = new TextDecoder();
      for await (const chunk of stream) {
        text = (text + decoder.decode(chunk, { stream: true })).slice(-10_000);
        const match = pattern.exec(text);
        if (match === null) continue;
        clearTimeout(timer);
        resolve(match[1] ?? match[0]);
      }
    };
    read(child.stdout).catch(() => undefined);
    read(child.stderr).catch(() => undefined);
    void child.exited.then((code) => {
      clearTimeout(timer);
      fail(`ended with ${code}`);
    });
  });
}

/** A process that answers messages one at a time. */
export interface Worker<Question, Answer> extends AsyncDisposable {
  ask(question: Question): Promise<Answer>;
}

type Reply<Answer> = { readonly answer: Answer } | { readonly error: string };

/** Starts a script of this folder that was written with `serveQuestions`. */
export function startWorker<Question, Answer>(script: string): Worker<Question, Answer> {
  let settle: ((reply: Reply<Answer>) => void) | null = null;
  const child = register(
    Bun.spawn([process.execPath, join(SUPPORT, script)], {
      cwd: ROOT,
      env: cleanEnvironment(),
      stdin: 'ignore',
      stdout: 'ignore',
      stderr: 'inherit',
      ipc: (message: Reply<Answer>) => settle?.(message),
    }),
  );
  void child.exited.then((code) => settle?.({ error: `${script} ended with ${code}` }));
  return {
    ask(question) {
      return new Promise((resolve, reject) => {
        settle = (reply) => {
          settle = null;
          if ('answer' in reply) resolve(reply.answer);
          else reject(new Error(reply.error));
        };
        child.send(question);
      });
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await child.exited;
    },
  };
}

/** In a script: answers every message with what `handle` makes of it. */
export function serveQuestions<Question>(handle: (question: Question) => Promise<unknown>): void {
  process.on('message', (question: Question) => {
    handle(question).then(
      (answer) => process.send?.({ answer }),
      (error: Error) => process.send?.({ error: error.stack ?? String(error) }),
    );
  });
  process.on('disconnect', () => process.exit());
}
