// The usual alternative to an exchange core: one durable SQL transaction an order, for some
// seconds. SQLite runs in the process; PostgreSQL has many clients, and takes statements (begin,
// update the balance, insert the order, insert the ledger entry, commit) or one call of a function
// that does the same. Amounts are 64-bit integers, which favors the database, and there is one
// index beside the primary keys.
import { Database } from 'bun:sqlite';
import { SQL } from 'bun';
import { OWNER } from '../../test/support/postgres.ts';
import { job } from './processes.ts';

/** Customers that orders are spread over, so that they rarely wait for each other's row. */
const SQL_USERS = 1000;

/** Balances far above what a run can spend, in the smallest unit. */
const SQL_FUNDS = 9_000_000_000_000_000n;

const COST_CENTS = 5_000_000;

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

/**
 * The same transaction in one call: the best that can be had from a client-server database without
 * batching.
 */
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

function openSqlite(path: string): Database {
  const database = new Database(path, { create: true, readwrite: true, strict: true });
  database.run('PRAGMA journal_mode = WAL');
  // The same promise as agio: an answered write survives a power cut.
  database.run('PRAGMA synchronous = FULL');
  for (const statement of schema('integer PRIMARY KEY AUTOINCREMENT')) database.run(statement);
  const insert = database.query('INSERT INTO balances VALUES (?, ?, ?, 0)');
  database.transaction(() => {
    for (let uid = 1; uid <= SQL_USERS; uid++) insert.run(uid, 'USDT', SQL_FUNDS);
  })();
  return database;
}

function placeInSqlite(database: Database, seconds: number): number {
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
  const place = database.transaction((uid: number, cost: number) => {
    if (pay.run(cost, uid).changes !== 1) throw new Error('a balance ran out');
    const { lastInsertRowid } = insertOrder.run(uid, COST_CENTS, 1, 1, Date.now());
    insertEntry.run(uid, -cost, lastInsertRowid);
  });
  const start = performance.now();
  let orders = 0;
  let elapsed = 0;
  while (elapsed < seconds * 1000) {
    place.immediate(1 + (orders % SQL_USERS), COST_CENTS);
    orders++;
    elapsed = performance.now() - start;
  }
  return (orders / elapsed) * 1000;
}

/** Transactions a second on SQLite. */
export const sqliteRate = job(
  import.meta,
  ({ path, seconds }: { path: string; seconds: number }) => {
    const database = openSqlite(path);
    placeInSqlite(database, seconds / 4);
    const rate = placeInSqlite(database, seconds);
    database.close();
    return rate;
  },
  'sqlite',
);

interface PostgresRun {
  readonly port: number;
  readonly clients: number;
  readonly seconds: number;
  readonly inOneCall: boolean;
}

const connect = (port: number, max: number): SQL =>
  new SQL({
    ...{ adapter: 'postgres', hostname: '127.0.0.1', port, max },
    ...{ username: OWNER, database: 'postgres' },
  });

interface NewOrder {
  readonly order_id: string | number;
}

async function createTables(port: number): Promise<void> {
  const sql = connect(port, 1);
  await sql.unsafe('DROP SCHEMA public CASCADE; CREATE SCHEMA public').simple();
  for (const statement of schema('bigserial PRIMARY KEY')) await sql.unsafe(statement);
  await sql.unsafe(POSTGRES_FUNCTION);
  await sql`INSERT INTO balances
    SELECT uid, 'USDT', ${SQL_FUNDS.toString()}::bigint, 0
      FROM generate_series(1, ${SQL_USERS}) AS uid`;
  // Otherwise the first measured seconds would pay for what the set-up left in memory.
  await sql.unsafe('CHECKPOINT');
  await sql.close();
}

async function placeInStatements(sql: SQL, uid: number, cost: number): Promise<void> {
  await sql.begin(async (tx) => {
    const paid = await tx`UPDATE balances SET available = available - ${cost}, held = held + ${cost}
      WHERE uid = ${uid} AND asset = 'USDT' AND available >= ${cost}`;
    if (paid.count !== 1) throw new Error('a balance ran out');
    const [order] = (await tx`INSERT INTO orders
      (uid, side, price, quantity, leaves, status, created_at)
      VALUES (${uid}, 1, ${COST_CENTS}, 1, 1, 0, ${Date.now()}) RETURNING order_id`) as NewOrder[];
    await tx`INSERT INTO ledger (uid, asset, amount, order_id)
      VALUES (${uid}, 'USDT', ${-cost}, ${order!.order_id})`;
  });
}

async function placeInOneCall(sql: SQL, uid: number, cost: number): Promise<void> {
  const [row] = (await sql`SELECT place_order(${uid}, ${COST_CENTS}, 1, ${cost}, ${Date.now()})
    AS order_id`) as NewOrder[];
  if (row!.order_id === null) throw new Error('a balance ran out');
}

async function placeInPostgres(
  sql: SQL,
  { clients, inOneCall }: PostgresRun,
  seconds: number,
): Promise<number> {
  const place = inOneCall ? placeInOneCall : placeInStatements;
  const start = performance.now();
  const deadline = start + seconds * 1000;
  let orders = 0;
  const client = async (first: number): Promise<void> => {
    for (let i = first; performance.now() < deadline; i += clients) {
      await place(sql, 1 + (i % SQL_USERS), COST_CENTS);
      orders++;
    }
  };
  await Promise.all(Array.from({ length: clients }, (_, i) => client(i)));
  return (orders / (performance.now() - start)) * 1000;
}

/** Transactions a second on PostgreSQL. */
export const postgresRate = job(
  import.meta,
  async (run: PostgresRun) => {
    const { port, clients, seconds } = run;
    await createTables(port);
    const sql = connect(port, clients);
    await placeInPostgres(sql, run, seconds / 4);
    const rate = await placeInPostgres(sql, run, seconds);
    await sql.close();
    return rate;
  },
  'postgres',
);
