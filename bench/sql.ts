// Part `sql`: the usual alternative to an exchange core, one durable SQL transaction an order, on
// SQLite in process and on PostgreSQL with many clients. It calls the databases directly: no HTTP,
// no signature, no matching. Amounts are 64-bit integers, which favors the databases.
import { Database } from 'bun:sqlite';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { SQL } from 'bun';
import { NO_POSTGRES, OWNER, PostgresServer } from '../test/support/postgres.ts';
import { runStreams } from './support/load.ts';
import { STREAM_NOTE, STREAMS } from './support/order-flow.ts';
import { part, type Row } from './support/part.ts';
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

/** The same transaction in one call: the best of a client-server database without batching. */
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

async function openPostgres(port: number, max: number, inOneCall: boolean): Promise<[SQL, Place]> {
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
  const placeInStatements: Place = (uid) =>
    sql.begin(async (tx) => {
      const paid = await tx`UPDATE balances SET available = available - ${COST},
        held = held + ${COST} WHERE uid = ${uid} AND asset = 'USDT' AND available >= ${COST}`;
      if (paid.count !== 1) throw new Error('a balance ran out');
      const [order] = await tx`INSERT INTO orders
        (uid, side, price, quantity, leaves, status, created_at)
        VALUES (${uid}, 1, ${COST}, 1, 1, 0, ${Date.now()}) RETURNING order_id`;
      await tx`INSERT INTO ledger (uid, asset, amount, order_id)
        VALUES (${uid}, 'USDT', ${-COST}, ${order.order_id})`;
    });
  const placeInOneCall: Place = async (uid) => {
    const [row] = await sql`SELECT place_order(${uid}, ${COST}, 1, ${COST}, ${Date.now()})
      AS order_id`;
    if (row.order_id === null) throw new Error('a balance ran out');
  };
  return [sql, inOneCall ? placeInOneCall : placeInStatements];
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

  async postgres(run: { port: number; clients: number; seconds: number; inOneCall: boolean }) {
    const [sql, place] = await openPostgres(run.port, run.clients, run.inOneCall);
    const rate = await rateOf(place, run.seconds, run.clients);
    await sql.close();
    return rate;
  },
});

/** The defaults of the package, which syncs every commit. */
const USUAL_SETTINGS = 'shared_buffers = 128MB\nmax_connections = 100\nmax_wal_size = 1GB\n';
/** One call is unusual, and the best case: it has no target. */
const ONE_CALL = ', one call';

type Rates = Readonly<Record<string, number>>;
type Subjects = Readonly<Record<string, () => Promise<Rates>>>;

async function postgresSubjects(postgres: PostgresServer, seconds: number): Promise<Subjects> {
  const { port } = postgres;
  const [row] = await postgres.query('SHOW server_version_num');
  const version = Math.floor(Number(row.server_version_num) / 10_000);
  const subject = (clients: number, how = '') => {
    const name = `PostgreSQL ${version}, ${clients} clients${how}`;
    const run = { port, clients, seconds, inOneCall: how !== '' };
    return { [name]: async () => ({ [name]: await once.postgres(run) }) };
  };
  return { ...subject(16), ...subject(64), ...subject(64, ONE_CALL) };
}

/** The rates of all subjects. */
const ratesOf = (run: Readonly<Record<string, Rates>>): Rates =>
  Object.assign({}, ...Object.values(run));

export const sql = part({
  name: 'sql',
  question: 'How does that compare with one SQL transaction per order?',
  against: 'SQLite with full sync, and PostgreSQL with 16 and 64 clients',
  size: { seconds: 4, warmUp: 60_000, orders: 400_000 },
  async subjects({ seconds, ...size }, context): Promise<Subjects> {
    context.step('starting PostgreSQL');
    const postgres = NO_POSTGRES ? null : await PostgresServer.create(USUAL_SETTINGS);
    const path = join(context.directory, 'orders.db');
    return {
      async agio() {
        const streams = await runStreams(context, size);
        return Object.fromEntries(STREAMS.map((mix) => [`agio, ${mix}`, streams[mix].perSecond]));
      },
      async SQLite() {
        const rate = await once.sqlite(path, seconds);
        for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true });
        return { SQLite: rate };
      },
      ...(postgres === null
        ? {}
        : await postgresSubjects(context.resources.use(postgres), seconds)),
    };
  },
  rows(_, runs) {
    const names = Object.keys(ratesOf(runs[0]));
    const others = names.filter((name) => !name.startsWith('agio'));
    return [
      ...names.map((name): Row<(typeof runs)[0]> => [name, '/s', (run) => ratesOf(run)[name]]),
      ...others.flatMap((name) =>
        STREAMS.map((mix): Row<(typeof runs)[0]> => {
          const hasTarget = mix !== 'quiet' && !name.endsWith(ONE_CALL);
          return [
            `agio, ${mix} ÷ ${name}`,
            '×',
            (run) => ratesOf(run)[`agio, ${mix}`] / ratesOf(run)[name],
            hasTarget ? { atLeast: 6 } : null,
          ];
        }),
      ),
    ];
  },
  notes: () => [
    'agio: signed orders over HTTP; the clock stops when its follower has written the history of ' +
      'the last order. The transaction: update the balance where it covers the cost, insert the ' +
      'order, insert a ledger entry, commit. 1,000 customers, integer amounts, one index. ' +
      'SQLite: WAL, full sync, in process, one writer. PostgreSQL: the settings of the package, ' +
      'fsync and synchronous_commit on, clients over loopback TCP through the pool of Bun.',
    STREAM_NOTE,
    NO_POSTGRES
      ? 'PostgreSQL is not installed here and was left out.'
      : '“One call” is the same transaction as a stored function: one round trip, the best of ' +
        'that kind; it is shown without a target.',
  ],
});
