// Values to try on a field, wrong in every way that a client, a bug or an attacker has produced
// somewhere, and a judge, independent of the readers, that tells from the published schema which of
// them must be rejected.
import type { JsonSchema } from '../../src/contract/wire.ts';

const DIGITS_400 = '7'.repeat(400);

/** Values as JSON text; all of them are valid JSON. */
export const JSON_VALUES: readonly string[] = [
  ...`
    null true false 0 -0 1 -1 2 3 99 0.5 0.0 -0.5 1.0 1.50 0.0000001
    0.123456789012345678901234567890 1e0 1E5 1e-5 1e400 1e-400 -1e400 2147483648 4294967296
    9007199254740991 9007199254740992 9007199254740993 18446744073709551616 "" "x" "0" "1" "+1"
    "-1" ".5" "5." "1,5" "1e3" "0x10" "NaN" "Infinity" "-0" "null" "true" "١٢٣" "BTC-USDT"
    "btc-usdt" "__proto__" "constructor" "toString" "<script>alert(1)</script>" "../../etc/passwd"
    "=1+1" "%00" "é" "😀" [] [1] ["1"] [null] [[[]]] {} {"1":1} {"__proto__":{"polluted":true}}
    {"constructor":{"prototype":{"polluted":true}}} {"toString":"x"}
  `
    .trim()
    .split(/\s+/),
  `1${'0'.repeat(40)}`,
  `-1${'0'.repeat(40)}`,
  DIGITS_400,
  `0.${DIGITS_400}`,
  '" "',
  '" 1"',
  '"1 "',
  '"1\\u200b"',
  '"BTC-USDT\\n"',
  '"\' OR 1=1 --"',
  '"\\u202e\\ufeff"',
  '"\\u0001"',
  '"\\u007f"',
  `"${'a'.repeat(65)}"`,
  `"${'a'.repeat(5000)}"`,
  `"${DIGITS_400}"`,
];

/** Values that make the whole body wrong: its text is no JSON, or it may not hold this. */
export const BROKEN_VALUES: readonly string[] = [
  '',
  'NaN',
  'Infinity',
  'undefined',
  '01',
  '+1',
  '.5',
  '5.',
  '0x10',
  '1_000',
  "'1'",
  '"\\x"',
  '"',
  '"\n"',
  '"\\u0000"',
  '"\\ud800"',
  '"\\udc00\\ud800"',
  '[',
  '{',
  '{"a":1,"a":2}',
  '[1,]',
  '{"a":1,}',
  '1 2',
  '/* 1 */ 1',
  `${'['.repeat(9)}${']'.repeat(9)}`,
  `${'['.repeat(4000)}${']'.repeat(4000)}`,
  `${'{"a":'.repeat(2000)}1${'}'.repeat(2000)}`,
];

/** Values of a query parameter as they are sent, percent signs and all. */
export const QUERY_VALUES: readonly string[] = [
  ...`
    0 1 -1 -0 1.5 1e3 +1 01 %31 9007199254740993 NaN x null undefined true false BTC-USDT btc-usdt
    BTC%2DUSDT %42TC-USDT __proto__ constructor side,1 side%2C9 %00 %0a %20 %ff %c0%80 %E2%82
    %ED%A0%80 %F0%9F%98%80 % %2 %zz %2525 a=b = a;b a+b a|b ..%2f..%2fetc%2fpasswd
    %27%20OR%201%3D1 %3Cscript%3E
  `
    .trim()
    .split(/\s+/),
  '',
  `1${'0'.repeat(40)}`,
  DIGITS_400,
  "'",
  'a'.repeat(65),
  'a'.repeat(4000),
  'a'.repeat(5000),
];

/** True if the published schema admits a JSON value. The server must reject any other. */
export function admits(schema: JsonSchema, value: unknown): boolean {
  const { enum: listed, type, oneOf, 'x-absent': absent } = schema;
  const zero = typeof value === 'string' && /^-?0(\.0+)?$/.test(value) ? 0 : value;
  if (Array.isArray(absent) && absent.some((form) => form === zero)) return true;
  if (Array.isArray(oneOf)) return oneOf.some((one: JsonSchema) => admits(one, value));
  if (Array.isArray(listed)) return listed.includes(value);
  const types = (Array.isArray(type) ? type : [type]) as string[];
  return types.some((each) => isOf(each, schema, value));
}

/** True if the published schema admits the text of a query parameter. */
export function admitsParameter(schema: JsonSchema, sent: string): boolean {
  try {
    const text = decodeURIComponent(sent);
    const isNumber = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(text);
    return admits(schema, text) || (isNumber && admits(schema, Number(text)));
  } catch {
    return false;
  }
}

function isOf(type: string, schema: JsonSchema, value: unknown): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'boolean':
      return typeof value === 'boolean';
    case 'integer':
      return typeof value === 'number' && Number.isInteger(value) && inBounds(schema, value);
    case 'number':
      return typeof value === 'number' && inBounds(schema, value);
    case 'string':
      return typeof value === 'string' && fitsText(schema, value);
    case 'array':
      return Array.isArray(value) && fitsList(schema, value);
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value);
    default:
      return true;
  }
}

function inBounds(schema: JsonSchema, value: number): boolean {
  const { minimum, maximum, exclusiveMinimum } = schema as Record<string, number | undefined>;
  if (minimum !== undefined && value < minimum) return false;
  if (maximum !== undefined && value > maximum) return false;
  return exclusiveMinimum === undefined || value > exclusiveMinimum;
}

function fitsText(schema: JsonSchema, value: string): boolean {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern } = schema;
  const length = [...value].length;
  if (length < Number(minLength) || length > Number(maxLength)) return false;
  return typeof pattern !== 'string' || new RegExp(pattern, 'u').test(value);
}

function fitsList(schema: JsonSchema, values: readonly unknown[]): boolean {
  const { minItems = 0, maxItems = Number.POSITIVE_INFINITY, items } = schema;
  if (values.length < Number(minItems) || values.length > Number(maxItems)) return false;
  return values.every((value) => admits(items as JsonSchema, value));
}
