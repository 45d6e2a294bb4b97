// The values that clients send, and answers too (wire.ts). One description reads JSON bodies and
// query strings (query.ts), and gives the TypeScript type (Infer) and the JSON Schema. Readers
// check the form only and throw a Problem with the sent value and the accepted ones.
import { absentFormsOf, absentSchema } from './absent.ts';
import { decimalFault, MAX_DIGITS, wholeNumber, withoutExponent } from './decimal.ts';
import { JsonNumber, type JsonObject, type JsonValue } from './json.ts';
import { invalidField, type Problem, type ProblemDetails, type ProblemName } from './problem.ts';
import type { Answer, Field, JsonSchema, Literal, Optional } from './wire.ts';

/** The type that a description reads. */
export type Infer<D> = D extends Field<infer T> ? T : never;

/**
 * The unit of a number. An amount has the name of the field that names its asset; `base` and
 * `quote` are the assets of the symbol.
 */
export type Unit =
  | 'rate'
  | 'days'
  | 'hours'
  | 'ms'
  | 'epochMs'
  | 'asset'
  | 'coin'
  | 'volumeAsset'
  | 'base'
  | 'quote';

/** The documentation of a field. */
export interface About {
  readonly about?: string;
  readonly unit?: Unit;
}

export interface TextOptions extends About {
  /** In characters; 0 unless given, so an empty text passes. */
  readonly min?: number;
  readonly max: number;
  /** Printable ASCII only. Control characters are rejected in any case. */
  readonly ascii?: boolean;
  readonly pattern?: RegExp;
  /** Replaces the generated description; completes "It must be …". */
  readonly expected?: string;
  readonly format?: 'email';
  /** An empty text is a value, such as a label that is removed; elsewhere it means "not sent". */
  readonly emptyIsValue?: boolean;
  /** The value is never repeated in a rejection (passwords, one-time codes). */
  readonly secret?: boolean;
}

/** The terms of a field that only an answer has: a sentence about it. */
type OnlyAbout = string | undefined;

/** A text of an answer. */
export function text(about?: OnlyAbout): Answer<string, string, unknown>;
/** A text. Lengths count characters (code points), as JSON Schema does. */
export function text(options: TextOptions): Field<string, string>;
export function text(given?: TextOptions | OnlyAbout): Answer<string, string, unknown> {
  const shape = { kind: 'text' } as const;
  if (typeof given !== 'object') return { shape, ...aboutOf(given) };
  const options = given;
  const { min = 0, max, ascii = false, pattern, secret = false } = options;
  const format = secret ? 'password' : options.format;
  const kind = ascii ? 'a text of printable ASCII' : 'a text';
  const range = min === 0 ? `at most ${max}` : min === max ? `${max}` : `${min} to ${max}`;
  const expected = options.expected ?? `${kind} of ${range} characters`;
  const allowed = ascii ? PRINTABLE_ASCII : NO_CONTROLS;
  const fail = (path: string, value: JsonValue, rule: string, details: ProblemDetails = {}) =>
    secret
      ? invalidField(path, `be ${expected}`, { rule, ...details })
      : notExpected(path, expected, value, { rule, ...details });
  function readText(raw: string, path: string): string {
    // Code points are never more than code units, so most texts need no second count.
    const length = raw.length <= max && raw.length >= 2 * min ? raw.length : codePoints(raw);
    if (length > max) throw fail(path, raw, 'maxLength', { limit: max });
    if (length < min) throw fail(path, raw, 'minLength', { limit: min });
    if (!allowed.test(raw)) throw fail(path, raw, 'characters');
    if (pattern !== undefined && !pattern.test(raw)) throw fail(path, raw, 'pattern');
    return raw;
  }
  const field: Field<string, string> = {
    ...REQUIRED,
    shape,
    ...aboutOf(options),
    ...(options.emptyIsValue === true ? { emptyIsValue: true } : {}),
    expected,
    read(value, path) {
      if (typeof value !== 'string') throw fail(path, value, 'type');
      return readText(value, path);
    },
    readText,
    toJsonSchema: () =>
      schema(options, {
        type: 'string',
        ...(format === undefined ? {} : { format }),
        ...(min > 0 ? { minLength: min } : {}),
        maxLength: max,
        ...(pattern !== undefined
          ? { pattern: pattern.source }
          : ascii
            ? { pattern: PRINTABLE_ASCII.source }
            : {}),
      }),
  };
  return field;
}

/** A value that is read from its source text: of a number, of a text, or of both. */
interface BySource<T>
  extends Pick<Field<T>, 'shape' | 'about' | 'expected' | 'zeroIsAbsent' | 'toJsonSchema'> {
  readonly numbers: boolean;
  readonly texts: boolean;
  /** Throws Problem. */
  readSource(source: string, path: string, value: JsonValue): T;
}

export const bySource = <T, W = T>(terms: BySource<T>): Field<T, W> => ({
  ...REQUIRED,
  shape: terms.shape,
  ...aboutOf(terms),
  ...(terms.zeroIsAbsent === true ? { zeroIsAbsent: true } : {}),
  expected: terms.expected,
  read(value, path) {
    if (value instanceof JsonNumber) {
      if (terms.numbers) return terms.readSource(value.source, path, value);
    } else if (typeof value === 'string' && terms.texts) {
      return terms.readSource(value, path, value);
    }
    throw notExpected(path, terms.expected, value, { rule: 'type' });
  },
  readText: (raw, path) => terms.readSource(raw, path, raw),
  toJsonSchema: terms.toJsonSchema,
});

export interface IntegerOptions extends About {
  /** Both bounds are inclusive; without them, every safe integer passes. */
  readonly min?: number;
  readonly max?: number;
  /** Accepts the digits as a JSON string too. */
  readonly lenient?: boolean;
  /** True for an id: where it is optional, 0 means that it was not sent. */
  readonly zeroIsAbsent?: boolean;
}

/** An integer. Clients whose numbers are doubles write 5 as 5.0, and 50000 as 5e4. */
export function integer(given?: IntegerOptions | OnlyAbout): Field<number, number> {
  const options: IntegerOptions = aboutOr(given);
  const { lenient = false, zeroIsAbsent = false } = options;
  const min = options.min ?? Number.MIN_SAFE_INTEGER;
  const max = options.max ?? Number.MAX_SAFE_INTEGER;
  const bounded = options.min !== undefined && options.max !== undefined;
  const expected = bounded
    ? `an integer from ${min} to ${max}`
    : options.min !== undefined
      ? `an integer of at least ${min}`
      : options.max !== undefined
        ? `an integer of at most ${max}`
        : 'an integer';
  // An id or a time has one bound, and other rules bound the numbers of a write, which are lenient:
  // so their bounds are no values that would pass.
  const isRange = bounded && !lenient;
  const beyond = (path: string, value: JsonValue, rule: string, limit: number) =>
    notExpected(path, expected, value, { rule, limit, ...(isRange ? { nearest: limit } : {}) });
  function readSource(source: string, path: string, value: JsonValue): number {
    let digits = source;
    if (!INTEGER.test(source)) {
      digits = wholeNumber(source);
      if (!INTEGER.test(digits)) throw notExpected(path, expected, value, { rule: 'type' });
    }
    // A long text may round to a bound, never across it, and then it is not a safe integer.
    const number = digits === '-0' ? 0 : Number(digits);
    if (number < min) throw beyond(path, value, 'minimum', min);
    if (number > max || !Number.isSafeInteger(number)) throw beyond(path, value, 'maximum', max);
    return number;
  }
  return bySource({
    shape: { kind: 'integer' },
    ...aboutOf(options),
    expected,
    numbers: true,
    texts: lenient,
    zeroIsAbsent,
    readSource,
    toJsonSchema() {
      const bounds = {
        ...(options.min !== undefined ? { minimum: min } : {}),
        ...(options.max !== undefined ? { maximum: max } : {}),
      };
      const type = lenient ? ['integer', 'string'] : 'integer';
      const digits = lenient ? { pattern: INTEGER_TEXT } : {};
      return schema(options, { type, format: 'int64', ...digits, ...bounds });
    },
  });
}

/** An id: where it is optional, 0 means that it was not sent. */
export const numericId = (about: string): Field<number, number> =>
  integer({ min: 1, lenient: true, zeroIsAbsent: true, about });

export interface DecimalOptions extends About {
  /** Bounds the sign; any sign passes unless given. */
  readonly sign?: 'positive' | 'notNegative';
}

/**
 * A decimal as a JSON number or a decimal string. Reads to its exact text, which has no exponent
 * (contract/decimal.ts).
 */
export function decimal(given?: DecimalOptions | OnlyAbout): Field<string, JsonNumber> {
  const options: DecimalOptions = aboutOr(given);
  const { sign } = options;
  const what =
    sign === 'positive'
      ? 'a decimal number above 0'
      : sign === 'notNegative'
        ? 'a decimal number of at least 0'
        : 'a decimal number';
  const expected = `${what} such as 0.25`;
  function readSource(sent: string, path: string, value: JsonValue): string {
    let source = sent;
    let fault = decimalFault(source);
    if (fault === 'exponent') {
      source = withoutExponent(source);
      fault = decimalFault(source);
    }
    if (fault === 'exponent' || fault === 'tooManyDigits') {
      const must = `${expected}, with at most ${MAX_DIGITS} digits`;
      throw notExpected(path, must, value, { rule: 'maxDigits', limit: MAX_DIGITS });
    }
    if (fault !== null) throw notExpected(path, expected, value, { rule: 'type' });
    if (sign !== undefined) {
      const zero = ZERO_DECIMAL.test(source);
      if (zero ? sign === 'positive' : source.charCodeAt(0) === MINUS) {
        const rule = sign === 'positive' ? 'aboveZero' : 'minimum';
        throw notExpected(path, expected, value, { rule, limit: 0 });
      }
    }
    return source;
  }
  return bySource({
    shape: { kind: 'decimal' },
    ...aboutOf(options),
    expected,
    numbers: true,
    texts: true,
    // A rate of 0 is a rate.
    zeroIsAbsent: sign === 'positive' && options.unit !== 'rate',
    readSource,
    toJsonSchema: () =>
      schema(options, {
        type: ['number', 'string'],
        format: 'decimal',
        pattern: PATTERNS[sign ?? 'any'],
        ...(sign === 'positive' ? { exclusiveMinimum: 0 } : {}),
        ...(sign === 'notNegative' ? { minimum: 0 } : {}),
      }),
  });
}

/** true or false; in a query, these two words. */
export function boolean(given?: About | OnlyAbout): Field<boolean, boolean> {
  const options: About = aboutOr(given);
  const expected = 'true or false';
  return {
    ...REQUIRED,
    shape: { kind: 'boolean' },
    ...aboutOf(options),
    expected,
    read(value, path) {
      if (typeof value !== 'boolean') throw notExpected(path, expected, value, { rule: 'type' });
      return value;
    },
    readText(raw, path) {
      if (raw === 'true') return true;
      if (raw === 'false') return false;
      throw notExpected(path, expected, raw, { rule: 'type' });
    },
    toJsonSchema: () => schema(options, { type: 'boolean' }),
  };
}

export interface OneOfOptions extends About {
  /** Accepts each value as JSON number and as JSON string, whichever it is listed as. */
  readonly lenient?: boolean;
  /** A word for each value of numbers. */
  readonly words?: readonly string[];
  /** The rejection of an unlisted value, if it is not `invalidField`. */
  readonly rejection?: ProblemName;
}

/** One of the listed values; a client sends texts or integers. Reads to the value as listed. */
export function oneOf<const T extends Literal>(
  values: readonly T[],
  given?: OneOfOptions | OnlyAbout,
): Field<T, T> {
  const options: OneOfOptions = aboutOr(given);
  const { lenient = false, rejection, words } = options;
  const numeric = typeof values[0] === 'number';
  const byText = new Map<string, T>(values.map((value) => [String(value), value]));
  const shown = values.map((value) => (lenient ? String(value) : JSON.stringify(value)));
  const expected = shown.length === 1 ? shown[0]! : `one of ${shown.join(', ')}`;
  function readSource(source: string, path: string, value: JsonValue): T {
    const found = byText.get(source) ?? byText.get(wholeNumber(source));
    if (found === undefined) {
      throw notExpected(path, expected, value, { rule: 'oneOf' }, rejection);
    }
    return found;
  }
  return bySource({
    shape: { kind: 'oneOf', values },
    ...aboutOf(options),
    expected,
    numbers: numeric || lenient,
    texts: !numeric || lenient,
    readSource,
    toJsonSchema() {
      const other = (value: T) => (numeric ? String(value) : Number(value));
      const accepted = lenient ? values.flatMap((value) => [value, other(value)]) : values;
      const named = words === undefined ? {} : { 'x-words': words };
      return schema(options, { enum: accepted, ...named });
    },
  });
}

/** A value of a JSON body in a form of its own; `read` throws Problem. */
export const ofBody = <T>(
  expected: string,
  read: (value: JsonValue, path: string) => T,
  toJsonSchema: () => JsonSchema,
): Field<T> => ({
  ...REQUIRED,
  shape: { kind: 'any' },
  expected,
  read,
  readText(raw, path) {
    throw notExpected(path, expected, raw, { rule: 'type' });
  },
  toJsonSchema,
});

export interface ArrayOptions extends About {
  readonly min?: number;
  readonly max: number;
}

/** An array of one kind of field, in a JSON body. */
export function array<T, W>(
  item: Field<T, W>,
  options: ArrayOptions,
): Field<readonly T[], readonly W[]> {
  const { min = 0, max } = options;
  const expected = `an array of ${min} to ${max} items, each ${item.expected}`;
  return {
    ...REQUIRED,
    shape: { kind: 'list', item },
    ...aboutOf(options),
    expected,
    read(value, path) {
      if (!Array.isArray(value)) throw notExpected(path, expected, value, { rule: 'type' });
      if (value.length < min || value.length > max) {
        const limit = value.length < min ? min : max;
        const rule = value.length < min ? 'minItems' : 'maxItems';
        throw notExpected(path, expected, value, { rule, limit, value: value.length });
      }
      return value.map((element, index) => item.read(element, `${path}[${index}]`));
    },
    readText(raw, path) {
      throw notExpected(path, expected, raw, { rule: 'type' });
    },
    toJsonSchema: () =>
      schema(options, {
        type: 'array',
        items: item.toJsonSchema(),
        ...(min > 0 ? { minItems: min } : {}),
        maxItems: max,
      }),
  };
}

/** May be missing, null or empty; reads to undefined then. */
export function optional<T, W>(field: Field<T, W>): Field<T | undefined, W> & Optional;
/** May be missing, null or empty; reads to `absent` then. */
export function optional<T, W>(field: Field<T, W>, absent: T): Field<T, W> & Optional;
/** May be absent from an answer. */
export function optional<A extends Answer>(value: A): A & Optional;
export function optional<T>(value: Answer | Field<T>, absent?: T): Answer & Optional {
  if (!('read' in value)) return { ...value, optional: true };
  const field = value;
  const own: Field<T | undefined> & Optional = {
    ...field,
    optional: true,
    absent,
    // An object has them on its prototype, which a spread leaves out.
    read: (sent, path) => field.read(sent, path),
    readText: (raw, path) => field.readText(raw, path),
    toJsonSchema: () => ({
      ...field.toJsonSchema(),
      ...absentSchema(absentFormsOf({ ...field, optional: true })),
      ...(absent === undefined ? {} : { default: absent }),
    }),
  };
  return own;
}

/** The text for readers of the API: words of numbers, description, unit, meaning of null. */
export function documentation(schema: JsonSchema): string {
  const { description, 'x-unit': unit, 'x-null': meaning, 'x-words': words } = schema;
  const values = schema.enum as readonly unknown[];
  const named = (words as readonly string[] | undefined)?.map((word, i) => `${values[i]} ${word}`);
  return [
    ...[named === undefined ? undefined : `${named.join(', ')}.`, description],
    ...[UNIT_NOTES[unit as Unit], meaning === undefined ? undefined : `null: ${meaning}.`],
  ]
    .filter((sentence) => sentence !== undefined)
    .join(' ');
}

/** Explains the units that a name does not. */
export const UNIT_NOTES: Readonly<Partial<Record<Unit, string>>> = {
  rate: '0.001 is 0.1 %.',
  epochMs: 'Epoch milliseconds.',
};

/** A rejection that repeats the sent value. `expected` completes "It must be …". */
export function notExpected(
  path: string,
  expected: string,
  value: JsonValue,
  details: Omit<ProblemDetails, 'field'>,
  kind?: ProblemName,
): Problem {
  const must = `be ${expected}; ${describe(value)} was sent`;
  const sent = typeof value === 'string' ? clip(value) : describe(value);
  return invalidField(path, must, { value: sent, ...details }, kind);
}

export function isObject(value: JsonValue): value is JsonObject {
  return (
    typeof value === 'object' &&
    value !== null &&
    !(value instanceof JsonNumber) &&
    !Array.isArray(value)
  );
}

/** The sent value, short enough for an error message. */
export function describe(value: JsonValue): string {
  if (value === null) return 'null';
  if (typeof value === 'string') return JSON.stringify(clip(value));
  if (typeof value === 'boolean') return String(value);
  if (value instanceof JsonNumber) return clip(value.source);
  return Array.isArray(value) ? 'an array' : 'an object';
}

/** Keeps sent values from filling the answer. */
export function clip(raw: string): string {
  return raw.length <= MAX_SHOWN ? raw : `${raw.slice(0, MAX_SHOWN).toWellFormed()}…`;
}

const aboutOr = <O extends object>(given: O | OnlyAbout): O | About =>
  typeof given === 'object' ? given : aboutOf(given);

/** The sentence alone, where there is one. */
function aboutOf(given: About | OnlyAbout): Pick<About, 'about'> {
  const about = typeof given === 'object' ? given.about : given;
  return about === undefined ? {} : { about };
}

const REQUIRED = { optional: false, absent: undefined } as const;
const MAX_SHOWN = 40;
const MINUS = 0x2d;
const INTEGER = /^-?(?:0|[1-9]\d*)$/;
const EXPONENT = '(?:[eE][+-]?\\d+)?';
/** The text of an integer as a double may have it. The reader rejects a fraction. */
const INTEGER_TEXT = `^-?(?:0|[1-9]\\d*)(?:\\.\\d+)?${EXPONENT}$`;
const ZERO_DECIMAL = /^-?0(?:\.0+)?$/;
const UNSIGNED = `(?:0|[1-9]\\d*)(?:\\.\\d+)?${EXPONENT}`;
/** The value of decimal(), by sign. A zero may have a minus if zero is allowed. */
const PATTERNS = {
  any: `^-?${UNSIGNED}$`,
  positive: `^${UNSIGNED}$`,
  notNegative: `^(?:-0(?:\\.0+)?${EXPONENT}|${UNSIGNED})$`,
} as const;
const PRINTABLE_ASCII = /^[\x20-\x7e]*$/;
const NO_CONTROLS = /^[ -~\u00a0-\uffff]*$/;

function codePoints(raw: string): number {
  let count = 0;
  for (const _ of raw) count++;
  return count;
}

const schema = ({ about, unit }: About, keywords: JsonSchema): JsonSchema => ({
  ...keywords,
  ...(unit === undefined ? {} : { 'x-unit': unit }),
  ...(about === undefined ? {} : { description: about }),
});
