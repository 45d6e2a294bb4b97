// Money on the wire without a float: a number in an answer that is not an integer of a double's
// range stays the text that was sent, and becomes units by the contract's own reading of decimals.
import { formatUnits, toUnits } from '../../src/contract/decimal.ts';
import { amount } from '../../src/core/units.ts';

/** The decimals of every coin of the sandbox. */
const SCALE = 8;

/** A number of an answer that was read by parseExact. */
export type Decimal = number | string;

export const parseExact = (text: string): unknown => JSON.parse(text, keepDecimals);

function keepDecimals(
  _key: string,
  value: unknown,
  context?: { readonly source?: string },
): unknown {
  return typeof value === 'number' && !Number.isSafeInteger(value) ? context!.source! : value;
}

/** In 10^-8. Throws Error for what is no decimal of at most 8 places. */
export function unitsOf(decimal: Decimal): bigint {
  const units = toUnits(String(decimal), SCALE);
  if (typeof units === 'string') throw new Error(`${decimal} is no amount`);
  return BigInt(units);
}

export const decimalOf = (units: bigint): string => formatUnits(amount(units), SCALE);
