// The client of the operator: users, money, listings, plans and the installation.
import type { Balance, Page } from './answers.ts';
import type {
  AdvancedClock,
  AmendedEnterprise,
  AuditEntry,
  AuditPage,
  Booked,
  CanceledOrders,
  ClockState,
  CreatedEnterprise,
  CreatedPlan,
  CreatedUser,
  Enterprise,
  Incomes,
  JournalHead,
  ListedAsset,
  ListedInstrument,
  OfferedPlan,
  Outbox,
  RateLimits,
  TakenSnapshot,
  TrialBalance,
  TruncatedJournal,
  User,
  UserKey,
  VenueTransfer,
} from './answers-operator.ts';
import type { NewKey, RevokedKey } from './answers-people.ts';
import { ApiClient } from './api-client.ts';
import { operatorCalls as calls } from './calls.ts';
import { operatorCredentials } from './credentials.ts';
import { byNumber } from './pages.ts';
import type {
  OperatorAdvanceClockRequest,
  OperatorAmendEnterpriseRequest,
  OperatorAmendInstrumentRequest,
  OperatorAmendPlanRequest,
  OperatorAmendUserRequest,
  OperatorAttachUserRequest,
  OperatorAuditRequest,
  OperatorCancelOrdersRequest,
  OperatorCreateAssetRequest,
  OperatorCreateEnterpriseRequest,
  OperatorCreateInstrumentRequest,
  OperatorCreateKeyRequest,
  OperatorCreatePlanRequest,
  OperatorCreateUserRequest,
  OperatorCreditRequest,
  OperatorFundReserveRequest,
  OperatorOutboxRequest,
  OperatorTruncateJournalRequest,
  OperatorUsersRequest,
  OperatorVenueStatementRequest,
  OperatorWithdrawIncomeRequest,
} from './requests-operator.ts';
import type { CallOptions, TransportOptions } from './transport.ts';

export interface OperatorOptions extends TransportOptions {
  /** The token, or a function that knows the one of now. */
  readonly operatorToken: string | (() => string | null);
}

const PAGE_SIZE = 100;

/**
 * Every call is in the audit log, a refused one too. Methods throw Unauthorized (the token), InvalidRequest, Conflict, Unavailable.
 * Transfers are named by their reference and may be repeated; what creates something is sent once, and a lost answer to it is an
 * OutcomeUnknown.
 */
export class OperatorClient extends ApiClient {
  constructor(options: OperatorOptions) {
    super(options, operatorCredentials(options.operatorToken));
  }

  /** Creates a user. */
  createUser(request: OperatorCreateUserRequest, options?: CallOptions): Promise<CreatedUser> {
    return this.send(calls.createUser, request, options);
  }

  /** Users, newest first; `query` is a part of the e-mail address, or the uid: one page. */
  users(request: OperatorUsersRequest = {}, options?: CallOptions): Promise<Page<User>> {
    return this.send(calls.users, request, options);
  }

  /** All of them, for `for await`. */
  allUsers(
    request: Pick<OperatorUsersRequest, 'query'> = {},
    options?: CallOptions,
  ): AsyncGenerator<User, void> {
    return byNumber(
      (page) => this.users({ ...request, page, pageSize: PAGE_SIZE }, options),
      ({ uid }) => uid,
    );
  }

  /** Gives an email address to a user whom the journal knows and identity.db does not, after the restore of an older identity.db. */
  attachUser(
    uid: number,
    request: OperatorAttachUserRequest,
    options?: CallOptions,
  ): Promise<User> {
    return this.send(calls.attachUser, request, options, { uid });
  }

  /** One user. */
  user(uid: number, options?: CallOptions): Promise<User> {
    return this.send(calls.user, {}, options, { uid });
  }

  /**
   * Changes KYC, status, fees, the limit on open orders or the enterprise; a fee of null is the pair's. A suspension cancels
   * the user's open orders, ends sessions and streams, and every later write of the user is refused.
   */
  amendUser(uid: number, request: OperatorAmendUserRequest, options?: CallOptions): Promise<User> {
    return this.send(calls.amendUser, request, options, { uid });
  }

  /** What a user has of every asset. */
  userBalances(uid: number, options?: CallOptions): Promise<Balance[]> {
    return this.send(calls.userBalances, {}, options, { uid });
  }

  /** Creates an API key; the secret is in this answer only. */
  createKey(
    uid: number,
    request: OperatorCreateKeyRequest,
    options?: CallOptions,
  ): Promise<NewKey> {
    return this.send(calls.createKey, request, options, { uid });
  }

  /** The keys of a user, newest first, also the revoked ones. */
  keys(uid: number, options?: CallOptions): Promise<UserKey[]> {
    return this.send(calls.keys, {}, options, { uid });
  }

  /** Ends a key at once. */
  revokeKey(uid: number, apiKey: string, options?: CallOptions): Promise<RevokedKey> {
    return this.send(calls.revokeKey, {}, options, { uid, apiKey });
  }

  /** Credits money that has arrived for a customer, once per reference. */
  credit(request: OperatorCreditRequest, options?: CallOptions): Promise<Booked> {
    return this.send(calls.credit, request, options);
  }

  /** Debits money that leaves for a customer, once per reference. Throws InsufficientBalance. */
  debit(request: OperatorCreditRequest, options?: CallOptions): Promise<Booked> {
    return this.send(calls.debit, request, options);
  }

  /** Cancels the open orders of a user, of a pair, or of a user in a pair; at least one of both is named. */
  cancelOrders(
    request: OperatorCancelOrdersRequest,
    options?: CallOptions,
  ): Promise<CanceledOrders> {
    return this.send(calls.cancelOrders, request, options);
  }

  /**
   * Takes out fees, the margins of an enterprise, or what a reserve has beyond the interest that is owed, once per reference.
   * Throws InsufficientBalance.
   */
  withdrawIncome(request: OperatorWithdrawIncomeRequest, options?: CallOptions): Promise<Booked> {
    return this.send(calls.withdrawIncome, request, options);
  }

  /** Fees, margins and reserves with what of each can be withdrawn. */
  income(options?: CallOptions): Promise<Incomes> {
    return this.send(calls.income, {}, options);
  }

  /** Reserves that were funded and income that was withdrawn, newest first. */
  venueStatement(
    request: OperatorVenueStatementRequest = {},
    options?: CallOptions,
  ): Promise<Page<VenueTransfer>> {
    return this.send(calls.venueStatement, request, options);
  }

  /** Per asset the balance of each kind of account, and their sum, which is 0. */
  trialBalance(options?: CallOptions): Promise<TrialBalance> {
    return this.send(calls.trialBalance, {}, options);
  }

  /** Lists an asset; its scale never changes. */
  createAsset(request: OperatorCreateAssetRequest, options?: CallOptions): Promise<ListedAsset> {
    return this.send(calls.createAsset, request, options);
  }

  assets(options?: CallOptions): Promise<ListedAsset[]> {
    return this.send(calls.assets, {}, options);
  }

  /** Lists an instrument; its increments never change, its other terms may. */
  createInstrument(
    request: OperatorCreateInstrumentRequest,
    options?: CallOptions,
  ): Promise<ListedInstrument> {
    return this.send(calls.createInstrument, request, options);
  }

  instruments(options?: CallOptions): Promise<ListedInstrument[]> {
    return this.send(calls.instruments, {}, options);
  }

  /** Changes minimum sizes, fees, self-trade prevention, price band or status. */
  amendInstrument(
    symbol: string,
    request: OperatorAmendInstrumentRequest,
    options?: CallOptions,
  ): Promise<ListedInstrument> {
    return this.send(calls.amendInstrument, request, options, { symbol });
  }

  /** Offers a plan; type, coin, days, reward frequency and compounding never change. */
  createPlan(request: OperatorCreatePlanRequest, options?: CallOptions): Promise<CreatedPlan> {
    return this.send(calls.createPlan, request, options);
  }

  /** All plans with their terms, what is subscribed, and how long their reserves last. */
  plans(options?: CallOptions): Promise<OfferedPlan[]> {
    return this.send(calls.plans, {}, options);
  }

  plan(planId: string | number, options?: CallOptions): Promise<OfferedPlan> {
    return this.send(calls.plan, {}, options, { planId });
  }

  /** Changes terms; `poolCapacity` and `booster` are removed by null. */
  amendPlan(
    planId: string | number,
    request: OperatorAmendPlanRequest,
    options?: CallOptions,
  ): Promise<OfferedPlan> {
    return this.send(calls.amendPlan, request, options, { planId });
  }

  /** Puts money from outside into the reserve that interest is paid from, once per reference. */
  fundReserve(
    planId: string | number,
    request: OperatorFundReserveRequest,
    options?: CallOptions,
  ): Promise<Booked> {
    return this.send(calls.fundReserve, request, options, { planId });
  }

  /** Creates an enterprise; users become members by their enterpriseId. */
  createEnterprise(
    request: OperatorCreateEnterpriseRequest,
    options?: CallOptions,
  ): Promise<CreatedEnterprise> {
    return this.send(calls.createEnterprise, request, options);
  }

  /** Says whether orders of its members may trade with each other, from the next order on. */
  amendEnterprise(
    enterpriseId: number,
    request: OperatorAmendEnterpriseRequest,
    options?: CallOptions,
  ): Promise<AmendedEnterprise> {
    return this.send(calls.amendEnterprise, request, options, { enterpriseId });
  }

  /** All enterprises with the number of their members and their margins. */
  enterprises(options?: CallOptions): Promise<Enterprise[]> {
    return this.send(calls.enterprises, {}, options);
  }

  /** The end of the journal: its position, its hash, and the hash of the state there. */
  journalHead(options?: CallOptions): Promise<JournalHead> {
    return this.send(calls.journalHead, {}, options);
  }

  /** Removes journal files up to `seq` that were archived and that no kept snapshot needs. */
  truncateJournal(
    request: OperatorTruncateJournalRequest,
    options?: CallOptions,
  ): Promise<TruncatedJournal> {
    return this.send(calls.truncateJournal, request, options);
  }

  /** Takes a snapshot now; answers when it is on disk. */
  snapshot(options?: CallOptions): Promise<TakenSnapshot> {
    return this.send(calls.snapshot, {}, options);
  }

  /** The audit log, newest first: one page. `head`, noted elsewhere, proves that nothing was cut. */
  audit(request: OperatorAuditRequest = {}, options?: CallOptions): Promise<AuditPage> {
    return this.send(calls.audit, request, options);
  }

  /** All of it, for `for await`. */
  allAudit(options?: CallOptions): AsyncGenerator<AuditEntry, void> {
    return byNumber(
      (page) => this.audit({ page, pageSize: PAGE_SIZE }, options),
      ({ id }) => id,
    );
  }

  /** The newest mails of the outbox directory, newest first. */
  outbox(request: OperatorOutboxRequest = {}, options?: CallOptions): Promise<Outbox> {
    return this.send(calls.outbox, request, options);
  }

  /** Business time, wall clock, and what the sandbox moved the one ahead of the other; ms. */
  clock(options?: CallOptions): Promise<ClockState> {
    return this.send(calls.clock, {}, options);
  }

  /** Sandbox only: moves business time forward; answers when all that became due is done. */
  advanceClock(
    request: OperatorAdvanceClockRequest,
    options?: CallOptions,
  ): Promise<AdvancedClock> {
    return this.send(calls.advanceClock, request, options);
  }

  /** The limiters in force, and how many requests each has refused since the start. */
  rateLimits(options?: CallOptions): Promise<RateLimits> {
    return this.send(calls.rateLimits, {}, options);
  }
}
