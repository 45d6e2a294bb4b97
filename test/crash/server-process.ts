// The real server as a child process: started as an operator starts it, killed as a power cut
// would, and asked through its own HTTP interface only.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SandboxAccess } from '../../src/sandbox/seed.ts';
import { PATIENCE_MS } from '../support/waiting.ts';

const MAIN = join(import.meta.dir, '../../src/main.ts');
/** The server whose records do a fill or two. */
export const SLICED = join(import.meta.dir, '../support/sliced-process.ts');

export interface SandboxFile extends SandboxAccess {
  readonly operatorToken: string;
}

export class ServerProcess {
  readonly url: string;
  readonly #child: Bun.Subprocess<'ignore', 'pipe', 'pipe'>;

  private constructor(child: Bun.Subprocess<'ignore', 'pipe', 'pipe'>, url: string) {
    this.#child = child;
    this.url = url;
  }

  /** Resolves when the server listens; throws its output if it ends before. */
  static async start(
    dataDir: string,
    { snapshotEvery = 5000, main = MAIN } = {},
  ): Promise<ServerProcess> {
    const child = Bun.spawn(
      [process.execPath, main, 'start', '--no-demo', '--port', '0', '--data', dataDir],
      {
        stdin: 'ignore',
        stdout: 'pipe',
        stderr: 'pipe',
        // Small segments, so that crashes fall on their borders too.
        env: {
          ...process.env,
          AGIO_RATE_LIMITS: 'off',
          AGIO_SEGMENT_BYTES: '1048576',
          AGIO_SNAPSHOT_EVERY: String(snapshotEvery),
        },
      },
    );
    const giveUp = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS);
    const url = await listeningUrl(child.stdout);
    clearTimeout(giveUp);
    if (url !== null) return new ServerProcess(child, url);
    child.kill('SIGKILL');
    throw new Error(`the server did not start: ${await new Response(child.stderr).text()}`);
  }

  /** As a power cut: no handler runs, nothing is flushed. */
  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#child.exited;
  }

  /** Stops it as an operator does, and returns the exit code. */
  async stop(): Promise<number> {
    this.#child.kill('SIGTERM');
    return this.#child.exited;
  }
}

async function listeningUrl(stdout: ReadableStream<Uint8Array>): Promise<string | null> {
  const decoder = new TextDecoder();
  let text = '';
  // The stream stays open and unread afterwards: the banner is all that the server prints there.
  const reader = stdout.getReader();
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return null;
    text += decoder.decode(value, { stream: true });
    const found = /agio listening on (http:\S+)/.exec(text);
    if (found !== null) return found[1]!;
  }
}

export const sandboxFile = (dataDir: string): SandboxFile =>
  JSON.parse(readFileSync(join(dataDir, 'sandbox.json'), 'utf8')) as SandboxFile;

/** Runs one of agio's own commands and returns its exit code and output. */
async function runCommand(
  main: string,
  ...argv: string[]
): Promise<{ code: number; output: string }> {
  const child = Bun.spawn([process.execPath, main, ...argv], { stdout: 'pipe', stderr: 'pipe' });
  const [out, err] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  return { code: await child.exited, output: out + err };
}

/** Runs `agio verify`, and returns what it prints. Throws Error unless it succeeds. */
export async function verifyDirectory(dataDir: string, main = MAIN): Promise<string> {
  const { code, output } = await runCommand(main, 'verify', '--data', dataDir);
  if (code !== 0) throw new Error(`agio verify failed:\n${output}`);
  return output;
}

/** Runs `work` in a directory that it then removes. */
export async function inDirectory<T>(work: (dataDir: string) => Promise<T>): Promise<T> {
  const dataDir = mkdtempSync(join(tmpdir(), 'agio-crash-'));
  try {
    return await work(dataDir);
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}
