// The orders view: one row an order, as its last execution report left it. rowId = orderId, which
// grows with creation.
//
// An open order gets its row when it closes, when its owner's orders are read, or with the next
// snapshot: most orders close soon, and then one row is written instead of several. After a crash
// the journal since the last snapshot has the reports that never became rows.
//
// The filters of orders (instrument, side, type, status) are folded into one integer, the order's
// class. A user has few classes and many orders, so any filter is a merge of a few ranges of one
// index. No filter walks orders that it does not return.
import type { Database, Statement } from 'bun:sqlite';
import { generatedClOrdId, isGenerated } from '../core/cl-ord-id.ts';
import { integer, nullable, text } from '../core/codec.ts';
import { EXECUTION_REPORT, type ExecutionReport } from '../core/event.ts';
import { OrdStatus, type OrdType, type Side } from '../core/fix.ts';
import {
  assertPageSize,
  type IdWindow,
  mergeRanges,
  NO_BOUND,
  prepareIdWindow,
  type TimeWindow,
} from './id-walk.ts';
import { type AnyRow, type Insert, type Reader, type SqlValue, Table } from './table.ts';

/** The conditions that an order must meet, all of them. */
export interface OrderFilter {
  readonly securityId?: number;
  readonly side?: Side;
  readonly ordType?: OrdType;
  readonly ordStatus?: OrdStatus;
  readonly clOrdId?: string;
}

/**
 * Orders that a user created in a window of time, newest first unless `fromRowId` is given. With
 * `orderId` it is the one order, if it passes the rest.
 */
export interface OrdersQuery extends TimeWindow {
  readonly type: 'orders';
  readonly uid: number;
  readonly orderId?: number;
  readonly filter?: OrderFilter;
  /** Continues below this row. */
  readonly lastRowId?: number;
  /** Oldest first, from this row on; 0: from the first one on. */
  readonly fromRowId?: number;
  /** 1 to MAX_PAGE_SIZE. */
  readonly size: number;
}

/**
 * An order's class is what it is filtered by. A clOrdId that the core generated is null: it follows
 * from uid and orderId.
 */
export const ORDERS = new Table(
  'orders',
  { ...EXECUTION_REPORT.fields, clOrdId: nullable(text), class: integer },
  {
    rowId: 'orderId',
    constant: [
      ...(['uid', 'securityId', 'clOrdId', 'side', 'ordType', 'postOnly'] as const),
      ...(['quoteOrderQty', 'timeInForce', 'triggerPriceDirection'] as const),
      ...(['ocoOrderId', 'parentOrderId', 'createTime'] as const),
      ...(['takeProfitPx', 'exitStopPx', 'exitStopLimitPx', 'exitTrail', 'trail'] as const),
    ],
    indexes: [
      'CREATE INDEX ordersByClass ON orders (uid, class)',
      `CREATE INDEX ordersByClOrdId ON orders (uid, clOrdId, class)
       WHERE clOrdId IS NOT NULL`,
    ],
  },
);
const REPORT = ORDERS.without('class');
type OrderRecord = ReturnType<typeof REPORT.read>;

// The class: securityId above seven bits of side, type and status (FIX codes: side 1 or 2, type 1
// to 4, status up to 8).
const CLASSES_PER_INSTRUMENT = 128;

const classOf = (report: ExecutionReport): number =>
  report.securityId * CLASSES_PER_INSTRUMENT +
  (report.side - 1) * 64 +
  (report.ordType - 1) * 16 +
  report.ordStatus;

function classPasses(orderClass: number, filter: OrderFilter): boolean {
  const low = orderClass % CLASSES_PER_INSTRUMENT;
  if (filter.side !== undefined && (low >> 6) + 1 !== filter.side) return false;
  if (filter.ordType !== undefined && ((low >> 4) & 3) + 1 !== filter.ordType) return false;
  return filter.ordStatus === undefined || (low & 15) === filter.ordStatus;
}

const isOpen = ({ ordStatus }: { readonly ordStatus?: unknown }): boolean =>
  ordStatus === OrdStatus.new || ordStatus === OrdStatus.partiallyFilled;

const isFilledByOne = ({ ordStatus, cumQty, lastQty }: ExecutionReport): boolean =>
  ordStatus === OrdStatus.filled && cumQty === lastQty;

interface StoredAndExpected {
  readonly stored: AnyRow | null;
  readonly expected: AnyRow | null;
}

/**
 * True if a row may differ from the one that the journal leads to: the order is open, and its row
 * is missing or has an earlier report.
 */
export function mayLag({ stored, expected }: StoredAndExpected): boolean {
  if (expected === null || !isOpen(expected)) return false;
  if (stored === null) return true;
  const isEarlier = isOpen(stored) && Number(stored.execId) < Number(expected.execId);
  return isEarlier && ORDERS.sameApartFromChanges(stored, expected);
}

/** Open orders that may wait for their rows, about 8 MB of heap. */
const MAX_WAITING = 20_000;

type Id = { readonly id: number };
/** The last report of each order, by orderId. */
type OpenOrders = Map<number, ExecutionReport>;

export class OrdersView {
  readonly #db: Database;
  readonly #insert: Insert<ExecutionReport>;
  /** The last report of each order that changed since the last flush. */
  readonly #changed = new Map<number, ExecutionReport>();
  /** By uid and orderId: the last report of each open order whose row is missing or older. */
  readonly #waiting = new Map<number, OpenOrders>();
  #waitingCount = 0;
  readonly #byId: Reader<OrderRecord>;
  readonly #idWindow: (window: TimeWindow) => IdWindow;
  readonly #nextClass: Statement<Id, SqlValue[]>;
  readonly #nextClassOfClOrdId: Statement<Id, SqlValue[]>;
  readonly #idsOfClass: Statement<Id, SqlValue[]>;
  readonly #idsOfClOrdId: Statement<Id, SqlValue[]>;
  readonly #idsUpward: Statement<Id, SqlValue[]>;

  constructor(db: Database) {
    this.#db = db;
    this.#insert = ORDERS.prepareInsert<ExecutionReport>(db, {
      class: classOf,
      clOrdId: ({ uid, orderId, clOrdId }) => (isGenerated(uid, orderId, clOrdId) ? null : clOrdId),
    });
    this.#byId = REPORT.prepare(db, 'WHERE orderId = ?');
    this.#idWindow = prepareIdWindow(db, { table: 'orders', id: 'orderId', time: 'createTime' });
    const nextClass = (index: string, of: string): Statement<Id, SqlValue[]> =>
      db.prepare(
        `SELECT class AS id FROM orders INDEXED BY ${index}
         WHERE ${of} AND class >= ? AND class < ? ORDER BY class LIMIT 1`,
      );
    const idsOf = (index: string, of: string, order = 'DESC'): Statement<Id, SqlValue[]> =>
      db.prepare(
        `SELECT orderId AS id FROM orders INDEXED BY ${index}
         WHERE ${of} AND class = ? AND orderId >= ? AND orderId < ?
         ORDER BY orderId ${order} LIMIT ?`,
      );
    this.#nextClass = nextClass('ordersByClass', 'uid = ?');
    this.#nextClassOfClOrdId = nextClass('ordersByClOrdId', 'uid = ? AND clOrdId = ?');
    this.#idsOfClass = idsOf('ordersByClass', 'uid = ?');
    this.#idsOfClOrdId = idsOf('ordersByClOrdId', 'uid = ? AND clOrdId = ?');
    this.#idsUpward = idsOf('ordersByClass', 'uid = ?', 'ASC');
  }

  record(report: ExecutionReport): void {
    this.#changed.set(report.orderId, report);
  }

  /** True if an order of this batch was filled by one trade. */
  isFilledByOne(orderId: number): boolean {
    const report = this.#changed.get(orderId);
    return report !== undefined && isFilledByOne(report);
  }

  /** In the transaction of the batch: writes the closed orders, and open ones beyond the bound. */
  flush(withOpen: boolean): void {
    for (const report of this.#changed.values()) {
      if (isOpen(report)) {
        this.#wait(report);
      } else {
        this.#endWaiting(report);
        this.#insert(report);
      }
    }
    this.#changed.clear();
    for (const [uid, orders] of this.#waiting) {
      if (!withOpen && this.#waitingCount <= MAX_WAITING) break;
      this.#writeAll(orders);
      this.#forget(uid, orders);
    }
  }

  /** At the start: a report that was flushed before, in the order of the journal. */
  restore(report: ExecutionReport): void {
    if (isOpen(report)) this.#wait(report);
    else this.#endWaiting(report);
  }

  #wait(report: ExecutionReport): void {
    const { uid, orderId } = report;
    let orders = this.#waiting.get(uid);
    if (orders === undefined) {
      orders = new Map();
      this.#waiting.set(uid, orders);
    }
    if (!orders.has(orderId)) this.#waitingCount++;
    orders.set(orderId, report);
  }

  #endWaiting({ uid, orderId }: ExecutionReport): void {
    const orders = this.#waiting.get(uid);
    if (orders?.delete(orderId) !== true) return;
    this.#waitingCount--;
    if (orders.size === 0) this.#waiting.delete(uid);
  }

  #writeAll(orders: OpenOrders): void {
    for (const report of orders.values()) this.#insert(report);
  }

  #forget(uid: number, orders: OpenOrders): void {
    this.#waiting.delete(uid);
    this.#waitingCount -= orders.size;
  }

  /** The last execution report of each order found, newest order first. */
  find(query: OrdersQuery): ExecutionReport[] {
    const { uid, orderId, filter = {}, size } = query;
    assertPageSize(size);
    this.#writeWanted(query);
    const { from, end } = this.#idWindow(query);
    const below = Math.min(end, query.lastRowId ?? NO_BOUND);
    if (query.fromRowId !== undefined) return this.#upward(query, from, below);
    if (orderId === undefined) return this.#page(uid, filter, from, below, size);
    const report = orderId >= from && orderId < below ? this.#report(orderId) : null;
    return report !== null && report.uid === uid && passes(report, filter) ? [report] : [];
  }

  /**
   * Writes the user's waiting orders if the query names one of them, or no order: a lookup of a
   * closed order, as after a late cancel, writes nothing.
   */
  #writeWanted({ uid, orderId, filter = {} }: OrdersQuery): void {
    const { clOrdId } = filter;
    const waiting = this.#waiting.get(uid);
    const isWanted = (report: ExecutionReport): boolean =>
      (orderId === undefined || report.orderId === orderId) &&
      (clOrdId === undefined || report.clOrdId === clOrdId);
    if (waiting === undefined || !waiting.values().some(isWanted)) return;
    this.#db.transaction(() => this.#writeAll(waiting))();
    // Only now: a full disk may fail the commit, and the next read tries again.
    this.#forget(uid, waiting);
  }

  #page(
    uid: number,
    filter: OrderFilter,
    from: number,
    below: number,
    size: number,
  ): ExecutionReport[] {
    const { clOrdId } = filter;
    const owner: SqlValue[] = clOrdId === undefined ? [uid] : [uid, clOrdId];
    const ids = clOrdId === undefined ? this.#idsOfClass : this.#idsOfClOrdId;
    const ranges = this.#classes(owner, filter).map((orderClass) => {
      return (bound: number, limit: number): Id[] =>
        ids.all(...owner, orderClass, from, bound, limit);
    });
    // A generated clOrdId is not in the index: it names its order.
    const named = clOrdId === undefined ? null : this.#generated(uid, clOrdId);
    if (named !== null && named.orderId >= from && passes(named, filter)) {
      const id = named.orderId;
      ranges.push((bound) => (id < bound ? [{ id }] : []));
    }
    const idOf = (item: Id): number => item.id;
    const page = mergeRanges({ ranges, idOf, newestFirst: true, bound: below, size });
    return page.map(({ id }) => this.#report(id)!);
  }

  #upward({ uid, filter = {}, fromRowId, size }: OrdersQuery, from: number, end: number) {
    const ranges = this.#classes([uid], filter).map((orderClass) => {
      return (bound: number, limit: number): Id[] =>
        this.#idsUpward.all(uid, orderClass, Math.max(from, bound + 1), end, limit);
    });
    const idOf = (item: Id): number => item.id;
    const bound = fromRowId! - 1;
    const page = mergeRanges({ ranges, idOf, newestFirst: false, bound, size });
    return page.map(({ id }) => this.#report(id)!);
  }

  /** The classes that the owner's orders have and the filter admits. */
  #classes(owner: SqlValue[], filter: OrderFilter): number[] {
    const { securityId } = filter;
    const next = owner.length === 1 ? this.#nextClass : this.#nextClassOfClOrdId;
    let from = securityId === undefined ? 0 : securityId * CLASSES_PER_INSTRUMENT;
    const end = securityId === undefined ? NO_BOUND : from + CLASSES_PER_INSTRUMENT;
    const found: number[] = [];
    for (;;) {
      const row = next.get(...owner, from, end);
      if (row === null) return found;
      if (classPasses(row.id, filter)) found.push(row.id);
      from = row.id + 1;
    }
  }

  /** The user's order whose generated clOrdId this is, or null. */
  #generated(uid: number, clOrdId: string): ExecutionReport | null {
    const orderId = Number(clOrdId.slice(clOrdId.lastIndexOf('_') + 1));
    if (!Number.isSafeInteger(orderId) || clOrdId !== generatedClOrdId(uid, orderId)) return null;
    const order = this.#byId.get(orderId);
    return order?.uid === uid && order.clOrdId === null ? reportOf(order) : null;
  }

  /** The order, if it has a row and was filled by one trade. */
  filledByOne(orderId: number): ExecutionReport | null {
    const report = this.#report(orderId);
    return report !== null && isFilledByOne(report) ? report : null;
  }

  #report(orderId: number): ExecutionReport | null {
    const order = this.#byId.get(orderId);
    return order === null ? null : reportOf(order);
  }
}

function passes(report: ExecutionReport, filter: OrderFilter): boolean {
  if (filter.securityId !== undefined && report.securityId !== filter.securityId) return false;
  if (filter.clOrdId !== undefined && report.clOrdId !== filter.clOrdId) return false;
  return classPasses(classOf(report), filter);
}

function reportOf(order: OrderRecord): ExecutionReport {
  const clOrdId = order.clOrdId ?? generatedClOrdId(order.uid, order.orderId);
  return { type: 'executionReport', ...order, clOrdId };
}
