// Every question that can be asked of the views, and the answer to each. Questions and answers are
// plain data in core units (ticks, lots, Amounts, ids, ms), so that they travel between threads;
// formatting is the gateway's.
import type { ExecutionReport } from '../core/event.ts';
import type { Candle, CandlesQuery } from './candles.ts';
import type { DiskTrouble } from './disk-trouble.ts';
import type { InterestDayQuery, InterestEntry, InterestPage, InterestQuery } from './interest.ts';
import type { OrdersQuery } from './orders.ts';
import type { RedemptionFacts, RedemptionsQuery } from './redemptions.ts';
import type {
  StatementBalance,
  StatementBalancesQuery,
  StatementEntry,
  StatementQuery,
} from './statement.ts';
import type {
  EnterpriseSubscriptionsQuery,
  SubscriptionFacts,
  SubscriptionQuery,
  SubscriptionsPage,
} from './subscriptions.ts';
import type { Ticker, TickersQuery } from './tickers.ts';
import type { Fill, FillsQuery, PublicTrade, PublicTradesQuery } from './trades.ts';
import type { VenueTransfersPage, VenueTransfersQuery } from './venue-transfers.ts';
import type { ViewStore } from './view-store.ts';

export type ViewQuery =
  | OrdersQuery
  | PublicTradesQuery
  | FillsQuery
  | CandlesQuery
  | TickersQuery
  | StatementQuery
  | StatementBalancesQuery
  | SubscriptionQuery
  | EnterpriseSubscriptionsQuery
  | InterestQuery
  | InterestDayQuery
  | RedemptionsQuery
  | VenueTransfersQuery;

/** The answer to each type of question. */
export interface ViewAnswers {
  orders: ExecutionReport[];
  publicTrades: PublicTrade[];
  fills: Fill[];
  candles: Candle[];
  tickers: Ticker[];
  statement: StatementEntry[];
  statementBalances: StatementBalance[];
  subscription: SubscriptionFacts | null;
  enterpriseSubscriptions: SubscriptionsPage;
  interest: InterestPage;
  interestDay: InterestEntry | null;
  redemptions: RedemptionFacts[];
  venueTransfers: VenueTransfersPage;
}

export type AnswerTo<Q extends ViewQuery> = ViewAnswers[Q['type']];

/** How long a read waits for the views. */
export const READ_DEADLINE_MS = 1000;

/** Why the views do not answer: they are behind, or what keeps them from being written. */
export type Unavailability = 'behind' | DiskTrouble;

/** The views cannot answer now. The same question may be asked again. */
export class ViewsUnavailable extends Error {
  override readonly name = 'ViewsUnavailable';
  readonly reason: Unavailability;
  /** Commands that the views lack. */
  readonly lag: number;

  constructor(reason: Unavailability, lag: number) {
    super(`the views do not answer (${reason}, ${lag} commands behind)`);
    this.reason = reason;
    this.lag = lag;
  }
}

/** Answers questions at a position of the journal. */
export interface ViewReader {
  /**
   * The answer when the views have reached `minSeq`; later changes may show as well. Rejects with
   * ViewsUnavailable when they do not get there within `withinMs`, READ_DEADLINE_MS by default.
   */
  query<Q extends ViewQuery>(query: Q, minSeq: number, withinMs?: number): Promise<AnswerTo<Q>>;
}

/** Answers from what is committed. Throws InvariantError for a page size out of bounds. */
export function runQuery<Q extends ViewQuery>(store: ViewStore, query: Q): AnswerTo<Q> {
  return answer(store, query) as AnswerTo<Q>;
}

function answer(store: ViewStore, query: ViewQuery): ViewAnswers[keyof ViewAnswers] {
  switch (query.type) {
    case 'orders':
      return store.orders.find(query);
    case 'publicTrades':
      return store.trades.publicTrades(query);
    case 'fills':
      return store.trades.fills(query);
    case 'candles':
      return store.candles.find(query);
    case 'tickers':
      return store.tickers.find(query);
    case 'statement':
      return store.statement.find(query);
    case 'statementBalances':
      return store.statement.balances(query);
    case 'subscription':
      return store.subscriptions.find(query);
    case 'enterpriseSubscriptions':
      return store.subscriptions.ofEnterprise(query);
    case 'interest':
      return store.interest.find(query);
    case 'interestDay':
      return store.interest.onDay(query);
    case 'redemptions':
      return store.redemptions.find(query);
    case 'venueTransfers':
      return store.venueTransfers.find(query);
  }
}
