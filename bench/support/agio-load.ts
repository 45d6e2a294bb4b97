// agio under load, as parts `http` and `sql` measure it: a fresh data directory with 64 customers,
// a server process, and a client process with one connection for each of them.
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createKeys, HistoryWriter } from './data-directory.ts';
import { LoadClient, metricsOf, startAgio } from './load.ts';
import type { ApiKey } from './requests.ts';
import { LISTING, userCommands } from './venue.ts';

export const CONNECTIONS = 64;
/** A sustained load of new orders leaves some 12,000 with each customer. */
const MOST_OPEN_ORDERS = 100_000;

export interface AgioUnderLoad extends AsyncDisposable {
  readonly url: string;
  readonly pid: number;
  readonly client: LoadClient;
  readonly keys: readonly ApiKey[];
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
  for (const command of LISTING) history.send(command);
  const uids = Array.from({ length: users }, (_, i) => i + 1);
  for (const uid of uids) {
    for (const command of userCommands(uid, MOST_OPEN_ORDERS)) history.send(command);
  }
  await history.close();
  return createKeys(dataDir, uids);
}

export async function startAgioUnderLoad(directory: string): Promise<AgioUnderLoad> {
  const dataDir = join(directory, 'data');
  rmSync(dataDir, { recursive: true, force: true });
  const keys = await makeVenue(dataDir, CONNECTIONS);
  const service = await startAgio(dataDir);
  const client = new LoadClient();
  const url = service.ready;
  const dispose = async (): Promise<void> => {
    await client[Symbol.asyncDispose]();
    // Its data is thrown away, so that nothing is gained by waiting for its last snapshot.
    await service.kill();
    rmSync(dataDir, { recursive: true, force: true });
  };
  try {
    await client.connect(url, keys);
    const before = (await metricsOf(url)).get('agio_journal_seq')!;
    return {
      url,
      pid: service.pid,
      client,
      keys,
      async checkSequenced(writes) {
        const gained = (await metricsOf(url)).get('agio_journal_seq')! - before;
        if (gained !== writes)
          throw new Error(`${writes} writes, but the journal gained ${gained}`);
      },
      [Symbol.asyncDispose]: dispose,
    };
  } catch (error) {
    await dispose();
    throw error;
  }
}
