// A server under load: agio on a data directory, or a bare server, with the connections of its
// customers in a client process.
import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { samplesOf } from '../../src/cli/bench/node.ts';
import type { ApiKey } from '../../src/cli/bench/order-script.ts';
import { viewsPath } from '../../src/views/view-store.ts';
import { THREADS, type ThreadTimes, threadTimes, timesSince } from './accounts.ts';
import { startBare } from './bare-server.ts';
import { writeVenue } from './history.ts';
import {
  type ClosedPhase,
  type Line,
  type LoadAnswer,
  type LoadClient,
  type OpenPhase,
  startClient,
} from './load-client.ts';
import { STREAMS, type Stream } from './order-flow.ts';
import type { Context, Row, Target } from './part.ts';
import { type Environment, type Service, startAgio } from './processes.ts';
import type { Form, Mix } from './requests.ts';

export const CONNECTIONS = 64;
const LIMITED_MS = 200;
const POLL_MS = 20;

/**
 * Starts a node as its user would, without rate limits and without the demo market; the customers
 * of some directories exist only in the journal.
 */
export const startNode = (
  dataDir: string,
  flags: readonly string[] = [],
  environment?: Environment,
): Promise<Service> => {
  const fixed = ['--no-demo', '--accept-unowned', '--rate-limits', 'off', '--data', dataDir];
  return startAgio([...fixed, ...flags], environment);
};

/** Seconds from the start of the process until it listens. */
export async function startSeconds(dataDir: string): Promise<number> {
  const start = performance.now();
  await using _node = await startNode(dataDir);
  return (performance.now() - start) / 1000;
}

/** A figure of /metrics; 0 where the node does not have it. */
export async function metricOf(url: string, name: string): Promise<number> {
  let samples = await samplesOf(url);
  // Public calls have a limit, which a flood may have used up.
  for (; samples.size === 0; samples = await samplesOf(url)) await Bun.sleep(LIMITED_MS);
  return samples.get(name) ?? 0;
}

/** The last command in the journal. */
export const journalSeq = (url: string): Promise<number> => metricOf(url, 'agio_journal_seq');

/** Waits until the history has everything that the journal has. */
export async function caughtUp(url: string): Promise<void> {
  while ((await metricOf(url, 'agio_follower_lag')) > 0) await Bun.sleep(POLL_MS);
}

export interface SustainedAnswer extends LoadAnswer {
  /** Requests a second until the last answer, without the work that was deferred. */
  readonly burst: number;
  /** Processor time of an order. */
  readonly cpu: ThreadTimes;
  /** By how much the file of the history grew for an order; NaN where it is not known. */
  readonly historyBytes: number;
}

export type PerStream<T = SustainedAnswer> = Readonly<Record<Stream, T>>;

/** The sizes of a sustained load. */
export interface Sizes {
  /** Orders before each stream, for the compiler. */
  readonly warmUp: number;
  readonly orders: number;
}

/** The servers of the streams; `durable` is a bare one that writes every body to the disk. */
export type ServerKind = 'agio' | 'bare' | 'durable';

/** A server with one connection for each key. */
export class Loaded implements AsyncDisposable {
  readonly server: Service;
  readonly #client: LoadClient;
  readonly #kind: ServerKind;
  /** null where somebody else made it. */
  #dataDir: string | null = null;
  #seq = 0;

  private constructor(server: Service, client: LoadClient, kind: ServerKind) {
    this.server = server;
    this.#client = client;
    this.#kind = kind;
  }

  /** Takes over a server with these customers, who are a group at each of its nodes. */
  static async connect(
    server: Service,
    keys: readonly ApiKey[],
    kind: ServerKind = 'agio',
    form: Form = 'http',
  ): Promise<Loaded> {
    const lines = keys.map((key, index): Line => {
      const group = index % server.urls.length;
      return { port: Number(new URL(server.urls[group]).port), key, form, group };
    });
    const client = await startClient(lines);
    const loaded = new Loaded(server, client, kind);
    if (kind === 'agio') loaded.#seq = await journalSeq(server.url);
    return loaded;
  }

  /** Starts a server with 64 customers, in place of the one before. */
  static async start(
    { directory }: Context,
    kind: ServerKind = 'agio',
    form: Form = 'http',
  ): Promise<Loaded> {
    const dataDir = join(directory, 'loaded');
    rmSync(dataDir, { recursive: true, force: true });
    if (kind === 'agio') {
      const keys = await writeVenue(dataDir, CONNECTIONS);
      const loaded = await Loaded.connect(await startNode(dataDir), keys, kind, form);
      loaded.#dataDir = dataDir;
      return loaded;
    }
    const bare = startBare();
    const bodies = kind === 'durable' ? join(directory, 'bodies') : null;
    const url = `http://127.0.0.1:${await bare.listen(INVENTED_KEYS, bodies)}`;
    return Loaded.connect({ ...bare, url, urls: [url] }, INVENTED_KEYS, kind);
  }

  /** Sends orders; the answer's requests have the size of the phase. */
  async run(phase: ClosedPhase | OpenPhase): Promise<LoadAnswer> {
    const answer = await this.#client.run(phase);
    this.#seq += answer.requests;
    return answer;
  }

  /**
   * A closed phase with the work that it leaves behind: the clock stops when the history has the
   * last request. A bare server leaves nothing.
   */
  async sustained(mix: Mix, orders: number, size = 1): Promise<SustainedAnswer> {
    await this.caughtUp();
    const { pid } = this.server;
    const before = threadTimes(pid);
    const bytesBefore = this.#historyBytes();
    const answer = await this.run({ mix, size, requests: Math.ceil(orders / size) });
    const end = performance.now();
    await this.caughtUp();
    const seconds = answer.seconds + (performance.now() - end) / 1000;
    const burst = answer.perSecond;
    const perSecond = this.#kind === 'agio' ? answer.requests / seconds : burst;
    const sent = answer.requests * size;
    const historyBytes = (this.#historyBytes() - bytesBefore) / sent;
    return { ...answer, perSecond, burst, cpu: timesSince(before, pid, sent), historyBytes };
  }

  #historyBytes(): number {
    return this.#dataDir === null ? Number.NaN : statSync(viewsPath(this.#dataDir)).size;
  }

  /** All streams, one after the other. */
  async streams(sizes: Sizes, size = 1): Promise<PerStream> {
    const answers: [Stream, SustainedAnswer][] = [];
    for (const mix of STREAMS) {
      await this.run({ mix, size, requests: Math.ceil(sizes.warmUp / size) });
      answers.push([mix, await this.sustained(mix, sizes.orders, size)]);
    }
    await this.checkJournal();
    return Object.fromEntries(answers) as PerStream;
  }

  async caughtUp(): Promise<void> {
    if (this.#kind === 'agio') await Promise.all(this.server.urls.map(caughtUp));
  }

  /** Throws unless the journal has exactly the commands that were sent: none lost, none twice. */
  async checkJournal(): Promise<void> {
    if (this.#kind !== 'agio') return;
    const seq = await journalSeq(this.server.url);
    if (seq !== this.#seq) throw new Error(`the journal ends at ${seq}, not at ${this.#seq}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#client[Symbol.asyncDispose]();
    await this.server[Symbol.asyncDispose]();
  }
}

/** Keys of the same length as those of agio, for the bare server. */
const INVENTED_KEYS: readonly ApiKey[] = Array.from({ length: CONNECTIONS }, (_, i) => ({
  apiKey: i.toString(16).padStart(40, 'a'),
  secretKey: i.toString(16).padStart(64, 'b'),
}));

/** All streams on a server of its own. */
export async function runStreams(
  context: Context,
  sizes: Sizes,
  {
    kind = 'agio',
    form = 'http',
    size = 1,
  }: { kind?: ServerKind; form?: Form; size?: number } = {},
): Promise<PerStream> {
  await using loaded = await Loaded.start(context, kind, form);
  return await loaded.streams(sizes, size);
}

/** Rows of the processor time of an order by thread, of each stream. */
export const cpuRows = <Run>(
  of: (run: Run) => PerStream,
  how: string,
  { threads = THREADS, targets = {} }: CpuOptions = {},
): Row<Run>[] =>
  STREAMS.flatMap((mix) =>
    threads.map((thread): Row<Run> => {
      const name = `processor time of an order${how}, ${mix}, ${thread}`;
      return [name, 'µs', (run) => of(run)[mix].cpu[thread], targets[`${mix}, ${thread}`]];
    }),
  );

interface CpuOptions {
  readonly threads?: readonly (keyof ThreadTimes)[];
  /** By stream and thread. */
  readonly targets?: Readonly<Record<string, Target>>;
}
