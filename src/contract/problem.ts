// A rejection of a request as such. A Problem is thrown where the fault is found (reading, signing,
// limits, routing); the gateway catches it once and writes the error body of the contract.
// Rejections of the core are values (core/reject.ts).
import { isLegacy, LEGACY_CODE } from './codes.ts';
import type { JsonNumber } from './json.ts';
import { type ProblemName, REJECTIONS, type Rejection } from './rejections.ts';

export type { ProblemName };

/** A value in `details`: decimals as JsonNumber, so that they are written exactly. */
export type DetailValue = string | number | JsonNumber;

/** The broken rule and the accepted values, for programs. */
export interface ProblemDetails {
  readonly field?: string;
  /** The broken rule as one stable word. */
  readonly rule?: string;
  readonly limit?: DetailValue;
  readonly value?: DetailValue;
  /** The unit of `limit` and `value`: an asset, or a counted thing such as days. */
  readonly unit?: string;
  /** The nearest accepted value. */
  readonly nearest?: DetailValue;
  /** The unit of `nearest`, which is that of its field. */
  readonly nearestUnit?: string;
  /** Why the server is not ready, or why a session ended, as one stable word. */
  readonly reason?: string;
  /** When the same request may pass, ms from now: the Retry-After of websockets. */
  readonly retryAfterMs?: number;
}

interface ProblemOptions {
  /** Replaces the table's sentence. Shown to the caller: never put a secret in it. */
  readonly userMsg?: string;
  readonly details?: ProblemDetails;
  /** Values for the field of `details` that satisfy its rule, the nearest first. */
  readonly nearby?: readonly DetailValue[];
  /** Response headers that belong to the rejection, such as Retry-After or Allow. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** The error body of the contract. */
export interface ErrorBody {
  readonly code: string;
  readonly msg: string;
  readonly userMsg: string;
  readonly details?: ProblemDetails;
}

/** A legacy error of the earn calls. `errorCode` and what follows it are our additions. */
export interface LegacyBody {
  readonly code: typeof LEGACY_CODE;
  readonly msg: string;
  readonly data: null;
  /** The number of the list, for programs to branch on. */
  readonly errorCode: number;
  readonly userMsg: string;
  readonly details?: ProblemDetails;
}

/** The body of a rejection, to be written with `stringify`. */
export function errorBody(
  { code, msg }: Pick<Rejection, 'code' | 'msg'>,
  userMsg: string,
  details: ProblemDetails | undefined,
): ErrorBody | LegacyBody {
  const more = details === undefined ? {} : { details };
  return isLegacy(code)
    ? { code: LEGACY_CODE, msg, data: null, errorCode: code, userMsg, ...more }
    : { code: String(code), msg, userMsg, ...more };
}

/** A rejection of the request as such. Thrown at the edge, caught once. */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly kind: ProblemName;
  readonly http: number;
  readonly code: string;
  readonly msg: string;
  readonly userMsg: string;
  readonly details: ProblemDetails | undefined;
  readonly nearby: readonly DetailValue[];
  readonly headers: Readonly<Record<string, string>> | undefined;

  constructor(kind: ProblemName, options: ProblemOptions = NO_OPTIONS) {
    const { code, http, msg, text } = REJECTIONS[kind];
    const userMsg = options.userMsg ?? text;
    super(userMsg);
    this.kind = kind;
    this.http = http;
    this.code = String(code);
    this.msg = msg;
    this.userMsg = userMsg;
    this.details = options.details;
    const nearest = options.details?.nearest;
    this.nearby = options.nearby ?? (nearest === undefined ? [] : [nearest]);
    this.headers = options.headers;
  }

  withNearest(nearest: DetailValue): Problem {
    const { kind, userMsg } = this;
    return new Problem(kind, { userMsg, details: { ...this.details, nearest } });
  }

  /** The same without a nearest value. `why` is a sentence. */
  withoutNearest(why: string | null = null): Problem {
    const { nearest: _value, nearestUnit: _unit, ...details } = this.details ?? {};
    const userMsg = why === null ? this.userMsg : `${this.userMsg} ${why}`;
    return new Problem(this.kind, { userMsg, details });
  }

  /** The error body, to be written with `stringify`. */
  body(): ErrorBody | LegacyBody {
    return errorBody(REJECTIONS[this.kind], this.userMsg, this.details);
  }
}

const NO_OPTIONS: ProblemOptions = {};

/** The sentence in place of a nearest value, if the bounded search found none. */
export const NO_NEARBY_VALUE = 'With the other fields as sent, no nearby value was found.';

/**
 * A field that breaks a rule. `must` completes the sentence "Invalid field: price. It must …" and
 * has no full stop. `kind` is another row for values that are well formed but rejected for their
 * meaning.
 */
export function invalidField(
  field: string,
  must: string,
  details: Omit<ProblemDetails, 'field'>,
  kind: ProblemName = 'invalidField',
  nearby?: readonly DetailValue[],
): Problem {
  return new Problem(kind, {
    userMsg: `Invalid field: ${field}. It must ${must}.`,
    details: { field, ...details },
    ...(nearby === undefined ? {} : { nearby }),
  });
}

/** Rejections of a value for its form or meaning: for the earn calls one error of parameters. */
const FIELD_PROBLEMS: readonly ProblemName[] = ['invalidField', 'offIncrement', 'unsupported'];

/**
 * The rejection for an earn call: 40001 for a field that is missing, malformed or sent twice. A
 * fault of the whole body keeps its code.
 */
export function asEarnProblem(problem: Problem): Problem {
  const { kind, userMsg, details } = problem;
  const ofField = FIELD_PROBLEMS.includes(kind) && details?.field !== 'body';
  const sentTwice = kind === 'invalidBody' && details?.rule === 'uniqueKeys';
  if (!ofField && !sentTwice) return problem;
  return new Problem('earnField', details === undefined ? { userMsg } : { userMsg, details });
}

/** A market buy with both a quantity and a budget; this wording is part of the contract. */
export function marketBuyWithBothQuantities(): Problem {
  return new Problem('invalidField', {
    userMsg: 'Invalid field for market buy order: orderQty. Send it or quoteOrderQty, never both.',
    details: { field: 'orderQty', rule: 'exclusive' },
  });
}
