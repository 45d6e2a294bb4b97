// The orders view against the list of last reports: a random history, and every page, filter and
// window of it.
import { Database } from 'bun:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { ETH_USDT, tradedVenue } from '../../test/support/trading-workload.ts';
import { BTC_USDT, type Venue } from '../../test/support/venue.ts';
import { eventsOf, storeOf, TemporaryDirectory } from '../../test/support/view-files.ts';
import type { ExecutionReport } from '../core/event.ts';
import { OrdStatus, OrdType, Side } from '../core/fix.ts';
import { ORDERS_BY_NAME } from './order-names.ts';
import {
  ORDERS,
  ORDERS_BY_CLASS,
  type OrderFilter,
  type OrdersQuery,
  OrdersView,
} from './orders.ts';
import type { ViewStore } from './view-store.ts';

const USERS = 3;
let directory: TemporaryDirectory;
let store: ViewStore;
let venue: Venue;
/** The last report of each order, newest order first: what the view has to be. */
let expected: ExecutionReport[];

beforeAll(() => {
  directory = new TemporaryDirectory();
  venue = tradedVenue(1, 3000, { users: USERS });
  store = storeOf(venue, directory.path, 137);
  const last = new Map<number, ExecutionReport>();
  for (const event of eventsOf(venue.log).flat()) {
    if (event.type === 'executionReport') last.set(event.orderId, event);
  }
  expected = [...last.values()].sort((a, b) => b.orderId - a.orderId);
});

afterAll(() => {
  store.close();
  directory[Symbol.dispose]();
});

const find = (query: Partial<OrdersQuery> & { uid: number }): ExecutionReport[] =>
  store.orders.find({ type: 'orders', size: 1000, ...query });

const matches = (report: ExecutionReport, filter: OrderFilter): boolean =>
  (filter.securityId ?? report.securityId) === report.securityId &&
  (filter.side ?? report.side) === report.side &&
  (filter.ordType ?? report.ordType) === report.ordType &&
  (filter.ordStatus ?? report.ordStatus) === report.ordStatus &&
  (filter.clOrdId ?? report.clOrdId) === report.clOrdId;

const createTables = (db: Database): void => {
  for (const { schema } of [ORDERS, ORDERS_BY_CLASS, ORDERS_BY_NAME]) db.run(schema);
};

const filters: fc.Arbitrary<OrderFilter> = fc.record(
  {
    securityId: fc.constantFrom(BTC_USDT, ETH_USDT),
    side: fc.constantFrom(Side.buy, Side.sell),
    ordType: fc.constantFrom(OrdType.market, OrdType.limit),
    ordStatus: fc.constantFrom(...Object.values(OrdStatus)),
    clOrdId: fc.constantFrom('a', 'b', 'unknown'),
  },
  { requiredKeys: [] },
);

describe('a user’s orders', () => {
  test('the workload makes orders of every kind', () => {
    for (const ordStatus of [
      OrdStatus.new,
      OrdStatus.partiallyFilled,
      OrdStatus.filled,
      OrdStatus.canceled,
      OrdStatus.rejected,
    ]) {
      expect(expected.some((report) => report.ordStatus === ordStatus)).toBe(true);
    }
    expect(expected.some(({ quoteOrderQty }) => quoteOrderQty > 0)).toBe(true);
  });

  test('pages of any size, filter and window join to exactly the orders asked for', () => {
    const first = expected.at(-1)!.createTime;
    const spread = venue.time - first + 2;
    const time = fc.option(fc.integer({ min: first - 1, max: first + spread }), {
      nil: undefined,
    });
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: USERS + 1 }),
        fc.integer({ min: 1, max: 400 }),
        filters,
        time,
        time,
        (uid, size, filter, start, end) => {
          const found: ExecutionReport[] = [];
          let lastRowId: number | undefined;
          for (;;) {
            const page = find({ uid, filter, start, end, size, lastRowId });
            expect(page.length).toBeLessThanOrEqual(size);
            found.push(...page);
            if (page.length < size) break;
            lastRowId = page.at(-1)!.orderId;
          }
          const asked = expected.filter(
            (report) =>
              report.uid === uid &&
              matches(report, filter) &&
              report.createTime >= (start ?? 0) &&
              report.createTime < (end ?? Number.POSITIVE_INFINITY),
          );
          expect(found).toEqual(asked);
        },
      ),
      { numRuns: 200 },
    );
  });

  test('one order is found by its id, by its owner only', () => {
    const [order] = expected;
    expect(find({ uid: order.uid, orderId: order.orderId })).toEqual([order]);
    expect(find({ uid: order.uid + 1, orderId: order.orderId })).toEqual([]);
    expect(find({ uid: order.uid, orderId: 10 ** 9 })).toEqual([]);
    const filter = { clOrdId: 'another' };
    expect(find({ uid: order.uid, orderId: order.orderId, filter })).toEqual([]);
  });

  test('a clOrdId may name several orders, and a generated one names its own', () => {
    const mine = expected.filter(({ uid, clOrdId }) => uid === 1 && clOrdId === 'a');
    expect(mine.length).toBeGreaterThan(1);
    expect(find({ uid: 1, filter: { clOrdId: 'a' } })).toEqual(mine);
    const generated = expected.find(({ clOrdId }) => clOrdId.startsWith('api_1_'))!;
    const filter = { clOrdId: generated.clOrdId };
    expect(find({ uid: 1, filter })).toEqual([generated]);
    expect(find({ uid: 2, filter })).toEqual([]);
    const { orderId } = generated;
    expect(find({ uid: 1, filter, lastRowId: orderId })).toEqual([]);
    expect(find({ uid: 1, filter, start: generated.createTime + 1 })).toEqual([]);
    expect(find({ uid: 1, filter: { clOrdId: `api_1_0${orderId}` } })).toEqual([]);
  });

  test('a read whose commit fails loses no open order', () => {
    using db = new Database(':memory:');
    createTables(db);
    // A deferred foreign key fails only at the commit.
    db.run('PRAGMA foreign_keys = ON');
    db.run('CREATE TABLE parent (id INTEGER PRIMARY KEY)');
    db.run('CREATE TABLE child (id REFERENCES parent DEFERRABLE INITIALLY DEFERRED)');
    db.run('CREATE TRIGGER fail AFTER INSERT ON orders BEGIN INSERT INTO child VALUES (1); END');
    const view = new OrdersView(db);
    const open = expected.find(({ ordStatus }) => ordStatus === OrdStatus.new)!;
    view.record(open);
    view.flush(false);
    const query = { type: 'orders', uid: open.uid, size: 10 } as const;
    expect(() => view.find(query)).toThrow('FOREIGN KEY');
    db.run('DROP TRIGGER fail');
    expect(view.find(query)).toEqual([open]);
  });

  test('a lookup of another order writes no row of an open one', () => {
    using db = new Database(':memory:');
    createTables(db);
    const view = new OrdersView(db);
    const open = expected.find(({ ordStatus }) => ordStatus === OrdStatus.new)!;
    view.record(open);
    view.flush(false);
    const rows = () => db.query<{ n: number }, []>('SELECT count(*) AS n FROM orders').get()!.n;
    const lookUp = (wanted: Partial<OrdersQuery>) =>
      view.find({ type: 'orders', uid: open.uid, size: 10, ...wanted });
    expect(lookUp({ orderId: open.orderId + 1 })).toEqual([]);
    expect(lookUp({ filter: { clOrdId: 'unknown' } })).toEqual([]);
    expect(rows()).toBe(0);
    expect(lookUp({ filter: { clOrdId: open.clOrdId } })).toEqual([open]);
    expect(rows()).toBe(1);
  });
});
