// The benchmark's end of the load client, and the servers that it is pointed at.
import { join } from 'node:path';
import type { ClosedPhase, LoadAnswer, LoadQuestion, OpenPhase } from './load-client.ts';
import { ROOT, type Service, startService, startWorker } from './processes.ts';
import type { ApiKey } from './requests.ts';

export class LoadClient implements AsyncDisposable {
  readonly #worker = startWorker<LoadQuestion, unknown>('load-client.ts');

  /** Opens one connection for each key. */
  async connect(url: string, keys: readonly ApiKey[]): Promise<void> {
    await this.#worker.ask({ type: 'connect', port: Number(new URL(url).port), keys });
  }

  closed(phase: Omit<ClosedPhase, 'type'>): Promise<LoadAnswer> {
    return this.#worker.ask({ type: 'closed', ...phase }) as Promise<LoadAnswer>;
  }

  open(phase: Omit<OpenPhase, 'type'>): Promise<LoadAnswer> {
    return this.#worker.ask({ type: 'open', ...phase }) as Promise<LoadAnswer>;
  }

  /** The milliseconds that the answer took. */
  massCancel(): Promise<number> {
    return this.#worker.ask({ type: 'massCancel' }) as Promise<number>;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#worker[Symbol.asyncDispose]();
  }
}

const READY = /listening on (http:\S+)/;

/**
 * Starts agio on a data directory as its user would, without rate limits and without the demo market; `flags` as on the
 * command line.
 */
export function startAgio(dataDir: string, flags: readonly string[] = []): Promise<Service> {
  const command = [join(ROOT, 'src/main.ts'), 'start', '--no-demo'];
  const settings = [
    '--data',
    dataDir,
    '--port',
    '0',
    '--rate-limits',
    'off',
    '--log-level',
    'warn',
    ...flags,
  ];
  return startService([process.execPath, ...command, ...settings], READY);
}

/** Starts the bare server, which knows the keys in `keysFile`. */
export function startBare(keysFile: string, check: BareCheck = 'prepared'): Promise<Service> {
  const program = join(ROOT, 'bench/bare-server.ts');
  return startService([process.execPath, program, keysFile, check], READY);
}

/** How the bare server checks signatures; see there. */
export type BareCheck = 'usual' | 'prepared';

/** The figures of /metrics by name, those with labels left out. */
export async function metricsOf(url: string): Promise<ReadonlyMap<string, number>> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const figures = text.matchAll(/^([a-z_]+) (\S+)$/gm);
  return new Map([...figures].map(([, name, value]) => [name!, Number(value)]));
}

/** Waits until the follower has come so near to the leader that it no longer takes processor time from it. */
export async function followerCaughtUp(url: string, seconds: number): Promise<void> {
  const deadline = performance.now() + seconds * 1000;
  while (((await metricsOf(url)).get('agio_follower_lag') ?? 0) > 0) {
    if (performance.now() > deadline) throw new Error(`the follower lags after ${seconds} s`);
    await Bun.sleep(100);
  }
}
