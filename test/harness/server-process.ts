// The real server as a child process: started as an operator starts it, and killed as a power cut
// would. Its directory has its data and its log.
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SandboxAccess } from '../../src/sandbox/seed.ts';
import { PATIENCE_MS } from '../support/waiting.ts';

export const MAIN = join(import.meta.dir, '../../src/main.ts');
/** The server whose records do a fill or two. */
export const SLICED = join(import.meta.dir, '../support/sliced-process.ts');

export interface SandboxFile extends SandboxAccess {
  readonly operatorToken: string;
}

/** All that were started, so that none outlives this process. */
const running = new Set<Bun.Subprocess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

export class ServerProcess {
  /** The program of its next start: another one is another build of agio. */
  main: string;
  readonly directory: string;
  readonly dataDir: string;
  readonly #env: Readonly<Record<string, string>>;
  #child: Bun.Subprocess<'ignore', 'pipe', number> | null = null;
  #port = 0;

  constructor(directory: string, env: Readonly<Record<string, string>> = {}, main = MAIN) {
    mkdirSync(directory, { recursive: true });
    this.directory = directory;
    this.dataDir = join(directory, 'data');
    this.#env = env;
    this.main = main;
  }

  get name(): string {
    return 'server';
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  get isRunning(): boolean {
    return this.#child !== null && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** The exit code of a process that has ended without a signal; null for any other. */
  get exitCode(): number | null {
    return this.#child?.exitCode ?? null;
  }

  /** Resolves when it listens. Throws the end of its log where it ends before. */
  async start(): Promise<void> {
    this.#port = await this.spawn({});
  }

  /** Resolves to the port on which it listens. */
  protected async spawn(more: Readonly<Record<string, string>>): Promise<number> {
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
        // Small segments, so that crashes fall on their borders too.
        AGIO_SEGMENT_BYTES: '1048576',
        AGIO_SNAPSHOT_EVERY: '5000',
        ...this.#env,
        ...more,
      },
    });
    closeSync(log);
    this.#child = child;
    running.add(child);
    void child.exited.then(() => running.delete(child));
    const giveUp = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS);
    const port = await listeningPort(child.stdout);
    clearTimeout(giveUp);
    if (port === null) throw new Error(`${this.name} did not start: ${this.lastLog()}`);
    return port;
  }

  get #log(): string {
    return join(this.directory, 'log');
  }

  /** The end of its log. */
  lastLog(): string {
    return readFileSync(this.#log, 'utf8').slice(-4000);
  }

  /** Like a power cut: no handler runs, nothing is flushed. */
  async kill(): Promise<void> {
    this.signal('SIGKILL');
    await this.#child?.exited;
  }

  signal(signal: NodeJS.Signals): void {
    this.#child?.kill(signal);
  }

  /** Stops it as an operator does, and returns the exit code. */
  async stop(): Promise<number> {
    this.signal('SIGTERM');
    return (await this.#child?.exited) ?? 0;
  }
}

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

export const sandboxFile = (dataDir: string): SandboxFile =>
  JSON.parse(readFileSync(join(dataDir, 'sandbox.json'), 'utf8')) as SandboxFile;

/** Runs `agio verify`, and returns what it prints. Throws Error unless it succeeds. */
export async function verifyDirectory(dataDir: string, main = MAIN): Promise<string> {
  const argv = [process.execPath, main, 'verify', '--data', dataDir];
  const child = Bun.spawn(argv, { stdout: 'pipe', stderr: 'pipe' });
  const streams = [child.stdout, child.stderr].map((stream) => new Response(stream).text());
  const output = (await Promise.all(streams)).join('');
  if ((await child.exited) !== 0) throw new Error(`agio verify failed:\n${output}`);
  return output;
}

/** Runs `work` in a directory that it then removes. */
export async function inDirectory<T>(work: (directory: string) => Promise<T>): Promise<T> {
  const directory = mkdtempSync(join(tmpdir(), 'agio-crash-'));
  try {
    return await work(directory);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
