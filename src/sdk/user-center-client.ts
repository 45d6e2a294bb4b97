// The client of the user center: registration, login, authenticator and keys of a customer.

import type { CallSpec } from './call-spec.ts';
import { NO_CREDENTIALS, sessionCredentials } from './credentials.ts';
import { userCenterCalls } from './generated/calls.ts';
import { UserCenterMethods } from './generated/methods-user-center.ts';
import type { RenewedSession } from './generated/types.ts';
import { byNumber } from './pages.ts';
import type { Fields, PathParts } from './request-text.ts';
import type { CallOptions, TransportOptions, WriteOptions } from './transport.ts';

export interface UserCenterOptions extends TransportOptions {
  /** The token of an earlier login. */
  readonly sessionToken?: string;
  /** On a page of the server: the login is the browser's cookie, and the client keeps no token. */
  readonly cookie?: boolean;
}

const PAGE_SIZE = 100;

/**
 * Methods throw Unauthorized (wrong password, session ended), ProofNeeded (a code is missing or
 * wrong: `code` says which), RateLimited, InvalidRequest, Conflict. The SDK never repeats a call
 * that uses up a code: a lost answer is an OutcomeUnknown.
 */
export class UserCenterClient extends UserCenterMethods {
  readonly #session: { token: string | null };
  readonly #cookie: boolean;

  constructor(options: UserCenterOptions) {
    const session = { token: options.sessionToken ?? null };
    super(options, options.cookie ? NO_CREDENTIALS : sessionCredentials(() => session.token));
    this.#session = session;
    this.#cookie = options.cookie ?? false;
  }

  /**
   * The token of the session, or null. An AgioClient with the option
   * `sessionToken: () => center.sessionToken` acts for the same customer, also after a step-up.
   */
  get sessionToken(): string | null {
    return this.#session.token;
  }

  /** Keeps the token of each answer that has one, as after a login; a logout forgets it. */
  protected override async send<T>(
    spec: CallSpec,
    ...rest: [fields?: Fields, options?: WriteOptions, parts?: PathParts]
  ): Promise<T> {
    const answer = await super.send<T & Partial<RenewedSession>>(spec, ...rest);
    const token = spec === userCenterCalls.logout ? null : answer.token;
    if (token !== undefined) this.#session.token = this.#cookie ? null : token;
    return answer;
  }

  /** The whole list, for `for await`. */
  allAudit(options?: CallOptions) {
    return byNumber(
      (page) => this.audit({ page, pageSize: PAGE_SIZE }, options),
      ({ id }) => id,
    );
  }
}
