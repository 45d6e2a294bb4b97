// The client of the user center: registration, login, authenticator and keys of a customer.

import { NO_CREDENTIALS, sessionCredentials } from './credentials.ts';
import { UserCenterMethods } from './generated/methods-user-center.ts';
import type {
  ActivatedTotp,
  Done,
  Login,
  OwnAuditEntry,
  RenewedSession,
  SteppedUp,
  UserCenterActivateTotpRequest,
  UserCenterChangePasswordRequest,
  UserCenterDisableTotpRequest,
  UserCenterLoginRequest,
  UserCenterStepUpRequest,
} from './generated/types.ts';
import { byNumber } from './pages.ts';
import type { CallOptions, TransportOptions } from './transport.ts';

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

  /** Opens a session, which this client then keeps. */
  override async login(request: UserCenterLoginRequest, options?: CallOptions): Promise<Login> {
    const login = await super.login(request, options);
    this.#keep(login.token);
    return login;
  }

  /** Ends the session. */
  override async logout(options?: CallOptions): Promise<Done> {
    const done = await super.logout(options);
    this.#keep(null);
    return done;
  }

  /** Changes the password; all other sessions end, and this one continues under a new token. */
  override async changePassword(
    request: UserCenterChangePasswordRequest,
    options?: CallOptions,
  ): Promise<RenewedSession> {
    return this.#renew(await super.changePassword(request, options));
  }

  /** Switches two-factor authentication on; other sessions end, this one has a new token. */
  override async activateTotp(
    request: UserCenterActivateTotpRequest,
    options?: CallOptions,
  ): Promise<ActivatedTotp> {
    return this.#renew(await super.activateTotp(request, options));
  }

  /** Proves the authenticator again; this client then keeps the session's new token. */
  override async stepUp(
    request: UserCenterStepUpRequest,
    options?: CallOptions,
  ): Promise<SteppedUp> {
    return this.#renew(await super.stepUp(request, options));
  }

  /** Switches two-factor authentication off; other sessions end, this one has a new token. */
  override async disableTotp(
    request: UserCenterDisableTotpRequest,
    options?: CallOptions,
  ): Promise<RenewedSession> {
    return this.#renew(await super.disableTotp(request, options));
  }

  #renew<T extends RenewedSession>(answer: T): T {
    if (answer.token !== undefined) this.#keep(answer.token);
    return answer;
  }

  #keep(token: string | null): void {
    this.#session.token = this.#cookie ? null : token;
  }

  /** The whole list, for `for await`. */
  allAudit(options?: CallOptions): AsyncGenerator<OwnAuditEntry, void> {
    return byNumber(
      (page) => this.audit({ page, pageSize: PAGE_SIZE }, options),
      ({ id }) => id,
    );
  }
}
