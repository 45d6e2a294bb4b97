// Decimal text to exact integers and back. The wire speaks decimals ("0.125"), the core speaks
// integers (ticks, lots, smallest units); this file is the only border between them. A value that
// is not on its grid is rejected, never rounded, and nothing here ever holds a fraction in a
// double: numbers are integers below 2^53, and what does not fit is a bigint (core/units.ts).
import type { Increment } from '../core/instrument.ts';
import type { Amount } from '../core/units.ts';
import {
  add,
  amount,
  divideDown,
  MAX_INTEGER,
  multiply,
  negate,
  powerOfTen,
  subtract,
} from '../core/units.ts';

/** More digits than any asset, price or rate can need; bounds the work that one field may cause. */
export const MAX_DIGITS = 60;

/** The step above must be countable too, so the very last integer is given up. */
export const MAX_STEPS = MAX_INTEGER - 1;

/** Integers of up to 15 digits are always exact in a double, so they need no check on the way. */
const SHORT_DIGITS = 15;

/** Powers of ten for every shift that can occur: MAX_DIGITS of the text plus 18 of an asset. */
const POWERS: readonly Amount[] = Array.from({ length: MAX_DIGITS + 19 }, (_, n) => powerOfTen(n));

/** Why a text is not a plain decimal: not the grammar at all, the form 1e3, or too long. */
export type DecimalFault = 'malformed' | 'exponent' | 'tooManyDigits';

/** The value ±digits × 10^-scale. `digits` is never negative; trailing zeros are kept. */
export interface ParsedDecimal {
  readonly negative: boolean;
  readonly digits: Amount;
  readonly scale: number;
}

/** A value counted in steps of an increment, or why it cannot be. `below` may be "0". */
export type Steps =
  | { readonly ok: true; readonly steps: number }
  | {
      readonly ok: false;
      readonly fault: 'offGrid';
      readonly below: string;
      readonly above: string;
    }
  | { readonly ok: false; readonly fault: 'notPositive' | 'tooLarge' | DecimalFault };

/**
 * Reads a decimal: an optional minus, digits without a leading zero, an optional fraction. A plus,
 * an exponent (withoutExponent), `.5`, `5.`, spaces and words such as NaN are faults.
 */
export function parseDecimal(text: string): ParsedDecimal | DecimalFault {
  const length = text.length;
  const start = text.charCodeAt(0) === MINUS ? 1 : 0;
  let digits = 0;
  let point = -1;
  for (let i = start; i < length; i++) {
    const code = text.charCodeAt(i);
    if (code >= DIGIT_0 && code <= DIGIT_9) {
      // Past SHORT_DIGITS this is not exact any more; the text is then read again as a bigint.
      digits = digits * 10 + (code - DIGIT_0);
    } else if (code === POINT && point < 0) {
      point = i;
    } else {
      return faultOf(text);
    }
  }
  const whole = (point < 0 ? length : point) - start;
  const scale = point < 0 ? 0 : length - point - 1;
  if (whole === 0 || (whole > 1 && text.charCodeAt(start) === DIGIT_0)) return 'malformed';
  if (point >= 0 && scale === 0) return 'malformed';
  if (whole + scale > MAX_DIGITS) return 'tooManyDigits';
  const exact = whole + scale <= SHORT_DIGITS ? (digits as Amount) : longDigits(text, start, point);
  return { negative: start === 1 && exact !== 0, digits: exact, scale };
}

/** True if `text` is a decimal; null when it is. Same grammar as parseDecimal. */
export function decimalFault(text: string): DecimalFault | null {
  const parsed = parseDecimal(text);
  return typeof parsed === 'string' ? parsed : null;
}

/**
 * The value of `text` in units of 10^-decimals, exactly. A negative value is a negative Amount.
 * 'offGrid' when the value has a digit beyond `decimals`; trailing zeros do not count.
 */
export function toUnits(text: string, decimals: number): Amount | 'offGrid' | DecimalFault {
  const parsed = parseDecimal(text);
  if (typeof parsed === 'string') return parsed;
  const { digits, scale, negative } = parsed;
  let units: Amount;
  if (scale <= decimals) {
    units = multiply(digits, POWERS[decimals - scale]!);
  } else {
    const divisor = POWERS[scale - decimals]!;
    units = divideDown(digits, divisor);
    if (multiply(units, divisor) !== digits) return 'offGrid';
  }
  return negative ? negate(units) : units;
}

/**
 * The same decimal without an exponent: 1e-05 is 0.00001. A text is returned unchanged if it has no
 * exponent, or would need more than MAX_DIGITS digits, which bounds the work before any of it.
 */
export function withoutExponent(text: string): string {
  const parts = text.length > MAX_EXPONENT_FORM ? null : EXPONENT_FORM.exec(text);
  if (parts === null) return text;
  const [, sign = '', whole = '', fraction = '', exponent] = parts;
  const first = (whole + fraction).search(/[1-9]/);
  if (first < 0) return '0';
  const digits = (whole + fraction).slice(first).replace(/0+$/, '');
  // How many digits lie before the point; below 0, how many zeros lie between it and them.
  const point = whole.length - first + Number(exponent);
  if (Math.max(point, digits.length - point) > MAX_DIGITS) return text;
  if (point >= digits.length) return sign + digits.padEnd(point, '0');
  const [before, after] =
    point > 0 ? [digits.slice(0, point), digits.slice(point)] : ['0', '0'.repeat(-point) + digits];
  return `${sign}${before}.${after}`;
}

/** The digits of an integer that is written as a double: 5.0 and 5e0 are 5. Else the same text. */
export function wholeNumber(text: string): string {
  const plain = withoutExponent(text);
  return WHOLE.exec(plain)?.[1] ?? plain;
}

/** `value` × 10^-decimals as plain decimal text: no exponent, no trailing zeros, no "-0". */
export function formatUnits(value: Amount, decimals: number): string {
  if (value === 0) return '0';
  if (value < 0) return `-${formatUnits(negate(value), decimals)}`;
  let text = String(value);
  if (decimals === 0) return text;
  if (text.length <= decimals) text = text.padStart(decimals + 1, '0');
  const cut = text.length - decimals;
  let end = text.length;
  while (end > cut && text.charCodeAt(end - 1) === DIGIT_0) end--;
  return end === cut ? text.slice(0, cut) : `${text.slice(0, cut)}.${text.slice(cut, end)}`;
}

/**
 * A positive decimal in whole steps of `increment`, as a safe integer (ticks or lots). Off the
 * grid, the answer holds the neighbours on both sides as text, so that the caller can name them.
 */
export function toSteps(text: string, increment: Increment): Steps {
  const parsed = parseDecimal(text);
  if (typeof parsed === 'string') return { ok: false, fault: parsed };
  if (parsed.negative || parsed.digits === 0) return { ok: false, fault: 'notPositive' };
  const { numerator, denominator } = inSteps(parsed, increment);
  const steps = divideDown(numerator, denominator);
  if (typeof steps === 'bigint' || steps > MAX_STEPS) return { ok: false, fault: 'tooLarge' };
  if (multiply(steps, denominator) === numerator) return { ok: true, steps };
  return {
    ok: false,
    fault: 'offGrid',
    below: formatSteps(steps, increment),
    above: formatSteps(steps + 1, increment),
  };
}

/** `steps` × increment as plain decimal text; a sum of steps may exceed a safe integer. */
export function formatSteps(steps: number | Amount, increment: Increment): string {
  return formatUnits(multiply(steps, increment.mantissa), increment.decimals);
}

/**
 * The values above 0 on the grid beside `text`, the nearest first: the lower one if both are as
 * near. Empty if `text` is not a decimal.
 */
export function nearbyOnGrid(text: string, increment: Increment): readonly string[] {
  const parsed = parseDecimal(text);
  if (typeof parsed === 'string') return [];
  const { numerator, denominator } = inSteps(parsed, increment);
  const below = divideDown(numerator, denominator);
  const beyond = subtract(numerator, multiply(below, denominator));
  const above = beyond === 0 ? below : add(below, amount(1));
  const isAboveNearer = multiply(beyond, 2) > denominator;
  const sides = isAboveNearer ? [above, below] : [below, above];
  const accepted = sides.map((steps) => {
    if (parsed.negative || steps < 1) return 1;
    return steps < MAX_STEPS ? Number(steps) : MAX_STEPS;
  });
  return [...new Set(accepted)].map((steps) => formatSteps(steps, increment));
}

/**
 * An increment from its decimal text: "0.01" is 1 × 10^-2, "0.0250" is 25 × 10^-3, "10" is 10 ×
 * 10^0. 'notPositive' for zero and below, 'tooLarge' when the mantissa is not a safe integer.
 */
export function parseIncrement(
  text: string,
): Increment | 'notPositive' | 'tooLarge' | DecimalFault {
  const parsed = parseDecimal(text);
  if (typeof parsed === 'string') return parsed;
  if (parsed.negative || parsed.digits === 0) return 'notPositive';
  let { digits, scale } = parsed;
  while (scale > 0) {
    const shorter = divideDown(digits, POWERS[1]!);
    if (multiply(shorter, 10) !== digits) break;
    digits = shorter;
    scale--;
  }
  return typeof digits === 'bigint' ? 'tooLarge' : { mantissa: digits, decimals: scale };
}

const MINUS = 0x2d;
const POINT = 0x2e;
const DIGIT_0 = 0x30;
const DIGIT_9 = 0x39;
const EXPONENT_FORM = /^(-?)(0|[1-9]\d*)(?:\.(\d+))?[eE]([+-]?\d+)$/;
/** The digits of a value, its zeros, and an exponent. */
const MAX_EXPONENT_FORM = 2 * MAX_DIGITS;
const WHOLE = /^(-?\d+)\.0+$/;

/** value ÷ (mantissa × 10^-decimals), the number of steps, as a quotient of two integers. */
function inSteps(value: ParsedDecimal, increment: Increment) {
  const shift = increment.decimals - value.scale;
  if (shift >= 0) {
    const numerator = multiply(value.digits, POWERS[shift]!);
    return { numerator, denominator: increment.mantissa as Amount };
  }
  return { numerator: value.digits, denominator: multiply(increment.mantissa, POWERS[-shift]!) };
}

function longDigits(text: string, start: number, point: number): Amount {
  const whole = point < 0 ? text.slice(start) : text.slice(start, point) + text.slice(point + 1);
  return amount(BigInt(whole));
}

/** Only a text that failed comes here. A long one is not searched with a regular expression. */
function faultOf(text: string): DecimalFault {
  return text.length <= MAX_EXPONENT_FORM && EXPONENT_FORM.test(text) ? 'exponent' : 'malformed';
}
