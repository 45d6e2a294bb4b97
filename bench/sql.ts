// Part `sql`: the usual alternative to an exchange core, one durable SQL transaction an order, on
// SQLite in process and on PostgreSQL with many clients. It calls the databases directly: no HTTP,
// no signature, no matching. Amounts are 64-bit integers, which favors the databases.
import { Database } from 'bun:sqlite';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { SQL } from 'bun';
import { NO_POSTGRES, OWNER, PostgresServer } from '../test/support/postgres.ts';
import { type PerStream, runStreams } from './support/load.ts';
import { STREAM_NOTE, STREAMS } from './support/order-flow.ts';
import { part, type Row, type Target } from './support/part.ts';
import { program } from './support/processes.ts';

/** Orders are spread over these customers, so that they rarely wait for each other's row. */
const USERS = 1000;
/** Far above what a run can spend, in the smallest unit. */
const FUNDS = 9_000_000_000_000_000n;
const COST = 5_000_000;

/** Both databases understand this, except for how a key is generated. */
const schema = (generatedKey: string): readonly string[] => [
  `CREATE TABLE balances (
     uid bigint NOT NULL, asset text NOT NULL, available bigint NOT NULL, held bigint NOT NULL,
     PRIMARY KEY (uid, asset))`,
  `CREATE TABLE orders (
     order_id ${generatedKey}, uid bigint NOT NULL, side integer NOT NULL, price bigint NOT NULL,
     quantity bigint NOT NULL, leaves bigint NOT NULL, status integer NOT NULL,
     created_at bigint NOT NULL)`,
  'CREATE INDEX orders_of_user ON orders (uid)',
  `CREATE TABLE ledger (
     entry_id ${generatedKey}, uid bigint NOT NULL, asset text NOT NULL, amount bigint NOT NULL,
     order_id bigint NOT NULL)`,
];

/** The transaction in one call: the best of a client-server database without batching. */
const POSTGRES_FUNCTION = `
  CREATE FUNCTION place_order(of_uid bigint, price bigint, quantity bigint, cost bigint, now bigint)
  RETURNS bigint LANGUAGE plpgsql AS $$
  DECLARE new_id bigint;
  BEGIN
    UPDATE balances SET available = available - cost, held = held + cost
      WHERE uid = of_uid AND asset = 'USDT' AND available >= cost;
    IF NOT FOUND THEN RETURN NULL; END IF;
    INSERT INTO orders (uid, side, price, quantity, leaves, status, created_at)
      VALUES (of_uid, 1, price, quantity, quantity, 0, now) RETURNING order_id INTO new_id;
    INSERT INTO ledger (uid, asset, amount, order_id) VALUES (of_uid, 'USDT', -cost, new_id);
    RETURN new_id;
  END $$`;

/** Places the order of a customer. */
type Place = (uid: number) => unknown;

const uidOf = (order: number): number => 1 + (order % USERS);

function openSqlite(path: string): [Database, Place] {
  const database = new Database(path, { create: true, readwrite: true, strict: true });
  database.run('PRAGMA journal_mode = WAL');
  // The same promise as agio: an answered write survives a power cut.
  database.run('PRAGMA synchronous = FULL');
  for (const statement of schema('integer PRIMARY KEY AUTOINCREMENT')) database.run(statement);
  const insert = database.query('INSERT INTO balances VALUES (?, ?, ?, 0)');
  database.transaction(() => {
    for (let uid = 1; uid <= USERS; uid++) insert.run(uid, 'USDT', FUNDS);
  })();
  const pay = database.query(
    `UPDATE balances SET available = available - ?1, held = held + ?1
     WHERE uid = ?2 AND asset = 'USDT' AND available >= ?1`,
  );
  const insertOrder = database.query(
    `INSERT INTO orders (uid, side, price, quantity, leaves, status, created_at)
     VALUES (?, 1, ?, ?, ?, 0, ?)`,
  );
  const insertEntry = database.query(
    "INSERT INTO ledger (uid, asset, amount, order_id) VALUES (?, 'USDT', ?, ?)",
  );
  const place = database.transaction((uid: number) => {
    if (pay.run(COST, uid).changes !== 1) throw new Error('a balance ran out');
    const { lastInsertRowid } = insertOrder.run(uid, COST, 1, 1, Date.now());
    insertEntry.run(uid, -COST, lastInsertRowid);
  });
  return [database, place.immediate];
}

async function openPostgres(port: number, max: number): Promise<[SQL, Place]> {
  const sql = new SQL({
    ...{ adapter: 'postgres', hostname: '127.0.0.1', port, max },
    ...{ username: OWNER, database: 'postgres' },
  });
  await sql.unsafe('DROP SCHEMA public CASCADE; CREATE SCHEMA public').simple();
  for (const statement of schema('bigserial PRIMARY KEY')) await sql.unsafe(statement);
  await sql.unsafe(POSTGRES_FUNCTION);
  await sql`INSERT INTO balances
    SELECT uid, 'USDT', ${FUNDS.toString()}::bigint, 0 FROM generate_series(1, ${USERS}) AS uid`;
  // Otherwise the first measured seconds would pay for what the set-up left in memory.
  await sql.unsafe('CHECKPOINT');
  const place: Place = async (uid) => {
    const [row] = await sql`SELECT place_order(${uid}, ${COST}, 1, ${COST}, ${Date.now()})
      AS order_id`;
    if (row.order_id === null) throw new Error('a balance ran out');
  };
  return [sql, place];
}

/** Transactions a second of so many clients, after a quarter of the time to warm up. */
async function rateOf(place: Place, seconds: number, clients: number): Promise<number> {
  let [start, orders] = [performance.now(), 0];
  const runUntil = async (first: number, end: number): Promise<void> => {
    for (let order = first; performance.now() < end; order += clients) {
      await place(uidOf(order));
      orders++;
    }
  };
  for (const share of [1 / 4, 1]) {
    [start, orders] = [performance.now(), 0];
    const end = start + seconds * share * 1000;
    await Promise.all(Array.from({ length: clients }, (_, first) => runUntil(first, end)));
  }
  return (orders / (performance.now() - start)) * 1000;
}

const { once } = program(import.meta, {
  async sqlite(path: string, seconds: number): Promise<number> {
    const [database, place] = openSqlite(path);
    const rate = await rateOf(place, seconds, 1);
    database.close();
    return rate;
  },

  async postgres(port: number, seconds: number): Promise<number> {
    const [sql, place] = await openPostgres(port, CLIENTS);
    const rate = await rateOf(place, seconds, CLIENTS);
    await sql.close();
    return rate;
  },
});

/** The defaults of the package, which syncs every commit. */
const USUAL_SETTINGS = 'shared_buffers = 128MB\nmax_connections = 100\nmax_wal_size = 1GB\n';
const CLIENTS = 64;

const POSTGRES = `PostgreSQL, ${CLIENTS} clients, one call`;

interface Run {
  readonly agio: PerStream;
  readonly sqlite: number;
  /** NaN where it is not installed. */
  readonly postgres: number;
}

const ratioRows = (name: string, of: (run: Run) => number, target: Target | null): Row<Run>[] =>
  STREAMS.map((mix) => [
    `agio, ${mix} ÷ ${name}`,
    '×',
    (run) => run.agio[mix].perSecond / of(run),
    mix === 'quiet' ? null : target,
  ]);

export const sql = part({
  name: 'sql',
  question: 'How does that compare with one SQL transaction per order?',
  against: `SQLite with full sync, and PostgreSQL with ${CLIENTS} clients`,
  size: { seconds: 4, warmUp: 60_000, orders: 400_000 },
  async subjects({ seconds, ...size }, context) {
    context.step('starting PostgreSQL');
    const postgres = NO_POSTGRES ? null : await PostgresServer.create(USUAL_SETTINGS);
    if (postgres === null) context.notes.push('PostgreSQL is not installed here.');
    else {
      context.resources.use(postgres);
      const [row] = await postgres.query('SHOW server_version');
      context.notes.push(`PostgreSQL ${row.server_version}.`);
    }
    const path = join(context.directory, 'orders.db');
    return {
      agio: () => runStreams(context, size),
      async sqlite() {
        const rate = await once.sqlite(path, seconds);
        for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true });
        return rate;
      },
      postgres: async () =>
        postgres === null ? Number.NaN : await once.postgres(postgres.port, seconds),
    };
  },
  rows: () => [
    ...STREAMS.map((mix): Row<Run> => [`agio, ${mix}`, '/s', ({ agio }) => agio[mix].perSecond]),
    ['SQLite', '/s', ({ sqlite }) => sqlite],
    [POSTGRES, '/s', ({ postgres }) => postgres],
    ...ratioRows('SQLite', ({ sqlite }) => sqlite, { atLeast: 6 }),
    ...ratioRows(POSTGRES, ({ postgres }) => postgres, null),
  ],
  notes: () => [
    'agio: signed orders over HTTP; the clock stops when its follower has written the history of ' +
      'the last order. The transaction: update the balance where it covers the cost, insert the ' +
      'order, insert a ledger entry, commit. 1,000 customers, integer amounts, one index. ' +
      'SQLite: WAL, full sync, in process, one writer. PostgreSQL: the settings of the package, ' +
      'fsync and synchronous_commit on, clients over loopback TCP through the pool of Bun.',
    STREAM_NOTE,
    '“One call” is the transaction as a stored function: one round trip, the best of that kind; ' +
      'it is shown without a target.',
  ],
});
