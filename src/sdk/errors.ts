// The errors of the SDK: one class for each thing that a program can do about one. A rejected call
// was not carried out; one with OutcomeUnknown may have been. The classes of the rejections are in
// generated/rejections.ts.
import { SETTLING } from './generated/codes.ts';

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
  /** Why a session ended, or why the server is not ready, as one stable word. */
  readonly reason?: string;
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
