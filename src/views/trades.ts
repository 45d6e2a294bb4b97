// The trades view: the public trades of an instrument, without the parties. fills.ts has the two
// sides of each.
import type { Database } from 'bun:sqlite';
import { integer } from '../core/codec.ts';
import { TRADE, type Trade } from '../core/event.ts';
import { AggregateWalk, type AggTrade } from './agg-trades.ts';
import { assertPageSize, NO_BOUND } from './id-walk.ts';
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

const { aggTradeId, price, quantity, quoteAmount, takerSide, transactTime } = TRADE.fields;
/** In the order of their key, so that a trade costs one place. */
export const TRADES = new Table(
  'trades',
  {
    securityId: integer,
    tradeId: integer,
    ...{ aggTradeId, price, quantity, quoteAmount, takerSide, transactTime },
  },
  { key: ['securityId', 'tradeId'] },
);
type PublicTrade = RecordOf<typeof TRADES>;

export class TradesView {
  readonly #insert: Insert<PublicTrade>;
  readonly #new: PublicTrade[] = [];
  readonly #newest: Reader<PublicTrade>;
  readonly #aggregates: AggregateWalk;

  constructor(db: Database) {
    this.#insert = TRADES.prepareInsert(db);
    this.#newest = TRADES.all.prepare(
      db,
      'WHERE securityId = ? AND tradeId < ? ORDER BY tradeId DESC LIMIT ?',
    );
    this.#aggregates = new AggregateWalk(
      this.#newest,
      TRADES.all.prepare(db, 'WHERE securityId = ? AND tradeId >= ? ORDER BY tradeId LIMIT ?'),
    );
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
    return this.#newest.all(securityId, beforeTradeId, limit);
  }

  aggTrades({ securityId, fromId, limit }: AggTradesQuery): AggTrade[] {
    assertPageSize(limit);
    return fromId === undefined
      ? this.#aggregates.newest(securityId, limit)
      : this.#aggregates.from(securityId, fromId, limit);
  }
}
