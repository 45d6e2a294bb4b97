// Amounts as people type them. A form keeps every amount with a point before its decimals; a field shows and reads it with the
// sign of the reader's locale. A text with two readings is refused: no amount is ever guessed.
import { fromInput } from './decimal.ts';

/** What stands before the decimals. */
export type DecimalSign = '.' | ',';

/** Of a browser's language; without one, of the system. */
export function signOf(language: string | undefined): DecimalSign {
  const parts = new Intl.NumberFormat(language).formatToParts(0.5);
  return parts.some(({ type, value }) => type === 'decimal' && value === ',') ? ',' : '.';
}

/** Of the reader. */
export const SIGN = signOf(globalThis.navigator?.language);

/** Thousands apart by spaces or apostrophes, which no locale writes before decimals. */
const SPACED = /^\d{1,3}([ \u00a0\u202f'’]\d{3})+([.,]\d*)?$/;
/** 1,5 · ,5 · 1, */
const COMMA_DECIMAL = /^\d*,\d*$/;
/** 1.234,5 · 1.234.567 */
const POINT_GROUPS = /^\d{1,3}(\.\d{3})+,\d*$|^\d{1,3}(\.\d{3}){2,}$/;
/** Either 1234 or 1.234, by where one lives. With a zero in front it is a fraction everywhere. */
const AMBIGUOUS = /^([1-9]\d{0,2})[.,](\d{3})$/;

/** Makes a text that reads as no number; fieldText takes it away again. */
const UNREAD = '?';

export interface Typing {
  readonly sign: DecimalSign;
  /** Pasted text may come from these pages, which write 1,234 for a thousand in every locale. */
  readonly pasted?: boolean;
  /** Days and counts. */
  readonly whole?: boolean;
}

/** What a form keeps of what was typed: fromInput reads it as the same number, or as none. */
export function keptText(typed: string, { sign, pasted = false, whole = false }: Typing): string {
  const trimmed = typed.trim();
  const text = SPACED.test(trimmed) ? trimmed.replaceAll(/[ \u00a0\u202f'’]/g, '') : trimmed;
  if (whole) return keptWhole(text, sign);
  if (sign === '.') return text;
  if (AMBIGUOUS.test(text) && (pasted || text.includes('.'))) return text + UNREAD;
  if (POINT_GROUPS.test(text)) return text.replaceAll('.', '').replace(',', '.');
  return COMMA_DECIMAL.test(text) ? text.replace(',', '.') : text;
}

/** A decimal sign in a whole number would make 1 of 1,000 where the comma is one. */
function keptWhole(text: string, sign: DecimalSign): string {
  const group = sign === '.' ? ',' : '.';
  const isGrouped = new RegExp(`^\\d{1,3}(\\${group}\\d{3})+$`).test(text);
  if (isGrouped) return text.replaceAll(group, '');
  return /[.,]/.test(text) ? text + UNREAD : text;
}

/** What a field shows of what a form keeps. */
export function fieldText(kept: string, sign: DecimalSign): string {
  if (kept.endsWith(UNREAD)) return kept.slice(0, -UNREAD.length);
  return sign === ',' && /^\d*\.\d*$/.test(kept) ? kept.replace('.', ',') : kept;
}

/** What is wrong with the form of an amount that a form keeps; null for nothing. */
export function formFault(kept: string, sign: DecimalSign = SIGN): string | null {
  if (kept === '' || kept === '.' || fromInput(kept) !== null) return null;
  const text = fieldText(kept, sign);
  const [, thousands, rest] = AMBIGUOUS.exec(text) ?? [];
  if (kept.endsWith(UNREAD) && thousands !== undefined) {
    const readings = `${thousands}${rest} or ${thousands}${sign}${rest}`;
    return `${text} can mean ${readings}. Type the one that you mean.`;
  }
  const name = sign === ',' ? 'comma' : 'point';
  return `Use digits, with a ${name} before decimals: ${fieldText('1234.5', sign)}`;
}

/** What is wrong with the form of a whole number. */
export const wholeFault = (kept: string): string | null =>
  kept === '' || fromInput(kept)?.includes('.') === false ? null : 'Use whole digits';
