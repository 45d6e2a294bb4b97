// Writes a data directory for part `earn`: many subscriptions, or a few with many past days; with
// the views and a snapshot, as a node leaves them at a stop.
import { mkdirSync } from 'node:fs';
import type { ApiKey } from '../../src/cli/bench/order-script.ts';
import { DAY_MS } from '../../src/core/calendar.ts';
import { EventFilter } from '../../src/core/event-filter.ts';
import { Exchange } from '../../src/core/exchange.ts';
import { createKeys, followHistory, HistoryWriter } from './data-directory.ts';
import { argumentOf, report } from './processes.ts';
import { EACH, PLAN_COMMANDS, subscribeCommand } from './savings.ts';
import { venueCommands } from './venue.ts';

export interface SaversPlan {
  readonly dataDir: string;
  readonly subscriptions: number;
  /** Days that have passed since they were opened. */
  readonly days: number;
  /** The first customers, as many, get a key. */
  readonly keys: number;
}

export interface Savers {
  readonly keys: readonly ApiKey[];
}

async function write({ dataDir, subscriptions, days, keys }: SaversPlan): Promise<Savers> {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  // The last day is today, so that a node that starts has no day to close.
  const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  const exchange = new Exchange(undefined, EventFilter.none());
  const history = await HistoryWriter.open(dataDir, exchange, today - days * DAY_MS);
  await history.sendAll(venueCommands(Math.max(keys, Math.ceil(subscriptions / EACH)), 20_000));
  await history.sendAll(PLAN_COMMANDS);
  for (let number = 0; number < subscriptions; number++) {
    history.send(subscribeCommand(1 + Math.floor(number / EACH), number));
    await history.flushFull();
  }
  for (let day = 0; day < days; day++) {
    await history.advance(DAY_MS);
    while (exchange.nextTimer <= history.time) {
      history.send({ type: 'runTimers' });
      await history.flushFull();
    }
  }
  await history.close();
  await followHistory(dataDir, exchange);
  return { keys: createKeys(dataDir, keys) };
}

report(await write(argumentOf<SaversPlan>()));
