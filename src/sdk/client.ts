// The client of a customer: market data, trading, the account, and earn.

import {
  type Credentials,
  keyCredentials,
  NO_CREDENTIALS,
  sessionCredentials,
} from './credentials.ts';
import { InvalidArgument } from './errors.ts';
import { EarnMethods } from './generated/methods-earn.ts';
import type {
  InterestRequest,
  MarginsRequest,
  MemberSubscriptionsRequest,
} from './generated/types.ts';
import { byNumber } from './pages.ts';
import { type StreamOptions, Streams } from './streams.ts';
import type { CallOptions, TransportOptions } from './transport.ts';

export interface ClientOptions extends TransportOptions {
  /** With `secretKey`: calls are signed. */
  readonly apiKey?: string;
  readonly secretKey?: string;
  /** Instead of a key: the token of a login, or a function that returns the current one. */
  readonly sessionToken?: string | (() => string | null);
  /** Instead of both, on a page of the server itself: the browser's cookie of a login. */
  readonly cookie?: boolean;
  /** How the client opens and watches websockets. */
  readonly streams?: StreamOptions;
}

const PAGE_SIZE = 100;

/**
 * Everything that a customer may do. The methods of earn also throw EarnRejection, with the
 * `errorCode` of the rule. Amounts are texts in answers, and texts or whole numbers in requests.
 */
export class AgioClient extends EarnMethods {
  /** The websockets: books, trades, own orders and balances as they change. */
  readonly streams: Streams;

  /** Without key, token and cookie, for public calls. Throws InvalidArgument for half a key. */
  constructor(options: ClientOptions) {
    const credentials = credentialsOf(options);
    super(options, credentials);
    this.streams = new Streams(this.transport, credentials, options.streams);
  }

  /** Every day that earned, newest first, for `for await`. */
  allInterest(request: Omit<InterestRequest, 'currentPage'>, options?: CallOptions) {
    return byNumber(
      (currentPage) => this.interest({ pageSize: PAGE_SIZE, ...request, currentPage }, options),
      ({ date }) => date,
    );
  }

  /** The whole list, for `for await`. */
  allMemberSubscriptions(
    request: Omit<MemberSubscriptionsRequest, 'pageNum' | 'currentPage'> = {},
    options?: CallOptions,
  ) {
    return byNumber(
      (pageNum) => this.memberSubscriptions({ pageSize: PAGE_SIZE, ...request, pageNum }, options),
      ({ subscriptionId }) => subscriptionId,
    );
  }

  /** The whole list, for `for await`. */
  allMargins(request: Pick<MarginsRequest, 'asset'> = {}, options?: CallOptions) {
    return byNumber(
      (pageNum) => this.margins({ pageSize: PAGE_SIZE, ...request, pageNum }, options),
      ({ planId }) => planId,
    );
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
