// Part `sql`: the usual alternative to an exchange core, one SQL transaction an order, on SQLite
// and PostgreSQL. Both sync every commit. The comparison is agio's new orders over HTTP in the same
// run. The part calls the databases directly: no HTTP, no signature, no matching.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
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
import { type Postgres, startPostgres } from './support/postgres.ts';
import type { PostgresRun } from './support/postgres-client.ts';
import { runScript } from './support/processes.ts';
import type { SqliteRun, SqlRate } from './support/sqlite-process.ts';

const FULL = { seconds: 4, warmUp: 80_000, requests: SUSTAINED_REQUESTS };
type Size = typeof FULL;

const TARGET = { atLeast: 5 } as const;

export async function sql(context: Context): Promise<Findings> {
  const size = sizeOf(context, FULL);
  context.step('starting PostgreSQL');
  await using postgres = await startPostgres();
  const rates = await alternate<number, string>(context, {
    agio: () => agioCreates(context, size),
    SQLite: () => sqlite(context, size),
    ...(postgres === null ? {} : postgresSubjects(postgres, size)),
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

function postgresSubjects(
  { port, version }: Postgres,
  { seconds }: Size,
): Record<string, () => Promise<number>> {
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

function notes(postgres: Postgres | null): string[] {
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
