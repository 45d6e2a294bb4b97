// Every rejection of the server, one row each, with its code in codes.ts. From these two tables
// come the answers, the SDK's classes and constants, the ccxt exceptions and docs/errors.md.
import { OrdRejReason } from '../core/fix.ts';
import type { RejectName } from '../core/reject.ts';
import { CODES, type CodeName, isLegacy } from './codes.ts';

/**
 * The cause of a rejection, which decides whether it settles an earlier attempt of the same write
 * that had no answer.
 *
 * - `request`: the content of the request, with facts that never change. The server rejected the
 *   earlier attempt as well.
 * - `state`: the state of the exchange. The core looks up the Idempotency-Key or the reference
 *   first, so it did not carry out the earlier attempt.
 * - `caller`: the caller's identity, proof or address, before that look-up.
 * - `server`: load, limits, disk or network of the server at that moment, before that look-up.
 * - `repeat`: something exists or was used already, perhaps by the earlier attempt itself.
 */
export type Basis = 'request' | 'state' | 'caller' | 'server' | 'repeat';

const SETTLING: readonly Basis[] = ['request', 'state'];

interface More {
  /** Its code in codes.ts, if that has another name. */
  readonly code?: CodeName;
  /** The same request may succeed later without a change. */
  readonly transient?: true;
  /** OrdRejReason (103) of the same cause; `other` for a rejection of the core by default. */
  readonly fix?: OrdRejReason;
  /** The ccxt exception, if it is not that of the code: ccxt reads the beginning of `text`. */
  readonly ccxt?: string;
}

interface RejectionRow extends More {
  readonly basis: Basis;
  /** The sentence for a person, with the remedy. A more precise one replaces it. */
  readonly text: string;
}

/** Rows by name; a row whose name is no code has one. */
type CodedRows<N extends string> = {
  readonly [K in N]: K extends CodeName ? RejectionRow : RejectionRow & { readonly code: CodeName };
};
const coded = <N extends string>(rows: CodedRows<N>): CodedRows<N> => rows;

const row =
  (basis: Basis) =>
  <const M extends More>(text: string, more?: M) => ({ basis, text, ...(more as M) });
const byRequest = row('request');
const byState = row('state');
const byCaller = row('caller');
const byServer = row('server');
const byRepeat = row('repeat');

/** The rejections of a request as such; a Problem carries them. */
const PROBLEMS = coded({
  earnField: byRequest('A parameter is missing or not valid.'),
  transactionFailed: byServer(
    'Saving failed and was logged. The call may or may not have been carried out.',
  ),
  // Once ended, a subscription never begins again.
  subscriptionEnded: byState(
    'The subscription has ended. GET /earn-api/v1/user/apply/detail shows it.',
    { code: 'planUnknown' },
  ),
  dependencyFailed: byServer(
    'The history could not be read. The failure was logged; try again later.',
    { transient: true },
  ),
  invalidField: byRequest('A field is missing or not valid.'),
  invalidBody: byRequest('The request body is not valid JSON.', { code: 'invalidField' }),
  invalidHeader: byRequest('A request header is not valid.', { code: 'invalidField' }),
  // Instruments are never removed.
  unknownSymbol: byRequest(
    'No such instrument. GET /spot-api/api/public/v2/instruments lists them.',
    { fix: OrdRejReason.unknownSymbol },
  ),
  symbolMismatch: byRequest('symbol and securityId name different instruments. Send one of them.'),
  orderClosed: byState('The order is already closed.'),
  offIncrement: byRequest('The value is not a multiple of the increment.', {
    fix: OrdRejReason.priceIncrement,
  }),
  unsupported: byRequest('This value is not supported.', {
    fix: OrdRejReason.unsupported,
  }),
  dateWindow: byRequest('The date window must lie within the last 30 days.'),
  credentialsWrong: byCaller('The email address or the password is wrong.'),
  totpNeeded: byCaller('Two-factor authentication is active. Send googleAuthCode as well.'),
  totpWrong: byRepeat(
    'The authenticator code is wrong or was already used. Wait for the next one.',
  ),
  totpActive: byRepeat('Two-factor authentication is already active.'),
  totpInactive: byRepeat('Two-factor authentication is not set up. Enroll first.'),
  emailCodeNeeded: byCaller('Send emailAuthCode as well: the code that we sent by email.'),
  emailCodeWrong: byRepeat(
    'The email code is wrong or no longer valid. Check the digits, or request a new code.',
  ),
  tooManyAttempts: byServer('Too many attempts. Try again after the time in Retry-After.', {
    transient: true,
  }),
  tooManyCodes: byServer(
    'Too many codes were requested. Request one after the time in Retry-After.',
    { transient: true },
  ),
  crossOrigin: byCaller('A change with the session cookie must come from a page of this service.'),
  stepUpNeeded: byCaller('Confirm with your authenticator first: POST /user-center/v1/stepUp.'),
  faucetUsed: byRepeat('The faucet gives each asset once a day (UTC). Try again tomorrow.'),
  loginNotRecent: byCaller('Log in again first: this needs a login within the last ten minutes.'),
  headersMissing: byCaller(
    'Sign the request: EXCHANGE-API-KEY, EXCHANGE-API-TIMESTAMP and EXCHANGE-API-SIGN.',
    { code: 'unauthorized' },
  ),
  signatureInvalid: byCaller(
    'The API key or the signature is not valid. Sign timestamp, METHOD, path, query, body.',
    { code: 'unauthorized' },
  ),
  sessionInvalid: byCaller('The session or token is missing, expired or not valid. Log in again.', {
    code: 'unauthorized',
  }),
  streamLoginNeeded: byCaller(
    'Log in first: {"op":"login","apiKey","timestamp","sign"}, ' +
      'or the three headers on the upgrade request.',
    { code: 'unauthorized' },
  ),
  timestampOutside: byCaller(
    'EXCHANGE-API-TIMESTAMP must be within 10 minutes of the server time.',
  ),
  privilegeMissing: byCaller('The API key lacks the privilege for this call.', {
    code: 'forbidden',
  }),
  notOwner: byCaller('The request acts for an account that is not yours.', { code: 'forbidden' }),
  addressRejected: byCaller('The API key does not admit this IP address.', { code: 'forbidden' }),
  // Nodes of different releases have different routes, and operators' routes are hidden by network.
  notFound: byServer('No such path.'),
  methodNotAllowed: byServer('This path does not accept this method.'),
  bodyTooLarge: byRequest('The request body is too large.'),
  notJson: byRequest(
    'Send the body as Content-Type: application/json, in UTF-8, without Content-Encoding.',
  ),
  upgradeNeeded: byRequest('This path is a websocket. Connect to it with a websocket client.'),
  rateLimited: byServer('Too many requests. Try again after the time in Retry-After.', {
    transient: true,
  }),
  internal: byServer('An internal error was logged. A write may or may not have been carried out.'),
  notReady: byServer('The service is starting. Try again shortly.', {
    code: 'unavailable',
    transient: true,
  }),
  overloaded: byServer(
    'The service is overloaded and did not accept the request. Try again shortly.',
    { code: 'unavailable', transient: true },
  ),
  stopping: byServer('The service is stopping and did not accept the request.', {
    code: 'unavailable',
    transient: true,
  }),
  noLeader: byServer(
    'No node of the cluster leads at the moment, so nothing was carried out. Try again shortly.',
    { code: 'unavailable', transient: true },
  ),
  outcomeUnknown: byServer(
    'The leader was lost, and it is unknown whether this was carried out. Look it up, or repeat ' +
      'it with the same Idempotency-Key or reference.',
    { transient: true },
  ),
  storageFull: byServer(
    'The service cannot store data now and did not carry out the request. Try again later.',
    { code: 'unavailable', transient: true },
  ),
  historyUnavailable: byServer('The history cannot be read now. Try again shortly.', {
    code: 'unavailable',
    transient: true,
  }),
  resumeTooOld: byServer(
    'This position is too old to resume from. Subscribe without resumeFrom for a snapshot.',
  ),
  tooManyChannels: byServer(
    'This connection has the maximum of channels. Unsubscribe from some, or open another.',
  ),
  tooManyConnections: byServer(
    'Too many websockets are open from this IP address. Close some first.',
    { transient: true },
  ),
  truncationRejected: byServer(
    'The archive, the snapshots or the views still need this part of the journal.',
  ),
  notCluster: byServer('This server is a single machine, which always leads.'),
  nodeUnknown: byServer(
    'No node of this name is connected to the leader. GET /operator/v1/cluster lists the nodes.',
    { transient: true },
  ),
  alreadyLeads: byRepeat('This node leads already.'),
  memberUnknown: byServer(
    'No node of this name belongs to the cluster. GET /operator/v1/cluster lists the nodes.',
  ),
  nodeRuns: byServer('This node runs. Stop it first; only a node that is gone can be forgotten.'),
  olderNodes: byServer(
    'A node of the cluster runs a release that cannot read the new rules. Upgrade it, or forget ' +
      'it if it is gone.',
  ),
});

/** With the rejections of a login by the core, which have no measures. */
export type ProblemName = keyof typeof PROBLEMS | 'signatureUsed' | 'signatureTooOld';

/** The rejections of the core, in their order of precedence (core/reject.ts). */
const CORE_REJECTIONS: CodedRows<RejectName> = {
  signatureUsed: byRepeat('This signature was already used. Sign again with a new timestamp.'),
  signatureTooOld: byCaller(
    'The server no longer knows which signatures of this time were used. Sign with a later one.',
    { code: 'timestampOutside' },
  ),
  idempotencyKeyReused: byState(
    'This Idempotency-Key was already used with another request. Use a new key.',
  ),
  userUnknown: byState('No such user.'),
  userSuspended: byState(
    'The account is suspended: it can read, but it cannot make changes. Contact the operator.',
    { code: 'forbidden', transient: true, ccxt: 'AccountSuspended' },
  ),
  assetUnknown: byState('No such asset.'),
  instrumentUnknown: byState(
    'No such instrument. GET /spot-api/api/public/v2/instruments lists them.',
    { code: 'unknownSymbol', fix: OrdRejReason.unknownSymbol },
  ),
  alreadyExists: byRepeat('It already exists.'),
  assetInUse: byState(
    'A pair, a plan, the fee tiers or money that was ever booked uses this asset. List another ' +
      'asset under a new name.',
  ),
  invalidTerms: byState('The terms are not valid.', { code: 'invalidField' }),
  referenceReused: byState('This reference already names another transfer. Use a new reference.'),
  orderUnknown: byState('No such order of this account.'),
  orderMismatch: byState(
    'orderId, origClOrdId and the pair do not name one order. Send orderId alone.',
  ),
  notAmendable: byState(
    'The order, or this field of it, cannot be amended. Cancel it and place another order.',
  ),
  preventionRequired: byState(
    'The pair prevents self-trades. Send cancelNewest, cancelOldest or cancelBoth.',
    { code: 'unsupported', fix: OrdRejReason.unsupported },
  ),
  expireTimePassed: byState(
    'expireTime has passed. Send a time after the current time of the server.',
  ),
  belowFilled: byState('orderQty is the total quantity: it must be above what is filled already.', {
    code: 'belowMinimum',
    fix: OrdRejReason.incorrectQuantity,
  }),
  exitsTooSmall: byState(
    'After the fee, the exits of the bracket would be below the minimum size.',
    { code: 'belowMinimum', fix: OrdRejReason.incorrectQuantity },
  ),
  displayTooSmall: byState('The displayed quantity is too small.', {
    code: 'belowMinimum',
    fix: OrdRejReason.incorrectQuantity,
  }),
  exitReached: byState(
    'This exit would trade when it is placed. The target has to be beyond the price at which the ' +
      'order is expected to trade, and the stop on the other side of that price.',
    { transient: true },
  ),
  wouldTrigger: byState(
    'The last price has reached stopPx, so the stop would be triggered immediately.',
    { transient: true },
  ),
  wouldMatch: byState('The order has to rest, and at this price it would trade immediately.', {
    transient: true,
  }),
  instrumentClosed: byState('The instrument does not accept this now.', {
    transient: true,
    fix: OrdRejReason.exchangeClosed,
  }),
  belowMinimum: byState('The order is below the minimum size.', {
    fix: OrdRejReason.incorrectQuantity,
  }),
  aboveMaximum: byState('The order is above the largest that can be represented.', {
    code: 'invalidField',
    fix: OrdRejReason.exceedsLimit,
    ccxt: 'InvalidOrder',
  }),
  noLastPrice: byState(
    'The pair has not traded yet. Send stopPx: the price from which the stop begins to trail.',
    { code: 'invalidField', transient: true, ccxt: 'InvalidOrder' },
  ),
  trailingTooFar: byState(
    'trailingAmount is above half of the price from which the stop trails. Send a smaller one.',
    { fix: OrdRejReason.priceBand },
  ),
  priceOutsideBand: byState(
    'The price is too far from the last price or, of a stop, from stopPx.',
    {
      transient: true,
      fix: OrdRejReason.priceBand,
    },
  ),
  clOrdIdDuplicate: byState(
    'An open order already has this clOrdId, and the key is in strict mode.',
    { fix: OrdRejReason.duplicateOrder },
  ),
  tooManyOpenOrders: byState('Too many open orders. Cancel some first.', {
    transient: true,
    fix: OrdRejReason.exceedsLimit,
  }),
  planUnknown: byState(
    'No such plan or subscription, or the plan is closed. ' +
      'GET /earn-api/v1/user/plan/list lists the plans.',
  ),
  earnParameter: byState('A parameter is missing or not valid.', { code: 'earnField' }),
  notOwnSubscription: byState('The subscription belongs to another account.'),
  addFundsFlexibleOnly: byState(
    'Only flexible plans take more funds. Subscribe again for a separate subscription.',
  ),
  subscriptionNotHeld: byState(
    'The subscription has ended. Subscribe without applyId for a new one.',
  ),
  boosterAmount: byState('The booster amount must be above zero.'),
  boosterPlanType: byState('Flexible plans have no booster.'),
  boosterUnsupported: byState('This plan has no booster.'),
  kycRequired: byState('This plan is for verified customers. Complete the identity verification.', {
    transient: true,
  }),
  belowUserMinimum: byState('This is below the minimum per customer in this plan.'),
  aboveUserMaximum: byState('This is above the maximum per customer in this plan.'),
  lockTooShort: byState('The term is shorter than the plan allows.'),
  lockTooLong: byState('The term is longer than the plan allows.'),
  poolFull: byState('The plan has no capacity left for this amount.', {
    transient: true,
  }),
  earnBalance: byState('The available balance is too small.', {
    transient: true,
  }),
  earlyRedemption: byState('This plan cannot be redeemed before its end date.'),
  redeemAboveAmount: byState('The amount is more than the subscription holds.'),
  partialRedemption: byState('Before its end date this subscription can only be redeemed in full.'),
  interestUnpayable: byState(
    'The interest cannot be paid until the plan’s reserve is funded. It remains owed to you.',
    { transient: true },
  ),
  tooManySubscriptions: byState(
    'Too many subscriptions, or too many pending redemptions of one. Wait for some to end.',
    { transient: true, fix: OrdRejReason.exceedsLimit },
  ),
  enterpriseUnknown: byState('No such enterprise.'),
  // The edge decides this before the look-up of the Idempotency-Key.
  notEnterpriseAdmin: byCaller('Only an admin of an enterprise may do this.', {
    code: 'forbidden',
  }),
  insufficientBalance: byState('The available balance is too small.', {
    transient: true,
    fix: OrdRejReason.insufficientBalance,
  }),
};

export type RejectionName = ProblemName | RejectName;

/** A row with the promises of its code. */
export interface Rejection {
  readonly name: RejectionName;
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

function rejectionOf(name: RejectionName, row: RejectionRow, isReject: boolean): Rejection {
  const codeName = row.code ?? (name as CodeName);
  const { code, http, msg, ccxt } = CODES[codeName];
  const other = isReject && !isLegacy(code) ? OrdRejReason.other : null;
  return {
    name,
    code,
    codeName,
    http,
    msg,
    text: row.text,
    basis: row.basis,
    transient: row.transient ?? false,
    fix: row.fix ?? other,
    ccxt: row.ccxt ?? ccxt,
  };
}

const entriesOf = <N extends RejectionName>(rows: Readonly<Record<N, RejectionRow>>) =>
  Object.entries(rows) as [N, RejectionRow][];

export const REJECTIONS = Object.fromEntries([
  ...entriesOf(PROBLEMS).map(([name, row]) => [name, rejectionOf(name, row, false)] as const),
  ...entriesOf(CORE_REJECTIONS).map(([name, row]) => [name, rejectionOf(name, row, true)] as const),
]) as Readonly<Record<RejectionName, Rejection>>;

/**
 * True if a rejection with this code settles an earlier attempt of the same write that had no
 * answer: that attempt was not carried out. A client cannot tell the causes of a code apart, so all
 * must.
 */
export const settlesEarlier = (codeName: CodeName): boolean =>
  Object.values(REJECTIONS)
    .filter((rejection) => rejection.codeName === codeName)
    .every(({ basis }) => SETTLING.includes(basis));
