// Orders found by their clOrdIds: exactly those of a list, over all parts of the index, and with
// the same work whatever other names there are.
import { Database } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { Prng } from '../../test/support/prng.ts';
import { tradedVenue } from '../../test/support/trading-workload.ts';
import { eventsOf } from '../../test/support/view-files.ts';
import { OrdStatus } from '../core/fix.ts';
import { ORDERS_BY_NAME } from './order-names.ts';
import { ORDERS, ORDERS_BY_CLASS, type OrdersQuery, OrdersView } from './orders.ts';

const VICTIM = 1;
const ATTACKER = 2;

const [CLOSED] = eventsOf(tradedVenue(1, 300, { users: 3 }).log)
  .flat()
  .filter((event) => event.type === 'executionReport')
  .filter(({ ordStatus }) => ordStatus === OrdStatus.canceled);

function openView() {
  const db = new Database(':memory:');
  for (const { schema } of [ORDERS, ORDERS_BY_CLASS, ORDERS_BY_NAME]) db.run(schema);
  return { view: new OrdersView(db), db };
}

const STATUSES = [OrdStatus.canceled, OrdStatus.filled, OrdStatus.rejected, OrdStatus.new] as const;

test('pages by name are those of the list, over many parts and after another start', () => {
  const random = new Prng(5);
  const { db, view: first } = openView();
  let view = first;
  const names = Array.from({ length: 40 }, (_, i) => `name-${i}`);
  const all = Array.from({ length: 4000 }, (_, i) => ({
    ...CLOSED,
    uid: random.between(1, 2),
    // Thousands of ids apart, as if other users had the orders between.
    orderId: i * 10_000 + random.below(10_000),
    // One name has very many orders, most have a few.
    clOrdId: random.oneIn(4) ? names[0] : random.pick(names),
    ordStatus: random.pick(STATUSES),
  }));
  for (const report of all) {
    view.record(report);
    if (random.oneIn(100)) view.flush(random.oneIn(2));
    if (random.oneIn(1000)) {
      view.flush(true);
      view = new OrdersView(db);
    }
  }
  view.flush(true);
  expect(db.query('SELECT DISTINCT part FROM ordersByClOrdId').all().length).toBeGreaterThan(10);
  for (let round = 0; round < 300; round++) {
    const [uid, clOrdId] = [random.between(1, 3), random.pick([...names, 'unknown'])];
    const ordStatus = random.oneIn(2) ? undefined : random.pick(STATUSES);
    const lastRowId = random.oneIn(2) ? undefined : random.below(40_000_000);
    const size = random.oneIn(2) ? 1000 : random.between(1, 20);
    const filter = { clOrdId, ...(ordStatus === undefined ? {} : { ordStatus }) };
    const found = view.find({ type: 'orders', uid, filter, lastRowId, size });
    const wanted = all.filter(
      (report) =>
        report.uid === uid &&
        report.clOrdId === clOrdId &&
        (ordStatus ?? report.ordStatus) === report.ordStatus &&
        report.orderId < (lastRowId ?? Number.POSITIVE_INFINITY),
    );
    expect(found).toEqual(wanted.reverse().slice(0, size));
  }
});

/** Constants of xxHash32. */
const [P3, P4, P5] = [0xc2b2ae3d, 0x27d4eb2f, 0x165667b1];
const rotate = (value: number, by: number): number => (value << by) | (value >>> (32 - by));

/** The inverse of an odd number modulo 2^32. */
function inverseOf(odd: number): number {
  let inverse = odd;
  for (let i = 0; i < 5; i++) inverse = Math.imul(inverse, 2 - Math.imul(odd, inverse));
  return inverse;
}

/** The hash before its last mixing step, of eight characters. */
const afterWords = (seed: number, [first, second]: Int32Array): number =>
  rotate((afterWord(seed, first!) + Math.imul(second!, P3)) | 0, 17);

const afterWord = (seed: number, word: number): number =>
  Math.imul(rotate((seed + P5 + 8 + Math.imul(word, P3)) | 0, 17), P4);

/** Names whose xxHash32 with the attacker's uid is that of the victim's name with the victim's. */
function* collidingNames(name: string): Generator<string> {
  const inverse = inverseOf(P3);
  const bytes = new TextEncoder().encode(name);
  const words = new Int32Array(bytes.buffer);
  const wanted = rotate(afterWords(VICTIM, words), 15);
  const random = new Prng(1);
  for (;;) {
    for (let i = 0; i < 4; i++) bytes[i] = random.between(0x21, 0x7e);
    words[1] = Math.imul((wanted - afterWord(ATTACKER, words[0]!)) | 0, inverse);
    if (bytes.every((byte) => byte > 0x20 && byte < 0x7f)) yield String.fromCharCode(...bytes);
  }
}

test('200,000 names that collide in a hash without a secret change no lookup', () => {
  const own = 'my-order';
  const others = [...new Set(collidingNames(own).take(230_000))].slice(0, 200_000);
  expect(others.length).toBe(200_000);
  expect(new Set(others.map((name) => Bun.hash.xxHash32(name, ATTACKER)))).toEqual(
    new Set([Bun.hash.xxHash32(own, VICTIM)]),
  );
  const { db, view } = openView();
  view.record({ ...CLOSED, uid: VICTIM, clOrdId: own, orderId: 1 });
  others.forEach((clOrdId, i) => {
    view.record({ ...CLOSED, uid: ATTACKER, clOrdId, orderId: 2 + i });
    if (i % 5000 === 0) view.flush(false);
  });
  view.flush(false);
  const counts = countReads(db);
  const counted = new OrdersView(db);
  const lookUp = (uid: number, clOrdId: string): number[] => {
    const query: OrdersQuery = { type: 'orders', uid, filter: { clOrdId }, size: 1 };
    Object.assign(counts, { statements: 0, rows: 0 });
    return counted.find(query).map(({ orderId }) => orderId);
  };
  expect(lookUp(VICTIM, own)).toEqual([1]);
  expect(counts.rows).toBeLessThan(10);
  // An unknown name, as a cancel looks it up.
  expect(lookUp(VICTIM, others[0]!)).toEqual([]);
  expect(counts.rows).toBeLessThan(10);
  expect(counts.statements).toBeLessThan(20);
}, 60_000);

/** Counts the statements that a view of this database runs, and the rows that they return. */
function countReads(db: Database) {
  const counts = { statements: 0, rows: 0 };
  const { prepare } = db;
  const counting = <T extends object>(statement: T): T =>
    new Proxy(statement, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name, target);
        if (typeof value !== 'function') return value;
        return (...values: unknown[]) => {
          const result: unknown = value.apply(target, values);
          counts.statements++;
          counts.rows += Array.isArray(result) ? result.length : Number(result !== null);
          return result;
        };
      },
    });
  db.prepare = ((...terms: Parameters<typeof prepare>) =>
    counting(prepare.apply(db, terms))) as typeof prepare;
  return counts;
}
