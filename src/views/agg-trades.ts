// Aggregates of public trades: the trades of one match at one price, as one. Their trade ids follow
// one another, so an aggregate is a run of rows; its sums are made when it is read.

import type { Side } from '../core/fix.ts';
import { type Amount, add, type Lots, type Ticks, ZERO } from '../core/units.ts';
import { NO_BOUND } from './id-walk.ts';

/** Rows in one step of the walk. */
const STEP = 1_000;
/** A page with so many trades ends, also before `limit`, so that no read takes long. */
const PAGE_TRADES = 20_000;

/** A row of the walk. */
interface AggregatedTrade {
  readonly tradeId: number;
  readonly aggTradeId: number;
  readonly price: Ticks;
  readonly quantity: Lots;
  readonly quoteAmount: Amount;
  readonly takerSide: Side;
  readonly transactTime: number;
}

export interface AggTrade extends Omit<AggregatedTrade, 'tradeId' | 'quantity'> {
  readonly lastTradeId: number;
  readonly quantity: Amount;
  readonly tradeCount: number;
}

/** The trades of these aggregates. */
export const tradesIn = (found: readonly AggTrade[]): number =>
  found.reduce((sum, { tradeCount }) => sum + tradeCount, 0);

type ReadTrades = (securityId: number, tradeId: number, limit: number) => AggregatedTrade[];

export class AggregateWalk {
  readonly #downward: ReadTrades;
  readonly #upward: ReadTrades;

  /** Both read by securityId, a tradeId and a limit: below that trade, or from it on. */
  constructor(downward: ReadTrades, upward: ReadTrades) {
    this.#downward = downward;
    this.#upward = upward;
  }

  /** The newest ones, oldest first. */
  newest(securityId: number, limit: number): AggTrade[] {
    const next = (last: AggregatedTrade | undefined) =>
      this.#downward(securityId, last?.tradeId ?? NO_BOUND, STEP);
    return collect(next, limit).reverse();
  }

  /** From the one of the first trade from `fromId` on. */
  from(securityId: number, fromId: number, limit: number): AggTrade[] {
    const [first] = this.#upward(securityId, fromId, 1);
    if (first === undefined) return [];
    const next = (last: AggregatedTrade | undefined) =>
      this.#upward(securityId, last === undefined ? first.aggTradeId : last.tradeId + 1, STEP);
    return collect(next, limit);
  }
}

/** Each aggregate is whole; `next` reads the rows beyond a trade, nearest first. */
function collect(
  next: (last: AggregatedTrade | undefined) => AggregatedTrade[],
  limit: number,
): AggTrade[] {
  const found: AggTrade[] = [];
  let trades = 0;
  let last: AggregatedTrade | undefined;
  for (;;) {
    const rows = next(last);
    for (const row of rows) {
      const aggregate = found.at(-1);
      if (aggregate?.aggTradeId === row.aggTradeId) {
        found[found.length - 1] = extended(aggregate, row);
      } else {
        if (found.length === limit || trades >= PAGE_TRADES) return found;
        found.push(extended(null, row));
      }
      trades++;
    }
    if (rows.length < STEP) return found;
    last = rows.at(-1);
  }
}

function extended(aggregate: AggTrade | null, trade: AggregatedTrade): AggTrade {
  const { tradeId, quantity, ...rest } = trade;
  return {
    ...rest,
    lastTradeId: Math.max(aggregate?.lastTradeId ?? 0, tradeId),
    tradeCount: (aggregate?.tradeCount ?? 0) + 1,
    quantity: add(aggregate?.quantity ?? ZERO, quantity as number as Amount),
    quoteAmount: add(aggregate?.quoteAmount ?? ZERO, trade.quoteAmount),
  };
}
