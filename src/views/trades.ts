// The trades view: the public trades of an instrument, without the parties. fills.ts has the two
// sides of each.
import type { Database } from 'bun:sqlite';
import { integer, type RecordOf } from '../core/codec.ts';
import { TRADE, type Trade } from '../core/event.ts';
import { AggregateWalk, type AggTrade } from './agg-trades.ts';
import { assertPageSize, NO_BOUND } from './id-walk.ts';
import { PackedRecords, PackedTable } from './packed-table.ts';

/** The newest trades of an instrument, newest first. */
export interface PublicTradesQuery {
  readonly type: 'publicTrades';
  readonly securityId: number;
  /** Continues below this trade. */
  readonly beforeTradeId?: number;
  /** Oldest first from this trade on, in place of the newest trades. */
  readonly fromTradeId?: number;
  /** 1 to MAX_PAGE_SIZE. */
  readonly limit: number;
}

/** The trades of an instrument, those of one match at one price as one, oldest first. */
export interface AggTradesQuery {
  readonly type: 'aggTrades';
  readonly securityId: number;
  /** Starts with the aggregate of the first trade from this id on; absent: the newest ones. */
  readonly fromId?: number;
  /** Like `fromId`, with the first trade of this time or later, ms. */
  readonly start?: number;
  /** 1 to MAX_PAGE_SIZE. */
  readonly limit: number;
}

const { aggTradeId, price, quantity, quoteAmount, takerSide, transactTime } = TRADE.fields;
const FIELDS = {
  securityId: integer,
  tradeId: integer,
  ...{ aggTradeId, price, quantity, quoteAmount, takerSide, transactTime },
};
export const TRADES = new PackedTable('trades', FIELDS, {
  group: ['securityId'],
  id: 'tradeId',
  ascending: ['tradeId', 'aggTradeId', 'transactTime'],
  key: ['securityId', 'tradeId'],
});
type PublicTrade = RecordOf<typeof FIELDS>;

export class TradesView {
  readonly #records: PackedRecords<typeof FIELDS>;
  readonly #aggregates: AggregateWalk;

  constructor(db: Database) {
    this.#records = new PackedRecords(db, TRADES);
    this.#aggregates = new AggregateWalk(
      (securityId, below, limit) => this.#newest(securityId, below, limit),
      (securityId, from, limit) => this.#upward(securityId, from, limit),
    );
  }

  record(trade: Trade): void {
    this.#records.record(trade);
  }

  /** In the transaction of the batch. */
  flush(): void {
    this.#records.flush();
  }

  /** The last trade of an instrument, or null. */
  last(securityId: number): PublicTrade | null {
    return this.#newest(securityId, NO_BOUND, 1)[0] ?? null;
  }

  #newest(securityId: number, end: number, limit: number): PublicTrade[] {
    return this.#records.walk([securityId], { from: 0, end, newestFirst: true, limit });
  }

  #upward(securityId: number, from: number, limit: number): PublicTrade[] {
    const walk = { from, end: NO_BOUND, newestFirst: false, limit };
    return this.#records.walk([securityId], walk);
  }

  publicTrades(query: PublicTradesQuery): PublicTrade[] {
    const { securityId, beforeTradeId = NO_BOUND, fromTradeId, limit } = query;
    assertPageSize(limit);
    if (fromTradeId !== undefined) return this.#upward(securityId, fromTradeId, limit);
    return this.#newest(securityId, beforeTradeId, limit);
  }

  aggTrades({ securityId, fromId, start, limit }: AggTradesQuery): AggTrade[] {
    assertPageSize(limit);
    const from = fromId ?? (start === undefined ? undefined : this.#tradeAt(securityId, start));
    return from === undefined
      ? this.#aggregates.newest(securityId, limit)
      : this.#aggregates.from(securityId, from, limit);
  }

  /** The first trade of this time or later; NO_BOUND without one. */
  #tradeAt(securityId: number, time: number): number {
    return this.#records.atOrAfter([securityId], 'transactTime', time)?.tradeId ?? NO_BOUND;
  }
}
