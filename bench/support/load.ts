// Controls the load client, and the servers that it loads.
import { join } from 'node:path';
import type { ApiKey } from '../../src/cli/bench/order-script.ts';
import type { ClosedPhase, LoadAnswer, LoadQuestion, OpenPhase } from './load-client.ts';
import { ROOT, type Service, startService, startWorker } from './processes.ts';
import type { Form } from './requests.ts';

export interface SustainedAnswer extends LoadAnswer {
  /** Requests a second until the last answer, without the work that was deferred. */
  readonly burst: number;
}

/** Requests that make a rate a sustained one: far more than the follower may leave for later. */
export const SUSTAINED_REQUESTS = 750_000;

export class LoadClient implements AsyncDisposable {
  readonly #worker = startWorker<LoadQuestion, unknown>('load-client.ts');

  /** Opens one connection for each key: of HTTP, or websockets of a private path. */
  async connect(
    url: string,
    keys: readonly ApiKey[],
    path: string | null = null,
    form: Form = 'http',
  ): Promise<void> {
    const port = Number(new URL(url).port);
    await this.#worker.ask({ type: 'connect', port, keys, path, form });
  }

  closed(phase: Omit<ClosedPhase, 'type'>): Promise<LoadAnswer> {
    return this.#worker.ask({ type: 'closed', ...phase }) as Promise<LoadAnswer>;
  }

  open(phase: Omit<OpenPhase, 'type'>): Promise<LoadAnswer> {
    return this.#worker.ask({ type: 'open', ...phase }) as Promise<LoadAnswer>;
  }

  /**
   * A closed phase with the work that it leaves behind: the clock stops when the follower has
   * caught up with the last request. `perSecond` of the answer is that rate.
   */
  async sustained(url: string, phase: Omit<ClosedPhase, 'type'>): Promise<SustainedAnswer> {
    const answer = await this.closed(phase);
    const start = performance.now();
    await followerCaughtUp(url);
    const seconds = answer.seconds + (performance.now() - start) / 1000;
    return { ...answer, seconds, perSecond: answer.requests / seconds, burst: answer.perSecond };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#worker[Symbol.asyncDispose]();
  }
}

const READY = /listening on (http:\S+)/;

/**
 * Starts agio on a data directory as its user would, without rate limits and without the demo
 * market; `flags` as on the command line.
 */
export function startAgio(
  dataDir: string,
  flags: readonly string[] = [],
  environment: Readonly<Record<string, string>> = {},
): Promise<Service> {
  const command = [process.execPath, join(ROOT, 'src/main.ts'), 'start', '--no-demo'];
  const settings = ['--port', '0', '--rate-limits', 'off', '--log-level', 'warn'];
  // The customers of some benchmarks exist only in the journal.
  settings.push('--data', dataDir, '--accept-unowned', ...flags);
  return startService([...command, ...settings], READY, environment);
}

/** Seconds from the start of the process until it listens. */
export async function startSeconds(dataDir: string): Promise<number> {
  const start = performance.now();
  await using _node = await startAgio(dataDir);
  return (performance.now() - start) / 1000;
}

/** Starts the bare server, which knows the keys in `keysFile`. */
export function startBare(keysFile: string, kind: BareKind = 'bare'): Promise<Service> {
  const program = join(ROOT, 'bench/bare-server.ts');
  return startService([process.execPath, program, keysFile, kind], READY);
}

/** `durable` writes every body to the disk before the answer. */
export type BareKind = 'bare' | 'durable';

const LIMITED_MS = 200;

/** The figures of /metrics by name, those with labels left out. */
export async function metricsOf(url: string): Promise<ReadonlyMap<string, number>> {
  let answer = await fetch(`${url}/metrics`);
  // Public calls have a limit, which a flood may have used up.
  while (answer.status === 429) {
    await Bun.sleep(LIMITED_MS);
    answer = await fetch(`${url}/metrics`);
  }
  const text = await answer.text();
  const figures = text.matchAll(/^([a-z_]+) (\S+)$/gm);
  return new Map([...figures].map(([, name, value]) => [name!, Number(value)]));
}

/** The last command in the journal. */
export const journalSeq = async (url: string): Promise<number> =>
  (await metricsOf(url)).get('agio_journal_seq')!;

/** A follower without progress for this time has failed; on a slow machine it is only slower. */
const STALL_MS = 60_000;
const POLL_MS = 20;

/** Waits until the follower has done everything that the leader has left to it. */
export async function followerCaughtUp(url: string): Promise<void> {
  let nearest = Number.POSITIVE_INFINITY;
  let progress = performance.now();
  for (;;) {
    const lag = (await metricsOf(url)).get('agio_follower_lag') ?? 0;
    if (lag === 0) return;
    if (lag < nearest) {
      nearest = lag;
      progress = performance.now();
    } else if (performance.now() - progress > STALL_MS) {
      throw new Error(`the follower lags by ${lag} commands and makes no progress`);
    }
    await Bun.sleep(POLL_MS);
  }
}
