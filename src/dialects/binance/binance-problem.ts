// Rejections in Binance's words: its code, its message, and agio's own rejection, which says what
// would be accepted.
import { type JsonOut, stringify } from '../../contract/json.ts';
import { Problem } from '../../contract/problem.ts';
import { answerOfReject } from '../../contract/reject-problem.ts';
import type { RejectionName } from '../../contract/rejections.ts';
import type { Reject } from '../../core/reject.ts';
import type { State } from '../../core/state.ts';

interface ProblemOptions {
  readonly status?: number;
  readonly userMsg?: string;
  /** The `data` of an error whose request was partly executed. */
  readonly data?: JsonOut;
  /** agio's own body, where it has one. */
  readonly agio?: JsonOut;
}

/** A rejection that Binance has and agio's contract does not. */
export class BinanceProblem extends Problem {
  readonly number: number;
  readonly words: string;
  readonly status: number;
  readonly data: JsonOut;
  /** agio's own sentence and details. */
  readonly agio: JsonOut;

  constructor(number: number, words: string, options: ProblemOptions = {}) {
    const { userMsg = '' } = options;
    super('invalidField', { userMsg });
    this.number = number;
    this.words = words;
    this.status = options.status ?? 400;
    this.data = options.data;
    this.agio = options.agio ?? (userMsg === '' ? undefined : { userMsg });
  }
}

/** A rejection as it is sent. */
export interface Failure {
  readonly status: number;
  readonly code: number;
  readonly msg: string;
  readonly headers: Readonly<Record<string, string>> | undefined;
  /** agio's code and sentence. */
  readonly agio: JsonOut;
  readonly data: JsonOut;
}

type Words = readonly [code: number, words: string, status?: number];

const NEW_ORDER = -2010;
const closed: Words = [-1013, 'Market is closed.'];
const unauthorized: Words = [-2015, 'Invalid API-key, IP, or permissions for action.', 401];
const unavailable: Words = [
  -1001,
  'Internal error; unable to process your request. Please try again.',
  503,
];
const unknownStatus: Words = [
  -1006,
  'An unexpected response was received from the message bus. Execution status unknown.',
  503,
];
const filter = (name: string): Words => [-1013, `Filter failure: ${name}`];
const missing = (field: string): Words => [
  -1102,
  `Mandatory parameter '${field}' was not sent, was empty/null, or malformed.`,
];
const tooMany: Words = [-1003, 'Too many requests.', 429];
const badSignature: Words = [-1022, 'Signature for this request is not valid.'];
const badTime: Words = [-1021, 'Timestamp for this request is outside of the recvWindow.'];
const badSymbol: Words = [-1121, 'Invalid symbol.'];
const unknownOrder: Words = [-2011, 'Unknown order sent.'];
const disabled: Words = [NEW_ORDER, 'This action is disabled on this account.'];

/** By the name of agio's rejection, unless its field says more. */
const WORDS: Partial<Record<RejectionName, Words>> = {
  rateLimited: tooMany,
  tooManyAttempts: tooMany,
  tooManyConnections: [-1034, 'Too many concurrent connections.', 429],
  tooManyChannels: [-1003, 'Too many streams.', 429],
  headersMissing: [-2014, 'API-key format invalid.', 401],
  // An unknown key has the same answer, so that nobody learns which keys exist.
  signatureInvalid: badSignature,
  signatureUsed: badSignature,
  signatureTooOld: badTime,
  timestampOutside: badTime,
  privilegeMissing: unauthorized,
  addressRejected: unauthorized,
  streamLoginNeeded: unauthorized,
  unknownSymbol: badSymbol,
  instrumentUnknown: badSymbol,
  insufficientBalance: [NEW_ORDER, 'Account has insufficient balance for requested action.'],
  clOrdIdDuplicate: [NEW_ORDER, 'Duplicate order sent.'],
  wouldTrigger: [NEW_ORDER, 'Stop price would trigger immediately.'],
  exitReached: [NEW_ORDER, 'The relationship of the prices for the orders is not correct.'],
  wouldMatch: [NEW_ORDER, 'Order would immediately match and take.'],
  userSuspended: disabled,
  userUnknown: disabled,
  instrumentClosed: closed,
  priceOutsideBand: filter('PERCENT_PRICE_BY_SIDE'),
  tooManyOpenOrders: filter('EXCHANGE_MAX_NUM_ORDERS'),
  noLastPrice: missing('stopPrice'),
  displayTooSmall: filter('ICEBERG_PARTS'),
  exitsTooSmall: filter('LOT_SIZE'),
  belowFilled: [-2038, 'The requested action would change no state; rejecting.'],
  notAmendable: [-2038, 'The order cannot be amended.'],
  orderUnknown: unknownOrder,
  orderMismatch: unknownOrder,
  orderClosed: unknownOrder,
  notFound: [-1020, 'This operation is not supported.', 404],
  methodNotAllowed: [-1020, 'This operation is not supported.', 405],
  bodyTooLarge: [-1101, 'Too many parameters sent for this endpoint.', 413],
  overloaded: [
    -1008,
    'Server is currently overloaded with other requests. Please try again in a few minutes.',
    503,
  ],
  outcomeUnknown: unknownStatus,
  internal: [-1000, 'An unknown error occurred while processing the request.', 500],
  notReady: unavailable,
  stopping: unavailable,
  noLeader: unavailable,
  storageFull: unavailable,
  historyUnavailable: unavailable,
};

/** Clients compare these texts, so nothing is added to them. */
const isExact = ([code, words]: Words): boolean => code <= NEW_ORDER || words === closed[1];

const PRICES: ReadonlySet<string> = new Set(['price', 'stopPx', 'stopLimitPx', 'stopPrice']);

/** Where the field or the rule decides. */
function wordsOf(name: RejectionName, field: string, rule: string): Words {
  const isPrice = PRICES.has(field) || field.endsWith('Price') || field.startsWith('bracket');
  switch (name) {
    case 'offIncrement':
      if (field !== 'quoteOrderQty') return filter(isPrice ? 'PRICE_FILTER' : 'LOT_SIZE');
      return [-1111, `Parameter '${field}' has too much precision.`];
    case 'belowMinimum':
      return filter(rule === 'baseAssetMinOrderSize' ? 'LOT_SIZE' : 'NOTIONAL');
    case 'aboveMaximum':
      return filter(isPrice ? 'PRICE_FILTER' : 'LOT_SIZE');
    case 'preventionRequired':
      return [-1102, "Parameter 'selfTradePreventionMode' must prevent self-trades."];
    case 'dateWindow':
      return [-1127, 'The window of startTime and endTime is not valid.'];
    default:
      return WORDS[name] ?? ofField(field, rule);
  }
}

/** A parameter that could not be read. */
function ofField(field: string, rule: string): Words {
  if (rule === 'required') return missing(field);
  if (field === 'recvWindow' && rule === 'maximum') {
    return [-1131, 'recvWindow must be less than 60000.'];
  }
  if (rule === 'oneOf') {
    return ENUMS[field] ?? [-1130, `Data sent for parameter '${field}' is not valid.`];
  }
  if (rule === 'aboveZero') return [-1013, `Invalid ${field}.`];
  if (rule === 'absent') return [-1106, `Parameter '${field}' sent when not required.`];
  const isBound = rule === 'minimum' || rule === 'maximum';
  if (isBound && field.toLowerCase().endsWith('trailingdelta')) return filter('TRAILING_DELTA');
  return [-1100, `Illegal characters found in parameter '${field}'.`];
}

const ENUMS: Readonly<Record<string, Words>> = {
  side: [-1117, 'Invalid side.'],
  type: [-1116, 'Invalid orderType.'],
  timeInForce: [-1115, 'Invalid timeInForce.'],
  interval: [-1120, 'Invalid interval.'],
};

export function failureOf(problem: Problem): Failure {
  const { kind, userMsg, details, headers, http } = problem;
  const own = problem instanceof BinanceProblem ? problem : null;
  const words: Words =
    own === null
      ? wordsOf(kind, details?.field ?? '', details?.rule ?? '')
      : [own.number, own.words, own.status];
  const [code, text, status = http >= 500 ? http : 400] = words;
  const isWhole = isExact(words) || userMsg === '';
  const msg = isWhole ? text : `${text}${text.endsWith('.') ? '' : '.'} ${userMsg}`;
  const agio = own === null ? problem.body() : own.agio;
  return { status, code, msg, headers, agio, data: own?.data };
}

/** Throws the rejection of the core as a Problem. */
export function throwReject(state: State, reject: Reject): never {
  const { http, body } = answerOfReject(state, reject);
  const { userMsg } = body;
  const own = wordsOf(reject.name, reject.field ?? '', reject.rule ?? '');
  const [code, words, status = http >= 500 ? http : 400] = own;
  throw new BinanceProblem(code, words, { status, userMsg, agio: body });
}

/** The body of an error. */
export const failureBody = ({ code, msg, data, agio }: Failure): string =>
  stringify({ code, msg, data, agio });
