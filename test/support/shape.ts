// What tests expect of answers: every field of a table of the contract, no other, each of its type;
// and errors in their one shape.
import { expect } from 'bun:test';
import type { Answer, Json } from './node.ts';
import { LEGACY_MESSAGES } from './refusals.ts';

/** The type of a field; with a question mark it may be null. */
export type Kind = Type | `${Type}?`;
type Type = 'text' | 'integer' | 'decimal' | 'boolean' | 'time' | 'timeText' | 'list' | 'object';
export type Shape = Readonly<Record<string, Kind>>;

/** A time of these tests: this century, not the next. */
const isTime = (n: unknown): boolean =>
  Number.isSafeInteger(n) && Number(n) > 1_700_000_000_000 && Number(n) < 4_200_000_000_000;

const CHECKS: Readonly<Record<Type, (value: unknown) => boolean>> = {
  text: (value) => typeof value === 'string',
  integer: Number.isSafeInteger,
  decimal: Number.isFinite,
  boolean: (value) => typeof value === 'boolean',
  time: isTime,
  timeText: (value) => typeof value === 'string' && /^\d+$/.test(value) && isTime(Number(value)),
  list: Array.isArray,
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
};

/** The object has exactly these fields, each of its kind. */
export function expectShape(value: Json, shape: Shape): void {
  expect(Object.keys(value).sort()).toEqual(Object.keys(shape).sort());
  for (const [field, kind] of Object.entries(shape)) {
    const type = kind.replace('?', '') as Type;
    const fits = (kind.endsWith('?') && value[field] === null) || CHECKS[type](value[field]);
    expect({ field, kind, value: value[field], fits }).toMatchObject({ fits: true });
  }
}

/** A list with at least one row, all of this shape; returns the rows. */
export function expectRows(value: Json, shape: Shape): Json[] {
  const rows = rowsOf(value);
  expect(rows.length).toBeGreaterThan(0);
  for (const row of rows) expectShape(row, shape);
  return rows;
}

export function rowsOf(value: Json): Json[] {
  expect(Array.isArray(value)).toBe(true);
  return value as unknown as Json[];
}

/** 200 with a JSON body and the journal position that it reflects. */
export function expectOk(answer: Answer): Json {
  expect({ status: answer.status, text: answer.text }).toMatchObject({ status: 200 });
  expect(answer.headers.get('content-type')).toBe('application/json');
  expect(answer.headers.get('x-agio-seq')).toMatch(/^\d+$/);
  // Decimals are plain: no exponent, no trailing zeros behind a point.
  expect(withoutTexts(answer.text)).not.toMatch(/\d[eE]|\.\d*0[,\]}]/);
  return answer.body;
}

const withoutTexts = (text: string): string => text.replace(/"(?:[^"\\]|\\.)*"/g, '""');

/** The error shape; returns `details`. */
export function expectError(answer: Answer, status: number, code: number, field?: string): Json {
  const { body, text } = answer;
  expect({ status: answer.status, text }).toMatchObject({ status });
  expect(answer.headers.get('content-type')).toBe('application/json');
  expectErrorShape(body);
  expect({ code: body.code as unknown, text }).toMatchObject({ code: String(code) });
  if (code >= 100200 && code < 100300 && status === 400) {
    expect<unknown>(body.msg).toBe('business error');
  }
  if (field !== undefined) {
    expect({ field: body.details?.field as unknown, text }).toMatchObject({ field });
    expect<unknown>(body.userMsg).toContain(field);
  }
  return body.details ?? ({} as Json);
}

const DETAILS = ['field', 'rule', 'limit', 'value', 'unit', 'nearest', 'nearestUnit'];

/** Whether an answer says no: by its status, or as a legacy error of the earn area, which has 200. */
export const isRefusal = ({ status, body }: Pick<Answer, 'status' | 'body'>): boolean =>
  status >= 400 || (body as Json | undefined)?.errorCode !== undefined;

/** code, msg and userMsg as texts, and nothing else but details; of a legacy error data and errorCode besides. */
export function expectErrorShape(body: Json): void {
  const { code, msg, userMsg, details, data, errorCode, ...others } = body;
  expect(others).toEqual({});
  expect(String(userMsg)).toMatch(/^[A-Za-z].*[.)]$/s);
  if (errorCode === undefined) {
    expect<unknown>(code).toMatch(/^\d{5,6}$/);
    expect(String(msg).length).toBeGreaterThan(0);
    expect<unknown>(data).toBeUndefined();
  } else {
    expect<unknown>([code, data]).toEqual(['500', null]);
    expect<unknown>(msg).toBe(LEGACY_MESSAGES[Number(errorCode)]);
  }
  for (const name of Object.keys(details ?? {})) expect(DETAILS).toContain(name);
}

/** An order as getOrders lists it: the execution report of the contract with rowId and type. */
export const ORDER_ROW: Shape = {
  rowId: 'integer',
  type: 'text',
  account: 'integer',
  orderId: 'integer',
  execId: 'integer',
  clOrdId: 'text',
  side: 'integer',
  orderQty: 'decimal?',
  quoteOrderQty: 'decimal?',
  cumQty: 'decimal',
  leavesQty: 'decimal',
  price: 'decimal?',
  stopPx: 'decimal?',
  avgPx: 'decimal',
  lastPx: 'decimal',
  lastQty: 'decimal',
  symbol: 'text',
  securityId: 'integer',
  ordType: 'integer',
  timeInForce: 'text',
  ordStatus: 'integer',
  execType: 'integer',
  transactTime: 'time',
};
