// One durable PostgreSQL transaction an order from many clients, for some seconds: as statements
// (begin, update the balance, insert the order, insert the ledger entry, commit), or as one call of
// a function that does the same.
import { SQL } from 'bun';
import { OWNER } from '../../test/support/postgres.ts';
import { argumentOf, report } from './processes.ts';
import { COST_CENTS, POSTGRES_FUNCTION, SQL_FUNDS, SQL_USERS, schema } from './sql-schema.ts';
import type { SqlRate } from './sqlite-process.ts';

export interface PostgresRun {
  readonly port: number;
  readonly clients: number;
  readonly seconds: number;
  readonly inOneCall: boolean;
}

interface NewOrder {
  readonly order_id: string | number;
}

const { port, clients, seconds, inOneCall } = argumentOf<PostgresRun>();
const connect = (max: number): SQL =>
  new SQL({
    adapter: 'postgres',
    hostname: '127.0.0.1',
    port,
    username: OWNER,
    database: 'postgres',
    max,
  });

async function createTables(): Promise<void> {
  const sql = connect(1);
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

async function placeOrders(sql: SQL, forSeconds: number): Promise<SqlRate> {
  const place = inOneCall ? placeInOneCall : placeInStatements;
  const start = performance.now();
  const deadline = start + forSeconds * 1000;
  let orders = 0;
  const client = async (first: number): Promise<void> => {
    for (let i = first; performance.now() < deadline; i += clients) {
      await place(sql, 1 + (i % SQL_USERS), COST_CENTS);
      orders++;
    }
  };
  await Promise.all(Array.from({ length: clients }, (_, i) => client(i)));
  return { perSecond: (orders / (performance.now() - start)) * 1000 };
}

await createTables();
const sql = connect(clients);
await placeOrders(sql, seconds / 4);
report(await placeOrders(sql, seconds));
await sql.close();
