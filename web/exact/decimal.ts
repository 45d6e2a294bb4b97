// Decimal texts in the user interface: the arithmetic of the SDK, and the two borders where texts come from people and go to
// the screen. What the server sends as a number stays text until it is shown; nothing is ever a float.
import { type Decimal, multiply } from '../../src/sdk/decimal.ts';

export * from '../../src/sdk/decimal.ts';

/** 1,234,567.8: commas where the pages themselves write them, and nowhere else. What a locale writes is read in typed.ts. */
const GROUPED = /^\d{1,3}(,\d{3})+(\.\d*)?$/;
const PLAIN = /^(\d+\.?\d*|\.\d+)$/;
const MAX_LENGTH = 60;

/**
 * What a person typed or pasted, as a decimal: `.5`, `5.`, leading zeros and the commas of thousands are understood. null for
 * anything else, and above all for a comma that may mean a point: no reading of an amount is ever guessed.
 */
export function fromInput(text: string): Decimal | null {
  const trimmed = text.trim();
  const typed = GROUPED.test(trimmed) ? trimmed.replaceAll(',', '') : trimmed;
  if (!PLAIN.test(typed) || typed.length > MAX_LENGTH) return null;
  return multiply(typed.replace(/^\./, '0.').replace(/\.$/, ''), '1');
}

/** For what is drawn and not read: the place of a bar, a point of a line. Never for what is shown or sent. */
export const toPixels = (value: Decimal): number => Number(value);
