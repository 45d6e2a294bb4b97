// Strict and lossless reading of a request body. The grammar is that of JSON.parse. This file also
// rejects duplicate keys, deep nesting, lone surrogates and U+0000, and keeps each number as its
// source text: 0.1 stays 0.1, 12345678901234567890 keeps its last digit. Any fault is a Problem.
import { JsonNumber, type JsonValue } from './json.ts';
import { Problem } from './problem.ts';

/** No request of the contract nests deeper than 4; this leaves room and keeps the stack flat. */
export const MAX_DEPTH = 8;
/** The widest request of the contract but a batch has some 20 members. */
export const MAX_MEMBERS = 64;

/** Keeps the BOM, so that it can be rejected by name. */
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * The value of a JSON body. Numbers are JsonNumbers; a `__proto__` key is an ordinary own member.
 * Throws Problem `invalidBody` for anything but one valid JSON text within the limits above.
 */
export function parseBody(bytes: Uint8Array, maxMembers = MAX_MEMBERS): JsonValue {
  return parseText(decode(bytes), maxMembers);
}

/** The same for a text with at most `maxMembers` members. */
export function parseText(text: string, maxMembers = MAX_MEMBERS): JsonValue {
  if (text === '') throw reject('present', 'not be empty; send at least {}');
  if (text.charCodeAt(0) === BOM) throw reject('utf8', 'not begin with a byte order mark');
  const colons = countColons(text, maxMembers);
  if (!text.includes('\\') && !text.includes('__proto__')) {
    const value = parsePlain(text, colons);
    if (value !== null) return value;
  }
  // A lone surrogate or a NUL can only come from a \u escape: raw ones fail in UTF-8 and in JSON.
  checkText = text.includes('\\u');
  reviverCalls = 0;
  elements = 0;
  let value: JsonValue;
  try {
    value = JSON.parse(text, revive as (this: unknown, key: string, value: unknown) => unknown);
  } catch (error) {
    if (error instanceof Problem) throw error;
    throw reject('syntax', `be valid JSON: ${reasonOf(error)}`);
  }
  // Each member has exactly one colon outside strings. A duplicate key leaves one member for two
  // colons. The reviver is called for every member, every array element, and once for the root.
  if (reviverCalls - 1 - elements !== colons) {
    throw reject('uniqueKeys', 'name each field once; a key is repeated');
  }
  return value;
}

/**
 * Reads nearly every request: objects and arrays of plain members. The scan finds the numbers in
 * the order of the text, so JSON.parse needs no reviver, which costs ten times as much. Null for
 * any other form.
 */
function parsePlain(text: string, colons: number): JsonValue | null {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof parsed !== 'object' || parsed === null) return null;
  members = 0;
  numbers = 0;
  const isPlain = restore(parsed);
  const isWhole = isPlain && members === colons && numbers === sources.length;
  return isWhole ? (parsed as JsonValue) : null;
}

/** Puts the texts of the numbers in place; false where the order of members is not the text's. */
function restore(container: object): boolean {
  return Array.isArray(container)
    ? restoreArray(container)
    : restoreObject(container as Record<string, unknown>);
}

/** By index: `for … in` would make a text of each index. */
function restoreArray(array: unknown[]): boolean {
  for (let i = 0; i < array.length; i++) {
    const value = array[i];
    if (typeof value === 'number') array[i] = new JsonNumber(sources[numbers++]!);
    else if (typeof value === 'object' && value !== null && !restore(value)) return false;
  }
  return true;
}

function restoreObject(object: Record<string, unknown>): boolean {
  for (const key in object) {
    // Keys that look like integers are moved to the front; no field has such a name.
    if (key.charCodeAt(0) <= DIGIT_9) return false;
    members++;
    const value = object[key];
    if (typeof value === 'number') object[key] = new JsonNumber(sources[numbers++]!);
    else if (typeof value === 'object' && value !== null && !restore(value)) return false;
  }
  return true;
}

// State of the current parse. JSON.parse is synchronous, so there is one at a time, and module
// variables save a closure per request.
let checkText = false;
let reviverCalls = 0;
let elements = 0;
/** The texts of the numbers, by the scan; and what was restored so far. */
let sources: string[] = [];
let members = 0;
let numbers = 0;

/** Called by JSON.parse bottom-up; `source` is the text of a primitive value. */
function revive(key: string, value: unknown, context: { readonly source: string }): unknown {
  reviverCalls++;
  if (checkText) {
    rejectBadText(key);
    if (typeof value === 'string') rejectBadText(value);
  }
  if (typeof value === 'number') return new JsonNumber(context.source);
  if (Array.isArray(value)) elements += value.length;
  return value;
}

function decode(bytes: Uint8Array): string {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    throw reject('utf8', 'be valid UTF-8');
  }
  return text;
}

/**
 * Counts colons outside strings and checks the limits on nesting and members, so the parser never
 * gets a deep or wide text. For a text that is not JSON the count has no meaning.
 */
function countColons(text: string, maxMembers: number): number {
  let colons = 0;
  let depth = 0;
  sources = [];
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === QUOTE) {
      i = endOfString(text, i);
    } else if (code === COLON) {
      if (++colons > maxMembers) throw reject('members', `have at most ${maxMembers} fields`);
    } else if ((code >= DIGIT_0 && code <= DIGIT_9) || code === MINUS) {
      const end = endOfNumber(text, i);
      sources.push(text.slice(i, end));
      i = end - 1;
    } else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      if (++depth > MAX_DEPTH) throw reject('depth', `nest at most ${MAX_DEPTH} levels deep`);
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) {
      depth--;
    }
  }
  return colons;
}

/** Index after the last character of the number that starts at `start`. */
function endOfNumber(text: string, start: number): number {
  let end = start + 1;
  for (; end < text.length; end++) {
    const code = text.charCodeAt(end);
    const part =
      (code >= DIGIT_0 && code <= DIGIT_9) ||
      code === POINT ||
      code === MINUS ||
      code === PLUS ||
      (code | 0x20) === LOWER_E;
    if (!part) break;
  }
  return end;
}

/** Index of the quote that closes the string opened at `open`; the text's end when none does. */
function endOfString(text: string, open: number): number {
  let close = text.indexOf('"', open + 1);
  while (close >= 0) {
    // A quote after an odd number of backslashes is part of the string.
    let before = close - 1;
    while (text.charCodeAt(before) === BACKSLASH) before--;
    if ((close - before) % 2 === 1) return close;
    close = text.indexOf('"', close + 1);
  }
  return text.length;
}

function rejectBadText(text: string): void {
  if (!text.isWellFormed()) throw reject('utf8', 'not hold half of a surrogate pair');
  if (text.includes('\0')) throw reject('characters', 'not hold the character U+0000');
}

/** The parser's message without its quotes, which may be parts of a password. */
function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : '';
  return message.replace(/^JSON Parse error: /, '').replaceAll(/"[^"]*"/g, 'a word');
}

/** `must` completes "The request body must …". */
function reject(rule: string, must: string): Problem {
  return new Problem('invalidBody', {
    userMsg: `Invalid body. It must ${must}.`,
    details: { rule },
  });
}

const QUOTE = 0x22;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const BOM = 0xfeff;
const DIGIT_0 = 0x30;
const DIGIT_9 = 0x39;
const MINUS = 0x2d;
const PLUS = 0x2b;
const POINT = 0x2e;
const LOWER_E = 0x65;
