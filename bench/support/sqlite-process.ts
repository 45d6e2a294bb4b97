// One durable SQLite transaction an order, for some seconds: update the balance, insert the order,
// insert the ledger entry.
import { Database } from 'bun:sqlite';
import { argumentOf, report } from './processes.ts';
import { COST_CENTS, SQL_FUNDS, SQL_USERS, schema } from './sql-schema.ts';

export interface SqliteRun {
  readonly path: string;
  readonly seconds: number;
}

export interface SqlRate {
  readonly perSecond: number;
}

function open(path: string): Database {
  const database = new Database(path, { create: true, readwrite: true, strict: true });
  database.run('PRAGMA journal_mode = WAL');
  // As agio: what was answered survives a power cut.
  database.run('PRAGMA synchronous = FULL');
  for (const statement of schema('integer PRIMARY KEY AUTOINCREMENT')) database.run(statement);
  const insert = database.query('INSERT INTO balances VALUES (?, ?, ?, 0)');
  database.transaction(() => {
    for (let uid = 1; uid <= SQL_USERS; uid++) insert.run(uid, 'USDT', SQL_FUNDS);
  })();
  return database;
}

function placeOrders(database: Database, seconds: number): SqlRate {
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
  return { perSecond: (orders / elapsed) * 1000 };
}

const { path, seconds } = argumentOf<SqliteRun>();
const database = open(path);
placeOrders(database, seconds / 4);
report(placeOrders(database, seconds));
database.close();
