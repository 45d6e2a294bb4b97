// The temporary node of agio bench: a sandbox in a process of its own, with customers who have keys
// and funds, on a directory that is removed with it.
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { OperatorClient } from '../../sdk/operator-client.ts';
import { CliError } from '../command.ts';
import { readSandboxFile } from '../data-directory.ts';
import type { ApiKey } from './order-script.ts';

const MAIN = join(import.meta.dir, '../../main.ts');
const FLAGS = ['--no-demo', '--host', '127.0.0.1', '--port', '0', '--rate-limits', 'off'];
const LISTENING = /listening on (http:\S+)/;
const FUNDS = { BTC: 1000, USDT: 10_000_000 };
const TRADING_WRITE = 6;
const POLL_MS = 20;
/** The exit code of a program that Ctrl-C has ended, as shells report it. */
const INTERRUPTED = 130;

/** A process that was killed may be writing its last file. */
const removeDirectory = (directory: string): void =>
  rmSync(directory, { recursive: true, force: true, maxRetries: 5 });

export class TemporaryNode implements AsyncDisposable {
  readonly directory: string;
  readonly #child: Bun.Subprocess<'ignore', 'pipe', 'pipe'>;
  #url = '';

  /** Starts a node in a new directory below `parent`. */
  static async start(parent: string): Promise<TemporaryNode> {
    const node = new TemporaryNode(mkdtempSync(join(parent, 'agio-bench-')));
    try {
      node.#url = await node.#listening();
      return node;
    } catch (error) {
      await node[Symbol.asyncDispose]();
      throw error;
    }
  }

  private constructor(directory: string) {
    this.directory = directory;
    // Settings of the environment are those of another node.
    const env = Object.entries(process.env).filter(([name]) => !name.startsWith('AGIO_'));
    const command = [process.execPath, MAIN, 'start', ...FLAGS, '--data', join(directory, 'data')];
    this.#child = Bun.spawn([...command, '--log-level', 'error'], {
      env: Object.fromEntries(env),
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'pipe',
    });
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, this.#interrupted);
  }

  get url(): string {
    return this.#url;
  }

  /** The keys of `count` new customers. */
  customers(count: number): Promise<ApiKey[]> {
    const { operatorToken } = readSandboxFile(join(this.directory, 'data'))!;
    const operator = new OperatorClient({ url: this.#url, operatorToken });
    const create = async (_: unknown, number: number): Promise<ApiKey> => {
      const { uid } = await operator.createUser({ email: `bench-${number}@example.com` });
      for (const [asset, amount] of Object.entries(FUNDS)) {
        await operator.credit({ uid, asset, amount, reference: `bench-${uid}-${asset}` });
      }
      return operator.createKey(uid, { alias: 'bench', moduleIds: [TRADING_WRITE] });
    };
    return Promise.all(Array.from({ length: count }, create));
  }

  /** Resolves when the views have every order. */
  async caughtUp(): Promise<void> {
    while ((await samplesOf(this.#url)).get('agio_follower_lag') !== 0) await Bun.sleep(POLL_MS);
  }

  /** Kills the process, and removes its data. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#child.exited;
    removeDirectory(this.directory);
  }

  readonly #interrupted = (): void => {
    this.#child.kill('SIGKILL');
    removeDirectory(this.directory);
    process.exit(INTERRUPTED);
  };

  async #listening(): Promise<string> {
    const errors = new Response(this.#child.stderr).text();
    let text = '';
    const decoder = new TextDecoder();
    for await (const chunk of this.#child.stdout) {
      text += decoder.decode(chunk, { stream: true });
      const match = LISTENING.exec(text);
      if (match !== null) return match[1]!;
    }
    throw new CliError(`The temporary node did not start: ${(await errors).trim()}`);
  }
}

/** The samples of /metrics, by name with labels. */
export async function samplesOf(url: string): Promise<ReadonlyMap<string, number>> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const samples = text.matchAll(/^([a-z]\S*) (\S+)$/gm);
  return new Map([...samples].map(([, name, value]) => [name!, Number(value)]));
}
