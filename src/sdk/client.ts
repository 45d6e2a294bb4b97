// The client of a customer: market data, trading, the account, and earn.
import type { Page } from './answers.ts';
import type {
  Applied,
  ApplyPreview,
  CurrentSubscription,
  InterestEntry,
  InterestExplanation,
  Margin,
  MemberSubscription,
  PlanDetail,
  RedeemPreview,
  Subscription,
} from './answers-earn.ts';
import { calls } from './calls.ts';
import {
  type Credentials,
  keyCredentials,
  NO_CREDENTIALS,
  sessionCredentials,
} from './credentials.ts';
import { InvalidArgument } from './errors.ts';
import { byNumber } from './pages.ts';
import type {
  ApplyPlanRequest,
  ExplainInterestRequest,
  InterestRequest,
  MarginsRequest,
  MemberSubscriptionsRequest,
  PlanRequest,
  PreviewApplyRequest,
  PreviewRedeemRequest,
  RedeemRequest,
  SetAutoRenewRequest,
  SetMarginRequest,
  SubscriptionRequest,
} from './requests.ts';
import { type StreamOptions, Streams } from './streams.ts';
import { TradingClient } from './trading-client.ts';
import type { CallOptions, TransportOptions, WriteOptions } from './transport.ts';

export interface ClientOptions extends TransportOptions {
  /** With `secretKey`: calls are signed. */
  readonly apiKey?: string;
  readonly secretKey?: string;
  /** Instead of a key: the token of a login, or a function that knows the one of now. */
  readonly sessionToken?: string | (() => string | null);
  /** Instead of both, on a page of the server itself: the browser's cookie of a login. */
  readonly cookie?: boolean;
  /** How websockets are opened and watched. */
  readonly streams?: StreamOptions;
}

const PAGE_SIZE = 100;

/**
 * Everything that a customer may do. The methods of earn throw, besides what those of TradingClient do, EarnRefused with the
 * `errorCode` of the rule that says no. Amounts are texts in what they answer, and texts or whole numbers in what they are given.
 */
export class AgioClient extends TradingClient {
  /** Everything that happens, as it happens: books, trades, own orders and balances. */
  readonly streams: Streams;

  /** Without key, token and cookie, for public calls. Throws InvalidArgument for half a key. */
  constructor(options: ClientOptions) {
    const credentials = credentialsOf(options);
    super(options, credentials);
    this.streams = new Streams(this.transport, credentials, options.streams);
  }

  /** One plan, a closed one too. */
  plan(request: PlanRequest, options?: CallOptions): Promise<PlanDetail> {
    return this.send(calls.plan, request, options);
  }

  /** What a subscription made now would earn; bounds, capacity and balance are not judged. */
  previewApply(request: PreviewApplyRequest, options?: CallOptions): Promise<ApplyPreview> {
    return this.send(calls.previewApply, request, options);
  }

  /** Subscribes to a plan, or adds to the flexible subscription that is held; once, whatever happens on the way. */
  applyPlan(request: ApplyPlanRequest, options?: WriteOptions): Promise<Applied> {
    return this.send(calls.applyPlan, request, options);
  }

  /** The subscriptions that are not redeemed, newest first. */
  subscriptions(options?: CallOptions): Promise<CurrentSubscription[]> {
    return this.send(calls.subscriptions, {}, options);
  }

  /** One subscription of the account, live or redeemed, with its redemptions. */
  subscription(request: SubscriptionRequest, options?: CallOptions): Promise<Subscription> {
    return this.send(calls.subscription, request, options);
  }

  /** The interest of a subscription by days, newest first: one page. */
  interest(request: InterestRequest, options?: CallOptions): Promise<Page<InterestEntry>> {
    return this.send(calls.interest, request, options);
  }

  /** All days that have earned, newest first, for `for await`. */
  allInterest(
    request: Omit<InterestRequest, 'currentPage'>,
    options?: CallOptions,
  ): AsyncGenerator<InterestEntry, void> {
    return byNumber(
      (currentPage) => this.interest({ pageSize: PAGE_SIZE, ...request, currentPage }, options),
      ({ date }) => date,
    );
  }

  /** How the interest of one day came about, to the last digit. */
  explainInterest(
    request: ExplainInterestRequest,
    options?: CallOptions,
  ): Promise<InterestExplanation> {
    return this.send(calls.explainInterest, request, options);
  }

  /** What a redemption would bring and forfeit. Throws what `redeem` would. */
  previewRedeem(request: PreviewRedeemRequest, options?: CallOptions): Promise<RedeemPreview> {
    return this.send(calls.previewRedeem, request, options);
  }

  /** Redeems a subscription, or a part of a flexible one; once, whatever happens on the way. */
  redeem(request: RedeemRequest, options?: WriteOptions): Promise<true> {
    return this.send(calls.redeem, request, options);
  }

  /** Switches auto renew, of one subscription or of all that have terms. */
  setAutoRenew(request: SetAutoRenewRequest, options?: WriteOptions): Promise<true> {
    return this.send(calls.setAutoRenew, request, options);
  }

  /** For an enterprise's admin: the subscriptions of its members, newest first: one page. */
  memberSubscriptions(
    request: MemberSubscriptionsRequest = {},
    options?: CallOptions,
  ): Promise<Page<MemberSubscription>> {
    return this.send(calls.memberSubscriptions, request, options);
  }

  /** All of them, for `for await`. */
  allMemberSubscriptions(
    request: Omit<MemberSubscriptionsRequest, 'pageNum' | 'currentPage'> = {},
    options?: CallOptions,
  ): AsyncGenerator<MemberSubscription, void> {
    return byNumber(
      (pageNum) => this.memberSubscriptions({ pageSize: PAGE_SIZE, ...request, pageNum }, options),
      ({ subscriptionId }) => subscriptionId,
    );
  }

  /** For an enterprise's admin: the plans, newest first, with what the enterprise keeps of each: one page. */
  margins(request: MarginsRequest, options?: CallOptions): Promise<Page<Margin>> {
    return this.send(calls.margins, request, options);
  }

  /** All of them, for `for await`. */
  allMargins(
    request: Pick<MarginsRequest, 'asset'> = {},
    options?: CallOptions,
  ): AsyncGenerator<Margin, void> {
    return byNumber(
      (pageNum) => this.margins({ pageSize: PAGE_SIZE, ...request, pageNum }, options),
      ({ planId }) => planId,
    );
  }

  /** For an enterprise's admin: sets what it keeps of a plan, as an annual rate. Throws ProofNeeded under a session. */
  setMargin(request: SetMarginRequest, options?: WriteOptions): Promise<true> {
    return this.send(calls.setMargin, request, options);
  }
}

function credentialsOf(options: ClientOptions): Credentials | null {
  const { apiKey, secretKey, sessionToken, cookie = false } = options;
  if (apiKey !== undefined && secretKey !== undefined) return keyCredentials({ apiKey, secretKey });
  if (apiKey !== undefined || secretKey !== undefined) {
    throw new InvalidArgument('A key has two parts: give apiKey and secretKey.');
  }
  if (sessionToken !== undefined) {
    return sessionCredentials(typeof sessionToken === 'string' ? () => sessionToken : sessionToken);
  }
  return cookie ? NO_CREDENTIALS : null;
}
