// Every business refusal, as one table in order of precedence: when several apply, the first one here is
// the answer. A reject is a value, never thrown. Numbers are permanent and never reused; docs/errors.md
// is generated from this table.
import { OrdRejReason } from './fix.ts';
import type { Amount } from './units.ts';

export interface RejectRow {
  /** The `code` on the wire. */
  readonly code: number;
  /** The HTTP status that carries it. */
  readonly http: number;
  /** Whether the same request may succeed later without a change. */
  readonly transient: boolean;
  /** FIX OrdRejReason (103) of the same cause. */
  readonly fix: OrdRejReason;
  /** The ccxt error class that the ccxt adapter raises. */
  readonly ccxt: string;
  /** The sentence for a human, with the remedy. */
  readonly text: string;
}

const row = (
  code: number,
  http: number,
  transient: boolean,
  fix: OrdRejReason,
  ccxt: string,
  text: string,
): RejectRow => ({ code, http, transient, fix, ccxt, text });

const { other, unknownSymbol, exchangeClosed, incorrectQuantity, priceBand, exceedsLimit } =
  OrdRejReason;

export const REJECTS = {
  signatureUsed: row(
    100405,
    401,
    false,
    other,
    'InvalidNonce',
    'This signature was already used. Sign each write anew, with a current timestamp.',
  ),
  signatureTooOld: row(
    100402,
    401,
    false,
    other,
    'InvalidNonce',
    'The timestamp is older than the signatures that are still remembered for this busy key. Sign with a current timestamp.',
  ),
  idempotencyKeyReused: row(
    100409,
    409,
    false,
    other,
    'DuplicateOrderId',
    'This Idempotency-Key was already used with another request. Use a new key for a new request.',
  ),
  userUnknown: row(100220, 400, false, other, 'BadRequest', 'No such user.'),
  userSuspended: row(
    100403,
    403,
    true,
    other,
    'AccountSuspended',
    'The account is suspended: it can be read and changes nothing. Ask the operator.',
  ),
  assetUnknown: row(100221, 400, false, other, 'BadSymbol', 'No such asset.'),
  instrumentUnknown: row(
    100201,
    400,
    false,
    unknownSymbol,
    'BadSymbol',
    'No such instrument. GET /spot-api/api/public/v2/instruments lists them.',
  ),
  alreadyExists: row(100222, 409, false, other, 'BadRequest', 'It exists already.'),
  invalidTerms: row(100200, 400, false, other, 'BadRequest', 'The terms are not valid.'),
  referenceReused: row(
    100223,
    409,
    false,
    other,
    'BadRequest',
    'This reference was already used for another transfer. A reference names one transfer for ever.',
  ),
  orderUnknown: row(100203, 400, false, other, 'OrderNotFound', 'No such order of this account.'),
  orderMismatch: row(
    100204,
    400,
    false,
    other,
    'BadRequest',
    'orderId and origClOrdId name different orders.',
  ),
  instrumentClosed: row(
    100209,
    400,
    true,
    exchangeClosed,
    'MarketClosed',
    'The instrument does not accept this now.',
  ),
  belowMinimum: row(
    100207,
    400,
    false,
    incorrectQuantity,
    'InvalidOrder',
    'The order is below the minimum size.',
  ),
  aboveMaximum: row(
    100200,
    400,
    false,
    exceedsLimit,
    'InvalidOrder',
    'The order is above the largest that can be represented.',
  ),
  priceOutsideBand: row(
    100211,
    400,
    true,
    priceBand,
    'InvalidOrder',
    'The price is too far from the last price.',
  ),
  clOrdIdDuplicate: row(
    100214,
    400,
    false,
    OrdRejReason.duplicateOrder,
    'DuplicateOrderId',
    'An open order already has this clOrdId, and the key is in strict mode.',
  ),
  tooManyOpenOrders: row(
    100212,
    400,
    true,
    exceedsLimit,
    'InvalidOrder',
    'Too many open orders. Cancel some first.',
  ),
  planUnknown: row(
    40000,
    200,
    false,
    other,
    'BadRequest',
    'No such plan or subscription, or the plan is closed. GET /earn-api/v1/user/plan/list lists the plans.',
  ),
  earnParameter: row(
    40001,
    200,
    false,
    other,
    'BadRequest',
    'A parameter is missing or not valid.',
  ),
  notOwnSubscription: row(
    40005,
    200,
    false,
    other,
    'PermissionDenied',
    'The subscription belongs to another account.',
  ),
  addFundsFlexibleOnly: row(
    40006,
    200,
    false,
    other,
    'BadRequest',
    'Only flexible plans take more funds. Apply again for a subscription of its own.',
  ),
  subscriptionNotHeld: row(
    40007,
    200,
    false,
    other,
    'BadRequest',
    'The subscription is not held any more. Apply without applyId for a new one.',
  ),
  boosterAmount: row(
    40017,
    200,
    false,
    other,
    'BadRequest',
    'The booster amount must be above zero.',
  ),
  boosterPlanType: row(40012, 200, false, other, 'BadRequest', 'Flexible plans have no booster.'),
  boosterUnsupported: row(40014, 200, false, other, 'BadRequest', 'This plan has no booster.'),
  kycRequired: row(
    40011,
    200,
    true,
    other,
    'PermissionDenied',
    'This plan is for verified customers. Complete the identity verification.',
  ),
  belowUserMinimum: row(
    40002,
    200,
    false,
    other,
    'BadRequest',
    'Below the least that one customer must have in this plan.',
  ),
  aboveUserMaximum: row(
    40003,
    200,
    false,
    other,
    'BadRequest',
    'Above the most that one customer may have in this plan.',
  ),
  lockTooShort: row(
    40015,
    200,
    false,
    other,
    'BadRequest',
    'The term is shorter than the plan allows.',
  ),
  lockTooLong: row(
    40016,
    200,
    false,
    other,
    'BadRequest',
    'The term is longer than the plan allows.',
  ),
  poolFull: row(
    40004,
    200,
    true,
    other,
    'BadRequest',
    'The plan has no room left for this amount.',
  ),
  earnBalance: row(
    40020,
    200,
    true,
    other,
    'InsufficientFunds',
    'The available balance does not cover this.',
  ),
  earlyRedemption: row(
    40018,
    200,
    false,
    other,
    'BadRequest',
    'This plan cannot be redeemed before its end.',
  ),
  redeemAboveAmount: row(40010, 200, false, other, 'BadRequest', 'More than the subscription has.'),
  partialRedemption: row(
    40013,
    200,
    false,
    other,
    'BadRequest',
    'Before its end this subscription can only be redeemed whole.',
  ),
  interestUnpayable: row(
    40009,
    200,
    true,
    other,
    'ExchangeNotAvailable',
    'The interest cannot be paid until the plan’s reserve is funded. It stays owed to you.',
  ),
  tooManySubscriptions: row(
    100225,
    400,
    true,
    exceedsLimit,
    'BadRequest',
    'Too many subscriptions, or redemptions of one that are on their way. Wait for some to end.',
  ),
  enterpriseUnknown: row(100224, 400, false, other, 'BadRequest', 'No such enterprise.'),
  notEnterpriseAdmin: row(
    100403,
    403,
    false,
    other,
    'PermissionDenied',
    'Only an admin of an enterprise may do this.',
  ),
  insufficientBalance: row(
    100206,
    400,
    true,
    OrdRejReason.insufficientBalance,
    'InsufficientFunds',
    'The available balance does not cover this.',
  ),
} as const satisfies Record<string, RejectRow>;

export type RejectName = keyof typeof REJECTS;

/** What a bound is measured in, so that the edge can write it as a decimal. */
export type Measure =
  | { readonly unit: 'ticks'; readonly securityId: number; readonly n: number }
  | { readonly unit: 'lots'; readonly securityId: number; readonly n: number }
  | { readonly unit: 'amount'; readonly assetId: number; readonly n: Amount }
  /** An annual rate in 10^-8. */
  | { readonly unit: 'rate'; readonly n: number }
  | { readonly unit: 'count'; readonly n: number };

/** A business no, with its remedy: the field, the bound, what was sent and the nearest that would pass. */
export interface Reject {
  readonly name: RejectName;
  readonly field: string | null;
  /** The rule that was broken, in a few words (`minQuantity`, `available`). */
  readonly rule: string | null;
  readonly limit: Measure | null;
  readonly value: Measure | null;
  readonly nearest: Measure | null;
}

/** A reject without a bound. */
export function rejectPlain(name: RejectName, field: string | null = null): Reject {
  return { name, field, rule: null, limit: null, value: null, nearest: null };
}

/** A reject that says what was broken, by what, and what would have passed. */
export function rejectBound(
  name: RejectName,
  field: string | null,
  rule: string,
  measures: Pick<Reject, 'limit' | 'value' | 'nearest'>,
): Reject {
  return { name, field, rule, ...measures };
}
