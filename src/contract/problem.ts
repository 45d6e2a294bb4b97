// What can be wrong with a request before the core sees it: one table of refusals, and the
// exception that carries one. A Problem is thrown where it is found (reading, signing, limits,
// routing) and caught once, by the gateway, which writes it as the error body of the contract.
// Business refusals are not here: those are values of the core (core/reject.ts). Codes are
// permanent and never reused.
import { isLegacy, LEGACY_MESSAGES, type LegacyBody, legacyBody } from './earn-errors.ts';
import type { JsonNumber } from './json.ts';

export interface ProblemRow {
  /** The `code` on the wire, where it is a string; of the earn area's legacy errors the `errorCode`. */
  readonly code: number;
  readonly http: number;
  /** The `msg` on the wire: a short phrase that never changes. */
  readonly msg: string;
  /** The sentence for a human when nothing more precise is known, with the remedy. */
  readonly text: string;
}

/** The `msg` of every 1002xx. */
const BUSINESS = 'business error';

const row = (code: number, http: number, msg: string, text: string): ProblemRow => ({
  code,
  http,
  msg,
  text,
});

const legacy = (errorCode: number, text: string): ProblemRow =>
  row(errorCode, 200, LEGACY_MESSAGES[errorCode]!, text);

export const PROBLEMS = {
  earnField: legacy(40001, 'A parameter is missing or not valid.'),
  transactionFailed: legacy(
    40008,
    'Saving failed. It was logged; the call may or may not have been carried out.',
  ),
  dependencyFailed: legacy(40019, 'The history could not be read. It was logged; try again later.'),
  invalidField: row(100200, 400, BUSINESS, 'A field is missing or not valid.'),
  invalidBody: row(100200, 400, BUSINESS, 'The request body is not valid JSON.'),
  invalidHeader: row(100200, 400, BUSINESS, 'A request header is not valid.'),
  unknownSymbol: row(
    100201,
    400,
    BUSINESS,
    'No such instrument. GET /spot-api/api/public/v2/instruments lists them.',
  ),
  symbolMismatch: row(
    100202,
    400,
    BUSINESS,
    'symbol and securityId do not correspond. Send one of them, or both of the same instrument.',
  ),
  orderClosed: row(100205, 400, BUSINESS, 'The order is already closed.'),
  offIncrement: row(100208, 400, BUSINESS, 'The value is not a multiple of the increment.'),
  unsupported: row(100210, 400, BUSINESS, 'This value is not supported.'),
  dateWindow: row(100213, 400, BUSINESS, 'The date window must lie within the last 30 days.'),
  credentialsWrong: row(
    100301,
    401,
    'credentials wrong',
    'The e-mail address or the password is wrong.',
  ),
  totpNeeded: row(
    100302,
    403,
    'code needed',
    'Two-factor authentication is active: send googleAuthCode as well.',
  ),
  totpWrong: row(
    100303,
    403,
    'code wrong',
    'The code of the authenticator is not valid, or was used already.',
  ),
  totpActive: row(
    100304,
    409,
    'two-factor authentication active',
    'Two-factor authentication is active already.',
  ),
  totpInactive: row(
    100305,
    409,
    'two-factor authentication inactive',
    'Two-factor authentication is not set up. Enrol first.',
  ),
  emailCodeNeeded: row(
    100306,
    403,
    'e-mail code needed',
    'Send emailAuthCode, the code that comes by e-mail, as well.',
  ),
  emailCodeWrong: row(
    100307,
    403,
    'e-mail code wrong',
    'The e-mail code is wrong, or not valid any more. Check the digits, or ask for a new one.',
  ),
  tooManyAttempts: row(
    100308,
    429,
    'too many attempts',
    'Too many attempts. Try again after the time in Retry-After.',
  ),
  tooManyCodes: row(
    100309,
    429,
    'too many codes',
    'Too many codes were asked for. Ask again after the time in Retry-After.',
  ),
  crossOrigin: row(
    100310,
    403,
    'cross-origin request',
    'A change under the session cookie has to come from a page of this service.',
  ),
  stepUpNeeded: row(
    100311,
    403,
    'step-up needed',
    'Confirm with your authenticator first: POST /user-center/v1/stepUp.',
  ),
  faucetUsed: row(
    100312,
    409,
    'faucet used',
    'The faucet gives each asset once a day (UTC). Come back tomorrow.',
  ),
  loginNotRecent: row(
    100313,
    403,
    'login not recent',
    'Log in again first: this needs a login of the last ten minutes.',
  ),
  headersMissing: row(
    100401,
    401,
    'unauthorized',
    'Sign the request: EXCHANGE-API-KEY, EXCHANGE-API-TIMESTAMP and EXCHANGE-API-SIGN.',
  ),
  signatureInvalid: row(
    100401,
    401,
    'unauthorized',
    'The API key or the signature is not valid. Sign timestamp, METHOD, path, query, body.',
  ),
  sessionInvalid: row(
    100401,
    401,
    'unauthorized',
    'The session or token is missing, expired or not valid. Log in again.',
  ),
  timestampOutside: row(
    100402,
    401,
    'timestamp outside the window',
    'EXCHANGE-API-TIMESTAMP must be within 10 minutes of the server time.',
  ),
  privilegeMissing: row(100403, 403, 'forbidden', 'The API key lacks the privilege for this call.'),
  notOwner: row(100403, 403, 'forbidden', 'The request acts for an account that is not yours.'),
  addressRefused: row(100403, 403, 'forbidden', 'The API key may not be used from this address.'),
  notFound: row(100404, 404, 'not found', 'No such path.'),
  methodNotAllowed: row(
    100406,
    405,
    'method not allowed',
    'This path does not accept this method.',
  ),
  bodyTooLarge: row(100413, 413, 'body too large', 'The request body is too large.'),
  notJson: row(
    100415,
    415,
    'unsupported media type',
    'Send the body as Content-Type: application/json, in UTF-8 and without a Content-Encoding.',
  ),
  rateLimited: row(
    100429,
    429,
    'too many requests',
    'Too many requests. Try again after the time in Retry-After.',
  ),
  upgradeNeeded: row(
    100426,
    426,
    'upgrade needed',
    'This path is a websocket: connect to it with a websocket client.',
  ),
  internal: row(
    100500,
    500,
    'internal error',
    'An internal error occurred. It was logged; a write may or may not have been carried out.',
  ),
  notReady: row(100503, 503, 'service unavailable', 'The service is starting. Try again shortly.'),
  overloaded: row(
    100503,
    503,
    'service unavailable',
    'The service is overloaded and did not accept the request. Try again shortly.',
  ),
  stopping: row(
    100503,
    503,
    'service unavailable',
    'The service is stopping and did not accept the request.',
  ),
  storageFull: row(
    100503,
    503,
    'service unavailable',
    'The service cannot store anything just now and did not carry out the request. Try again later.',
  ),
  historyUnavailable: row(
    100503,
    503,
    'service unavailable',
    'The history cannot be read just now. Try again shortly.',
  ),
  streamLoginNeeded: row(
    100401,
    401,
    'unauthorized',
    'Log in first: {"op":"login","apiKey","timestamp","sign"}, or the three headers on the upgrade request.',
  ),
  resumeTooOld: row(
    100601,
    400,
    'resume too old',
    'What came after this position is too much to be sent again. Subscribe without resumeFrom and take the snapshot.',
  ),
  tooManyChannels: row(
    100602,
    400,
    'too many channels',
    'This connection has as many channels as it may have. Unsubscribe from some, or open another one.',
  ),
  tooManyConnections: row(
    100603,
    429,
    'too many connections',
    'Too many websockets are open from this address. Close some first.',
  ),
  truncationRefused: row(
    100701,
    409,
    'truncation refused',
    'The journal keeps what the archive, the snapshots or the views still need.',
  ),
} as const satisfies Record<string, ProblemRow>;

export type ProblemName = keyof typeof PROBLEMS;

/** A value in `details`: decimals as JsonNumber, so that they are written exactly. */
export type DetailValue = string | number | JsonNumber;

/** What would have been accepted, for a program to act on. */
export interface ProblemDetails {
  readonly field?: string;
  /** The rule that was broken, as one stable word. */
  readonly rule?: string;
  readonly limit?: DetailValue;
  readonly value?: DetailValue;
  /** What `limit` and `value` are measured in: an asset, or what is counted, such as days. */
  readonly unit?: string;
  /** The closest value that would have passed. */
  readonly nearest?: DetailValue;
  /** What `nearest` is measured in: that of its field. */
  readonly nearestUnit?: string;
  /** When the same request would pass, ms from now: over a websocket, what Retry-After is over HTTP. */
  readonly retryAfterMs?: number;
}

export interface ProblemOptions {
  /** Replaces the table's sentence. Shown to the caller: never put a secret in it. */
  readonly userMsg?: string;
  readonly details?: ProblemDetails;
  /** Response headers that belong to the refusal, such as Retry-After or Allow. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** The error body of the contract. */
export interface ErrorBody {
  readonly code: string;
  readonly msg: string;
  readonly userMsg: string;
  readonly details?: ProblemDetails;
}

/** A refusal of the request as such. Thrown at the edge, caught once. */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly kind: ProblemName;
  readonly http: number;
  readonly code: string;
  readonly msg: string;
  readonly userMsg: string;
  readonly details: ProblemDetails | undefined;
  readonly headers: Readonly<Record<string, string>> | undefined;

  constructor(kind: ProblemName, options: ProblemOptions = NO_OPTIONS) {
    const { code, http, msg, text } = PROBLEMS[kind];
    const userMsg = options.userMsg ?? text;
    super(userMsg);
    this.kind = kind;
    this.http = http;
    this.code = String(code);
    this.msg = msg;
    this.userMsg = userMsg;
    this.details = options.details;
    this.headers = options.headers;
  }

  /** The error body, to be written with `stringify`. */
  body(): ErrorBody | LegacyBody {
    const { code, msg, userMsg, details } = this;
    if (isLegacy(Number(code))) return legacyBody(Number(code), userMsg, details);
    return details === undefined ? { code, msg, userMsg } : { code, msg, userMsg, details };
  }
}

const NO_OPTIONS: ProblemOptions = {};

/**
 * A field that breaks a rule. `must` completes the sentence "Invalid field: price. It must …" and
 * has no full stop. `kind` is another row for values that are well formed but refused for their
 * meaning.
 */
export function invalidField(
  field: string,
  must: string,
  details: Omit<ProblemDetails, 'field'>,
  kind: ProblemName = 'invalidField',
): Problem {
  return new Problem(kind, {
    userMsg: `Invalid field: ${field}. It must ${must}.`,
    details: { field, ...details },
  });
}

/** Refusals of a value for its form or meaning, which the earn area answers as its one error of parameters. */
const FIELD_PROBLEMS: readonly ProblemName[] = ['invalidField', 'offIncrement', 'unsupported'];

/**
 * The same refusal as the earn area words it: a field that is missing, malformed or sent twice is
 * 40001. What is wrong with a body as a whole stays as it is.
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
