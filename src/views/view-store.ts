// The file of the views: DATA/views.db, SQLite in WAL mode. One transaction writes the rows of a
// batch and their position in the journal, so the file always has exactly the history up to its
// appliedSeq. It can be rebuilt from the journal, so an operator may delete it at any time.
import { Database, type Statement } from 'bun:sqlite';
import { closeSync, openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { assert } from '../core/assert.ts';
import type { CoreEvent } from '../core/event.ts';
import { CANDLES, CandlesView } from './candles.ts';
import { diskTroubleOf } from './disk-trouble.ts';
import { FILLS, FILLS_OF_ORDERS, FillsView } from './fills.ts';
import { INTEREST, InterestView } from './interest.ts';
import type { Listings } from './listings.ts';
import { ORDERS_BY_NAME } from './order-names.ts';
import { ORDERS, ORDERS_BY_CLASS, OrdersView } from './orders.ts';
import { REDEMPTIONS, RedemptionsView } from './redemptions.ts';
import { ENTRIES, StatementView } from './statement.ts';
import { SUBSCRIPTIONS, SubscriptionsView } from './subscriptions.ts';
import type { Row } from './table.ts';
import { TickersView } from './tickers.ts';
import { TRADES, TradesView } from './trades.ts';
import { VENUE_TRANSFERS, VenueTransfersView } from './venue-transfers.ts';

/** Raise it with a change of a table or its content; a file of another version is rebuilt. */
const SCHEMA_VERSION = 5;
/** In the header of the file: 'agio'. */
const APPLICATION_ID = 0x6167696f;

/** It holds every customer's orders and money. */
const OWNER_ONLY = 0o600;

/** The cache of the file, KiB: the hot ends of all indexes fit. */
const CACHE_KIB = 64 * 1024;
/**
 * WAL pages of 4 KiB before a checkpoint. The same pages change often, so rare checkpoints write
 * less; a large one would delay the journal, which shares the disk.
 */
const CHECKPOINT_PAGES = 4000;
/**
 * The bounds of a transaction, in commands and in rows. A row costs a fifth more in a transaction
 * of a quarter of this size.
 */
export const BATCH_COMMANDS = 5000;
export const BATCH_ROWS = 20000;
/** Each side of a trade is a row. */
const FILLS_OF_TRADE = 2;
/** Commands after which open orders get their rows: a start restores at most as many. */
const OPEN_ORDERS_EVERY = 500_000;
/** The bytes of the WAL that remain after a rebuild. */
const WAL_BYTES_KEPT = 64 * 1024 * 1024;

const META_SCHEMA = `
  CREATE TABLE meta (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    appliedSeq INTEGER NOT NULL,
    chainHash BLOB NOT NULL,
    stateHash TEXT NOT NULL,
    nextEntryId INTEGER NOT NULL
  ) STRICT;
  INSERT INTO meta VALUES (1, 0, zeroblob(32), '', 1);
  CREATE TABLE openOrders (seq INTEGER NOT NULL) STRICT;
  INSERT INTO openOrders VALUES (0);
`;

/** Where the views of a data directory are. */
export const viewsPath = (dataDir: string): string => join(dataDir, 'views.db');

const TABLES = [
  ORDERS,
  ORDERS_BY_CLASS,
  ORDERS_BY_NAME,
  TRADES,
  FILLS,
  FILLS_OF_ORDERS,
  CANDLES,
  ENTRIES,
  SUBSCRIPTIONS,
  INTEREST,
  REDEMPTIONS,
  VENUE_TRANSFERS,
];

/** Every table with its key, for a comparison row by row. */
export const VIEW_TABLES: Readonly<Record<string, readonly string[]>> = {
  meta: ['id'],
  ...Object.fromEntries(TABLES.map(({ name, key }) => [name, key])),
};

export const PACKED_TABLES: ReadonlyMap<string, { rows(db: Database): Generator<Row> }> = new Map(
  TABLES.filter((table) => 'rows' in table).map((table) => [table.name, table]),
);

/** The file must be rebuilt, for the reason in the message. */
export class ViewsUnusable extends Error {
  override readonly name: string = 'ViewsUnusable';
}

/** The file is intact, and a release with other tables wrote it. */
export class ViewsOfOtherRelease extends ViewsUnusable {
  override readonly name = 'ViewsOfOtherRelease';

  constructor(version: number) {
    const age = version > SCHEMA_VERSION ? 'a newer' : 'an older';
    super(
      `${age} release wrote it: its schema has version ${version}, and this is ${SCHEMA_VERSION}`,
    );
  }
}

interface Meta {
  readonly appliedSeq: number;
  readonly chainHash: Uint8Array;
  readonly stateHash: string;
  readonly nextEntryId: number;
}

export class ViewStore {
  readonly orders: OrdersView;
  readonly trades: TradesView;
  readonly fills: FillsView;
  readonly candles: CandlesView;
  readonly tickers: TickersView;
  readonly statement: StatementView;
  readonly subscriptions: SubscriptionsView;
  readonly interest: InterestView;
  readonly redemptions: RedemptionsView;
  readonly venueTransfers: VenueTransfersView;
  readonly #db: Database;
  readonly #writeMeta: Statement<unknown, [number, Uint8Array, string, number]>;
  #appliedSeq: number;
  #chainHash: Uint8Array;
  #stateHash: string;
  #openOrdersSeq: number;
  /** The last seq whose events are buffered; equals appliedSeq when nothing is. */
  #bufferedSeq: number;
  /** About the rows that the next commit writes. */
  #bufferedRows = 0;

  private constructor(db: Database, listings: Listings) {
    this.#db = db;
    const meta = db
      .query<Meta, []>('SELECT appliedSeq, chainHash, stateHash, nextEntryId FROM meta')
      .get();
    if (meta === null) throw new ViewsUnusable('it does not say what it holds');
    this.#appliedSeq = meta.appliedSeq;
    this.#bufferedSeq = meta.appliedSeq;
    this.#chainHash = meta.chainHash;
    this.#stateHash = meta.stateHash;
    this.#openOrdersSeq = openOrdersSeqOf(db);
    this.#writeMeta = db.prepare(
      'UPDATE meta SET appliedSeq = ?, chainHash = ?, stateHash = ?, nextEntryId = ? WHERE id = 1',
    );
    this.orders = new OrdersView(db);
    this.trades = new TradesView(db);
    this.fills = new FillsView(db, listings, this.orders);
    this.candles = new CandlesView(db);
    this.tickers = new TickersView(this.trades, this.candles, listings);
    this.statement = new StatementView(db, listings, this.fills, meta.nextEntryId);
    this.interest = new InterestView(db);
    this.subscriptions = new SubscriptionsView(db, this.interest);
    this.redemptions = new RedemptionsView(db);
    this.venueTransfers = new VenueTransfersView(db);
  }

  /**
   * Opens or creates the file. Throws ViewsUnusable when it is damaged, of another version or not
   * of agio; then `remove` it and open again.
   */
  static open(path: string, listings: Listings): ViewStore {
    // Created with this mode, which SQLite's other files take over.
    closeSync(openSync(path, 'a', OWNER_ONLY));
    try {
      return ViewStore.#openAs('NORMAL', path, listings);
    } catch (error) {
      const trouble = diskTroubleOf(error);
      if (trouble === 'damaged') {
        throw new ViewsUnusable(`it is damaged (${(error as Error).message})`);
      }
      // Exclusive access would lock readers of a busy file out for as long as this process runs.
      if (trouble === null || trouble === 'fileBusy') throw error;
      // A full disk has no room for the shared index of the WAL. A process with exclusive access
      // keeps the index in memory.
      return ViewStore.#openAs('EXCLUSIVE', path, listings);
    }
  }

  static #openAs(lockingMode: string, path: string, listings: Listings): ViewStore {
    const db = new Database(path, { create: true, readwrite: true });
    try {
      // The first reader after a crash holds the file while it restores the WAL.
      db.run('PRAGMA busy_timeout = 5000');
      db.run(`PRAGMA locking_mode = ${lockingMode}`);
      db.run('PRAGMA journal_mode = WAL');
      db.run('PRAGMA synchronous = NORMAL');
      db.run(`PRAGMA cache_size = -${CACHE_KIB}`);
      db.run(`PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
      db.run(`PRAGMA journal_size_limit = ${WAL_BYTES_KEPT}`);
      prepareSchema(db);
      return new ViewStore(db, listings);
    } catch (error) {
      db.close();
      throw error;
    }
  }

  /** Deletes a closed file of views. */
  static remove(path: string): void {
    for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true });
  }

  /** The last command in the file; 0 without any. */
  get appliedSeq(): number {
    return this.#appliedSeq;
  }

  /** The chain hash of the journal record that has appliedSeq: 32 bytes, zeros for 0. */
  get chainHash(): Uint8Array {
    return this.#chainHash;
  }

  /** The state hash of the exchange that wrote the rows, at appliedSeq; empty for 0. */
  get stateHash(): string {
    return this.#stateHash;
  }

  /** Open orders have the rows of that seq at least: older commands need not be restored. */
  get openOrdersSeq(): number {
    return this.#openOrdersSeq;
  }

  /** Commands that are applied and not yet committed. */
  get buffered(): number {
    return this.#bufferedSeq - this.#appliedSeq;
  }

  /** True if a transaction of what is buffered is large enough. */
  get isFull(): boolean {
    return this.#bufferedRows >= BATCH_ROWS || this.buffered >= BATCH_COMMANDS;
  }

  /** Buffers what the command `seq` did. Queries see it after the next commit. */
  apply(events: readonly CoreEvent[], seq: number): void {
    assert(seq === this.#bufferedSeq + 1, 'the views see every command once, in order');
    this.#bufferedSeq = seq;
    this.#bufferedRows += events.length;
    for (const event of events) {
      switch (event.type) {
        case 'executionReport':
          this.orders.record(event);
          break;
        case 'trade':
          this.trades.record(event);
          this.candles.record(event);
          this.statement.recordTrade(event);
          this.#bufferedRows += FILLS_OF_TRADE;
          break;
        case 'fundsTransferred':
          this.statement.recordTransfer(event);
          break;
        case 'venueTransferred':
          this.venueTransfers.record(event);
          break;
        case 'subscriptionChanged':
          this.subscriptions.record(event);
          break;
        case 'interestAccrued':
          this.interest.record(event);
          break;
        case 'redemptionChanged':
          this.redemptions.record(event);
          break;
        case 'earnMoved':
          this.statement.recordEarn(event);
          break;
      }
    }
  }

  /**
   * Writes everything that is buffered, as one transaction. `chainHash` is that of the record that
   * has the last applied command. Open orders get their rows if `withOpenOrders`, and now and then.
   * After an error the store must not be used.
   */
  commit(chainHash: Uint8Array, stateHash: string, withOpenOrders = false): void {
    const seq = this.#bufferedSeq;
    if (seq === (withOpenOrders ? this.#openOrdersSeq : this.#appliedSeq)) return;
    const withOpen = withOpenOrders || seq - this.#openOrdersSeq >= OPEN_ORDERS_EVERY;
    this.#db.run('BEGIN IMMEDIATE');
    this.trades.flush();
    this.fills.flush();
    this.orders.flush(withOpen);
    this.candles.flush();
    this.statement.flush();
    this.interest.flush();
    this.subscriptions.flush();
    this.redemptions.flush();
    this.venueTransfers.flush();
    const { nextEntryId } = this.statement;
    this.#writeMeta.run(seq, chainHash, stateHash, nextEntryId);
    if (withOpen) this.#db.run('UPDATE openOrders SET seq = ?', [seq]);
    this.#db.run('COMMIT');
    this.#appliedSeq = seq;
    this.#bufferedRows = 0;
    if (withOpen) this.#openOrdersSeq = seq;
    this.#chainHash = chainHash;
    this.#stateHash = stateHash;
  }

  /**
   * At the start: repeats the events of a command up to appliedSeq, in the order of the journal,
   * from openOrdersSeq or earlier. Open orders without rows are known again then.
   */
  restore(events: readonly CoreEvent[]): void {
    for (const event of events) {
      if (event.type === 'executionReport') this.orders.restore(event);
    }
  }

  /** Makes commits survive a power loss; without it they survive only the end of the process. */
  sync(): void {
    this.#db.run('PRAGMA wal_checkpoint(PASSIVE)');
  }

  /** Drops buffered rows; the journal has them. */
  close(): void {
    this.#db.close();
  }
}

/** The seq whose open orders have rows. */
export const openOrdersSeqOf = (db: Database): number =>
  db.query<{ seq: number }, []>('SELECT seq FROM openOrders').get()!.seq;

const numberOf = (db: Database, sql: string): number =>
  Object.values(db.query<object, []>(sql).get()!)[0];

/** Creates the tables of a new file, or checks the version of an existing one. */
function prepareSchema(db: Database): void {
  const isNew = numberOf(db, 'PRAGMA user_version') === 0;
  if (isNew && numberOf(db, 'SELECT count(*) FROM sqlite_schema') === 0) {
    db.transaction(() => {
      db.run(META_SCHEMA);
      for (const { schema } of TABLES) db.run(schema);
      db.run(`PRAGMA application_id = ${APPLICATION_ID}`);
      db.run(`PRAGMA user_version = ${SCHEMA_VERSION}`);
    })();
    return;
  }
  requireKnownSchema(db);
}

/** Throws ViewsUnusable for a file of another program, or ViewsOfOtherRelease. */
export function requireKnownSchema(db: Database): void {
  const version = numberOf(db, 'PRAGMA user_version');
  if (numberOf(db, 'PRAGMA application_id') !== APPLICATION_ID) {
    throw new ViewsUnusable('it was not made by agio');
  }
  if (version !== SCHEMA_VERSION) throw new ViewsOfOtherRelease(version);
}
