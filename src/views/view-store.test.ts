// The file of the views as a whole: what a commit makes visible, what a crash leaves, which files
// are rejected, and that no number in it is a float.
import { Database } from 'bun:sqlite';
import { describe, expect, test } from 'bun:test';
import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Prng } from '../../test/support/prng.ts';
import { tradedVenue } from '../../test/support/trading-workload.ts';
import { Venue } from '../../test/support/venue.ts';
import {
  eventsOf,
  rowsOf,
  storeOf,
  TemporaryDirectory,
  TWO_PAIRS,
} from '../../test/support/view-files.ts';
import type { CoreEvent, ExecutionReport } from '../core/event.ts';
import { OrdStatus } from '../core/fix.ts';
import { VIEW_TABLES, ViewStore, ViewsUnusable } from './view-store.ts';

const hash = (n: number): Uint8Array => new Uint8Array(32).fill(n);

const orderIdsIn = (path: string): number[] => {
  const db = new Database(path, { readonly: true });
  const rows = db.query<{ orderId: number }, []>('SELECT orderId FROM orders ORDER BY 1').all();
  db.close();
  return rows.map(({ orderId }) => orderId);
};

/** Makes the file, holds it for itself, says so, and lets it go a moment later. */
const HOLDER = `
  import { Database } from 'bun:sqlite';
  const db = new Database(process.argv.at(-1));
  db.run('PRAGMA locking_mode = EXCLUSIVE');
  db.run('PRAGMA journal_mode = WAL');
  db.run('BEGIN EXCLUSIVE');
  console.log('held');
  setTimeout(() => db.close(), 300);
`;

const isReport = (event: CoreEvent): event is ExecutionReport => event.type === 'executionReport';

describe('a commit', () => {
  test('makes rows and their position in the journal visible together', () => {
    using directory = new TemporaryDirectory();
    const venue = new Venue();
    const order = venue.buy(1, 100, 10);
    const store = ViewStore.open(join(directory.path, 'views.db'), TWO_PAIRS);
    eventsOf(venue.log).forEach((events, index) => {
      store.apply(events, index + 1);
    });
    const query = { type: 'orders', uid: 1, orderId: order, size: 1 } as const;
    expect(store.orders.find(query)).toEqual([]);
    expect([store.appliedSeq, store.buffered]).toEqual([0, venue.seq]);
    store.commit(hash(1), '');
    expect(store.orders.find(query)).toHaveLength(1);
    expect([store.appliedSeq, store.buffered]).toEqual([venue.seq, 0]);
    expect(store.chainHash).toEqual(hash(1));
    store.close();
  });

  test('leaves the file to other readers, also where one held it at the start', async () => {
    using directory = new TemporaryDirectory();
    const path = join(directory.path, 'views.db');
    const holder = Bun.spawn([process.execPath, '-e', HOLDER, path], {
      stdout: 'pipe',
      stderr: 'inherit',
    });
    await holder.stdout.getReader().read();
    const store = ViewStore.open(path, TWO_PAIRS);
    expect(orderIdsIn(path)).toEqual([]);
    store.close();
    expect(await holder.exited).toBe(0);
  });

  test('is readable by the owner of the file only', () => {
    using directory = new TemporaryDirectory();
    const store = ViewStore.open(join(directory.path, 'views.db'), TWO_PAIRS);
    store.apply([], 1);
    store.commit(hash(1), '');
    const modes = readdirSync(directory.path).map(
      (name) => statSync(join(directory.path, name)).mode & 0o777,
    );
    expect(modes).toEqual([0o600, 0o600, 0o600]);
    store.close();
  });

  test('leaves open orders without rows until they close, are read, or are asked for', () => {
    using directory = new TemporaryDirectory();
    const path = join(directory.path, 'views.db');
    const venue = new Venue({ users: 3 });
    const canceled = venue.buy(1, 100, 10);
    const read = venue.buy(2, 100, 10);
    const rests = venue.buy(3, 100, 10);
    venue.cancel(1, canceled);
    const store = ViewStore.open(path, TWO_PAIRS);
    eventsOf(venue.log).forEach((events, index) => {
      store.apply(events, index + 1);
    });
    store.commit(hash(1), '');
    expect(orderIdsIn(path)).toEqual([canceled]);
    const orders = store.orders.find({ type: 'orders', uid: 2, size: 10 });
    expect(orders).toMatchObject([{ orderId: read, ordStatus: OrdStatus.new }]);
    expect(orderIdsIn(path)).toEqual([canceled, read]);
    expect(store.openOrdersSeq).toBe(0);
    store.commit(hash(1), '', true);
    expect(orderIdsIn(path)).toEqual([canceled, read, rests]);
    expect(store.openOrdersSeq).toBe(venue.seq);
    store.close();
  });

  test('writes the rows of some open orders when too many wait', () => {
    using directory = new TemporaryDirectory();
    const path = join(directory.path, 'views.db');
    const store = ViewStore.open(path, TWO_PAIRS);
    const venue = new Venue();
    venue.buy(1, 100, 10);
    const report = eventsOf(venue.log).flat().find(isReport)!;
    for (let orderId = 1; orderId <= 20_001; orderId++) {
      store.apply([{ ...report, orderId, uid: 1 + (orderId % 3) }], orderId);
    }
    store.commit(hash(1), '');
    expect(orderIdsIn(path)).toHaveLength(6667);
    store.close();
  });

  test('a command out of order is rejected', () => {
    using directory = new TemporaryDirectory();
    const store = ViewStore.open(join(directory.path, 'views.db'), TWO_PAIRS);
    expect(() => store.apply([], 2)).toThrow('the views see every command once, in order');
    store.close();
  });
});

test('a close between commits loses only uncommitted events, which can be applied again', () => {
  using directory = new TemporaryDirectory();
  using another = new TemporaryDirectory();
  const venue = tradedVenue(7, 600);
  const events = eventsOf(venue.log);
  const path = join(directory.path, 'views.db');
  let store = ViewStore.open(path, TWO_PAIRS);
  const random = new Prng(8);
  while (store.appliedSeq < events.length) {
    const seq = store.appliedSeq + store.buffered + 1;
    if (seq <= events.length) store.apply(events[seq - 1], seq);
    if (seq > events.length || random.oneIn(20)) store.commit(hash(0), '', true);
    if (!random.oneIn(60)) continue;
    const { appliedSeq } = store;
    store.close();
    store = ViewStore.open(path, TWO_PAIRS);
    expect(store.appliedSeq).toBe(appliedSeq);
  }
  store.close();
  storeOf(venue, another.path).close();
  expect(rowsOf(path)).toEqual(rowsOf(join(another.path, 'views.db')));
});

test('every number is an integer, and money beyond 2^53 is text', () => {
  using directory = new TemporaryDirectory();
  storeOf(tradedVenue(7, 1500), directory.path).close();
  const db = new Database(join(directory.path, 'views.db'));
  const types = new Set<string>();
  for (const table of Object.keys(VIEW_TABLES)) {
    const columns = db.query<{ name: string }, []>(`PRAGMA table_info(${table})`).all();
    for (const { name } of columns) {
      const found = db
        .query<{ type: string }, []>(`SELECT DISTINCT typeof(${name}) AS type FROM ${table}`)
        .all();
      for (const { type } of found) types.add(type);
    }
  }
  expect(types.has('real')).toBe(false);
  const big = db.query('SELECT 1 FROM entries WHERE typeof(balance) = ?').get('text');
  expect(big).not.toBeNull();
  db.close();
});

describe('a file that cannot be used', () => {
  const rejection = (path: string): unknown => {
    try {
      ViewStore.open(path, TWO_PAIRS).close();
    } catch (error) {
      return error;
    }
    return undefined;
  };

  test.each([
    ['its schema has version 0', 'PRAGMA user_version = 0'],
    ['its schema has version 99', 'PRAGMA user_version = 99'],
    ['it was not made by agio', 'PRAGMA application_id = 1'],
    ['it does not say what it holds', 'DELETE FROM meta'],
  ])('is rejected: %s', (why, sql) => {
    using directory = new TemporaryDirectory();
    const path = join(directory.path, 'views.db');
    ViewStore.open(path, TWO_PAIRS).close();
    const db = new Database(path);
    db.run(sql);
    db.close();
    const error = rejection(path);
    expect(error).toBeInstanceOf(ViewsUnusable);
    expect((error as Error).message).toContain(why);
    ViewStore.remove(path);
    expect(rejection(path)).toBeUndefined();
  });

  test('is rejected when it is damaged', () => {
    using directory = new TemporaryDirectory();
    const path = join(directory.path, 'views.db');
    for (const content of [
      'not a database, but long enough to look at'.repeat(100),
      'SQLite format 3\0',
    ]) {
      writeFileSync(path, content);
      expect(rejection(path)).toBeInstanceOf(ViewsUnusable);
    }
  });
});
