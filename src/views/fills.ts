// The fills view: one row for each side of a trade, with what it moved and the spot balances after
// it. It is read in three ways: a user's fills in an instrument, the fills of an order, and the
// entries of the statement, which follow from it (statement.ts).
//
// Many fills of a user in an instrument share a row of the file (packed-table.ts). Only the fills
// of an order have a place of their own each, which is a small one.
import type { Database, Statement } from 'bun:sqlite';
import { boolean, code, integer, money, price, quantity, type RecordOf } from '../core/codec.ts';
import type { ExecutionReport } from '../core/event.ts';
import { Side } from '../core/fix.ts';
import {
  assertPageSize,
  type IdWindow,
  idWindow,
  mergeRanges,
  NO_BOUND,
  type Range,
  type TimeWindow,
} from './id-walk.ts';
import { assetsOf, type Listings } from './listings.ts';
import type { OrdersView } from './orders.ts';
import { PackedRecords, PackedTable } from './packed-table.ts';
import { type Insert, Table } from './table.ts';

/** A user's fills in a window of time, newest first unless `fromTradeId` is given. */
export interface FillsQuery extends TimeWindow {
  readonly type: 'fills';
  readonly uid: number;
  readonly securityId?: number;
  readonly orderId?: number;
  /** Continues below this trade. */
  readonly lastTradeId?: number;
  /** Oldest first, from this trade on; 0: from the first one on. */
  readonly fromTradeId?: number;
  /**
   * 1 to MAX_PAGE_SIZE; a page has one fill more when it would otherwise end between the two fills
   * of a self trade.
   */
  readonly size: number;
}

const FIELDS = {
  uid: integer,
  securityId: integer,
  tradeId: integer,
  /** A self trade is two fills, the taker's first. */
  maker: boolean,
  orderId: integer,
  side: code<Side>(),
  price,
  quantity,
  baseAmount: money,
  quoteAmount: money,
  /** In the asset that the side received, which it was taken from. */
  fee: money,
  /** The user's spot balances after the fill and its fee, held or free. */
  baseBalance: money,
  quoteBalance: money,
  /** The id of its first entry in the statement. The others have the next ids. */
  entryId: integer,
  transactTime: integer,
};
export type FillRecord = RecordOf<typeof FIELDS>;

export const FILLS = new PackedTable('fills', FIELDS, {
  group: ['uid', 'securityId'],
  id: 'tradeId',
  ascending: ['tradeId', 'entryId', 'transactTime'],
  key: ['uid', 'securityId', 'tradeId', 'maker'],
});

/**
 * The fills of an order among those of its user. An order that one trade filled has none here: the
 * time of its last report finds the fill.
 */
export const FILLS_OF_ORDERS = new Table(
  'fillsOfOrders',
  { orderId: integer, tradeId: integer, securityId: integer },
  { key: ['orderId', 'tradeId'] },
);

/** A trade as one of its two sides sees it. */
export interface Fill
  extends Pick<
    FillRecord,
    | ('tradeId' | 'securityId' | 'orderId' | 'side' | 'price' | 'quantity')
    | ('quoteAmount' | 'fee' | 'maker' | 'transactTime')
  > {
  readonly feeAssetId: number;
}

/** Where a fill of an order is. */
type Place = Pick<FillRecord, 'tradeId' | 'securityId'>;

export class FillsView {
  readonly #listings: Listings;
  readonly #orders: OrdersView;
  readonly #records: PackedRecords<typeof FIELDS>;
  readonly #insertOfOrder: Insert<Pick<FillRecord, 'orderId' | 'tradeId' | 'securityId'>>;
  readonly #new: FillRecord[] = [];
  readonly #ofOrder: Statement<Place, [number, number, number, number]>;
  readonly #ofOrderUpward: Statement<Place, [number, number, number, number]>;
  readonly #nextInstrument: Statement<{ securityId: number }, [number, number]>;

  constructor(db: Database, listings: Listings, orders: OrdersView) {
    this.#listings = listings;
    this.#orders = orders;
    this.#records = new PackedRecords(db, FILLS);
    this.#insertOfOrder = FILLS_OF_ORDERS.prepareInsert(db);
    const ofOrder =
      'SELECT tradeId, securityId FROM fillsOfOrders ' +
      'WHERE orderId = ? AND tradeId >= ? AND tradeId < ? ORDER BY tradeId';
    this.#ofOrder = db.prepare(`${ofOrder} DESC LIMIT ?`);
    this.#ofOrderUpward = db.prepare(`${ofOrder} LIMIT ?`);
    this.#nextInstrument = db.prepare(
      `SELECT securityId FROM fills WHERE uid = ? AND securityId >= ?
       ORDER BY securityId LIMIT 1`,
    );
  }

  record(fill: FillRecord): void {
    this.#new.push(fill);
    this.#records.record(fill);
  }

  /** In the transaction of the batch, before the orders. */
  flush(): void {
    for (const fill of this.#new) {
      if (!this.#orders.isFilledByOne(fill.orderId)) this.#insertOfOrder(fill);
    }
    this.#new.length = 0;
    this.#records.flush();
  }

  find(query: FillsQuery): Fill[] {
    const { size, lastTradeId = NO_BOUND } = query;
    assertPageSize(size);
    const ranges = query.orderId === undefined ? this.#rangesOfUser(query) : this.#ofOne(query);
    const idOf = (fill: FillRecord): number => fill.tradeId;
    const newestFirst = query.fromTradeId === undefined;
    const bound = newestFirst ? lastTradeId : query.fromTradeId - 1;
    const page = mergeRanges({ ranges, idOf, newestFirst, bound, size });
    return page.map((fill) => this.#fillOf(fill));
  }

  #rangesOfUser(query: FillsQuery): Range<FillRecord>[] {
    const { uid, securityId: wanted } = query;
    const securityIds = wanted === undefined ? this.instrumentsOf(uid) : [wanted];
    return securityIds.map((securityId) => {
      const beyond = this.#window(query, securityId);
      const newestFirst = query.fromTradeId === undefined;
      return whole((bound, limit) =>
        this.#records.walk([uid, securityId], { ...beyond(bound), newestFirst, limit }),
      );
    });
  }

  /** All fills of an order have the same owner and instrument. */
  #ofOne(query: FillsQuery): Range<FillRecord>[] {
    const { uid } = query;
    const orderId = query.orderId!;
    const filled = this.#orders.filledByOne(orderId);
    // Orders of others do not exist.
    if (filled !== null && filled.uid !== uid) return [];
    const order = filled ?? this.#ofOrder.get(orderId, 0, NO_BOUND, 1);
    const securityId = order?.securityId ?? 0;
    if (order === null || securityId !== (query.securityId ?? securityId)) return [];
    const beyond = this.#window(query, securityId);
    if ('transactTime' in order) {
      return [(bound) => this.#onlyFill(order).filter(within(beyond(bound)))];
    }
    const fillsOf = (trades: readonly Pick<FillRecord, 'tradeId'>[]): FillRecord[] => {
      const ids = trades.map(({ tradeId }) => tradeId);
      const fills = this.#records.pick([uid, securityId], ids);
      return fills.filter((fill) => fill.orderId === orderId);
    };
    if (fillsOf([order]).length === 0) return [];
    const places = query.fromTradeId === undefined ? this.#ofOrder : this.#ofOrderUpward;
    return [
      (bound, limit) => {
        const { from, end } = beyond(bound);
        return fillsOf(places.all(orderId, from, end, limit));
      },
    ];
  }

  /** The fill of an order that one trade filled; many fills may have its time. */
  #onlyFill({ uid, securityId, orderId, transactTime }: ExecutionReport): FillRecord[] {
    const group = [uid, securityId];
    const from = this.#records.atOrAfter(group, 'transactTime', transactTime)?.tradeId ?? NO_BOUND;
    const after = this.#records.atOrAfter(group, 'transactTime', transactTime + 1);
    const walk = { from, end: after?.tradeId ?? NO_BOUND, newestFirst: true, limit: NO_BOUND };
    return this.#records.walk(group, walk).filter((fill) => fill.orderId === orderId);
  }

  /** The tradeIds of the window that are beyond a bound, in the direction of the query. */
  #window(query: FillsQuery, securityId: number): (bound: number) => IdWindow {
    const group = [query.uid, securityId];
    const { from, end } = idWindow(
      query,
      (time) => this.#records.atOrAfter(group, 'transactTime', time)?.tradeId ?? NO_BOUND,
    );
    return query.fromTradeId === undefined
      ? (bound) => ({ from, end: Math.min(end, bound) })
      : (bound) => ({ from: Math.max(from, bound + 1), end });
  }

  /** The instruments that the user has fills in, ascending. */
  instrumentsOf(uid: number): number[] {
    const found: number[] = [];
    for (let from = 0; ; ) {
      const next = this.#nextInstrument.get(uid, from);
      if (next === null) return found;
      found.push(next.securityId);
      from = next.securityId + 1;
    }
  }

  /**
   * The fills that make the entries from `from` on and below `end`, and before them at most three
   * that do not, in the order of the walk.
   */
  withEntries(
    { uid, securityId }: { readonly uid: number; readonly securityId: number },
    { from, end }: IdWindow,
    walk: { readonly newestFirst: boolean; readonly limit: number },
  ): FillRecord[] {
    const tradeAt = (entryId: number): number =>
      this.#records.atOrAfter([uid, securityId], 'entryId', entryId)?.tradeId ?? NO_BOUND;
    // A self trade makes six entries at most.
    const first = from === 0 ? 0 : tradeAt(from - 5);
    const last = end === NO_BOUND ? NO_BOUND : tradeAt(end);
    return this.#records.walk([uid, securityId], { from: first, end: last, ...walk });
  }

  /** The first entry at `time` or later of the user in the instrument; NO_BOUND without one. */
  entryAt(uid: number, securityId: number, time: number): number {
    return this.#records.atOrAfter([uid, securityId], 'transactTime', time)?.entryId ?? NO_BOUND;
  }

  #fillOf(fill: FillRecord): Fill {
    const { tradeId, securityId, orderId, side, price, quantity } = fill;
    const { quoteAmount, fee, maker, transactTime } = fill;
    const { base, quote } = assetsOf(this.#listings, securityId);
    const feeAssetId = side === Side.buy ? base : quote;
    const common = { tradeId, securityId, orderId, side, price, quantity, quoteAmount };
    return { ...common, fee, feeAssetId, maker, transactTime };
  }
}

const within =
  ({ from, end }: IdWindow) =>
  ({ tradeId }: FillRecord): boolean =>
    tradeId >= from && tradeId < end;

/** A range whose steps end behind both fills of a self trade, and are one longer for that. */
const whole =
  (range: Range<FillRecord>): Range<FillRecord> =>
  (bound, limit) => {
    const fills = range(bound, limit + 1);
    if (fills.length > limit && fills[limit].tradeId !== fills[limit - 1].tradeId) fills.pop();
    return fills;
  };
