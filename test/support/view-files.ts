// Views and journals on disk, for tests: the files of a leader and a follower, from a venue's
// commands or from events made by hand.
import { Database } from 'bun:sqlite';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BinaryWriter } from '../../src/core/binary.ts';
import { DAY_MS, dayOf } from '../../src/core/calendar.ts';
import { DAY_DENOMINATOR } from '../../src/core/earn/interest.ts';
import { PlanType } from '../../src/core/earn/plan.ts';
import { SubscriptionStatus } from '../../src/core/earn/subscription.ts';
import type { CoreEvent, InterestAccrued, SubscriptionChanged } from '../../src/core/event.ts';
import { Exchange } from '../../src/core/exchange.ts';
import { type Amount, amount, RATE_ONE, ZERO } from '../../src/core/units.ts';
import { Follower, type FollowerOptions } from '../../src/engine/follower.ts';
import { type SnapshotKey, snapshotsOf } from '../../src/engine/snapshot-store.ts';
import { encodeBatch } from '../../src/journal/codec.ts';
import { FileJournal } from '../../src/journal/file-journal.ts';
import { FileJournalReader } from '../../src/journal/file-journal-reader.ts';
import type { Journal } from '../../src/journal/journal.ts';
import type { Listings } from '../../src/views/listings.ts';
import {
  BATCH_COMMANDS,
  PACKED_TABLES,
  VIEW_TABLES,
  ViewStore,
  viewsPath,
} from '../../src/views/view-store.ts';
import type { SimulatedDisk } from '../sim/simulated-disk.ts';
import { type TimedCommand, Venue } from './venue.ts';

/** The key of the snapshots of tests. */
export const SNAPSHOT_KEYS: readonly SnapshotKey[] = [
  { kid: '0123456789ab', bytes: new Uint8Array(32).fill(5) },
];

/** A directory that is removed with `using`. */
export class TemporaryDirectory {
  readonly path = mkdtempSync(join(tmpdir(), 'agio-test-'));

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}

/** Appends what the journal on this disk does not have of the history. */
export async function writeLog(
  disk: SimulatedDisk,
  log: readonly TimedCommand[],
  maximum?: number,
): Promise<void> {
  const journal = await FileJournal.open(disk.mount(), { segmentBytes: 64 * 1024 });
  await appendLog(journal, log, maximum);
  await journal.close();
}

/** A follower of the journal on this disk, with its files in `dataDir`. */
export const openFollower = (
  disk: SimulatedDisk,
  dataDir: string,
  options: Partial<FollowerOptions> = {},
): Promise<Follower> =>
  Follower.open({
    journal: new FileJournalReader(disk.mount()),
    viewsPath: viewsPath(dataDir),
    snapshots: snapshotsOf(dataDir, SNAPSHOT_KEYS),
    snapshotEvery: Number.MAX_SAFE_INTEGER,
    onCommitted: () => undefined,
    onFailure: (error) => Promise.reject(error),
    warn: (sentence) => Promise.reject(new Error(sentence)),
    ...options,
  });

/** The events of every command of a history, in order; place i holds those of seq i + 1. */
export function eventsOf(log: readonly TimedCommand[]): CoreEvent[][] {
  const exchange = new Exchange();
  return log.map(({ time, command }, index) => {
    exchange.apply(index + 1, time, command);
    return [...exchange.events];
  });
}

/** The exchange after a history. */
export function replayed(log: readonly TimedCommand[]): Exchange {
  const exchange = new Exchange();
  log.forEach(({ time, command }, index) => {
    exchange.apply(index + 1, time, command);
  });
  return exchange;
}

const pairOf = (base: number, quote: number) => ({
  base: { assetId: base },
  quote: { assetId: quote },
});
/** Two coins against one. */
export const TWO_PAIRS: Listings = () => [undefined, pairOf(0, 1), pairOf(2, 1)];

/** A store in `directory` that has seen the venue's history, committed every `batch` commands. */
export function storeOf(venue: Venue, directory: string, batch = 1000): ViewStore {
  return storeOfEvents(
    eventsOf(venue.log),
    directory,
    batch,
    () => venue.exchange.state.instruments,
  );
}

/** The same for events that were made by hand; place i holds those of seq i + 1. */
export function storeOfEvents(
  commands: readonly (readonly CoreEvent[])[],
  directory: string,
  batch = 1000,
  listings = TWO_PAIRS,
): ViewStore {
  const store = ViewStore.open(join(directory, 'views.db'), listings);
  const chainHash = new Uint8Array(32);
  commands.forEach((events, index) => {
    store.apply(events, index + 1);
    if ((index + 1) % batch === 0) store.commit(chainHash, '');
  });
  store.commit(chainHash, '', true);
  return store;
}

/** All rows of a file of views, by table, in order of the keys. */
export function rowsOf(path: string): unknown[][] {
  const db = new Database(path, { readonly: true });
  const rows = Object.entries(VIEW_TABLES).map(([table, key]) => {
    const packed = PACKED_TABLES.get(table);
    if (packed !== undefined) return [...packed.rows(db)];
    return db.query(`SELECT * FROM ${table} ORDER BY ${key.join(', ')}`).all();
  });
  db.close();
  return rows;
}

/** The UTC day of events made by hand. */
export const EARN_DAY = dayOf(Date.UTC(2026, 0, 1));
/** 12:00 UTC of a day, ms. */
export const noonOf = (day: number): number => (day + 0.5) * DAY_MS;

/** A change of a subscription that was created on EARN_DAY, with defaults. */
export function subscriptionChanged(
  facts: Partial<SubscriptionChanged> & { readonly applyId: number },
): SubscriptionChanged {
  const createTime = facts.createTime ?? noonOf(EARN_DAY);
  return {
    type: 'subscriptionChanged',
    uid: 1,
    planId: 1,
    planType: PlanType.flexible,
    assetId: 1,
    enterpriseId: 0,
    status: SubscriptionStatus.processing,
    principal: amount(1000),
    redeeming: ZERO,
    rate: RATE_ONE / 10,
    margin: 0,
    boosterRate: 0,
    boosterAmount: ZERO,
    lockDay: 0,
    startDay: dayOf(createTime) + 1,
    autoRenew: false,
    earned: ZERO,
    marginEarned: ZERO,
    createTime,
    transactTime: createTime,
    ...facts,
  };
}

/** A day's entry; its numbers follow from the subscription, the day and the basis, and differ. */
export const interestAccrued = (applyId: number, day: number, basis: Amount): InterestAccrued => ({
  type: 'interestAccrued',
  applyId,
  uid: 1,
  assetId: 1,
  day,
  basis,
  rate: RATE_ONE / 10 + applyId,
  carry: DAY_DENOMINATOR - day,
  interest: amount(BigInt(basis) / 3n),
  boosterRate: applyId,
  boosterCarry: day,
  boosterInterest: amount(BigInt(basis) / 7n),
  transactTime: noonOf(day + 1),
});

/** Fills of an order of largeRecords. */
export const SWEPT = 250;

/** Records with many rows, then one with more commands than a transaction and too much work. */
export function largeRecords(): Venue {
  const venue = new Venue({ users: 3 });
  const sweep = (times: number): void => {
    for (let i = 0; i < times * SWEPT; i++) venue.sell(1 + (i % 2), 100, 1);
    for (let i = 0; i < times; i++) venue.buy(3, 100, SWEPT);
  };
  for (let record = 0; record < 5; record++) {
    venue.time++;
    sweep(4);
  }
  venue.time++;
  sweep(5);
  for (let i = 0; i < BATCH_COMMANDS; i++) venue.cancel(1, 1_000_000);
  sweep(5);
  for (let timer = 0; timer < 10; timer++) {
    venue.time++;
    venue.must({ type: 'runTimers' });
  }
  return venue;
}

/** Appends the commands that the journal lacks, in records of `maximum` commands at most. */
export async function appendLog(
  journal: Journal,
  log: readonly TimedCommand[],
  maximum = 50,
): Promise<void> {
  const writer = new BinaryWriter();
  while (journal.head.seq < log.length) {
    const from = journal.head.seq;
    const { time } = log[from];
    let end = from + 1;
    while (end < log.length && end - from < maximum && log[end].time === time) end++;
    const commands = log.slice(from, end).map(({ command }) => command);
    const payload = encodeBatch(writer, { time, commands });
    await journal.append({ firstSeq: from + 1, count: commands.length, epoch: 1, payload });
  }
}
