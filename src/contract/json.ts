// JSON values as agio holds them, and the writer of every answer. Decimals are kept as their exact
// text (JsonNumber), because a double would change them. The writer accepts integers and
// JsonNumbers only: a fraction in a double is a programming error and stops the answer.
//
// The text is built directly. Measured for an execution report with 5 decimals and for a book of 40
// levels, this is 1.5 to 2 times as fast as JSON.stringify over JSON.rawJSON values.
import type { Increment } from '../core/instrument.ts';
import { type Amount, amount, RATE_DECIMALS } from '../core/units.ts';
import { formatSteps, formatUnits } from './decimal.ts';

/** A JSON number as its exact source text. From a request, it may have any form (1e3, 1.50). */
export class JsonNumber {
  constructor(readonly source: string) {}
}

/** An object of an answer that is written already; `W` is the type of the object. */
export class JsonText<W = unknown> {
  /** Never set; it carries the type. */
  declare readonly object: W;

  constructor(readonly source: string) {}
}

/** A value of a request body. Objects are plain, with own keys only. */
export type JsonValue = null | boolean | string | JsonNumber | JsonValue[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

/**
 * A value of an answer. `object` admits interfaces, which have no index signature; each member
 * is checked when it is written.
 */
export type JsonOut =
  | null
  | undefined
  | boolean
  | string
  | number
  | JsonNumber
  | readonly JsonOut[]
  | object;

/** Money of an asset with `decimals` decimals, as a JSON number: no exponent, no trailing zeros. */
export function jsonUnits(value: Amount, decimals: number): JsonNumber {
  return new JsonNumber(formatUnits(value, decimals));
}

/** A rate in 10^-8, such as an annual rate or a fee. */
export const jsonRate = (rate: number): JsonNumber => jsonUnits(amount(rate), RATE_DECIMALS);

/** The same rate as a percentage. */
export const jsonPercent = (rate: number): JsonNumber => jsonUnits(amount(rate), RATE_DECIMALS - 2);

/** A price or quantity in steps of an increment, as a JSON number. */
export function jsonSteps(steps: number | Amount, increment: Increment): JsonNumber {
  return new JsonNumber(formatSteps(steps, increment));
}

/**
 * JSON text of an answer. Members that are undefined are left out.
 * Throws TypeError for what has no exact JSON form: fractions and unsafe integers in a double,
 * bigints, functions, class instances.
 */
export function stringify(value: JsonOut): string {
  switch (typeof value) {
    case 'string':
      return PLAIN.test(value) ? `"${value}"` : JSON.stringify(value);
    case 'number':
      return writeInteger(value);
    case 'boolean':
      return value ? 'true' : 'false';
    case 'object':
      if (value === null) return 'null';
      if (value instanceof JsonNumber) return value.source;
      return Array.isArray(value) ? writeArray(value) : writeObject(value);
    default:
      throw new TypeError(`An answer cannot hold a ${typeof value}.`);
  }
}

/** Text that needs no escape: printable ASCII without quote and backslash. Nearly every text is. */
const PLAIN = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/;

/** Keys as they are written, `"price":`. They are our own field names, so they are few. */
const writtenKeys = new Map<string, string>();
/** Objects keyed by data (assets, symbols) must not grow the cache without bound. */
const MAX_WRITTEN_KEYS = 1000;

function writeKey(key: string): string {
  let written = writtenKeys.get(key);
  if (written === undefined) {
    written = `${JSON.stringify(key)}:`;
    if (writtenKeys.size < MAX_WRITTEN_KEYS) writtenKeys.set(key, written);
  }
  return written;
}

function writeInteger(value: number): string {
  if (!Number.isSafeInteger(value)) {
    throw new TypeError('A number in an answer must be a safe integer or a JsonNumber.');
  }
  return String(value);
}

function writeArray(values: readonly JsonOut[]): string {
  if (values.length === 0) return '[]';
  let text = `[${stringify(values[0])}`;
  for (let i = 1; i < values.length; i++) text += `,${stringify(values[i])}`;
  return `${text}]`;
}

function writeObject(value: object): string {
  if (value instanceof JsonText) return value.source;
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) {
    throw new TypeError('An answer holds plain objects only.');
  }
  const members = value as Readonly<Record<string, JsonOut>>;
  let text = '{';
  let separator = '';
  for (const key in members) {
    const member = members[key];
    if (member === undefined) continue;
    text += separator + writeKey(key) + stringify(member);
    separator = ',';
  }
  return `${text}}`;
}
