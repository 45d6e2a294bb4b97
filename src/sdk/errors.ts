// The errors of the SDK: one class for each thing that a program can do about one. A Rejected call
// was not carried out; one with OutcomeUnknown may have been. The classes of the codes are in
// generated/codes.ts.
import { CLASS_NAMES, SETTLING } from './generated/codes.ts';

/** Everything that the SDK throws. */
export class AgioError extends Error {
  override readonly name: string = 'AgioError';
}

/** An argument that cannot be sent; nothing was. */
export class InvalidArgument extends AgioError {
  override readonly name = 'InvalidArgument';
}

/** The details of a rejection. Values are decimals as text, or words. */
export interface RejectionDetails {
  readonly field?: string;
  /** The broken rule as one stable word. */
  readonly rule?: string;
  readonly limit?: string;
  readonly value?: string;
  /** The unit of `limit` and `value`: an asset, or a counted thing such as days. */
  readonly unit?: string;
  /** The nearest accepted value. */
  readonly nearest?: string;
  /** The unit of `nearest`, which is that of its field. */
  readonly nearestUnit?: string;
}

/** A rejection as it was answered. */
export interface RejectionTerms {
  readonly code: number;
  readonly status: number;
  readonly userMsg: string;
  readonly details: RejectionDetails;
  readonly retryAfterMs: number | null;
  readonly requestId: string | null;
}

/** The server rejected this attempt, which changed nothing. `message` is the server's sentence. */
export class Rejection extends AgioError {
  override readonly name: string = 'Rejection';
  /**
   * The permanent code, such as 100208; of an earn call's legacy error its `errorCode`, such as
   * 40002.
   */
  readonly code: number;
  /** The HTTP status; 200 for legacy errors. */
  readonly status: number;
  readonly details: RejectionDetails;
  /** How long to wait, where the server said so. */
  readonly retryAfterMs: number | null;
  /** The id of the request in the server's log. */
  readonly requestId: string | null;

  constructor(rejection: RejectionTerms) {
    super(rejection.userMsg);
    this.code = rejection.code;
    this.status = rejection.status;
    this.details = rejection.details;
    this.retryAfterMs = rejection.retryAfterMs;
    this.requestId = rejection.requestId;
  }

  /**
   * True if this rejection shows that an earlier attempt of the same write, with the same
   * Idempotency-Key and no answer, was not carried out. A code that is newer than this SDK shows
   * nothing.
   */
  get settlesEarlierAttempt(): boolean {
    return SETTLING.has(this.code);
  }
  /** The field that was rejected. */
  get field(): string | undefined {
    return this.details.field;
  }
  /** The nearest accepted value as text. */
  get nearest(): string | undefined {
    return this.details.nearest;
  }
}

/** A field or a call is wrong; the same request will be rejected again. */
export class InvalidRequest extends Rejection {
  override readonly name = 'InvalidRequest';
}
/** The order is too small, or too far from the last price. */
export class InvalidOrder extends Rejection {
  override readonly name = 'InvalidOrder';
}
/** The order does not exist, or is no longer open. */
export class OrderNotFound extends Rejection {
  override readonly name = 'OrderNotFound';
}
/** The available balance is too small. */
export class InsufficientBalance extends Rejection {
  override readonly name = 'InsufficientBalance';
}
/** The instrument does not accept this now. */
export class MarketClosed extends Rejection {
  override readonly name = 'MarketClosed';
}
/** Too many open orders, subscriptions or channels. Close some and try again. */
export class LimitReached extends Rejection {
  override readonly name = 'LimitReached';
}
/** It already exists, or its name is in use for something else. */
export class Conflict extends Rejection {
  override readonly name = 'Conflict';
}
/** The key, signature, password, session or token is not valid. */
export class Unauthorized extends Rejection {
  override readonly name = 'Unauthorized';
}
/** A code from the authenticator or by email is missing or wrong. */
export class ProofNeeded extends Rejection {
  override readonly name = 'ProofNeeded';
}
/** The caller may not do this. */
export class Forbidden extends Rejection {
  override readonly name = 'Forbidden';
}
/** Too many requests; try again after `retryAfterMs`. */
export class RateLimited extends Rejection {
  override readonly name = 'RateLimited';
}
/** The server is starting, stopping or overloaded, and did not accept the call. */
export class Unavailable extends Rejection {
  override readonly name = 'Unavailable';
}
/** A stream cannot resume: too much has happened since that position. */
export class ResumeTooOld extends Rejection {
  override readonly name = 'ResumeTooOld';
}
/** The server failed. A write that fails this way ends in OutcomeUnknown. */
export class ServerFailure extends Rejection {
  override readonly name = 'ServerFailure';
}
/** A rule of earn rejected the call: a legacy error, identified by `errorCode`. */
export class EarnRejection extends Rejection {
  override readonly name = 'EarnRejection';

  /** The number of the list in docs/errors.md, such as 40002. */
  get errorCode(): number {
    return this.code;
  }
}

/**
 * A call that changes nothing had no readable answer, or the deadline passed before the call was
 * sent. Nothing was done. `cause` says why.
 */
export class NotReached extends AgioError {
  override readonly name = 'NotReached';

  constructor(what: string, cause: unknown) {
    super(`${what} had no answer: ${reasonOf(cause)}`, { cause });
  }
}

/**
 * A write had no answer: it may or may not have been carried out. With the same `idempotencyKey`
 * you can send it again safely; if that is null, look first. `cause` is the error of the last
 * attempt.
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

type RejectionClass = new (rejection: RejectionTerms) => Rejection;
type RejectionName = (typeof CLASS_NAMES)[keyof typeof CLASS_NAMES];

const CLASSES: Readonly<Record<RejectionName, RejectionClass>> = {
  InvalidRequest,
  InvalidOrder,
  OrderNotFound,
  InsufficientBalance,
  MarketClosed,
  LimitReached,
  Conflict,
  Unauthorized,
  ProofNeeded,
  Forbidden,
  RateLimited,
  ResumeTooOld,
  ServerFailure,
  Unavailable,
  EarnRejection,
};

/** The class of each code. */
export const ERROR_CLASSES: ReadonlyMap<number, RejectionClass> = new Map(
  Object.entries(CLASS_NAMES).map(([code, name]) => [Number(code), CLASSES[name]]),
);

/** The error of a rejection. A code that is newer than this SDK gets its class by its status. */
export function rejectionBy(rejection: RejectionTerms): Rejection {
  const known = ERROR_CLASSES.get(rejection.code) ?? classOfStatus(rejection.status);
  return new known(rejection);
}

function classOfStatus(status: number): RejectionClass {
  if (status === 401) return Unauthorized;
  if (status === 403) return Forbidden;
  if (status === 409) return Conflict;
  if (status === 429) return RateLimited;
  if (status === 503) return Unavailable;
  if (status >= 500) return ServerFailure;
  return Rejection;
}
