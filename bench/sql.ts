// Part `sql`: the usual alternative to an exchange core, one SQL transaction an order, on SQLite
// and PostgreSQL. Both sync every commit. The comparison is agio's new orders over HTTP in the same
// run. The part calls the databases directly: no HTTP, no signature, no matching.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { NO_POSTGRES, PostgresServer } from '../test/support/postgres.ts';
import { runStreams, STREAM_NOTE } from './support/agio-load.ts';
import { STREAMS } from './support/order-flow.ts';
import {
  alternate,
  type Context,
  type Figure,
  type Findings,
  figure,
  ratio,
  sizeOf,
} from './support/part.ts';
import { postgresRate, sqliteRate } from './support/sql-databases.ts';

const FULL = { seconds: 4, warmUp: 60_000, orders: 400_000 };
type Size = typeof FULL;

const TARGET = { atLeast: 6 } as const;

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
  const agio = Object.fromEntries(STREAMS.map((mix): [string, number[]] => [mix, []]));
  const others = await alternate<number, string>(context, {
    agio: async () => {
      const runs = await runStreams(context, size);
      for (const mix of STREAMS) agio[mix]!.push(runs[mix].perSecond);
      return 0;
    },
    SQLite: () => sqlite(context, size),
    ...(postgres === null ? {} : await postgresSubjects(postgres, size)),
  });
  delete others.agio;
  const figures: Figure[] = STREAMS.map((mix) => figure(`agio, ${mix}`, '/s', agio[mix]!));
  for (const [name, runs] of Object.entries(others)) figures.push(figure(name, '/s', runs));
  for (const [name, runs] of Object.entries(others)) {
    for (const mix of STREAMS) {
      // One call is unusual, and the best case.
      const target = mix === 'quiet' || name.includes('one call') ? null : TARGET;
      figures.push(ratio(`agio, ${mix} ÷ ${name}`, agio[mix]!, runs, target));
    }
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
  const measure = (clients: number, inOneCall: boolean) => () =>
    postgresRate({ port, clients, seconds, inOneCall });
  return {
    [`PostgreSQL ${version}, 16 clients`]: measure(16, false),
    [`PostgreSQL ${version}, 64 clients`]: measure(64, false),
    [`PostgreSQL ${version}, 64 clients, one call`]: measure(64, true),
  };
}

async function sqlite(context: Context, { seconds }: Size): Promise<number> {
  const path = join(context.directory, 'orders.db');
  const perSecond = await sqliteRate({ path, seconds });
  for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true });
  return perSecond;
}

function notes(postgres: PostgresServer | null): string[] {
  const plain =
    'agio: signed orders over HTTP; the clock stops when its follower has written the history of ' +
    'the last order. The transaction: update the balance where it covers the cost, insert the ' +
    'order, insert a ledger entry, commit. 1,000 customers, integer amounts, one index. SQLite: ' +
    'WAL, full sync, in process, one writer. PostgreSQL: the settings of the package, fsync and ' +
    'synchronous_commit on, clients over loopback TCP through the pool of Bun.';
  if (postgres === null)
    return [plain, STREAM_NOTE, 'PostgreSQL is not installed here and was left out.'];
  return [
    plain,
    STREAM_NOTE,
    '“One call” is the same transaction as a stored function: one round trip, the best of ' +
      'that kind; it is shown without a target.',
  ];
}
