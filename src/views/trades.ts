// The trades view: one row a trade, read in two ways. The public gets an instrument's trades
// without the parties; a user gets the fills of the own side. A self trade is two fills.
import type { Database } from 'bun:sqlite';
import { TRADE, type Trade } from '../core/event.ts';
import { opposite, Side } from '../core/fix.ts';
import type { Amount } from '../core/units.ts';
import { AggregateWalk, type AggTrade } from './agg-trades.ts';
import {
  assertPageSize,
  type IdWindow,
  mergeRanges,
  NO_BOUND,
  prepareIdWindow,
  type Range,
  type TimeWindow,
} from './id-walk.ts';
import type { InstrumentsView } from './instruments.ts';
import { type Insert, type Reader, type RecordOf, Table } from './table.ts';

/** The newest trades of an instrument, newest first. */
export interface PublicTradesQuery {
  readonly type: 'publicTrades';
  readonly securityId: number;
  /** Continues below this trade. */
  readonly beforeTradeId?: number;
  /** 1 to MAX_PAGE_SIZE. */
  readonly limit: number;
}

/** The trades of an instrument, those of one match at one price as one, oldest first. */
export interface AggTradesQuery {
  readonly type: 'aggTrades';
  readonly securityId: number;
  /** Starts with the aggregate of the first trade from this id on; absent: the newest ones. */
  readonly fromId?: number;
  /** 1 to MAX_PAGE_SIZE. */
  readonly limit: number;
}

/** A user's fills in a window of time, newest first. */
export interface FillsQuery extends TimeWindow {
  readonly type: 'fills';
  readonly uid: number;
  readonly securityId?: number;
  readonly orderId?: number;
  /** Continues below this trade. */
  readonly lastTradeId?: number;
  /**
   * 1 to MAX_PAGE_SIZE; a page has one fill more when it would otherwise end between the two fills
   * of a self trade.
   */
  readonly size: number;
}

export const TRADES = new Table('trades', TRADE.fields, {
  rowId: 'tradeId',
  indexes: [
    'CREATE INDEX tradesByInstrument ON trades (securityId)',
    'CREATE INDEX tradesByMaker ON trades (makerUid, securityId)',
    'CREATE INDEX tradesByTaker ON trades (takerUid, securityId)',
    'CREATE INDEX tradesByMakerOrder ON trades (makerOrderId)',
    'CREATE INDEX tradesByTakerOrder ON trades (takerOrderId)',
  ],
});
const ALL = TRADES.all;
/** Without the parties. */
const PUBLIC_TRADE = TRADES.without(
  'baseAmount',
  'makerOrderId',
  'takerOrderId',
  'makerUid',
  'takerUid',
  'makerFee',
  'takerFee',
);
type TradeRecord = RecordOf<typeof TRADES>;
type PublicTrade = ReturnType<typeof PUBLIC_TRADE.read>;

/** A trade as one of its two sides sees it. */
export interface Fill extends Omit<PublicTrade, 'takerSide' | 'aggTradeId'> {
  readonly orderId: number;
  readonly side: Side;
  readonly fee: Amount;
  /** The asset that the side received, which the fee was taken from. */
  readonly feeAssetId: number;
  readonly maker: boolean;
}

const ROLES = ['maker', 'taker'] as const;
type Role = (typeof ROLES)[number];
const INDEXES = {
  maker: { user: 'tradesByMaker', order: 'tradesByMakerOrder' },
  taker: { user: 'tradesByTaker', order: 'tradesByTakerOrder' },
} as const;
type RoleReaders = Readonly<Record<Role, Reader<TradeRecord>>>;

/** One prepared statement for each side of a trade; `rest` names its columns after the role. */
const forRoles = (db: Database, rest: (role: Role) => string): RoleReaders => ({
  maker: ALL.prepare(db, rest('maker')),
  taker: ALL.prepare(db, rest('taker')),
});

export class TradesView {
  readonly #instruments: InstrumentsView;
  readonly #insert: Insert<Trade>;
  readonly #new: Trade[] = [];
  readonly #ofInstrument: Reader<PublicTrade>;
  readonly #aggregates: AggregateWalk;
  readonly #ofUser: RoleReaders;
  readonly #ofOrder: RoleReaders;
  readonly #idWindow: (window: TimeWindow) => IdWindow;

  constructor(db: Database, instruments: InstrumentsView) {
    this.#instruments = instruments;
    this.#insert = TRADES.prepareInsert(db);
    this.#ofInstrument = PUBLIC_TRADE.prepare(
      db,
      `INDEXED BY tradesByInstrument
       WHERE securityId = ? AND tradeId < ? ORDER BY tradeId DESC LIMIT ?`,
    );
    this.#aggregates = new AggregateWalk(
      this.#ofInstrument,
      PUBLIC_TRADE.prepare(
        db,
        `INDEXED BY tradesByInstrument
         WHERE securityId = ? AND tradeId >= ? ORDER BY tradeId LIMIT ?`,
      ),
    );
    // Named indexes: of several that fit, SQLite may take one that finds more than the page.
    const page = 'tradeId >= ? AND tradeId < ? ORDER BY tradeId DESC LIMIT ?';
    this.#ofUser = forRoles(
      db,
      (role) =>
        `INDEXED BY ${INDEXES[role].user} WHERE ${role}Uid = ? AND securityId = ? AND ${page}`,
    );
    this.#ofOrder = forRoles(
      db,
      (role) => `INDEXED BY ${INDEXES[role].order} WHERE ${role}OrderId = ? AND ${page}`,
    );
    this.#idWindow = prepareIdWindow(db, { table: 'trades', id: 'tradeId', time: 'transactTime' });
  }

  record(trade: Trade): void {
    this.#new.push(trade);
  }

  /** In the transaction of the batch. */
  flush(): void {
    for (const trade of this.#new) this.#insert(trade);
    this.#new.length = 0;
  }

  publicTrades(query: PublicTradesQuery): PublicTrade[] {
    const { securityId, beforeTradeId = NO_BOUND, limit } = query;
    assertPageSize(limit);
    return this.#ofInstrument.all(securityId, beforeTradeId, limit);
  }

  aggTrades({ securityId, fromId, limit }: AggTradesQuery): AggTrade[] {
    assertPageSize(limit);
    return fromId === undefined
      ? this.#aggregates.newest(securityId, limit)
      : this.#aggregates.from(securityId, fromId, limit);
  }

  fills(query: FillsQuery): Fill[] {
    const { size } = query;
    assertPageSize(size);
    const { from, end } = this.#idWindow(query);
    const bound = Math.min(end, query.lastTradeId ?? NO_BOUND);
    const ranges = ROLES.flatMap((role) => this.#ranges(query, role, from));
    return mergeRanges({ ranges, idOf: (fill) => fill.tradeId, newestFirst: true, bound, size });
  }

  /** The index ranges that hold the query's fills in one role. */
  #ranges(query: FillsQuery, role: Role, from: number): Range<Fill>[] {
    const { uid, orderId, securityId } = query;
    const range = (walk: Reader<TradeRecord>, ...of: number[]): Range<Fill> => {
      return (bound, limit) =>
        walk.all(...of, from, bound, limit).map((trade) => this.#fill(trade, role));
    };
    if (orderId !== undefined) {
      // All trades of an order have the same owner and instrument.
      const walk = this.#ofOrder[role];
      const newest = walk.get(orderId, 0, NO_BOUND, 1);
      const own = newest !== null && newest[`${role}Uid`] === uid;
      const asked = own && (securityId === undefined || newest.securityId === securityId);
      return asked ? [range(walk, orderId)] : [];
    }
    const securityIds = securityId === undefined ? this.#instruments.all() : [securityId];
    return securityIds.map((id) => range(this.#ofUser[role], uid, id));
  }

  #fill(trade: TradeRecord, role: Role): Fill {
    const { tradeId, securityId, takerSide, price, quantity, quoteAmount, transactTime } = trade;
    const side = role === 'taker' ? takerSide : opposite(takerSide);
    const { base, quote } = this.#instruments.assetsOf(securityId);
    return {
      tradeId,
      securityId,
      orderId: trade[`${role}OrderId`],
      side,
      price,
      quantity,
      quoteAmount,
      fee: trade[`${role}Fee`],
      feeAssetId: side === Side.buy ? base : quote,
      maker: role === 'maker',
      transactTime,
    };
  }
}
