// The expectations of checks: success with the described fields, a rejection with its code, and
// plain conditions. An expectation that fails throws Unmet.
import type { AnswerValue } from '../contract/answer.ts';
import { faultsOfResponse } from '../contract/answer-faults.ts';
import type { ApiCall } from '../contract/call.ts';
import { CODES, isLegacy, LEGACY_CODE } from '../contract/codes.ts';
import type { JsonNumber, JsonText } from '../contract/json.ts';
import type { Answer } from './wire.ts';

/** The server does not do what the clause says. */
export class Unmet extends Error {
  override readonly name = 'Unmet';
  readonly expected: string;
  readonly got: string;

  constructor(expected: string, got: string) {
    super(`expected ${expected}, got ${got}`);
    this.expected = expected;
    this.got = got;
  }
}

/** This account cannot make the check, or not at this time. */
export class Skip extends Error {
  override readonly name = 'Skipped';
}

/** The type of a described value as a check reads it: decimals are texts. */
export type Read<T> =
  T extends JsonText<infer W>
    ? Read<W>
    : T extends JsonNumber
      ? string
      : T extends object
        ? { readonly [K in keyof T]: Read<T[K]> }
        : T;
export type AnswerOf<C extends ApiCall> = Read<AnswerValue<C['answer']>>;

export type CodeName = keyof typeof CODES;

const MAX_TEXT = 300;

/** A value as a person reads it, cut where it is long. */
function textOf(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing');
  return text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT)}…`;
}

export function expect(holds: boolean, expected: string, got: unknown): asserts holds {
  if (!holds) throw new Unmet(expected, textOf(got));
}

/** Both are the same JSON. */
export function expectSame(what: string, got: unknown, wanted: unknown): void {
  const isSame = JSON.stringify(got) === JSON.stringify(wanted);
  expect(isSame, `${what} to be ${textOf(wanted)}`, got);
}

/** Numbers ascend (1) or descend (−1). */
export function expectSorted(what: string, numbers: readonly number[], sign: 1 | -1): void {
  expectSame(
    what,
    numbers,
    numbers.toSorted((a, b) => sign * (a - b)),
  );
}

const statusAndText = ({ status, text }: Answer): string => `${status} ${textOf(text)}`;

/** The server may deny a privilege that the key lacks. Throws Skip. */
function requirePrivilege({ status, json, call }: Answer): void {
  const { http, code } = CODES.forbidden;
  if (status !== http || json?.code !== String(code)) return;
  throw new Skip(`the key may not: ${call} (${json.userMsg})`);
}

export function expectOk(answer: Answer): void {
  requirePrivilege(answer);
  expect(answer.status === 200, `${answer.call} to be answered 200`, statusAndText(answer));
}

/** Every field of the answer is as the contract describes it. Returns the answer's own data. */
export function expectDescribed<C extends ApiCall>(call: C, answer: Answer): AnswerOf<C> {
  expectOk(answer);
  const { status, headers, text, json } = answer;
  const contentType = headers.get('content-type');
  const [fault] = faultsOfResponse(call, { status, contentType, text });
  expect(fault === undefined, `the answer to ${answer.call} as it is described`, fault);
  if (call.envelope === undefined) return json as AnswerOf<C>;
  expect(json?.code === '0', `${answer.call} to succeed`, statusAndText(answer));
  return json.data as AnswerOf<C>;
}

/** A rejection with this code, in the error shape of its area; it names `field`. */
export function expectRejected(answer: Answer, name: CodeName, field?: string): Fields {
  const { http, code, msg } = CODES[name];
  if (name !== 'forbidden') requirePrivilege(answer);
  const got = statusAndText(answer);
  expect(answer.status === http, `${answer.call} to be rejected with ${http}`, got);
  const { json = {} } = answer;
  if (isLegacy(code)) {
    expect(json.code === LEGACY_CODE, `code of a legacy error to be "${LEGACY_CODE}"`, got);
    expect(json.errorCode === code, `errorCode ${code}`, got);
    expect(json.data === null, 'data of a legacy error to be null', got);
  } else {
    expect(json.code === String(code), `code "${code}"`, got);
  }
  expect(json.msg === msg, `msg to be ${msg}`, got);
  if (field !== undefined) {
    const names = String(json.userMsg).includes(field);
    expect(names, `userMsg to name the field ${field}`, json.userMsg);
  }
  return (json.details ?? {}) as Fields;
}

type Fields = Readonly<Record<string, unknown>>;
