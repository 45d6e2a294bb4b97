// Decimals in the user interface: the arithmetic of the SDK, and the reading of typed amounts. A
// decimal stays text until it is shown; it is never a float.
import { type Decimal, multiply } from '../../src/sdk/decimal.ts';

export * from '../../src/sdk/decimal.ts';

/**
 * 1,234,567.8: commas exactly where the pages write them. typed.ts reads the formats of locales.
 */
const GROUPED = /^\d{1,3}(,\d{3})+(\.\d*)?$/;
const PLAIN = /^(\d+\.?\d*|\.\d+)$/;
const MAX_LENGTH = 60;

/**
 * The decimal in a typed text. It accepts `.5`, `5.`, leading zeros and commas between thousands,
 * and returns null for anything else, such as a comma that may mean a point.
 */
export function fromInput(text: string): Decimal | null {
  const trimmed = text.trim();
  const typed = GROUPED.test(trimmed) ? trimmed.replaceAll(',', '') : trimmed;
  if (!PLAIN.test(typed) || typed.length > MAX_LENGTH) return null;
  return multiply(typed.replace(/^\./, '0.').replace(/\.$/, ''), '1');
}

/** For drawing only, such as the length of a bar. Never for a figure that is shown or sent. */
export const toPixels = (value: Decimal): number => Number(value);
