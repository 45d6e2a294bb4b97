// The client of the user centre: what people do about their account, by e-mail address, password and codes.
import type { Done, Page } from './answers.ts';
import type {
  ActivatedTotp,
  FaucetCredit,
  Key,
  Login,
  Me,
  NewKey,
  OwnAuditEntry,
  RecoveryCodes,
  Registered,
  RenewedSession,
  RevokedKey,
  RevokedSessions,
  Session,
  SteppedUp,
  Ticket,
  TotpEnrolment,
} from './answers-people.ts';
import { ApiClient } from './api-client.ts';
import { userCenterCalls as calls } from './calls.ts';
import { NO_CREDENTIALS, sessionCredentials } from './credentials.ts';
import { byNumber } from './pages.ts';
import type {
  UserCenterActivateTotpRequest,
  UserCenterAuditRequest,
  UserCenterChangePasswordRequest,
  UserCenterConfirmPasswordResetRequest,
  UserCenterConfirmRegistrationRequest,
  UserCenterCreateKeyRequest,
  UserCenterDeleteKeyRequest,
  UserCenterDisableTotpRequest,
  UserCenterFaucetRequest,
  UserCenterLoginRequest,
  UserCenterRegisterRequest,
  UserCenterRenewRecoveryCodesRequest,
  UserCenterResetPasswordRequest,
  UserCenterRevokeSessionRequest,
  UserCenterSendEmailCodeRequest,
  UserCenterStepUpRequest,
} from './requests-user-center.ts';
import type { CallOptions, TransportOptions } from './transport.ts';

export interface UserCenterOptions extends TransportOptions {
  /** Of a login that was made before. */
  readonly sessionToken?: string;
  /** On a page of the server itself: the login is the browser's cookie, and no token is kept here. */
  readonly cookie?: boolean;
}

const PAGE_SIZE = 100;

/**
 * Methods throw Unauthorized (wrong password, session over), ProofNeeded (a code is missing or wrong: `code` says which), RateLimited,
 * InvalidRequest, Conflict. Nothing that uses up a code is sent twice: a lost answer is an OutcomeUnknown.
 */
export class UserCenterClient extends ApiClient {
  readonly #session: { token: string | null };
  readonly #cookie: boolean;

  constructor(options: UserCenterOptions) {
    const session = { token: options.sessionToken ?? null };
    super(options, options.cookie ? NO_CREDENTIALS : sessionCredentials(() => session.token));
    this.#session = session;
    this.#cookie = options.cookie ?? false;
  }

  /**
   * The token of the session, null when there is none. `new AgioClient({ url, sessionToken: () => center.sessionToken })` acts
   * for the same person, also after a step-up.
   */
  get sessionToken(): string | null {
    return this.#session.token;
  }

  /** Begins a registration: a code is mailed to the address, if it has no account yet. */
  register(request: UserCenterRegisterRequest, options?: CallOptions): Promise<Ticket> {
    return this.send(calls.register, request, options);
  }

  /** Ends it with the mailed code. */
  confirmRegistration(
    request: UserCenterConfirmRegistrationRequest,
    options?: CallOptions,
  ): Promise<Registered> {
    return this.send(calls.confirmRegistration, request, options);
  }

  /** Opens a session, which this client then has. */
  async login(request: UserCenterLoginRequest, options?: CallOptions): Promise<Login> {
    const login = await this.send<Login>(calls.login, request, options);
    this.#keep(login.token);
    return login;
  }

  /** Ends the session. */
  async logout(options?: CallOptions): Promise<Done> {
    const done = await this.send<Done>(calls.logout, {}, options);
    this.#keep(null);
    return done;
  }

  #keep(token: string | null): void {
    this.#session.token = this.#cookie ? null : token;
  }

  /** Begins a password reset: a code is mailed to the address, if it has an account. */
  resetPassword(request: UserCenterResetPasswordRequest, options?: CallOptions): Promise<Ticket> {
    return this.send(calls.resetPassword, request, options);
  }

  /** Ends it with the mailed code; all sessions end, and none is opened. */
  confirmPasswordReset(
    request: UserCenterConfirmPasswordResetRequest,
    options?: CallOptions,
  ): Promise<Done> {
    return this.send(calls.confirmPasswordReset, request, options);
  }

  /** Changes the password; all other sessions end, and this one goes on under a new token. */
  async changePassword(
    request: UserCenterChangePasswordRequest,
    options?: CallOptions,
  ): Promise<RenewedSession> {
    return this.#renewed(await this.send(calls.changePassword, request, options));
  }

  #renewed<T extends RenewedSession>(answer: T): T {
    if (answer.token !== undefined) this.#keep(answer.token);
    return answer;
  }

  /** Who has logged in. */
  me(options?: CallOptions): Promise<Me> {
    return this.send(calls.me, {}, options);
  }

  /** A new secret for an authenticator; nothing changes until it is activated. */
  enrollTotp(options?: CallOptions): Promise<TotpEnrolment> {
    return this.send(calls.enrollTotp, {}, options);
  }

  /** Switches two-factor authentication on; other sessions end, and this one goes on under a new token. */
  async activateTotp(
    request: UserCenterActivateTotpRequest,
    options?: CallOptions,
  ): Promise<ActivatedTotp> {
    return this.#renewed(await this.send<ActivatedTotp>(calls.activateTotp, request, options));
  }

  /** Proves the authenticator again; the session goes on under a new token, which this client then has. */
  async stepUp(request: UserCenterStepUpRequest, options?: CallOptions): Promise<SteppedUp> {
    const steppedUp = await this.send<SteppedUp>(calls.stepUp, request, options);
    this.#keep(steppedUp.token);
    return steppedUp;
  }

  /** Switches two-factor authentication off; other sessions end, and this one goes on under a new token. */
  async disableTotp(
    request: UserCenterDisableTotpRequest,
    options?: CallOptions,
  ): Promise<RenewedSession> {
    return this.#renewed(await this.send(calls.disableTotp, request, options));
  }

  /** Ten new recovery codes; those of before are dead. */
  renewRecoveryCodes(
    request: UserCenterRenewRecoveryCodesRequest,
    options?: CallOptions,
  ): Promise<RecoveryCodes> {
    return this.send(calls.renewRecoveryCodes, request, options);
  }

  /** Mails a code: 7 to create a key, 6 for another call that was answered with 100306. */
  sendEmailCode(request: UserCenterSendEmailCodeRequest, options?: CallOptions): Promise<Done> {
    return this.send(calls.sendEmailCode, request, options);
  }

  /** Creates an API key; the secret is in this answer only. */
  createKey(request: UserCenterCreateKeyRequest, options?: CallOptions): Promise<NewKey> {
    return this.send(calls.createKey, request, options);
  }

  /** The keys, newest first, also the revoked ones. */
  keys(options?: CallOptions): Promise<Key[]> {
    return this.send(calls.keys, {}, options);
  }

  /** Ends a key at once. */
  deleteKey(request: UserCenterDeleteKeyRequest, options?: CallOptions): Promise<RevokedKey> {
    return this.send(calls.deleteKey, request, options);
  }

  /** The live sessions, the one used last first. */
  sessions(options?: CallOptions): Promise<Session[]> {
    return this.send(calls.sessions, {}, options);
  }

  /** Ends one session, or with `all: true` all but this one. */
  revokeSession(
    request: UserCenterRevokeSessionRequest,
    options?: CallOptions,
  ): Promise<RevokedSessions> {
    return this.send(calls.revokeSession, request, options);
  }

  /** What was done with the account, newest first: one page. */
  audit(request: UserCenterAuditRequest = {}, options?: CallOptions): Promise<Page<OwnAuditEntry>> {
    return this.send(calls.audit, request, options);
  }

  /** All of it, for `for await`. */
  allAudit(options?: CallOptions): AsyncGenerator<OwnAuditEntry, void> {
    return byNumber(
      (page) => this.audit({ page, pageSize: PAGE_SIZE }, options),
      ({ id }) => id,
    );
  }

  /** Sandbox only: a fixed amount of an asset, once a day (UTC). */
  faucet(request: UserCenterFaucetRequest, options?: CallOptions): Promise<FaucetCredit> {
    return this.send(calls.faucet, request, options);
  }
}
