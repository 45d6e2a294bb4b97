// Writes a data directory for part `burst`: a few customers with very many open orders.
import { mkdirSync } from 'node:fs';
import type { ApiKey } from '../../src/cli/bench/order-script.ts';
import { createKeys, createMoreKeys, HistoryWriter } from './data-directory.ts';
import { argumentOf, report } from './processes.ts';
import { orderCommand, placeOf, venueCommands } from './venue.ts';

export interface OpenOrdersPlan {
  readonly dataDir: string;
  /** Customers with open orders, and how many each has. */
  readonly holders: number;
  readonly ordersEach: number;
  /** Customers without. */
  readonly others: number;
  /** Keys of the last customer in all; one unless given. */
  readonly keysOfLast?: number;
}

export interface OpenOrders {
  readonly commands: number;
  readonly holders: readonly ApiKey[];
  readonly others: readonly ApiKey[];
  readonly ofLast: readonly ApiKey[];
}

const PRICES = 50_000;
/** Nearer to the middle than these lie only the orders of the load. */
const GAP = 10_000;

async function write(plan: OpenOrdersPlan): Promise<OpenOrders> {
  const { dataDir, holders, ordersEach, others } = plan;
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const history = await HistoryWriter.open(dataDir);
  const users = holders + others;
  await history.sendAll(venueCommands(users, ordersEach + 20_000));
  // Customers take turns, so that one customer's orders lie all over the book and the store, as
  // they do in a venue.
  for (let number = 0; number < holders * ordersEach; number++) {
    const uid = 1 + (Math.floor(number / 2) % holders);
    const terms = { uid, quantity: 1000, clOrdId: '', signature: null };
    history.send(orderCommand({ ...terms, ...placeOf(number, PRICES, GAP) }));
    await history.flushFull();
  }
  await history.close();
  const keys = createKeys(dataDir, users);
  const more = createMoreKeys(dataDir, users, (plan.keysOfLast ?? 1) - 1);
  return {
    ofLast: [...keys.slice(-1), ...more],
    commands: history.exchange.state.seq,
    holders: keys.slice(0, holders),
    others: keys.slice(holders),
  };
}

report(await write(argumentOf<OpenOrdersPlan>()));
