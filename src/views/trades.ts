// The trades view: the public trades of an instrument, without the parties. fills.ts has the two
// sides of each.
import type { Database } from 'bun:sqlite';
import { integer } from '../core/codec.ts';
import { TRADE, type Trade } from '../core/event.ts';
import { AggregateWalk, type AggTrade } from './agg-trades.ts';
import { assertPageSize, idAtTime, NO_BOUND } from './id-walk.ts';
import { type Insert, type Reader, type RecordOf, Table } from './table.ts';

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
  /** As `fromId`, with the first trade of this time or later, ms. */
  readonly start?: number;
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
  readonly #upward: Reader<PublicTrade>;
  readonly #aggregates: AggregateWalk;

  constructor(db: Database) {
    this.#insert = TRADES.prepareInsert(db);
    this.#newest = TRADES.all.prepare(
      db,
      'WHERE securityId = ? AND tradeId < ? ORDER BY tradeId DESC LIMIT ?',
    );
    this.#upward = TRADES.all.prepare(
      db,
      'WHERE securityId = ? AND tradeId >= ? ORDER BY tradeId LIMIT ?',
    );
    this.#aggregates = new AggregateWalk(this.#newest, this.#upward);
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
    const { securityId, beforeTradeId = NO_BOUND, fromTradeId, limit } = query;
    assertPageSize(limit);
    if (fromTradeId !== undefined) return this.#upward.all(securityId, fromTradeId, limit);
    return this.#newest.all(securityId, beforeTradeId, limit);
  }

  aggTrades({ securityId, fromId, start, limit }: AggTradesQuery): AggTrade[] {
    assertPageSize(limit);
    const from = fromId ?? (start === undefined ? undefined : this.#tradeAt(securityId, start));
    return from === undefined
      ? this.#aggregates.newest(securityId, limit)
      : this.#aggregates.from(securityId, from, limit);
  }

  /** The tradeId from which on the trades are of this time or later. */
  #tradeAt(securityId: number, time: number): number {
    const end = (this.#newest.get(securityId, NO_BOUND, 1)?.tradeId ?? 0) + 1;
    return idAtTime(time, end, (id) => {
      const trade = this.#upward.get(securityId, id, 1);
      return trade && { id: trade.tradeId, time: trade.transactTime };
    });
  }
}
