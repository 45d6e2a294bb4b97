// The errors of calls and their sentences. A rejection has the sentence of the server; without an
// answer, it is open whether a write was carried out.
import {
  AgioError,
  NotReached,
  OutcomeUnknown,
  Rejection,
  type RejectionDetails,
} from '../../src/sdk/errors.ts';
import { Code } from '../../src/sdk/index.ts';
import { grouped, percent } from '../exact/format.ts';
import { common as t } from '../messages/common.ts';

export { Code, Rejection };

/** There was no answer, because of the network or a server that starts or stops. */
export const isNotReached = (error: unknown): error is NotReached | OutcomeUnknown =>
  error instanceof NotReached || error instanceof OutcomeUnknown;

/** Something answered, but not as the exchange does: a failing server or proxy. */
export const isUnreadable = (error: unknown): boolean =>
  isNotReached(error) && error.cause instanceof AgioError;

/**
 * A rejection that leaves open whether an earlier, unanswered attempt of the same write was carried
 * out.
 */
export const leavesOpen = (error: unknown): boolean =>
  error instanceof Rejection && !error.settlesEarlierAttempt;

/** An error that the page itself found. Its message is a sentence for the user. */
export class UserError extends Error {
  override readonly name = 'UserError';
}

/** True if the session has ended, so that the user must log in again. */
export const isLoggedOut = (error: unknown): boolean =>
  error instanceof Rejection && error.status === 401 && error.code === Code.unauthorized;

/** Why the session ended, as one stable word. */
export const endReasonOf = (error: unknown): string =>
  (error instanceof Rejection ? error.details.reason : undefined) ?? 'expired';

export const hasCode = (error: unknown, code: number): error is Rejection =>
  error instanceof Rejection && error.code === code;

/** A failed write as a sentence. `percents` are the fields that are rates. */
export function sentenceOf(error: unknown, percents: readonly string[] = []): string {
  if (error instanceof Rejection) return inPercent(plain(error.message), error.details, percents);
  if (error instanceof UserError) return plain(error.message);
  if (isNotReached(error)) return t.outcomeUnknown;
  return t.writeFailed;
}

/** A failed read as a sentence. */
export function readingSentence(error: unknown): string {
  if (isUnreadable(error)) return t.unreadable;
  if (isNotReached(error)) return t.unreachable;
  if (error instanceof Rejection || error instanceof UserError) return plain(error.message);
  return t.readFailed;
}

/** Ids are chosen by the page, not typed by the user. */
const isIdentifier = (field: string): boolean => /(^id|Id)$/.test(field);

/** minLockDay → the min lock day. */
const inWords = (field: string): string =>
  t.fields.other(
    field.replace(/.*\./, '').replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`),
  );

/** A sentence that is complete without a field. */
const SAYS_ALL = /^Insufficient balance:/;

/** Invalid field: orderQty. It must be … → Check the quantity. It must be … */
export function plain(sentence: string): string {
  const match = /^Invalid field: ([A-Za-z.]+)\.\s*/.exec(sentence);
  if (match === null) return sentence;
  const [lead, field = ''] = match;
  const rest = sentence.slice(lead.length);
  if (isIdentifier(field) || SAYS_ALL.test(rest)) return rest;
  return `${t.fields.check(t.fields.labels[field] ?? inWords(field))} ${rest}`;
}

/** The sentence with the bounds and values of a rate in percent. */
export function inPercent(
  sentence: string,
  { field = '', limit, value, nearest }: RejectionDetails,
  percents: readonly string[],
): string {
  if (!percents.includes(field)) return sentence;
  const rates = new Set([limit, value, nearest]);
  return sentence.replace(/(?<![\d.])\d+(\.\d+)?(?![\d.]*\d|%)/g, (number) =>
    rates.has(number) ? percent(number) : number,
  );
}

const DECIMAL = /^\d+(\.\d+)?$/;

/** The nearest accepted value: 0.9 BTC, 5.00%. `percents` are the fields that are rates. */
export function nearestText(
  { nearest = '', nearestUnit, field = '' }: RejectionDetails,
  percents: readonly string[] = [],
): string {
  if (!DECIMAL.test(nearest)) return nearest;
  if (percents.includes(field)) return percent(nearest);
  return nearestUnit === undefined ? grouped(nearest) : `${grouped(nearest)} ${nearestUnit}`;
}
