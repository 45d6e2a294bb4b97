// The orders view: one row an order, as its last execution report left it. rowId = orderId, which
// grows with creation.
//
// An open order gets its row when it closes, when its owner's orders are read, or with the next
// snapshot: most orders close soon, and then one row is written instead of several. After a crash
// the journal since the last snapshot has the reports that never became rows.
//
// The filters of orders (instrument, side, type, status) are folded into one integer, the order's
// class. A user has few classes and many orders, so any filter is a merge of a few sets of ids
// (id-sets.ts). No filter walks orders that it does not return. An order with a clOrdId of its
// caller is also found by that name (order-names.ts).
import type { Database, Statement } from 'bun:sqlite';
import { BinaryReader, BinaryWriter } from '../core/binary.ts';
import { clOrdIdOf, generatedClOrdId, isGenerated } from '../core/cl-ord-id.ts';
import type { Fields } from '../core/codec.ts';
import { EXECUTION_REPORT, type ExecutionReport } from '../core/event.ts';
import { ExecType, OrdStatus, type OrdType, type Side } from '../core/fix.ts';
import { BRACKET, NO_EXTRAS } from '../core/order-extras.ts';
import { IdSets } from './id-sets.ts';
import {
  assertPageSize,
  type IdWindow,
  idAtTime,
  idWindow,
  mergeRanges,
  NO_BOUND,
  type Range,
  type TimeWindow,
} from './id-walk.ts';
import { ORDERS_BY_NAME, OrderNames } from './order-names.ts';
import { SparseRecord } from './sparse-record.ts';
import { type AnyRow, type Row, type SqlValue, sqlOf } from './table.ts';

/** The conditions that an order must meet, all of them. */
export interface OrderFilter {
  readonly securityId?: number;
  readonly side?: Side;
  readonly ordType?: OrdType;
  readonly ordStatus?: OrdStatus;
  readonly clOrdId?: string;
  /** Only new and partially filled orders. */
  readonly open?: boolean;
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

const { orderId: _, clOrdId: __, ...FIELDS } = EXECUTION_REPORT.fields;
const REPORT = new SparseRecord(FIELDS, { extras: NO_EXTRAS, workingIndicator: true });
const CLASSES = 'ordersByClass';

/**
 * A row is the order's id, and in one value its class, its clOrdId and its report. A clOrdId that
 * the core generated is empty: it follows from uid and orderId.
 */
export const ORDERS = {
  name: 'orders',
  key: ['orderId'],
  schema: 'CREATE TABLE orders (orderId INTEGER PRIMARY KEY, data BLOB NOT NULL) STRICT',
  /** Every order with the values that a table of its fields would have. */
  *rows(db: Database): Generator<Row> {
    for (const row of db.query<OrderRow, []>('SELECT * FROM orders ORDER BY orderId').iterate()) {
      yield Object.fromEntries(cellsOf(EXECUTION_REPORT.fields, reportOf(row))) as Row;
    }
  },
} as const;

/** The fields of a member that is a record have the names of both, such as extras.displayQty. */
function cellsOf(fields: Fields, record: object, path = ''): [string, SqlValue][] {
  const values = record as Readonly<Record<string, unknown>>;
  return Object.entries(fields).flatMap(([field, codec]): [string, SqlValue][] => {
    const [name, value] = [path + field, values[field]];
    const { fields: inner } = (codec.nonNull ?? codec) as { readonly fields?: Fields };
    if (inner === undefined || value === null) return [[name, sqlOf(codec.kind, value)]];
    return cellsOf(inner, value as object, `${name}.`);
  });
}

/** The ids of the orders of each user and class. */
export const ORDERS_BY_CLASS = {
  name: CLASSES,
  key: ['owner', 'kind', 'id'],
  schema: IdSets.schema(CLASSES),
  rows: (db: Database): Generator<Row> => IdSets.rows(db, CLASSES),
} as const;

interface OrderRow {
  readonly orderId: number;
  readonly data: Uint8Array;
}

// The class: securityId above seven bits of side, type and status (FIX codes: side 1 or 2, type 1
// to 4, status up to 8).
const CLASSES_PER_INSTRUMENT = 128;

const classOf = (report: ExecutionReport): number =>
  report.securityId * CLASSES_PER_INSTRUMENT +
  (report.side - 1) * 64 +
  (report.ordType - 1) * 16 +
  report.ordStatus;

function classPasses(orderClass: number, filter: OrderFilter): boolean {
  if (filter.open === true && !isOpenClass(orderClass)) return false;
  const low = orderClass % CLASSES_PER_INSTRUMENT;
  if (filter.side !== undefined && (low >> 6) + 1 !== filter.side) return false;
  if (filter.ordType !== undefined && ((low >> 4) & 3) + 1 !== filter.ordType) return false;
  return filter.ordStatus === undefined || (low & 15) === filter.ordStatus;
}

const isOpen = ({ ordStatus }: { readonly ordStatus?: unknown }): boolean =>
  ordStatus === OrdStatus.new || ordStatus === OrdStatus.partiallyFilled;

/** True for a class of open orders. */
const isOpenClass = (orderClass: number): boolean => isOpen({ ordStatus: orderClass & 15 });

const isFilledByOne = ({ ordStatus, cumQty, lastQty }: ExecutionReport): boolean =>
  ordStatus === OrdStatus.filled && cumQty === lastQty;

interface RowPair {
  readonly stored: AnyRow | null;
  readonly expected: AnyRow | null;
}

/** The columns of an order that no later report changes. */
const CONSTANT = [
  ...(['uid', 'securityId', 'clOrdId', 'side', 'ordType', 'postOnly'] as const),
  ...(['quoteOrderQty', 'ocoOrderId', 'parentOrderId', 'createTime'] as const),
  ...(['extras.timeInForce', 'extras.triggerPriceDirection', 'extras.trail'] as const),
  ...['extras.bracket', ...Object.keys(BRACKET.fields).map((name) => `extras.bracket.${name}`)],
];

/**
 * True if a row may differ from the one that the journal leads to: the order is open, and its row
 * is missing or has an earlier report.
 */
export function mayLag(table: string, { stored, expected }: RowPair): boolean {
  if (table === ORDERS_BY_CLASS.name) return isOpenClass(Number((stored ?? expected)!.kind));
  if (table === ORDERS_BY_NAME.name) return isOpenClass(Number((stored ?? expected)!.class));
  if (table !== ORDERS.name || expected === null || !isOpen(expected)) return false;
  if (stored === null) return true;
  const isEarlier = isOpen(stored) && Number(stored.execId) < Number(expected.execId);
  return isEarlier && CONSTANT.every((name) => stored[name] === expected[name]);
}

/** Open orders that may wait for their rows, about 8 MB of heap. */
const MAX_WAITING = 20_000;

interface Change {
  /** The last report. */
  report: ExecutionReport;
  /** The order has no row; false where that is not known. */
  readonly isNew: boolean;
}
/** By orderId. */
type OpenOrders = Map<number, Change>;

export class OrdersView {
  readonly #db: Database;
  readonly #out = new BinaryWriter();
  readonly #insert: Statement;
  readonly #classes: IdSets;
  readonly #names: OrderNames;
  /** By orderId: the orders that changed since the last flush. */
  readonly #changed = new Map<number, Change>();
  /** By uid and orderId: each open order whose row is missing or older. */
  readonly #waiting = new Map<number, OpenOrders>();
  #waitingCount = 0;
  readonly #byId: Statement<OrderRow, [number]>;
  readonly #atOrAfter: Statement<OrderRow, [number]>;
  readonly #newest: Statement<{ id: number | null }, []>;

  constructor(db: Database) {
    this.#db = db;
    this.#insert = db.prepare('INSERT OR REPLACE INTO orders VALUES (?, ?)');
    this.#classes = new IdSets(db, CLASSES);
    this.#names = new OrderNames(db);
    this.#byId = db.prepare('SELECT * FROM orders WHERE orderId = ?');
    this.#atOrAfter = db.prepare(
      'SELECT * FROM orders WHERE orderId >= ? ORDER BY orderId LIMIT 1',
    );
    this.#newest = db.prepare('SELECT max(orderId) AS id FROM orders');
  }

  record(report: ExecutionReport): void {
    const { orderId, execType } = report;
    if (execType === ExecType.new || execType === ExecType.rejected) {
      this.#changed.set(orderId, { report, isNew: true });
      return;
    }
    const change = this.#changed.get(orderId);
    if (change === undefined) this.#changed.set(orderId, { report, isNew: false });
    else change.report = report;
  }

  /** True if an order of this batch was filled by one trade. */
  isFilledByOne(orderId: number): boolean {
    const change = this.#changed.get(orderId);
    return change !== undefined && isFilledByOne(change.report);
  }

  /** In the transaction of the batch: writes the closed orders, and open ones beyond the bound. */
  flush(withOpen: boolean): void {
    for (const change of this.#changed.values()) {
      if (isOpen(change.report)) {
        this.#wait(change);
      } else {
        const waiting = this.#endWaiting(change.report);
        this.#write(change.report, change.isNew || waiting?.isNew === true);
      }
    }
    this.#changed.clear();
    for (const [uid, orders] of this.#waiting) {
      if (!withOpen && this.#waitingCount <= MAX_WAITING) break;
      this.#writeAll(orders);
      this.#forget(uid, orders);
    }
    this.#classes.flush();
    this.#names.flush();
  }

  /** At the start: a report that was flushed before, in the order of the journal. */
  restore(report: ExecutionReport): void {
    if (isOpen(report)) this.#wait({ report, isNew: false });
    else this.#endWaiting(report);
  }

  #wait(change: Change): void {
    const { uid, orderId } = change.report;
    let orders = this.#waiting.get(uid);
    if (orders === undefined) {
      orders = new Map();
      this.#waiting.set(uid, orders);
    }
    const known = orders.get(orderId);
    if (known !== undefined) {
      known.report = change.report;
      return;
    }
    this.#waitingCount++;
    orders.set(orderId, change);
  }

  #endWaiting({ uid, orderId }: ExecutionReport): Change | undefined {
    const orders = this.#waiting.get(uid);
    const known = orders?.get(orderId);
    if (orders === undefined || known === undefined) return undefined;
    orders.delete(orderId);
    this.#waitingCount--;
    if (orders.size === 0) this.#waiting.delete(uid);
    return known;
  }

  #writeAll(orders: OpenOrders): void {
    for (const { report, isNew } of orders.values()) this.#write(report, isNew);
  }

  /** Writes a row, and moves the order to its class. */
  #write(report: ExecutionReport, isNew: boolean): void {
    const { uid, orderId, clOrdId } = report;
    const [now, old] = [classOf(report), isNew ? null : this.#storedClass(orderId)];
    const name = isGenerated(uid, orderId, clOrdId) ? '' : clOrdId;
    const out = this.#out;
    out.reset();
    out.integer(now);
    out.text(name);
    REPORT.write(out, report);
    this.#insert.run([orderId, out.view()] as never);
    if (now === old) return;
    if (old !== null) this.#classes.remove(uid, old, orderId);
    this.#classes.add(uid, now, orderId);
    if (name === '') return;
    if (old !== null) this.#names.remove(uid, name, old, orderId);
    this.#names.add(uid, name, now, orderId);
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
    const { from, end } = idWindow(query, (time) => this.#idAt(time));
    const below = Math.min(end, query.lastRowId ?? NO_BOUND);
    if (query.fromRowId !== undefined) return this.#upward(query, from, below);
    if (orderId === undefined) return this.#page(uid, filter, { from, end: below }, size);
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
    const isWanted = ({ report }: Change): boolean =>
      (orderId === undefined || report.orderId === orderId) &&
      (clOrdId === undefined || report.clOrdId === clOrdId);
    if (waiting === undefined || !waiting.values().some(isWanted)) return;
    try {
      this.#db.transaction(() => {
        this.#writeAll(waiting);
        this.#classes.flush();
        this.#names.flush();
      })();
    } catch (error) {
      // A full disk may fail the commit, and the next read tries again.
      this.#classes.forget();
      this.#names.forget();
      throw error;
    }
    this.#forget(uid, waiting);
  }

  #page(uid: number, filter: OrderFilter, window: IdWindow, size: number): ExecutionReport[] {
    const { clOrdId } = filter;
    if (clOrdId === undefined) return this.#ofClasses({ uid, filter, ...window }, size);
    const { from, end } = window;
    const found: ExecutionReport[] = [];
    for (const part of this.#names.parts(uid, clOrdId, window)) {
      const classes = this.#classesOf(filter, (at, to) => this.#names.nextClass(part, at, to));
      const ranges = classes.map((orderClass): Range<number> => {
        return (bound, limit) => this.#names.newest(part, orderClass, { from, end: bound }, limit);
      });
      for (const one of this.#merge(ranges, true, end, size - found.length)) found.push(one);
      if (found.length === size) break;
    }
    // A generated clOrdId is not in the table: it names its order.
    const named = this.#generated(uid, clOrdId);
    if (named === null || named.orderId < from || named.orderId >= end) return found;
    if (!passes(named, filter)) return found;
    return [...found, named].sort((a, b) => b.orderId - a.orderId).slice(0, size);
  }

  #upward({ uid, filter = {}, fromRowId, size }: OrdersQuery, from: number, end: number) {
    return this.#ofClasses({ uid, filter, from: Math.max(from, fromRowId!), end }, size, false);
  }

  /** The user's orders of the classes that the filter admits. */
  #ofClasses(
    { uid, filter, from, end }: IdWindow & { readonly uid: number; readonly filter: OrderFilter },
    size: number,
    newestFirst = true,
  ): ExecutionReport[] {
    const classes = this.#classesOf(filter, (at, below) => this.#classes.nextKind(uid, at, below));
    const ranges = classes.map((orderClass): Range<number> => {
      const walk = (window: IdWindow, limit: number) =>
        this.#classes.walk(uid, orderClass, { ...window, newestFirst, limit });
      return newestFirst
        ? (bound, limit) => walk({ from, end: bound }, limit)
        : (bound, limit) => walk({ from: bound + 1, end }, limit);
    });
    return this.#merge(ranges, newestFirst, newestFirst ? end : from - 1, size);
  }

  #merge(ranges: readonly Range<number>[], newestFirst: boolean, bound: number, size: number) {
    const page = mergeRanges({ ranges, idOf: (id) => id, newestFirst, bound, size });
    return page.map((id) => this.#report(id)!);
  }

  /** The classes that `next` finds from one to the next, as far as the filter admits them. */
  #classesOf(
    filter: OrderFilter,
    next: (from: number, end: number) => number | null | undefined,
  ): number[] {
    const { securityId } = filter;
    let from = securityId === undefined ? 0 : securityId * CLASSES_PER_INSTRUMENT;
    const end = securityId === undefined ? NO_BOUND : from + CLASSES_PER_INSTRUMENT;
    const found: number[] = [];
    for (;;) {
      const orderClass = next(from, end) ?? null;
      if (orderClass === null || orderClass >= end) return found;
      if (classPasses(orderClass, filter)) found.push(orderClass);
      from = orderClass + 1;
    }
  }

  /** The user's order whose generated clOrdId this is, or null. */
  #generated(uid: number, clOrdId: string): ExecutionReport | null {
    const orderId = Number(clOrdId.slice(clOrdId.lastIndexOf('_') + 1));
    if (!Number.isSafeInteger(orderId) || clOrdId !== generatedClOrdId(uid, orderId)) return null;
    const order = this.#report(orderId);
    return order?.uid === uid && order.clOrdId === clOrdId ? order : null;
  }

  /** The order, if it has a row and was filled by one trade. */
  filledByOne(orderId: number): ExecutionReport | null {
    const report = this.#report(orderId);
    return report !== null && isFilledByOne(report) ? report : null;
  }

  #storedClass(orderId: number): number | null {
    const row = this.#byId.get(orderId);
    return row === null ? null : new BinaryReader(row.data).integer();
  }

  #report(orderId: number): ExecutionReport | null {
    const row = this.#byId.get(orderId);
    return row === null ? null : reportOf(row);
  }

  /** The id that splits orders at this time of creation. */
  #idAt(time: number): number {
    return idAtTime(time, (this.#newest.get()?.id ?? 0) + 1, (minimum) => {
      const row = this.#atOrAfter.get(minimum);
      return row === null ? null : { id: row.orderId, time: reportOf(row).createTime };
    });
  }
}

function passes(report: ExecutionReport, filter: OrderFilter): boolean {
  if (filter.securityId !== undefined && report.securityId !== filter.securityId) return false;
  if (filter.clOrdId !== undefined && report.clOrdId !== filter.clOrdId) return false;
  return classPasses(classOf(report), filter);
}

function reportOf({ orderId, data }: OrderRow): ExecutionReport {
  const input = new BinaryReader(data);
  input.integer();
  const name = input.text();
  const report = REPORT.read(input);
  const clOrdId = clOrdIdOf(report.uid, orderId, name);
  return { type: 'executionReport', orderId, clOrdId, ...report };
}
