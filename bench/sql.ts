// Part `sql`: the usual alternative to an exchange core, one SQL transaction an order, on SQLite
// and PostgreSQL. Both sync every commit. The comparison is agio's new orders over HTTP in the same
// run. The part calls the databases directly: no HTTP, no signature, no matching.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { NO_POSTGRES, PostgresServer } from '../test/support/postgres.ts';
import { CONNECTIONS, startAgioUnderLoad } from './support/agio-load.ts';
import { followerCaughtUp, SUSTAINED_REQUESTS } from './support/load.ts';
import {
  alternate,
  type Context,
  type Figure,
  type Findings,
  figure,
  ratio,
  sizeOf,
} from './support/part.ts';
import type { PostgresRun } from './support/postgres-client.ts';
import { runScript } from './support/processes.ts';
import type { SqliteRun, SqlRate } from './support/sqlite-process.ts';

const FULL = { seconds: 4, warmUp: 80_000, requests: SUSTAINED_REQUESTS };
type Size = typeof FULL;

const TARGET = { atLeast: 5 } as const;

/** The defaults of the package, which syncs every commit. */
const USUAL_SETTINGS = 'shared_buffers = 128MB\nmax_connections = 100\nmax_wal_size = 1GB\n';

export async function sql(context: Context): Promise<Findings> {
  const size = sizeOf(context, FULL);
  context.step('starting PostgreSQL');
  const postgres = NO_POSTGRES ? null : await PostgresServer.create(USUAL_SETTINGS);
  try {
    return await compare(context, size, postgres);
  } finally {
    await postgres?.dispose();
  }
}

async function compare(
  context: Context,
  size: Size,
  postgres: PostgresServer | null,
): Promise<Findings> {
  const rates = await alternate<number, string>(context, {
    agio: () => agioCreates(context, size),
    SQLite: () => sqlite(context, size),
    ...(postgres === null ? {} : await postgresSubjects(postgres, size)),
  });
  const { agio, ...others } = rates;
  const figures: Figure[] = [figure('agio, signed new orders over HTTP', '/s', agio!)];
  for (const [name, runs] of Object.entries(others)) figures.push(figure(name, '/s', runs));
  for (const [name, runs] of Object.entries(others)) {
    // One call is unusual, and the best case.
    const target = name.includes('one call') ? null : TARGET;
    figures.push(ratio(`agio ÷ ${name}`, agio!, runs, target));
  }
  return { figures, notes: notes(postgres) };
}

async function postgresSubjects(
  postgres: PostgresServer,
  { seconds }: Size,
): Promise<Record<string, () => Promise<number>>> {
  const { port } = postgres;
  const [row] = await postgres.query('SHOW server_version_num');
  const version = Math.floor(Number(row!.server_version_num) / 10_000);
  const measure = (clients: number, inOneCall: boolean) => async (): Promise<number> => {
    const run: PostgresRun = { port, clients, seconds, inOneCall };
    return (await runScript<SqlRate>('postgres-client.ts', run)).perSecond;
  };
  return {
    [`PostgreSQL ${version}, 16 clients`]: measure(16, false),
    [`PostgreSQL ${version}, 64 clients`]: measure(64, false),
    [`PostgreSQL ${version}, 64 clients, one call`]: measure(64, true),
  };
}

async function sqlite(context: Context, { seconds }: Size): Promise<number> {
  const path = join(context.directory, 'orders.db');
  const run: SqliteRun = { path, seconds };
  const { perSecond } = await runScript<SqlRate>('sqlite-process.ts', run);
  for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true });
  return perSecond;
}

async function agioCreates(context: Context, size: Size): Promise<number> {
  await using agio = await startAgioUnderLoad(context.directory);
  const { client, url } = agio;
  await client.closed({ mix: 'orders', requests: size.warmUp, connections: CONNECTIONS });
  await followerCaughtUp(url);
  const { perSecond } = await client.sustained(url, {
    mix: 'creates',
    requests: size.requests,
    connections: CONNECTIONS,
  });
  return perSecond;
}

function notes(postgres: PostgresServer | null): string[] {
  const plain =
    'agio: the clock stops when its follower has written the history of the last order. The ' +
    'transaction: update the balance where it covers the cost, insert the order, insert a ' +
    'ledger entry, commit. 1,000 customers, integer amounts, one index. SQLite: WAL, full ' +
    'sync, in process, one writer. PostgreSQL: the settings of the package, fsync and ' +
    'synchronous_commit on, clients over loopback TCP through the pool of Bun.';
  if (postgres === null) return [plain, 'PostgreSQL is not installed here and was left out.'];
  return [
    plain,
    '“One call” is the same transaction as a stored function: one round trip, the best of ' +
      'that kind; it is shown without a target.',
  ];
}
