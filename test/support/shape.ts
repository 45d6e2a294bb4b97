// Checks of answers: exactly the fields of a table of the contract, each of its type, and errors in
// their one shape.
import { expect } from 'bun:test';
import { CODES, isLegacy } from '../../src/contract/codes.ts';
import type { Answer, Json } from './node.ts';

/** The `msg` of each legacy number of the earn calls. */
export const LEGACY_MESSAGES: Readonly<Record<number, string>> = Object.fromEntries(
  Object.values(CODES)
    .filter(({ code }) => isLegacy(code))
    .map(({ code, msg }) => [code, msg]),
);

/** A list with at least one row; returns the rows. */
export function expectRows(value: Json): Json[] {
  const rows = rowsOf(value);
  expect(rows.length).toBeGreaterThan(0);
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

const DETAILS = ['field', 'rule', 'limit', 'value', 'unit', 'nearest', 'nearestUnit', 'reason'];

/**
 * True if an answer says no: by its status, or as a legacy error of the earn area, which has 200.
 */
export const isRejection = ({ status, body }: Pick<Answer, 'status' | 'body'>): boolean =>
  status >= 400 || (body as Json | undefined)?.errorCode !== undefined;

/**
 * code, msg and userMsg as texts, and nothing else but details; of a legacy error data and
 * errorCode besides.
 */
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
