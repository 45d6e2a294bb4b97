// Decimal texts in the user interface: the arithmetic of the SDK, and the two borders where texts come from people and go to
// the screen. What the server sends as a number stays text until it is shown; nothing is ever a float.
import { type Decimal, multiply } from '../../src/sdk/decimal.ts';

export * from '../../src/sdk/decimal.ts';

/** What a person typed, as a decimal: `.5` and `5.` and leading zeros are understood; null for anything else. */
export function fromInput(text: string): Decimal | null {
  const typed = text.trim();
  if (!/^(\d+\.?\d*|\.\d+)$/.test(typed) || typed.length > 60) return null;
  return multiply(typed.replace(/^\./, '0.').replace(/\.$/, ''), '1');
}

/** For what is drawn and not read: the place of a bar, a point of a line. Never for what is shown or sent. */
export const toPixels = (value: Decimal): number => Number(value);
