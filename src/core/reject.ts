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
    'The account is suspended. Open orders may be canceled; ask the operator.',
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
