// Starts agio, or a bare server, under the streams of order-flow.ts: a fresh data directory with 64
// customers, a server process, and a client process with one connection for each customer.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ApiKey } from '../../src/cli/bench/order-script.ts';
import { createKeys, HistoryWriter } from './data-directory.ts';
import {
  type BareKind,
  followerCaughtUp,
  journalSeq,
  LoadClient,
  type SustainedAnswer,
  startAgio,
  startBare,
} from './load.ts';
import type { LoadAnswer } from './load-client.ts';
import { STREAMS, type Stream } from './order-flow.ts';
import { type Context, type Figure, figure, type Target } from './part.ts';
import type { Form } from './requests.ts';
import { perRequest, THREADS, type ThreadTimes, threadTimes } from './threads.ts';
import { venueCommands } from './venue.ts';

export const CONNECTIONS = 64;
/** A sustained load of new orders leaves some 12,000 with each customer. */
const MAX_OPEN_ORDERS = 100_000;

export interface AgioUnderLoad extends AsyncDisposable {
  readonly url: string;
  readonly pid: number;
  readonly client: LoadClient;
  /**
   * Throws unless the journal has gained exactly `writes` commands since the start: none lost, none
   * twice.
   */
  checkSequenced(writes: number): Promise<void>;
}

/** A data directory with the instrument and `users` customers, and their keys. */
export async function makeVenue(dataDir: string, users: number): Promise<ApiKey[]> {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const history = await HistoryWriter.open(dataDir);
  await history.sendAll(venueCommands(users, MAX_OPEN_ORDERS));
  await history.close();
  return createKeys(dataDir, users);
}

export async function startAgioUnderLoad(
  directory: string,
  flags: readonly string[] = [],
  path: string | null = null,
  form: Form = 'http',
): Promise<AgioUnderLoad> {
  const dataDir = join(directory, 'data');
  rmSync(dataDir, { recursive: true, force: true });
  const keys = await makeVenue(dataDir, CONNECTIONS);
  const service = await startAgio(dataDir, flags);
  const client = new LoadClient();
  const url = service.ready;
  const dispose = async (): Promise<void> => {
    await client[Symbol.asyncDispose]();
    // Its data is thrown away, so that nothing is gained by waiting for its last snapshot.
    await service.kill();
    rmSync(dataDir, { recursive: true, force: true });
  };
  try {
    await client.connect(url, keys, path, form);
    const before = await journalSeq(url);
    return {
      url,
      pid: service.pid,
      client,
      async checkSequenced(writes) {
        const gained = (await journalSeq(url)) - before;
        if (gained === writes) return;
        throw new Error(`${writes} writes, but the journal gained ${gained}`);
      },
      [Symbol.asyncDispose]: dispose,
    };
  } catch (error) {
    await dispose();
    throw error;
  }
}

/** A value for each stream of orders. */
export type PerStream<T> = Readonly<Record<Stream, T>>;

export async function perStream<T>(run: (mix: Stream) => Promise<T>): Promise<PerStream<T>> {
  const results = {} as Record<Stream, T>;
  for (const mix of STREAMS) results[mix] = await run(mix);
  return results;
}

export interface StreamRun extends LoadAnswer {
  /** Processor time of an order; null where the system does not say. */
  readonly cpu: ThreadTimes | null;
}
export type SustainedRun = StreamRun & SustainedAnswer;

export interface Orders {
  /** Before each stream, for the compiler. */
  readonly warmUp: number;
  readonly orders: number;
  /** Orders of a request; 1 unless given. */
  readonly size?: number;
}

/** All streams, one after the other; the journal has gained every command. */
export async function sustainStreams(
  { client, url, pid }: AgioUnderLoad,
  { warmUp, orders, size = 1 }: Orders,
): Promise<PerStream<SustainedRun>> {
  return await perStream(async (mix) => {
    const phase = (count: number) =>
      ({ mix, size, requests: Math.ceil(count / size), connections: CONNECTIONS }) as const;
    await client.closed(phase(warmUp));
    await followerCaughtUp(url);
    const before = threadTimes(pid);
    const answer = await client.sustained(url, phase(orders));
    return { ...answer, cpu: perRequest(before, threadTimes(pid), answer.requests * size) };
  });
}

/** All streams on a node of their own: over HTTP, or over websockets of a `path`. */
export async function runStreams(
  { directory }: Context,
  orders: Orders,
  path: string | null = null,
): Promise<PerStream<SustainedRun>> {
  await using agio = await startAgioUnderLoad(directory, [], path);
  const runs = await sustainStreams(agio, orders);
  // A batch over HTTP is one command.
  const { size = 1 } = orders;
  const requests = STREAMS.reduce(
    (sum, mix) => sum + runs[mix].requests + requestsOf(orders.warmUp / size),
    0,
  );
  await agio.checkSequenced(requests * (path === null ? 1 : size));
  return runs;
}

/** Every connection sends the same number. */
export const requestsOf = (count: number): number =>
  Math.ceil(Math.ceil(count) / CONNECTIONS) * CONNECTIONS;

/** Keys of the same length as those of agio, for the bare server. */
const inventedKeys = (): ApiKey[] =>
  Array.from({ length: CONNECTIONS }, (_, i) => ({
    apiKey: i.toString(16).padStart(40, 'a'),
    secretKey: i.toString(16).padStart(64, 'b'),
  }));

/** Runs the streams over HTTP on a bare server of its own, and `then` with the same client. */
export async function runBareStreams<T = null>(
  { directory }: Context,
  kind: BareKind,
  { warmUp, orders }: Orders,
  then: (client: LoadClient) => Promise<T>,
): Promise<[PerStream<StreamRun>, T]> {
  const keys = inventedKeys();
  const file = join(directory, 'keys.json');
  writeFileSync(file, JSON.stringify(keys));
  await using service = await startBare(file, kind);
  await using client = new LoadClient();
  await client.connect(service.ready, keys);
  const runs = await perStream(async (mix) => {
    await client.closed({ mix, requests: warmUp, connections: CONNECTIONS });
    const before = threadTimes(service.pid);
    const answer = await client.closed({ mix, requests: orders, connections: CONNECTIONS });
    const cpu = perRequest(before, threadTimes(service.pid), answer.requests);
    return { ...answer, cpu };
  });
  return [runs, await then(client)];
}

/** Processor time of an order by thread, of each stream. */
export const cpuFigures = (
  runs: readonly PerStream<StreamRun>[],
  how: string,
  targets: Readonly<Record<string, Target>> = {},
): Figure[] =>
  STREAMS.flatMap((mix) =>
    THREADS.flatMap((thread) => {
      const times = runs.flatMap((run) => run[mix].cpu?.[thread] ?? []);
      const name = `processor time of an order${how}, ${mix}, ${thread}`;
      const target = targets[`${mix}, ${thread}`] ?? null;
      return times.length === 0 ? [] : [figure(name, 'µs', times, target)];
    }),
  );

/** The streams, for a reader of the figures. */
export const STREAM_NOTE =
  'Streams. Quiet: half new orders, half cancels. Market: 48 % resting orders, 42 % cancels, 8 % ' +
  'marketable limit orders, 2 % market orders. Busy: every other order takes what another one ' +
  'offered. Every order that trades is filled completely, and no cancel comes too late.';
