// The fills view: one row for each side of a trade, with what it moved and the spot balances after
// it. It is read in three ways: a user's fills in an instrument, the fills of an order, and the
// entries of the statement, which follow from it (statement.ts).
//
// The rows lie in the order of their key, and no index but the one by order repeats them: a fill
// costs the follower two places, and the row of the trade one.
import type { Database } from 'bun:sqlite';
import { boolean, code, integer, money, price, quantity } from '../core/codec.ts';
import { Side } from '../core/fix.ts';
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
import type { InstrumentsView } from './instruments.ts';
import { type Insert, type Reader, type RecordOf, Table } from './table.ts';

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

export const FILLS = new Table(
  'fills',
  {
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
  },
  {
    key: ['uid', 'securityId', 'tradeId', 'maker'],
    indexes: ['CREATE INDEX fillsByOrder ON fills (orderId, tradeId)'],
  },
);
export type FillRecord = RecordOf<typeof FILLS>;

/** A trade as one of its two sides sees it. */
export interface Fill
  extends Pick<
    FillRecord,
    | ('tradeId' | 'securityId' | 'orderId' | 'side' | 'price' | 'quantity')
    | ('quoteAmount' | 'fee' | 'maker' | 'transactTime')
  > {
  readonly feeAssetId: number;
}

/** A column that grows with the trades of a user in an instrument. */
type GrowingColumn = 'transactTime' | 'entryId';
interface Place {
  readonly id: number;
  readonly transactTime: number;
  readonly entryId: number;
}

export class FillsView {
  readonly #instruments: InstrumentsView;
  readonly #insert: Insert<FillRecord>;
  readonly #new: FillRecord[] = [];
  readonly #ofUser: Reader<FillRecord>;
  readonly #ofUserUpward: Reader<FillRecord>;
  readonly #ofOrder: Reader<FillRecord>;
  readonly #ofOrderUpward: Reader<FillRecord>;
  readonly #nextInstrument: (uid: number, from: number) => number | null;
  readonly #atOrAfter: (uid: number, securityId: number, tradeId: number) => Place | null;

  constructor(db: Database, instruments: InstrumentsView) {
    this.#instruments = instruments;
    this.#insert = FILLS.prepareInsert(db);
    const { all } = FILLS;
    const ofUser = 'WHERE uid = ? AND securityId = ? AND tradeId >= ? AND tradeId < ?';
    this.#ofUser = all.prepare(db, `${ofUser} ORDER BY tradeId DESC, maker DESC LIMIT ?`);
    this.#ofUserUpward = all.prepare(db, `${ofUser} ORDER BY tradeId, maker LIMIT ?`);
    // Named: SQLite may take the key for it, which finds more than the page.
    this.#ofOrder = all.prepare(
      db,
      `INDEXED BY fillsByOrder WHERE orderId = ? AND tradeId >= ? AND tradeId < ?
       ORDER BY tradeId DESC LIMIT ?`,
    );
    this.#ofOrderUpward = all.prepare(
      db,
      `INDEXED BY fillsByOrder WHERE orderId = ? AND tradeId >= ? AND tradeId < ?
       ORDER BY tradeId LIMIT ?`,
    );
    const next = db.prepare<{ securityId: number }, [number, number]>(
      `SELECT securityId FROM fills WHERE uid = ? AND securityId >= ?
       ORDER BY securityId LIMIT 1`,
    );
    this.#nextInstrument = (uid, from) => next.get(uid, from)?.securityId ?? null;
    const place = db.prepare<Place, [number, number, number]>(
      `SELECT tradeId AS id, transactTime, entryId FROM fills
       WHERE uid = ? AND securityId = ? AND tradeId >= ? ORDER BY tradeId, maker LIMIT 1`,
    );
    this.#atOrAfter = (uid, securityId, tradeId) => place.get(uid, securityId, tradeId);
  }

  record(fill: FillRecord): void {
    this.#new.push(fill);
  }

  /** In the transaction of the batch. */
  flush(): void {
    for (const fill of this.#new) this.#insert(fill);
    this.#new.length = 0;
  }

  find(query: FillsQuery): Fill[] {
    const { size, lastTradeId = NO_BOUND } = query;
    assertPageSize(size);
    const idOf = (fill: FillRecord): number => fill.tradeId;
    const ranges = query.orderId === undefined ? this.#rangesOfUser(query) : this.#ofOne(query);
    const newestFirst = query.fromTradeId === undefined;
    const bound = newestFirst ? lastTradeId : query.fromTradeId - 1;
    const page = mergeRanges({ ranges, idOf, newestFirst, bound, size });
    return page.map((fill) => this.#fillOf(fill));
  }

  #rangesOfUser(query: FillsQuery): Range<FillRecord>[] {
    const { uid, securityId: wanted } = query;
    const securityIds = wanted === undefined ? this.instrumentsOf(uid) : [wanted];
    return securityIds.map((securityId) => {
      const { from, end } = this.#window(query, securityId);
      return whole((bound, limit) =>
        query.fromTradeId === undefined
          ? this.#ofUser.all(uid, securityId, from, Math.min(end, bound), limit)
          : this.#ofUserUpward.all(uid, securityId, Math.max(from, bound + 1), end, limit),
      );
    });
  }

  /** All fills of an order have the same owner and instrument. */
  #ofOne(query: FillsQuery): Range<FillRecord>[] {
    const orderId = query.orderId!;
    const newest = this.#ofOrder.get(orderId, 0, NO_BOUND, 1);
    if (newest === null || newest.uid !== query.uid) return [];
    if (newest.securityId !== (query.securityId ?? newest.securityId)) return [];
    const { from, end } = this.#window(query, newest.securityId);
    return [
      (bound, limit) =>
        query.fromTradeId === undefined
          ? this.#ofOrder.all(orderId, from, Math.min(end, bound), limit)
          : this.#ofOrderUpward.all(orderId, Math.max(from, bound + 1), end, limit),
    ];
  }

  /** The window as tradeIds of a user's fills in an instrument. */
  #window(query: FillsQuery, securityId: number): IdWindow {
    return idWindow(query, (time) => this.#tradeAt(query.uid, securityId, 'transactTime', time));
  }

  /** The instruments that the user has fills in, ascending. */
  instrumentsOf(uid: number): number[] {
    const found: number[] = [];
    for (let from = 0; ; ) {
      const securityId = this.#nextInstrument(uid, from);
      if (securityId === null) return found;
      found.push(securityId);
      from = securityId + 1;
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
    // A self trade makes six entries at most.
    const first = from === 0 ? 0 : this.#tradeAt(uid, securityId, 'entryId', from - 5);
    const last = end === NO_BOUND ? NO_BOUND : this.#tradeAt(uid, securityId, 'entryId', end);
    const reader = walk.newestFirst ? this.#ofUser : this.#ofUserUpward;
    return reader.all(uid, securityId, first, last, walk.limit);
  }

  /** The first entry at `time` or later of the user in the instrument; NO_BOUND without one. */
  entryAt(uid: number, securityId: number, time: number): number {
    const tradeId = this.#tradeAt(uid, securityId, 'transactTime', time);
    return this.#atOrAfter(uid, securityId, tradeId)?.entryId ?? NO_BOUND;
  }

  /** The tradeId from which on the column is `value` or more, among a user's in an instrument. */
  #tradeAt(uid: number, securityId: number, column: GrowingColumn, value: number): number {
    const end = (this.#ofUser.get(uid, securityId, 0, NO_BOUND, 1)?.tradeId ?? 0) + 1;
    return idAtTime(value, end, (id) => {
      const place = this.#atOrAfter(uid, securityId, id);
      return place && { id: place.id, time: place[column] };
    });
  }

  #fillOf(fill: FillRecord): Fill {
    const { tradeId, securityId, orderId, side, price, quantity } = fill;
    const { quoteAmount, fee, maker, transactTime } = fill;
    const { base, quote } = this.#instruments.assetsOf(securityId);
    const feeAssetId = side === Side.buy ? base : quote;
    const common = { tradeId, securityId, orderId, side, price, quantity, quoteAmount };
    return { ...common, fee, feeAssetId, maker, transactTime };
  }
}

/** A range whose steps end behind both fills of a self trade, and are one longer for that. */
const whole =
  (range: Range<FillRecord>): Range<FillRecord> =>
  (bound, limit) => {
    const fills = range(bound, limit + 1);
    if (fills.length > limit && fills[limit].tradeId !== fills[limit - 1].tradeId) fills.pop();
    return fills;
  };
