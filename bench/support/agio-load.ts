// Starts agio under load for parts `http` and `sql`: a fresh data directory with 64 customers, a
// server process, and a client process with one connection for each customer.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ApiKey } from '../../src/cli/bench/order-script.ts';
import { createKeys, HistoryWriter } from './data-directory.ts';
import {
  type BareCheck,
  followerCaughtUp,
  journalSeq,
  LoadClient,
  type SustainedAnswer,
  startAgio,
  startBare,
} from './load.ts';
import type { Context } from './part.ts';
import { BATCH } from './requests.ts';
import { perRequest, type ThreadTimes, threadTimes } from './threads.ts';
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
    await client.connect(url, keys, path);
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

export interface OrdersRun extends SustainedAnswer {
  /** Processor time of an order; null where the system does not say. */
  readonly cpu: ThreadTimes | null;
}

interface Orders {
  readonly warmUp: number;
  readonly orders: number;
}

/** New orders and cancels, one or BATCH in each request, or message of a websocket's `path`. */
export async function runOrders(
  { directory }: Context,
  { warmUp, orders }: Orders,
  isBatch: boolean,
  path: string | null = null,
): Promise<OrdersRun> {
  await using agio = await startAgioUnderLoad(directory, [], path);
  const { client, url, pid } = agio;
  const [mix, size] = isBatch ? (['batches', BATCH] as const) : (['orders', 1] as const);
  const phase = (count: number) =>
    ({ mix, requests: count / size, connections: CONNECTIONS }) as const;
  const warm = await client.closed(phase(warmUp));
  await followerCaughtUp(url);
  const before = threadTimes(pid);
  const answer = await client.sustained(url, phase(orders));
  const cpu = perRequest(before, threadTimes(pid), answer.requests * size);
  // A batch over HTTP is one command.
  const commands = path === null ? 1 : size;
  await agio.checkSequenced((warm.requests + answer.requests) * commands);
  return { ...answer, cpu };
}

/** Keys of the same length as those of agio, for the bare server. */
const inventedKeys = (): ApiKey[] =>
  Array.from({ length: CONNECTIONS }, (_, i) => ({
    apiKey: i.toString(16).padStart(40, 'a'),
    secretKey: i.toString(16).padStart(64, 'b'),
  }));

/** Runs a load on a bare server of its own, after a warm-up with `warmUp` orders. */
export async function onBareServer<T>(
  directory: string,
  check: BareCheck,
  warmUp: number,
  run: (client: LoadClient) => Promise<T>,
): Promise<T> {
  const keys = inventedKeys();
  const file = join(directory, 'keys.json');
  writeFileSync(file, JSON.stringify(keys));
  await using service = await startBare(file, check);
  await using client = new LoadClient();
  await client.connect(service.ready, keys);
  await client.closed({ mix: 'orders', requests: warmUp, connections: CONNECTIONS });
  return await run(client);
}

/** Orders a second of the bare server with the usual check. */
export const bareRate = (directory: string, warmUp: number, requests: number): Promise<number> =>
  onBareServer(directory, 'usual', warmUp, async (client) => {
    const load = { mix: 'orders', requests, connections: CONNECTIONS } as const;
    return (await client.closed(load)).perSecond;
  });
