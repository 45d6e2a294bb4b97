// What a call may end in besides its answer: one class for each thing that a program can do about it, and the table from the
// permanent codes (docs/errors.md) to the classes. A Refused was not carried out; an OutcomeUnknown may have been.

/** Everything that the SDK throws. */
export class AgioError extends Error {
  override readonly name: string = 'AgioError';
}

/** An argument that cannot be sent; nothing was. */
export class InvalidArgument extends AgioError {
  override readonly name = 'InvalidArgument';
}

/** What a refusal says besides its sentence. Values are decimals as text, or words. */
export interface RefusalDetails {
  readonly field?: string;
  /** The rule that was broken, as one stable word. */
  readonly rule?: string;
  readonly limit?: string;
  readonly value?: string;
  /** What `limit` and `value` are measured in: an asset, or what is counted, such as days. */
  readonly unit?: string;
  /** The closest value that would have passed. */
  readonly nearest?: string;
  /** What `nearest` is measured in: that of its field. */
  readonly nearestUnit?: string;
}

/** A refusal as it was answered. */
export interface Refusal {
  readonly code: number;
  readonly status: number;
  readonly userMsg: string;
  readonly details: RefusalDetails;
  readonly retryAfterMs: number | null;
  readonly requestId: string | null;
}

/** The server has understood the call and says no; nothing was changed. `message` is its sentence. */
export class Refused extends AgioError {
  override readonly name: string = 'Refused';
  /** The permanent code, such as 100208; of an earn call's legacy error its `errorCode`, such as 40002. */
  readonly code: number;
  /** The HTTP status; 200 for legacy errors. */
  readonly status: number;
  readonly details: RefusalDetails;
  /** How long to wait, where the server said so. */
  readonly retryAfterMs: number | null;
  /** What the server's log calls the request. */
  readonly requestId: string | null;

  constructor(refusal: Refusal) {
    super(refusal.userMsg);
    this.code = refusal.code;
    this.status = refusal.status;
    this.details = refusal.details;
    this.retryAfterMs = refusal.retryAfterMs;
    this.requestId = refusal.requestId;
  }

  /** The field that was refused. */
  get field(): string | undefined {
    return this.details.field;
  }
  /** The closest value that would have passed, as text. */
  get nearest(): string | undefined {
    return this.details.nearest;
  }
}

/** A field or a call that is wrong in itself: sending it again helps nothing. */
export class InvalidRequest extends Refused {
  override readonly name = 'InvalidRequest';
}
/** The order is too small, or too far from the last price. */
export class InvalidOrder extends Refused {
  override readonly name = 'InvalidOrder';
}
/** The order is not there, or not open any more. */
export class OrderNotFound extends Refused {
  override readonly name = 'OrderNotFound';
}
/** The available balance does not cover it. */
export class InsufficientBalance extends Refused {
  override readonly name = 'InsufficientBalance';
}
/** The pair does not accept this now. */
export class MarketClosed extends Refused {
  override readonly name = 'MarketClosed';
}
/** Too many open orders or subscriptions; there is room again when some are gone. */
export class LimitReached extends Refused {
  override readonly name = 'LimitReached';
}
/** It exists already, or its name was used for something else. */
export class Conflict extends Refused {
  override readonly name = 'Conflict';
}
/** The key, signature, password, session or token is not valid. */
export class Unauthorized extends Refused {
  override readonly name = 'Unauthorized';
}
/** A code of the authenticator or by e-mail is needed, or was wrong. */
export class ProofNeeded extends Refused {
  override readonly name = 'ProofNeeded';
}
/** Who is asking may not do this. */
export class Forbidden extends Refused {
  override readonly name = 'Forbidden';
}
/** Too many requests; `retryAfterMs` says when there is room again. */
export class RateLimited extends Refused {
  override readonly name = 'RateLimited';
}
/** The server is starting, stopping or overloaded, and did not accept the call. */
export class Unavailable extends Refused {
  override readonly name = 'Unavailable';
}
/** A stream cannot be taken up where it was left: too much has happened since. */
export class ResumeTooOld extends Refused {
  override readonly name = 'ResumeTooOld';
}
/** The server failed; of a write, see OutcomeUnknown. */
export class ServerFailure extends Refused {
  override readonly name = 'ServerFailure';
}
/** A rule of earn says no: a legacy error of the earn calls, told apart by `errorCode`. */
export class EarnRefused extends Refused {
  override readonly name = 'EarnRefused';

  /** The number of the list in docs/errors.md, such as 40002. */
  get errorCode(): number {
    return this.code;
  }
}

/**
 * A read, or another call that changes nothing, had no answer that can be read; or the time of any call was over before it was
 * sent. Nothing was done. `cause` says why.
 */
export class NotReached extends AgioError {
  override readonly name = 'NotReached';

  constructor(what: string, cause: unknown) {
    super(`${what} had no answer: ${reasonOf(cause)}`, { cause });
  }
}

/**
 * A write had no answer: it may or may not have been carried out. Sent again with the same `idempotencyKey` it is carried
 * out once; where that is null, look before sending it again. `cause` is what ended the last attempt.
 */
export class OutcomeUnknown extends AgioError {
  override readonly name = 'OutcomeUnknown';
  readonly idempotencyKey: string | null;

  constructor(what: string, idempotencyKey: string | null, cause: unknown) {
    super(`${what} may or may not have been carried out: ${reasonOf(cause)}`, { cause });
    this.idempotencyKey = idempotencyKey;
  }
}

export const reasonOf = (cause: unknown): string =>
  cause instanceof Error ? cause.message : String(cause);

type RefusedClass = new (refusal: Refusal) => Refused;

/** Every code of docs/errors.md with what it means. */
const MEANINGS: readonly (readonly [RefusedClass, readonly number[]])[] = [
  [
    InvalidRequest,
    [
      100200, 100201, 100202, 100204, 100208, 100210, 100213, 100220, 100221, 100224, 100404,
      100406, 100413, 100415, 100426,
    ],
  ],
  [InvalidOrder, [100207, 100211]],
  [OrderNotFound, [100203, 100205]],
  [InsufficientBalance, [100206]],
  [MarketClosed, [100209]],
  [LimitReached, [100212, 100225, 100602]],
  [Conflict, [100214, 100222, 100223, 100304, 100305, 100312, 100409, 100701]],
  [Unauthorized, [100301, 100401, 100402, 100405]],
  [ProofNeeded, [100302, 100303, 100306, 100307, 100311, 100313]],
  [Forbidden, [100310, 100403]],
  [RateLimited, [100308, 100309, 100429, 100603]],
  [ResumeTooOld, [100601]],
  [ServerFailure, [100500]],
  [Unavailable, [100503]],
  [
    EarnRefused,
    [
      40000, 40001, 40002, 40003, 40004, 40005, 40006, 40007, 40008, 40009, 40010, 40011, 40012,
      40013, 40014, 40015, 40016, 40017, 40018, 40019, 40020,
    ],
  ],
];

/** The class of each code. */
export const ERROR_CLASSES: ReadonlyMap<number, RefusedClass> = new Map(
  MEANINGS.flatMap(([meaning, codes]) => codes.map((code) => [code, meaning] as const)),
);

/** The error of a refusal; a code that is newer than this SDK is judged by its status. */
export function refusedBy(refusal: Refusal): Refused {
  const meaning = ERROR_CLASSES.get(refusal.code) ?? meaningOf(refusal.status);
  return new meaning(refusal);
}

function meaningOf(status: number): RefusedClass {
  if (status === 401) return Unauthorized;
  if (status === 403) return Forbidden;
  if (status === 409) return Conflict;
  if (status === 429) return RateLimited;
  if (status === 503) return Unavailable;
  if (status >= 500) return ServerFailure;
  return Refused;
}

/** Codes that programs branch on where the class is not enough. */
export const Code = {
  orderClosed: 100205,
  timestampOutside: 100402,
  signatureUsed: 100405,
  rateLimited: 100429,
  internal: 100500,
  unavailable: 100503,
  tooManyConnections: 100603,
  transactionFailed: 40008,
} as const;
