// Exact arithmetic on decimal texts, with integers of any length; nothing is ever a float. The SDK
// keeps the server's numbers as their texts. Every rounding names its direction.

/**
 * A decimal as text: an optional minus, digits, an optional fraction, an optional exponent of at
 * most two digits. A result has no exponent.
 */
export type Decimal = string;

interface Parts {
  /** The value times 10^scale. */
  readonly units: bigint;
  readonly scale: number;
}

const PATTERN = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?0*\d{1,2}))?$/;

/** Throws TypeError for a text that is not a decimal. */
function parse(text: Decimal): Parts {
  const match = PATTERN.exec(text);
  if (match === null) throw new TypeError(`not a decimal: ${text}`);
  const [, sign, whole, fraction = '', exponent = '0'] = match;
  const scale = fraction.length - Number(exponent);
  const units = BigInt(whole! + fraction + '0'.repeat(Math.max(0, -scale)));
  return { units: sign === '-' ? -units : units, scale: Math.max(0, scale) };
}

/** Plain text without trailing zeros. */
function write({ units, scale }: Parts): Decimal {
  const negative = units < 0n;
  const digits = String(negative ? -units : units).padStart(scale + 1, '0');
  const whole = digits.slice(0, digits.length - scale);
  const fraction = digits.slice(digits.length - scale).replace(/0+$/, '');
  const text = fraction === '' ? whole : `${whole}.${fraction}`;
  return negative && text !== '0' ? `-${text}` : text;
}

const rescale = ({ units, scale }: Parts, to: number): bigint => units * 10n ** BigInt(to - scale);

export function add(a: Decimal, b: Decimal): Decimal {
  const [x, y] = [parse(a), parse(b)];
  const scale = Math.max(x.scale, y.scale);
  return write({ units: rescale(x, scale) + rescale(y, scale), scale });
}

/** True if a text is a decimal. */
export const isDecimal = (text: string): boolean => PATTERN.test(text);

export const negate = (a: Decimal): Decimal => subtract('0', a);

export function subtract(a: Decimal, b: Decimal): Decimal {
  const [x, y] = [parse(a), parse(b)];
  const scale = Math.max(x.scale, y.scale);
  return write({ units: rescale(x, scale) - rescale(y, scale), scale });
}

export function multiply(a: Decimal, b: Decimal): Decimal {
  const [x, y] = [parse(a), parse(b)];
  return write({ units: x.units * y.units, scale: x.scale + y.scale });
}

/** a ÷ b, cut off (towards zero) after `decimals` digits. Throws RangeError for b = 0. */
export function divideDown(a: Decimal, b: Decimal, decimals: number): Decimal {
  const [x, y] = [parse(a), parse(b)];
  const numerator = x.units * 10n ** BigInt(y.scale + decimals);
  return write({ units: numerator / (y.units * 10n ** BigInt(x.scale)), scale: decimals });
}

/** -1, 0 or 1. */
export function compare(a: Decimal, b: Decimal): -1 | 0 | 1 {
  const { units } = parse(subtract(a, b));
  return units < 0n ? -1 : units > 0n ? 1 : 0;
}

export const isZero = (a: Decimal): boolean => parse(a).units === 0n;
export const isNegative = (a: Decimal): boolean => parse(a).units < 0n;
export const isPositive = (a: Decimal): boolean => parse(a).units > 0n;
export const min = (a: Decimal, b: Decimal): Decimal => (compare(a, b) <= 0 ? a : b);
export const max = (a: Decimal, b: Decimal): Decimal => (compare(a, b) >= 0 ? a : b);
export const sum = (values: readonly Decimal[]): Decimal => values.reduce(add, '0');

/** The largest multiple of `increment` that is not above `value`, for values from 0 on. */
export function floorTo(value: Decimal, increment: Decimal): Decimal {
  const [x, step] = [parse(value), parse(increment)];
  const scale = Math.max(x.scale, step.scale);
  const unit = rescale(step, scale);
  return write({ units: (rescale(x, scale) / unit) * unit, scale });
}

/** The smallest multiple of `increment` that is not below `value`, for values from 0 on. */
export function ceilTo(value: Decimal, increment: Decimal): Decimal {
  const below = floorTo(value, increment);
  return compare(below, value) === 0 ? below : add(below, increment);
}

/** How many digits stand after the point. */
export const decimalsOf = (value: Decimal): number => parse(value).scale;

/** A hundred times: 0.0365 is 3.65 (percent). */
export const toPercent = (rate: Decimal): Decimal => multiply(rate, '100');
/** A hundredth: 3.65 (percent) is 0.0365. */
export const fromPercent = (percent: Decimal): Decimal => multiply(percent, '0.01');

/** With exactly that many digits after the point: adds zeros, or truncates towards zero. */
export function fixedDown(value: Decimal, decimals: number): Decimal {
  const { units, scale } = parse(value);
  const cut =
    scale <= decimals
      ? units * 10n ** BigInt(decimals - scale)
      : units / 10n ** BigInt(scale - decimals);
  const digits = String(cut < 0n ? -cut : cut).padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const sign = cut < 0n ? '-' : '';
  return decimals === 0 ? `${sign}${whole}` : `${sign}${whole}.${digits.slice(-decimals)}`;
}
