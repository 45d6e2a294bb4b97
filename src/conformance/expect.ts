// What checks expect of answers: success, a refusal with its code, and rows whose fields have the
// types of the contract's tables.
import { expect, Skipped, shown, Unmet } from './check.ts';
import type { Answer, Json } from './wire.ts';

/** The type of a field; with a question mark it may be null, with a minus it must not be there. */
export type Kind = Type | `${Type}?` | '-';
type Type = 'text' | 'integer' | 'decimal' | 'boolean' | 'time' | 'timeText' | 'list' | 'object';
export type Shape = Readonly<Record<string, Kind>>;

const MIN_TIME = 1_400_000_000_000;
const MAX_TIME = 8_640_000_000_000_000;

const isTime = (value: unknown): boolean =>
  Number.isSafeInteger(value) && Number(value) > MIN_TIME && Number(value) < MAX_TIME;

const TYPES: Readonly<Record<Type, (value: unknown) => boolean>> = {
  text: (value) => typeof value === 'string',
  integer: Number.isSafeInteger,
  decimal: Number.isFinite,
  boolean: (value) => typeof value === 'boolean',
  time: isTime,
  timeText: (value) => typeof value === 'string' && /^\d+$/.test(value) && isTime(Number(value)),
  list: Array.isArray,
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
};

const WORDS: Readonly<Record<Type, string>> = {
  text: 'a string',
  integer: 'an integer',
  decimal: 'a JSON number',
  boolean: 'true or false',
  time: 'epoch milliseconds, a number',
  timeText: 'epoch milliseconds, a string',
  list: 'an array',
  object: 'an object',
};

/** The object has these fields, each of its type; it may have others. */
export function expectShape(what: string, value: Json, shape: Shape): void {
  expect(TYPES.object(value), `${what} to be an object`, value);
  for (const [field, kind] of Object.entries(shape)) {
    const at = value[field] as unknown;
    if (kind === '-') {
      expect(at === undefined, `${what} to be without ${field}`, at);
      continue;
    }
    const type = kind.replace('?', '') as Type;
    const fits = (kind.endsWith('?') && at === null) || TYPES[type](at);
    const nullable = kind.endsWith('?') ? ', or null' : '';
    expect(fits, `${field} of ${what} to be ${WORDS[type]}${nullable}`, at);
  }
}

/** A list, all of whose rows have this shape. */
export function expectRows(what: string, value: Json, shape: Shape): Json[] {
  expect(Array.isArray(value), `${what} to be an array`, value);
  const rows = value as unknown as Json[];
  for (const row of rows) expectShape(`a row of ${what}`, row, shape);
  return rows;
}

/** A privilege that the key lacks is no fault of the server: throws Skipped. */
function requirePrivilege({ status, json, call }: Answer): void {
  if (status !== 403 || String(json?.code) !== '100403') return;
  throw new Skipped(`the key may not: ${call} (${json.userMsg})`);
}

/** Status 200 with JSON. */
export function expectOk(answer: Answer): Json {
  requirePrivilege(answer);
  expect(answer.status === 200, `${answer.call} to be answered 200`, said(answer));
  expect(answer.json !== undefined, `${answer.call} to be answered with JSON`, answer.text);
  return answer.json;
}

/** A refusal with this status and code, in the one error shape. */
export function expectRefused(answer: Answer, status: number, code: number, field?: string): Json {
  if (status !== 403) requirePrivilege(answer);
  expect(answer.status === status, `${answer.call} to be refused with ${status}`, said(answer));
  const { json } = answer;
  expect(String(json?.code) === String(code), `code "${code}"`, said(answer));
  if (field !== undefined) {
    expect(
      String(json.userMsg).includes(field),
      `userMsg to name the field ${field}`,
      json.userMsg,
    );
  }
  return json;
}

/** The data of an earn answer in its envelope. */
export function expectEnvelope(answer: Answer, succ: boolean): Json {
  const body = expectOk(answer);
  expect((body.code as unknown) === '0', 'code of the envelope to be "0"', said(answer));
  expect((body.msg as unknown) === 'success', 'msg of the envelope to be success', body.msg);
  expect('data' in body, 'the envelope to have data', said(answer));
  if (succ) expect((body.succ as unknown) === true, 'succ of the envelope to be true', body.succ);
  return body.data!;
}

/** A legacy error of the earn area. */
export function expectLegacy(answer: Answer, errorCode: number, msg: string): void {
  requirePrivilege(answer);
  expect(answer.status === 200, 'a legacy error to come with status 200', said(answer));
  const { json } = answer;
  expect((json?.code as unknown) === '500', 'code of a legacy error to be "500"', said(answer));
  expect((json.msg as unknown) === msg, `msg of the error to be ${msg}`, json.msg);
  expect((json.data as unknown) === null, 'data of a legacy error to be null', json.data);
  expect((json.errorCode as unknown) === errorCode, `errorCode ${errorCode}`, json.errorCode);
}

const said = ({ status, text }: Answer): string => `${status} ${shown(text)}`;

/** A decimal of an answer as its text; no answer of a check has more digits than a double keeps. */
export function decimalText(value: unknown): string {
  if (typeof value !== 'number') throw new Unmet('a JSON number', shown(value));
  const text = String(value);
  const [, sign, whole, fraction = '', exponent] = /^(-?)(\d)(?:\.(\d+))?e-(\d+)$/.exec(text) ?? [];
  if (exponent === undefined) return text;
  return `${sign}0.${'0'.repeat(Number(exponent) - 1)}${whole}${fraction}`;
}
