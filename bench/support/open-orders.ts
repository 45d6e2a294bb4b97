// Writes a data directory for part `flood`: a few customers with many open orders.
import { mkdirSync } from 'node:fs';
import { createKeys, createMoreKeys, HistoryWriter } from './data-directory.ts';
import { job } from './processes.ts';
import { orderCommand, placeOf, venueCommands } from './venue.ts';

interface OpenOrdersPlan {
  readonly dataDir: string;
  /** Customers with open orders, and how many each has. */
  readonly holders: number;
  readonly ordersEach: number;
  /** Customers without. */
  readonly others: number;
  /** Keys of the last customer in all; one unless given. */
  readonly keysOfLast?: number;
}

const PRICES = 50_000;
/** Nearer to the middle than these lie only the orders of the load. */
const GAP = 10_000;

export const writeOpenOrders = job(import.meta, async (plan: OpenOrdersPlan) => {
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
});
