// The queries of the views and their answers. Both are plain data in core units (ticks, lots,
// Amounts, ids, ms), so they travel between threads; the gateway formats them.
import type { CandlesQuery } from './candles.ts';
import type { DiskTrouble } from './disk-trouble.ts';
import type { FillsQuery } from './fills.ts';
import type { InterestDayQuery, InterestQuery } from './interest.ts';
import type { OrdersQuery } from './orders.ts';
import type { RedemptionsQuery } from './redemptions.ts';
import type { StatementBalancesQuery, StatementQuery } from './statement.ts';
import type {
  EndedSubscriptionsQuery,
  EnterpriseSubscriptionsQuery,
  SubscriptionQuery,
} from './subscriptions.ts';
import type { AveragePriceQuery, TickersQuery } from './tickers.ts';
import type { AggTradesQuery, PublicTradesQuery } from './trades.ts';
import type { VenueTransfersQuery } from './venue-transfers.ts';
import type { ViewStore } from './view-store.ts';

/** The queries by type, and their answers. */
const ANSWERS = {
  orders: ({ orders }: ViewStore, query: OrdersQuery) => orders.find(query),
  publicTrades: ({ trades }: ViewStore, query: PublicTradesQuery) => trades.publicTrades(query),
  aggTrades: ({ trades }: ViewStore, query: AggTradesQuery) => trades.aggTrades(query),
  fills: ({ fills }: ViewStore, query: FillsQuery) => fills.find(query),
  candles: ({ candles }: ViewStore, query: CandlesQuery) => candles.find(query),
  tickers: ({ tickers }: ViewStore, query: TickersQuery) => tickers.find(query),
  averagePrice: ({ tickers }: ViewStore, query: AveragePriceQuery) => tickers.average(query),
  statement: ({ statement }: ViewStore, query: StatementQuery) => statement.find(query),
  statementBalances: ({ statement }: ViewStore, query: StatementBalancesQuery) =>
    statement.balances(query),
  subscription: ({ subscriptions }: ViewStore, query: SubscriptionQuery) =>
    subscriptions.find(query),
  enterpriseSubscriptions: ({ subscriptions }: ViewStore, query: EnterpriseSubscriptionsQuery) =>
    subscriptions.ofEnterprise(query),
  endedSubscriptions: ({ subscriptions }: ViewStore, query: EndedSubscriptionsQuery) =>
    subscriptions.ended(query),
  interest: ({ interest }: ViewStore, query: InterestQuery) => interest.find(query),
  interestDay: ({ interest }: ViewStore, query: InterestDayQuery) => interest.onDay(query),
  redemptions: ({ redemptions }: ViewStore, query: RedemptionsQuery) => redemptions.find(query),
  venueTransfers: ({ venueTransfers }: ViewStore, query: VenueTransfersQuery) =>
    venueTransfers.find(query),
};
type Answers = typeof ANSWERS;

export type ViewQuery = Parameters<Answers[keyof Answers]>[1];
export type AnswerTo<Q extends ViewQuery> = ReturnType<Answers[Q['type']]>;

/** How long a read waits for the views. */
export const READ_DEADLINE_MS = 1000;

/** Why the views do not answer: they are behind, or the disk rejects them. */
export type Unavailability = 'behind' | DiskTrouble;

/** The views cannot answer now. The caller may repeat the query. */
export class ViewsUnavailable extends Error {
  override readonly name = 'ViewsUnavailable';

  /** `lag`: commands that the views lack. */
  constructor(
    readonly reason: Unavailability,
    readonly lag: number,
  ) {
    super(`the views do not answer (${reason}, ${lag} commands behind)`);
  }
}

export interface ViewReader {
  /**
   * The answer when the views have reached `minSeq`; later changes may show as well. Rejects with
   * ViewsUnavailable when they do not get there within `withinMs`, READ_DEADLINE_MS by default.
   */
  query<Q extends ViewQuery>(query: Q, minSeq: number, withinMs?: number): Promise<AnswerTo<Q>>;
}

/** Answers from what is committed. Throws InvariantError for a page size out of bounds. */
export function runQuery<Q extends ViewQuery>(store: ViewStore, query: Q): AnswerTo<Q> {
  const answer: (store: ViewStore, query: never) => unknown = ANSWERS[query.type];
  return answer(store, query as never) as AnswerTo<Q>;
}
