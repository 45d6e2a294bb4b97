// Every permanent code of a rejection and what it promises to programs. A code never gets another
// meaning and is never used again. The causes of each code are in rejections.ts.

/**
 * The generated error classes of the SDK: one for each thing that a program can do about a
 * rejection.
 */
export const SDK_CLASSES = {
  InvalidRequest: 'A field or a call is wrong; the same request will be rejected again.',
  InvalidOrder: 'The order is too small, or too far from the last price.',
  OrderNotFound: 'The order does not exist, or is no longer open.',
  InsufficientBalance: 'The available balance is too small.',
  MarketClosed: 'The instrument does not accept this now.',
  LimitReached: 'Too many open orders, subscriptions or channels. Close some and try again.',
  Conflict: 'It already exists, or its name or signature was used before.',
  Unauthorized: 'The key, signature, password, session or token is not valid.',
  ProofNeeded: 'A code from the authenticator or by email is missing or wrong.',
  Forbidden: 'The caller may not do this.',
  RateLimited: 'Too many requests; try again after `retryAfterMs`.',
  Unavailable: 'The server is starting, stopping or overloaded, and did not accept the call.',
  ResumeTooOld: 'A stream cannot resume: too much has happened since that position.',
  ServerFailure: 'The server failed. A write that fails this way ends in OutcomeUnknown.',
} as const;

type SdkClass = keyof typeof SDK_CLASSES | 'EarnRejection';

interface CodeRow {
  readonly code: number;
  readonly http: number;
  /** The `msg` on the wire: a short phrase that never changes. */
  readonly msg: string;
  readonly sdk: SdkClass;
  /** The exception class of ccxt. */
  readonly ccxt: string;
}

const code = (number: number, http: number, msg: string, sdk: SdkClass, ccxt: string): CodeRow => ({
  code: number,
  http,
  msg,
  sdk,
  ccxt,
});

const business = (number: number, sdk: SdkClass, ccxt: string, http = 400): CodeRow =>
  code(number, http, 'business error', sdk, ccxt);

/** A legacy error of the earn calls: HTTP 200, `code` 500, and this number as `errorCode`. */
const legacy = (errorCode: number, msg: string, ccxt = 'BadRequest'): CodeRow =>
  code(errorCode, 200, `earn.${msg}`, 'EarnRejection', ccxt);

/** By the names that the SDK exports as `Code`. */
export const CODES = {
  planUnknown: legacy(40000, 'plan.invalid'),
  earnField: legacy(40001, 'plan.invalid_param'),
  belowUserMinimum: legacy(40002, 'plan.user_min_amount'),
  aboveUserMaximum: legacy(40003, 'plan.user_max_amount'),
  poolFull: legacy(40004, 'plan.pool_capacity_limits'),
  notOwnSubscription: legacy(40005, 'plan.invalid_user', 'PermissionDenied'),
  addFundsFlexibleOnly: legacy(40006, 'plan.add_funds_flexible_only'),
  subscriptionNotHeld: legacy(40007, 'plan.flexible_holding'),
  transactionFailed: legacy(40008, 'request.transaction_error', 'ExchangeError'),
  interestUnpayable: legacy(40009, 'request.transfer_error', 'ExchangeNotAvailable'),
  redeemAboveAmount: legacy(40010, 'redeem.amount_over'),
  kycRequired: legacy(40011, 'need.kyc', 'PermissionDenied'),
  boosterPlanType: legacy(40012, 'booster.plan_type.error'),
  partialRedemption: legacy(40013, 'redeem.not_support_partial'),
  boosterUnsupported: legacy(40014, 'plan.not_support_booster'),
  lockTooShort: legacy(40015, 'plan.user_min_day'),
  lockTooLong: legacy(40016, 'plan.user_max_day'),
  boosterAmount: legacy(40017, 'booster.amount_not_greater_than_0'),
  earlyRedemption: legacy(40018, 'plan.not_support_early_redemption'),
  dependencyFailed: legacy(40019, 'atc.interface.error', 'ExchangeNotAvailable'),
  earnBalance: legacy(40020, 'transfer.insufficient_balance', 'InsufficientFunds'),

  invalidField: business(100200, 'InvalidRequest', 'BadRequest'),
  unknownSymbol: business(100201, 'InvalidRequest', 'BadSymbol'),
  symbolMismatch: business(100202, 'InvalidRequest', 'BadSymbol'),
  orderUnknown: business(100203, 'OrderNotFound', 'OrderNotFound'),
  orderMismatch: business(100204, 'InvalidRequest', 'BadRequest'),
  orderClosed: business(100205, 'OrderNotFound', 'OrderNotFound'),
  insufficientBalance: business(100206, 'InsufficientBalance', 'InsufficientFunds'),
  belowMinimum: business(100207, 'InvalidOrder', 'InvalidOrder'),
  offIncrement: business(100208, 'InvalidRequest', 'InvalidOrder'),
  instrumentClosed: business(100209, 'MarketClosed', 'MarketClosed'),
  unsupported: business(100210, 'InvalidRequest', 'NotSupported'),
  priceOutsideBand: business(100211, 'InvalidOrder', 'InvalidOrder'),
  tooManyOpenOrders: business(100212, 'LimitReached', 'InvalidOrder'),
  dateWindow: business(100213, 'InvalidRequest', 'BadRequest'),
  clOrdIdDuplicate: business(100214, 'Conflict', 'DuplicateOrderId'),
  notAmendable: business(100215, 'InvalidOrder', 'InvalidOrder'),
  wouldTrigger: business(100216, 'InvalidOrder', 'OrderImmediatelyFillable'),
  wouldMatch: business(100217, 'InvalidOrder', 'OrderImmediatelyFillable'),
  expireTimePassed: business(100218, 'InvalidOrder', 'InvalidOrder'),
  trailingTooFar: business(100219, 'InvalidOrder', 'InvalidOrder'),
  userUnknown: business(100220, 'InvalidRequest', 'BadRequest'),
  assetUnknown: business(100221, 'InvalidRequest', 'BadSymbol'),
  alreadyExists: business(100222, 'Conflict', 'BadRequest', 409),
  referenceReused: business(100223, 'Conflict', 'BadRequest', 409),
  enterpriseUnknown: business(100224, 'InvalidRequest', 'BadRequest'),
  tooManySubscriptions: business(100225, 'LimitReached', 'BadRequest'),
  exitReached: business(100226, 'InvalidOrder', 'OrderImmediatelyFillable'),
  assetInUse: business(100227, 'Conflict', 'BadRequest', 409),

  credentialsWrong: code(100301, 401, 'credentials wrong', 'Unauthorized', 'AuthenticationError'),
  totpNeeded: code(100302, 403, 'code needed', 'ProofNeeded', 'AuthenticationError'),
  totpWrong: code(100303, 403, 'code wrong', 'ProofNeeded', 'AuthenticationError'),
  totpActive: code(100304, 409, 'two-factor authentication active', 'Conflict', 'BadRequest'),
  totpInactive: code(100305, 409, 'two-factor authentication inactive', 'Conflict', 'BadRequest'),
  emailCodeNeeded: code(100306, 403, 'e-mail code needed', 'ProofNeeded', 'AuthenticationError'),
  emailCodeWrong: code(100307, 403, 'e-mail code wrong', 'ProofNeeded', 'AuthenticationError'),
  tooManyAttempts: code(100308, 429, 'too many attempts', 'RateLimited', 'RateLimitExceeded'),
  tooManyCodes: code(100309, 429, 'too many codes', 'RateLimited', 'RateLimitExceeded'),
  crossOrigin: code(100310, 403, 'cross-origin request', 'Forbidden', 'PermissionDenied'),
  stepUpNeeded: code(100311, 403, 'step-up needed', 'ProofNeeded', 'AuthenticationError'),
  faucetUsed: code(100312, 409, 'faucet used', 'Conflict', 'RateLimitExceeded'),
  loginNotRecent: code(100313, 403, 'login not recent', 'ProofNeeded', 'PermissionDenied'),

  unauthorized: code(100401, 401, 'unauthorized', 'Unauthorized', 'AuthenticationError'),
  timestampOutside: code(
    100402,
    401,
    'timestamp outside the window',
    'Unauthorized',
    'InvalidNonce',
  ),
  forbidden: code(100403, 403, 'forbidden', 'Forbidden', 'PermissionDenied'),
  notFound: code(100404, 404, 'not found', 'InvalidRequest', 'BadRequest'),
  signatureUsed: code(100405, 409, 'signature already used', 'Conflict', 'InvalidNonce'),
  methodNotAllowed: code(100406, 405, 'method not allowed', 'InvalidRequest', 'BadRequest'),
  idempotencyKeyReused: code(100409, 409, 'conflict', 'Conflict', 'DuplicateOrderId'),
  bodyTooLarge: code(100413, 413, 'body too large', 'InvalidRequest', 'BadRequest'),
  notJson: code(100415, 415, 'unsupported media type', 'InvalidRequest', 'BadRequest'),
  upgradeNeeded: code(100426, 426, 'upgrade needed', 'InvalidRequest', 'BadRequest'),
  rateLimited: code(100429, 429, 'too many requests', 'RateLimited', 'RateLimitExceeded'),
  internal: code(100500, 500, 'internal error', 'ServerFailure', 'ExchangeError'),
  unavailable: code(100503, 503, 'service unavailable', 'Unavailable', 'ExchangeNotAvailable'),
  outcomeUnknown: code(100504, 503, 'outcome unknown', 'ServerFailure', 'RequestTimeout'),

  resumeTooOld: code(100601, 400, 'resume too old', 'ResumeTooOld', 'BadRequest'),
  tooManyChannels: code(100602, 400, 'too many channels', 'LimitReached', 'RateLimitExceeded'),
  tooManyConnections: code(100603, 429, 'too many connections', 'RateLimited', 'RateLimitExceeded'),
  truncationRejected: code(100701, 409, 'truncation refused', 'Conflict', 'OperationRejected'),
  notCluster: code(100702, 409, 'not a cluster', 'Conflict', 'OperationRejected'),
  nodeUnknown: code(100703, 409, 'node unknown', 'Conflict', 'OperationRejected'),
  alreadyLeads: code(100704, 409, 'already leads', 'Conflict', 'OperationRejected'),
  memberUnknown: code(100705, 409, 'member unknown', 'Conflict', 'OperationRejected'),
  nodeRuns: code(100706, 409, 'node runs', 'Conflict', 'OperationRejected'),
  olderNodes: code(100707, 409, 'older nodes', 'Conflict', 'OperationRejected'),
} as const satisfies Record<string, CodeRow>;

export type CodeName = keyof typeof CODES;

/** The `code` on the wire of every legacy error; its number is the `errorCode`. */
export const LEGACY_CODE = '500';

/** True if a number is that of a legacy error of the earn calls, which has HTTP status 200. */
export const isLegacy = (number: number): boolean => number < 100_000;
