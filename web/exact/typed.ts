// Amounts as users type them. A form keeps an amount with a point before decimals; a field shows
// and reads it in the user's locale. A text with two readings is an error, because no amount is
// guessed.
import { common } from '../messages/common.ts';
import { fromInput } from './decimal.ts';

/** The decimal separator. */
type DecimalSign = '.' | ',';

/** The separator of a language; that of the system without one. */
export function signOf(language: string | undefined): DecimalSign {
  const parts = new Intl.NumberFormat(language).formatToParts(0.5);
  return parts.some(({ type, value }) => type === 'decimal' && value === ',') ? ',' : '.';
}

/** The separator of the user. */
export const SIGN = signOf(globalThis.navigator?.language);

/** Thousands separated by spaces or apostrophes, which no locale uses before decimals. */
const SPACED = /^\d{1,3}([ \u00a0\u202f'’]\d{3})+([.,]\d*)?$/;
/** 1,5 · ,5 · 1, */
const COMMA_DECIMAL = /^\d*,\d*$/;
/** 1.234,5 · 1.234.567 */
const POINT_GROUPS = /^\d{1,3}(\.\d{3})+,\d*$|^\d{1,3}(\.\d{3}){2,}$/;
/** 1234 or 1.234, depending on the locale. With a leading zero it is a fraction everywhere. */
const AMBIGUOUS = /^([1-9]\d{0,2})[.,](\d{3})$/;

/** Marks a text that is not a number; fieldText removes it. */
const UNREAD = '?';

export interface Typing {
  readonly sign: DecimalSign;
  /** Pasted text may come from these pages, which write 1,234 in every locale. */
  readonly pasted?: boolean;
  /** Days and counts. */
  readonly whole?: boolean;
}

/** The typed text as a form keeps it: fromInput reads the same number from it, or none. */
export function keptText(typed: string, { sign, pasted = false, whole = false }: Typing): string {
  const trimmed = typed.trim();
  const text = SPACED.test(trimmed) ? trimmed.replaceAll(/[ \u00a0\u202f'’]/g, '') : trimmed;
  if (whole) return keptWhole(text, sign);
  if (sign === '.') return text;
  if (AMBIGUOUS.test(text) && (pasted || text.includes('.'))) return text + UNREAD;
  if (POINT_GROUPS.test(text)) return text.replaceAll('.', '').replace(',', '.');
  return COMMA_DECIMAL.test(text) ? text.replace(',', '.') : text;
}

/** Rejects a decimal separator, which would turn 1,000 into 1 in some locales. */
function keptWhole(text: string, sign: DecimalSign): string {
  const group = sign === '.' ? ',' : '.';
  const isGrouped = new RegExp(`^\\d{1,3}(\\${group}\\d{3})+$`).test(text);
  if (isGrouped) return text.replaceAll(group, '');
  return /[.,]/.test(text) ? text + UNREAD : text;
}

/** A form's value as the field shows it. */
export function fieldText(kept: string, sign: DecimalSign): string {
  if (kept.endsWith(UNREAD)) return kept.slice(0, -UNREAD.length);
  return sign === ',' && /^\d*\.\d*$/.test(kept) ? kept.replace('.', ',') : kept;
}

/** The error of a kept amount; null if it is a number. */
export function formFault(kept: string, sign: DecimalSign = SIGN): string | null {
  if (kept === '' || kept === '.' || fromInput(kept) !== null) return null;
  const text = fieldText(kept, sign);
  const [, thousands, rest] = AMBIGUOUS.exec(text) ?? [];
  if (kept.endsWith(UNREAD) && thousands !== undefined) {
    return common.input.ambiguous(text, `${thousands}${rest}`, `${thousands}${sign}${rest}`);
  }
  return common.input.digitsNeeded(sign, fieldText('1234.5', sign));
}

/** The error of a kept whole number; null if it is one. */
export const wholeFault = (kept: string): string | null =>
  kept === '' || fromInput(kept)?.includes('.') === false ? null : common.input.wholeDigitsNeeded;
