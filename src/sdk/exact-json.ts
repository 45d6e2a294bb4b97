// Reads the JSON of an answer without losing a digit, for the SDK and the ccxt class. A number is a
// double only in a field that holds an id, a time, a count or a code; every other number stays the
// text that was sent. JSON.parse with source text is slower (docs/architecture.md) and missing in
// Node 20.
import { INTEGER_FIELDS } from './generated/integer-fields.ts';

/** No answer nests deeper than 6. */
const MAX_DEPTH = 32;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const SPACE = /[ \t\n\r]*/y;
const NO_CONTROLS = /^[ -\uffff]*$/;

const isIntegerField = (name: string): boolean => INTEGER_FIELDS.has(name);

// State of the parse under way; it is synchronous, so there is one at a time.
let text = '';
let at = 0;
let depth = 0;
let isInteger = isIntegerField;

/**
 * The value of a JSON text. Numbers are numbers in fields that hold integers (`orderId`,
 * `transactTime`, …) as long as they are below 2^53, and their source text in all others. Throws
 * SyntaxError.
 */
export const parseExact = (source: string): unknown => parseWith(source, isIntegerField);

/** Like parseExact, with every number as its source text. */
export const parseAsText = (source: string): unknown => parseWith(source, () => false);

function parseWith(source: string, holdsIntegers: typeof isIntegerField): unknown {
  isInteger = holdsIntegers;
  text = source;
  at = 0;
  depth = 0;
  const value = readValue('');
  skipSpace();
  if (at !== text.length) throw fault();
  return value;
}

/** `field` is the name of the value, or of the array around it. */
function readValue(field: string): unknown {
  skipSpace();
  switch (text.charCodeAt(at)) {
    case QUOTE:
      return readString();
    case OPEN_BRACE:
      return readObject();
    case OPEN_BRACKET:
      return readArray(field);
    case LOWER_T:
      return readWord('true', true);
    case LOWER_F:
      return readWord('false', false);
    case LOWER_N:
      return readWord('null', null);
    default:
      return readNumber(field);
  }
}

function readObject(): Record<string, unknown> {
  enter();
  const result: Record<string, unknown> = {};
  if (!ends(CLOSE_BRACE)) {
    do {
      skipSpace();
      const name = readString();
      skipSpace();
      if (text.charCodeAt(at++) !== COLON) throw fault();
      const value = readValue(name);
      if (name === '__proto__') Object.defineProperty(result, name, { value, enumerable: true });
      else result[name] = value;
    } while (goesOn(CLOSE_BRACE));
  }
  depth--;
  return result;
}

function readArray(field: string): unknown[] {
  enter();
  const result: unknown[] = [];
  if (!ends(CLOSE_BRACKET)) {
    do result.push(readValue(field));
    while (goesOn(CLOSE_BRACKET));
  }
  depth--;
  return result;
}

function readString(): string {
  if (text.charCodeAt(at) !== QUOTE) throw fault();
  let close = text.indexOf('"', at + 1);
  while (close >= 0 && isEscaped(close)) close = text.indexOf('"', close + 1);
  if (close < 0) throw fault();
  const inside = text.slice(at + 1, close);
  const plain = !inside.includes('\\');
  if (plain && !NO_CONTROLS.test(inside)) throw fault();
  const value = plain ? inside : (JSON.parse(text.slice(at, close + 1)) as string);
  at = close + 1;
  return value;
}

/** A quote after an odd number of backslashes is part of the string. */
function isEscaped(quote: number): boolean {
  let before = quote - 1;
  while (before > at && text.charCodeAt(before) === BACKSLASH) before--;
  return (quote - before) % 2 === 0;
}

function readNumber(field: string): number | string {
  NUMBER.lastIndex = at;
  const source = NUMBER.exec(text)?.[0];
  if (source === undefined) throw fault();
  at += source.length;
  if (!isInteger(field)) return source;
  const number = Number(source);
  return Number.isSafeInteger(number) && String(number) === source ? number : source;
}

function readWord<T>(word: string, value: T): T {
  if (!text.startsWith(word, at)) throw fault();
  at += word.length;
  return value;
}

function enter(): void {
  at++;
  if (++depth > MAX_DEPTH) throw fault();
}

/** True if the object or array is empty; its end is then behind us. */
function ends(close: number): boolean {
  skipSpace();
  if (text.charCodeAt(at) !== close) return false;
  at++;
  return true;
}

/** True if another member follows a comma. */
function goesOn(close: number): boolean {
  skipSpace();
  const code = text.charCodeAt(at++);
  if (code === COMMA) return true;
  if (code === close) return false;
  throw fault();
}

function skipSpace(): void {
  if (text.charCodeAt(at) > SPACE_CODE) return;
  SPACE.lastIndex = at;
  SPACE.exec(text);
  at = SPACE.lastIndex;
}

const fault = (): SyntaxError => new SyntaxError(`Not JSON at position ${at}.`);

const SPACE_CODE = 0x20;
const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const LOWER_F = 0x66;
const LOWER_N = 0x6e;
const LOWER_T = 0x74;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
