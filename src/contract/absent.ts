// The values that count as "not sent": typed clients send null, an empty text or 0 for a field that
// they do not mean. A field that the request needs is rejected for the same values.
import { MAX_DIGITS } from './decimal.ts';
import { JsonNumber, type JsonValue } from './json.ts';
import { invalidField, Problem } from './problem.ts';
import type { Field, JsonSchema } from './wire.ts';

/** The forms of "not sent" as bits: an object reader keeps those of its fields in an array. */
export type AbsentForms = number;
const NULL = 1;
const EMPTY = 2;
const ZERO_NUMBER = 4;

/** The forms of a field; a required one has none. */
export const absentFormsOf = (field: Omit<Field<unknown>, 'read' | 'readText'>): AbsentForms =>
  field.optional
    ? (field.nullIsValue === true ? 0 : NULL) +
      (field.emptyIsValue === true ? 0 : EMPTY) +
      (field.zeroIsAbsent === true ? ZERO_NUMBER : 0)
    : 0;

/** True for null, an empty text, or 0 of a quantity, amount, price or id, as the field has them. */
export const isAbsent = (forms: AbsentForms, value: JsonValue): boolean =>
  value === null
    ? (forms & NULL) !== 0
    : value === ''
      ? (forms & EMPTY) !== 0
      : (forms & ZERO_NUMBER) !== 0 && isZero(value);

/** True for 0 in every form: 0, 0.00, -0, 0E-8; of a number or of a text. */
export function isZero(value: JsonValue): boolean {
  const source = value instanceof JsonNumber ? value.source : value;
  if (typeof source !== 'string') return false;
  // Nearly every number has another digit among its first ones, which is faster than the pattern.
  for (let i = 0; i < MAX_DIGITS; i++) {
    const code = source.charCodeAt(i);
    if (code >= DIGIT_1 && code <= DIGIT_9) return false;
    if (code !== DIGIT_0 && code !== POINT && code !== MINUS) return ZERO.test(source);
  }
  return false;
}

/** Reads such a value as if its field were required. Throws Problem. */
type StrictRead = () => unknown;

/** By the object that was read, and by name. Rare, so the object itself has no room for them. */
const absentFields = new WeakMap<object, Map<string, StrictRead>>();

/** Notes a field that was sent and is absent: the request may turn out to need it (neededField). */
export function noteAbsent(read: object, name: string, strict: StrictRead): void {
  const noted = absentFields.get(read);
  if (noted === undefined) absentFields.set(read, new Map([[name, strict]]));
  else noted.set(name, strict);
}

/**
 * The rejection of an optional field that the other fields of the request make necessary. A value
 * that was read as absent, such as 0, gets the rejection that its field has for it.
 */
export function neededField(read: object, name: string, expected: string, path = name): Problem {
  try {
    absentFields.get(read)?.get(name)?.();
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
  return missingField(path, expected);
}

/** A missing required field. */
export function missingField(path: string, expected: string): Problem {
  return invalidField(path, `be ${expected}; it is missing`, { rule: 'required' });
}

/** The same forms in a JSON Schema, beside null. */
export function absentSchema(forms: AbsentForms): JsonSchema {
  const values = [...(forms & EMPTY ? [''] : []), ...(forms & ZERO_NUMBER ? [0] : [])];
  return values.length === 0 ? {} : { 'x-absent': values };
}

const MINUS = 0x2d;
const POINT = 0x2e;
const DIGIT_0 = 0x30;
const DIGIT_1 = 0x31;
const DIGIT_9 = 0x39;
const ZERO = /^-?0(?:\.0+)?(?:[eE][+-]?\d+)?$/;
