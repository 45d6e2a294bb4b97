// Every refusal of the server, one row each, with its code in codes.ts. From these two tables come
// the answers, the SDK's classes and constants, the ccxt exceptions and docs/errors.md.
import { OrdRejReason } from '../core/fix.ts';
import type { RejectName } from '../core/reject.ts';
import { CODES, type CodeName, isLegacy } from './codes.ts';

/**
 * What a refusal rests on, which decides whether it settles an earlier attempt of the same write
 * that had no answer.
 *
 * - `request`: the content of the request, with facts that never change. The earlier attempt was
 *   refused as well.
 * - `state`: the state of the exchange. The core looks up the Idempotency-Key or reference first, so
 *   the earlier attempt was not carried out.
 * - `caller`: who calls, with which proof, from where. This is decided before that look-up.
 * - `server`: load, limits, disk or network of the server at that moment, also before it.
 * - `repeat`: something exists or was used already, perhaps by the earlier attempt itself.
 */
export type Basis = 'request' | 'state' | 'caller' | 'server' | 'repeat';

const SETTLING: readonly Basis[] = ['request', 'state'];

interface More {
  /** The same request may succeed later without a change. */
  readonly transient?: true;
  /** OrdRejReason (103) of the same cause; `other` for a refusal of the core unless given. */
  readonly fix?: OrdRejReason;
  /** Where ccxt tells this cause from the others of its code: by the beginning of `text`. */
  readonly ccxt?: string;
}

interface RefusalRow extends More {
  readonly code: CodeName;
  readonly basis: Basis;
  /** The sentence for a person when nothing more precise is known, with the remedy. */
  readonly text: string;
}

const row = (code: CodeName, basis: Basis, text: string, more: More = {}): RefusalRow => ({
  code,
  basis,
  text,
  ...more,
});

/** What is wrong with a request as such; a Problem carries it. */
const PROBLEMS = {
  earnField: row('earnField', 'request', 'A parameter is missing or not valid.'),
  transactionFailed: row(
    'transactionFailed',
    'server',
    'Saving failed and was logged. The call may or may not have been carried out.',
  ),
  dependencyFailed: row(
    'dependencyFailed',
    'server',
    'The history could not be read. The failure was logged; try again later.',
    { transient: true },
  ),
  invalidField: row('invalidField', 'request', 'A field is missing or not valid.'),
  invalidBody: row('invalidField', 'request', 'The request body is not valid JSON.'),
  invalidHeader: row('invalidField', 'request', 'A request header is not valid.'),
  // Instruments are never removed.
  unknownSymbol: row(
    'unknownSymbol',
    'request',
    'No such instrument. GET /spot-api/api/public/v2/instruments lists them.',
    { fix: OrdRejReason.unknownSymbol },
  ),
  symbolMismatch: row(
    'symbolMismatch',
    'request',
    'symbol and securityId name different instruments. Send one of them.',
  ),
  orderClosed: row('orderClosed', 'state', 'The order is already closed.'),
  offIncrement: row('offIncrement', 'request', 'The value is not a multiple of the increment.', {
    fix: OrdRejReason.priceIncrement,
  }),
  unsupported: row('unsupported', 'request', 'This value is not supported.', {
    fix: OrdRejReason.unsupported,
  }),
  dateWindow: row('dateWindow', 'request', 'The date window must lie within the last 30 days.'),
  credentialsWrong: row(
    'credentialsWrong',
    'caller',
    'The email address or the password is wrong.',
  ),
  totpNeeded: row(
    'totpNeeded',
    'caller',
    'Two-factor authentication is active. Send googleAuthCode as well.',
  ),
  totpWrong: row(
    'totpWrong',
    'repeat',
    'The authenticator code is wrong or was already used. Wait for the next one.',
  ),
  totpActive: row('totpActive', 'repeat', 'Two-factor authentication is already active.'),
  totpInactive: row(
    'totpInactive',
    'repeat',
    'Two-factor authentication is not set up. Enroll first.',
  ),
  emailCodeNeeded: row(
    'emailCodeNeeded',
    'caller',
    'Send emailAuthCode as well: the code that we sent by email.',
  ),
  emailCodeWrong: row(
    'emailCodeWrong',
    'repeat',
    'The email code is wrong or no longer valid. Check the digits, or request a new code.',
  ),
  tooManyAttempts: row(
    'tooManyAttempts',
    'server',
    'Too many attempts. Try again after the time in Retry-After.',
    { transient: true },
  ),
  tooManyCodes: row(
    'tooManyCodes',
    'server',
    'Too many codes were requested. Request one after the time in Retry-After.',
    { transient: true },
  ),
  crossOrigin: row(
    'crossOrigin',
    'caller',
    'A change with the session cookie must come from a page of this service.',
  ),
  stepUpNeeded: row(
    'stepUpNeeded',
    'caller',
    'Confirm with your authenticator first: POST /user-center/v1/stepUp.',
  ),
  faucetUsed: row(
    'faucetUsed',
    'repeat',
    'The faucet gives each asset once a day (UTC). Try again tomorrow.',
  ),
  loginNotRecent: row(
    'loginNotRecent',
    'caller',
    'Log in again first: this needs a login within the last ten minutes.',
  ),
  headersMissing: row(
    'unauthorized',
    'caller',
    'Sign the request: EXCHANGE-API-KEY, EXCHANGE-API-TIMESTAMP and EXCHANGE-API-SIGN.',
  ),
  signatureInvalid: row(
    'unauthorized',
    'caller',
    'The API key or the signature is not valid. Sign timestamp, METHOD, path, query, body.',
  ),
  sessionInvalid: row(
    'unauthorized',
    'caller',
    'The session or token is missing, expired or not valid. Log in again.',
  ),
  streamLoginNeeded: row(
    'unauthorized',
    'caller',
    'Log in first: {"op":"login","apiKey","timestamp","sign"}, ' +
      'or the three headers on the upgrade request.',
  ),
  timestampOutside: row(
    'timestampOutside',
    'caller',
    'EXCHANGE-API-TIMESTAMP must be within 10 minutes of the server time.',
  ),
  privilegeMissing: row('forbidden', 'caller', 'The API key lacks the privilege for this call.'),
  notOwner: row('forbidden', 'caller', 'The request acts for an account that is not yours.'),
  addressRefused: row('forbidden', 'caller', 'The API key does not admit this IP address.'),
  // Nodes of different releases have different routes, and operators' routes are hidden by network.
  notFound: row('notFound', 'server', 'No such path.'),
  methodNotAllowed: row('methodNotAllowed', 'server', 'This path does not accept this method.'),
  bodyTooLarge: row('bodyTooLarge', 'request', 'The request body is too large.'),
  notJson: row(
    'notJson',
    'request',
    'Send the body as Content-Type: application/json, in UTF-8, without Content-Encoding.',
  ),
  upgradeNeeded: row(
    'upgradeNeeded',
    'request',
    'This path is a websocket. Connect to it with a websocket client.',
  ),
  rateLimited: row(
    'rateLimited',
    'server',
    'Too many requests. Try again after the time in Retry-After.',
    { transient: true },
  ),
  internal: row(
    'internal',
    'server',
    'An internal error was logged. A write may or may not have been carried out.',
  ),
  notReady: row('unavailable', 'server', 'The service is starting. Try again shortly.', {
    transient: true,
  }),
  overloaded: row(
    'unavailable',
    'server',
    'The service is overloaded and did not accept the request. Try again shortly.',
    { transient: true },
  ),
  stopping: row(
    'unavailable',
    'server',
    'The service is stopping and did not accept the request.',
    { transient: true },
  ),
  storageFull: row(
    'unavailable',
    'server',
    'The service cannot store data now and did not carry out the request. Try again later.',
    { transient: true },
  ),
  historyUnavailable: row(
    'unavailable',
    'server',
    'The history cannot be read now. Try again shortly.',
    { transient: true },
  ),
  resumeTooOld: row(
    'resumeTooOld',
    'server',
    'This position is too old to resume from. Subscribe without resumeFrom for a snapshot.',
  ),
  tooManyChannels: row(
    'tooManyChannels',
    'server',
    'This connection has the maximum of channels. Unsubscribe from some, or open another.',
  ),
  tooManyConnections: row(
    'tooManyConnections',
    'server',
    'Too many websockets are open from this IP address. Close some first.',
    { transient: true },
  ),
  truncationRefused: row(
    'truncationRefused',
    'server',
    'The archive, the snapshots or the views still need this part of the journal.',
  ),
} as const satisfies Record<string, RefusalRow>;

export type ProblemName = keyof typeof PROBLEMS;

/** What the core refuses, in its order of precedence (core/reject.ts). */
const REJECTIONS: Readonly<Record<RejectName, RefusalRow>> = {
  signatureUsed: row(
    'signatureUsed',
    'repeat',
    'This signature was already used. Sign each write again, with a current timestamp.',
  ),
  signatureTooOld: row(
    'timestampOutside',
    'caller',
    'The timestamp is older than the signatures kept for this busy key. Sign with a current one.',
  ),
  idempotencyKeyReused: row(
    'idempotencyKeyReused',
    'state',
    'This Idempotency-Key was already used with another request. Use a new key.',
  ),
  userUnknown: row('userUnknown', 'state', 'No such user.'),
  userSuspended: row(
    'forbidden',
    'state',
    'The account is suspended: you can read it and change nothing. Contact the operator.',
    { transient: true, ccxt: 'AccountSuspended' },
  ),
  assetUnknown: row('assetUnknown', 'state', 'No such asset.'),
  instrumentUnknown: row(
    'unknownSymbol',
    'state',
    'No such instrument. GET /spot-api/api/public/v2/instruments lists them.',
    { fix: OrdRejReason.unknownSymbol },
  ),
  alreadyExists: row('alreadyExists', 'repeat', 'It already exists.'),
  invalidTerms: row('invalidField', 'state', 'The terms are not valid.'),
  referenceReused: row(
    'referenceReused',
    'state',
    'This reference already names another transfer. Use a new reference.',
  ),
  orderUnknown: row('orderUnknown', 'state', 'No such order of this account.'),
  orderMismatch: row('orderMismatch', 'state', 'orderId and origClOrdId name different orders.'),
  instrumentClosed: row('instrumentClosed', 'state', 'The instrument does not accept this now.', {
    transient: true,
    fix: OrdRejReason.exchangeClosed,
  }),
  belowMinimum: row('belowMinimum', 'state', 'The order is below the minimum size.', {
    fix: OrdRejReason.incorrectQuantity,
  }),
  aboveMaximum: row(
    'invalidField',
    'state',
    'The order is above the largest that can be represented.',
    { fix: OrdRejReason.exceedsLimit, ccxt: 'InvalidOrder' },
  ),
  priceOutsideBand: row('priceOutsideBand', 'state', 'The price is too far from the last price.', {
    transient: true,
    fix: OrdRejReason.priceBand,
  }),
  clOrdIdDuplicate: row(
    'clOrdIdDuplicate',
    'state',
    'An open order already has this clOrdId, and the key is in strict mode.',
    { fix: OrdRejReason.duplicateOrder },
  ),
  tooManyOpenOrders: row('tooManyOpenOrders', 'state', 'Too many open orders. Cancel some first.', {
    transient: true,
    fix: OrdRejReason.exceedsLimit,
  }),
  planUnknown: row(
    'planUnknown',
    'state',
    'No such plan or subscription, or the plan is closed. ' +
      'GET /earn-api/v1/user/plan/list lists the plans.',
  ),
  earnParameter: row('earnField', 'state', 'A parameter is missing or not valid.'),
  notOwnSubscription: row(
    'notOwnSubscription',
    'state',
    'The subscription belongs to another account.',
  ),
  addFundsFlexibleOnly: row(
    'addFundsFlexibleOnly',
    'state',
    'Only flexible plans take more funds. Subscribe again for a separate subscription.',
  ),
  subscriptionNotHeld: row(
    'subscriptionNotHeld',
    'state',
    'The subscription has ended. Subscribe without applyId for a new one.',
  ),
  boosterAmount: row('boosterAmount', 'state', 'The booster amount must be above zero.'),
  boosterPlanType: row('boosterPlanType', 'state', 'Flexible plans have no booster.'),
  boosterUnsupported: row('boosterUnsupported', 'state', 'This plan has no booster.'),
  kycRequired: row(
    'kycRequired',
    'state',
    'This plan is for verified customers. Complete the identity verification.',
    { transient: true },
  ),
  belowUserMinimum: row(
    'belowUserMinimum',
    'state',
    'This is below the minimum per customer in this plan.',
  ),
  aboveUserMaximum: row(
    'aboveUserMaximum',
    'state',
    'This is above the maximum per customer in this plan.',
  ),
  lockTooShort: row('lockTooShort', 'state', 'The term is shorter than the plan allows.'),
  lockTooLong: row('lockTooLong', 'state', 'The term is longer than the plan allows.'),
  poolFull: row('poolFull', 'state', 'The plan has no capacity left for this amount.', {
    transient: true,
  }),
  earnBalance: row('earnBalance', 'state', 'The available balance is too small.', {
    transient: true,
  }),
  earlyRedemption: row(
    'earlyRedemption',
    'state',
    'This plan cannot be redeemed before its end date.',
  ),
  redeemAboveAmount: row(
    'redeemAboveAmount',
    'state',
    'The amount is more than the subscription holds.',
  ),
  partialRedemption: row(
    'partialRedemption',
    'state',
    'Before its end date this subscription can only be redeemed in full.',
  ),
  interestUnpayable: row(
    'interestUnpayable',
    'state',
    'The interest cannot be paid until the plan’s reserve is funded. It remains owed to you.',
    { transient: true },
  ),
  tooManySubscriptions: row(
    'tooManySubscriptions',
    'state',
    'Too many subscriptions, or too many pending redemptions of one. Wait for some to end.',
    { transient: true, fix: OrdRejReason.exceedsLimit },
  ),
  enterpriseUnknown: row('enterpriseUnknown', 'state', 'No such enterprise.'),
  // The edge decides this before the look-up of the Idempotency-Key.
  notEnterpriseAdmin: row('forbidden', 'caller', 'Only an admin of an enterprise may do this.'),
  insufficientBalance: row('insufficientBalance', 'state', 'The available balance is too small.', {
    transient: true,
    fix: OrdRejReason.insufficientBalance,
  }),
};

export type RefusalName = ProblemName | RejectName;

/** A row with the promises of its code. */
export interface Refusal {
  readonly name: RefusalName;
  /** The `code` on the wire; of a legacy error of the earn calls the `errorCode`. */
  readonly code: number;
  readonly codeName: CodeName;
  readonly http: number;
  readonly msg: string;
  readonly text: string;
  readonly basis: Basis;
  readonly transient: boolean;
  /** null where no order is concerned. */
  readonly fix: OrdRejReason | null;
  readonly ccxt: string;
}

function refusalOf(name: RefusalName, row: RefusalRow, isReject: boolean): Refusal {
  const { code, http, msg, ccxt } = CODES[row.code];
  const other = isReject && !isLegacy(code) ? OrdRejReason.other : null;
  return {
    name,
    code,
    codeName: row.code,
    http,
    msg,
    text: row.text,
    basis: row.basis,
    transient: row.transient ?? false,
    fix: row.fix ?? other,
    ccxt: row.ccxt ?? ccxt,
  };
}

const entriesOf = <N extends RefusalName>(rows: Readonly<Record<N, RefusalRow>>) =>
  Object.entries(rows) as [N, RefusalRow][];

export const REFUSALS = Object.fromEntries([
  ...entriesOf(PROBLEMS).map(([name, row]) => [name, refusalOf(name, row, false)] as const),
  ...entriesOf(REJECTIONS).map(([name, row]) => [name, refusalOf(name, row, true)] as const),
]) as Readonly<Record<RefusalName, Refusal>>;

/**
 * Whether a refusal with this code settles an earlier attempt of the same write that had no answer:
 * that attempt was not carried out. A client cannot tell the causes of a code apart, so all must.
 */
export const settlesEarlier = (codeName: CodeName): boolean =>
  Object.values(REFUSALS)
    .filter((refusal) => refusal.codeName === codeName)
    .every(({ basis }) => SETTLING.includes(basis));
