// Amounts as users type them. A form keeps an amount with a point before decimals; a field shows
// and reads it in the user's locale. A text with two readings is an error, because no amount is
// guessed.
import { common } from '../messages/common.ts';
import { fromInput, isDecimal, multiply } from './decimal.ts';
import { grouped } from './format.ts';
import { type DecimalSign, SEPARATORS, type Separators } from './locale.ts';

/** Thousands separated by spaces or apostrophes, which no locale uses before decimals. */
const SPACED = /^\d{1,3}([ \u00a0\u202f'’]\d{3})+([.,]\d*)?$/;
/** 1,5 · ,5 · 1, */
const COMMA_DECIMAL = /^\d*,\d*$/;
/** 1.234,5 · 1.234.567 */
const POINT_GROUPS = /^\d{1,3}(\.\d{3})+,\d*$|^\d{1,3}(\.\d{3}){2,}$/;
/** 1234 or 1.234, depending on the locale. With a leading zero it is a fraction everywhere. */
const AMBIGUOUS = /^([1-9]\d{0,2})[.,](\d{3})$/;
/** 1e-05, as programs write it. */
const EXPONENT = /^[\d.]+[eE][+-]?\d+$/;

/** Marks a text that is not a number; fieldText removes it. */
const UNREAD = '?';

export interface Typing {
  readonly sign: DecimalSign;
  /**
   * Pasted text may come from these pages, which write 1,234 in every locale, or from a program,
   * which may write an exponent.
   */
  readonly pasted?: boolean;
  /** Days and counts. */
  readonly whole?: boolean;
}

/** The typed text as a form keeps it: fromInput reads the same number from it, or none. */
export function keptText(typed: string, { sign, pasted = false, whole = false }: Typing): string {
  const trimmed = typed.trim();
  const text = SPACED.test(trimmed) ? trimmed.replaceAll(/[ \u00a0\u202f'’]/g, '') : trimmed;
  const plain = pasted ? withoutExponent(text) : null;
  if (whole) return keptWhole(plain ?? text, sign);
  if (plain !== null || sign === '.') return plain ?? text;
  if (AMBIGUOUS.test(text) && (pasted || text.includes('.'))) return text + UNREAD;
  if (POINT_GROUPS.test(text)) return text.replaceAll('.', '').replace(',', '.');
  return COMMA_DECIMAL.test(text) ? text.replace(',', '.') : text;
}

/** The decimal of a text with an exponent; null for any other text. */
const withoutExponent = (text: string): string | null =>
  EXPONENT.test(text) && isDecimal(text) ? multiply(text, '1') : null;

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

/** An amount without a text that only the user can read. */
const PLAIN = /^\d*\.?\d*$/;

/** A form's value as the field shows it, with separators between thousands. */
export function shownText(kept: string, separators: Separators = SEPARATORS): string {
  if (!PLAIN.test(kept)) return fieldText(kept, separators.sign);
  return kept === '' ? '' : grouped(kept, undefined, separators);
}

/** A field: its text, the value that its form keeps, and the place of the caret. */
export interface Edit {
  readonly text: string;
  readonly kept: string;
  readonly caret: number;
}

interface Change {
  /** The field before and after the change, and its caret after it. */
  readonly before: Omit<Edit, 'caret'>;
  readonly after: string;
  readonly caret: number;
  /** Deleted what is behind the caret. */
  readonly deletesForward?: boolean;
}

/**
 * The field after a change by the user. Separators that the page added are not part of what was
 * typed; those that the user typed stay as they are, because they can make a text ambiguous.
 */
export function edited(
  { before, after, caret, deletesForward = false }: Change,
  typing: Omit<Typing, 'sign'>,
  separators: Separators = SEPARATORS,
): Edit {
  const { sign, group } = separators;
  const isOurs = PLAIN.test(before.kept) && before.text === shownText(before.kept, separators);
  const typed = isOurs ? withoutGroups(before.text, after, caret, group) : { text: after, caret };
  const kept = keptText(typed.text, { ...typing, sign });
  if (EXPONENT.test(typed.text.trim()) && PLAIN.test(kept)) {
    const text = shownText(kept, separators);
    return { text, kept, caret: text.length };
  }
  if (!isPlainIn(typed.text, sign)) return { ...typed, kept };
  const text = shownText(kept, separators);
  const at = placeAfter(text, typed.caret, group);
  return { text, kept, caret: deletesForward && text[at] === group ? at + group.length : at };
}

const isPlainIn = (text: string, sign: DecimalSign): boolean =>
  (sign === ',' ? /^\d*,?\d*$/ : PLAIN).test(text);

/** Removes the separators from the unchanged parts at both ends of `after`. */
function withoutGroups(before: string, after: string, caret: number, group: string) {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start++;
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end++;
  const strip = (text: string) => text.replaceAll(group, '');
  const [head, tail] = [after.slice(0, start), after.slice(after.length - end)];
  const typed = after.slice(start, after.length - end);
  const place =
    caret <= start
      ? strip(after.slice(0, caret)).length
      : strip(head).length + Math.min(caret - start, typed.length);
  return { text: strip(head) + typed + strip(tail), caret: place };
}

/** The place in `text` behind `count` characters that are no separators. */
function placeAfter(text: string, count: number, group: string): number {
  let [place, left] = [0, count];
  while (left > 0 && place < text.length) if (text[place++] !== group) left--;
  return place;
}

/** The error of a kept amount; null if it is a number. */
export function formFault(kept: string, sign: DecimalSign = SEPARATORS.sign): string | null {
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
