// What is typed into a form, read as what the wire wants: amounts on a scale, percents as rates, whole numbers, references.
// Each reading gives a value, or a sentence that says what would be accepted.
import * as d from '../../exact/decimal.ts';
import { grouped } from '../../exact/format.ts';

export type Read<T> = { readonly value: T } | { readonly fault: string };

export type Faults<F extends string> = { readonly [K in F]?: string };

/** A form as a request, or what is wrong with which of its fields. */
export type Checked<T, F extends string> =
  | { readonly ok: true; readonly body: T }
  | { readonly ok: false; readonly faults: Faults<F> };

/** Collects the faults of a form while its fields are read one after the other. */
export class Reading<F extends string> {
  readonly #faults: { [K in F]?: string } = {};

  /** The value; of a field with a fault something that is not looked at, since `finish` then gives the faults. */
  take<T>(field: F, read: Read<T>): T {
    if ('value' in read) return read.value;
    this.fault(field, read.fault);
    return undefined as T;
  }

  /** The first fault of a field stays. */
  fault(field: F, sentence: string): void {
    this.#faults[field] ??= sentence;
  }

  isFine(...fields: readonly F[]): boolean {
    return fields.every((field) => this.#faults[field] === undefined);
  }

  finish<T>(body: T): Checked<T, F> {
    if (Object.keys(this.#faults).length === 0) return { ok: true, body };
    return { ok: false, faults: this.#faults };
  }
}

export const NOT_A_NUMBER = 'A number, such as 12.5.';

export interface AmountRule {
  /** Digits that the asset has after the point; none where it is not known yet. */
  readonly decimals?: number | undefined;
  readonly asset?: string | undefined;
  /** Whether 0 is an answer. */
  readonly zero?: boolean;
}

/** An amount of an asset: above 0 unless `zero`, no finer than the asset. */
export function amountOf(
  typed: string,
  { decimals, asset, zero = false }: AmountRule,
): Read<string> {
  if (typed.trim() === '') return { fault: 'Say how much.' };
  const value = d.fromInput(typed);
  if (value === null) return { fault: NOT_A_NUMBER };
  if (!zero && d.isZero(value)) return { fault: 'It must be above 0.' };
  if (decimals !== undefined && d.decimalsOf(value) > decimals) {
    const of = asset === undefined ? '' : ` of ${asset}`;
    const nearest = d.fixedDown(value, decimals);
    return { fault: `At most the ${digits(decimals)}${of}: ${grouped(nearest)}, for instance.` };
  }
  return { value };
}

const digits = (n: number): string => (n === 1 ? '1 decimal' : `${n} decimals`);

export interface PercentRule {
  /** In percent. */
  readonly most: string;
  /** `most` itself is too much. */
  readonly below?: boolean;
  /** Whether 0 is an answer. */
  readonly zero?: boolean;
}

/** Rates have eight digits after the point on the wire, so percents have six. */
const PERCENT_DECIMALS = 6;

/** 4 (percent) as the rate 0.04. */
export function rateOf(
  typed: string,
  { most, below = false, zero = true }: PercentRule,
): Read<string> {
  if (typed.trim() === '') {
    return { fault: zero ? 'Say how many percent; 0 for none.' : 'Say how many percent.' };
  }
  const percent = d.fromInput(typed);
  if (percent === null) return { fault: NOT_A_NUMBER };
  if (!zero && d.isZero(percent)) return { fault: 'It must be above 0 %.' };
  const over = d.compare(percent, most);
  if (over > 0 || (below && over === 0)) {
    return { fault: below ? `It must be below ${most} %.` : `At most ${grouped(most)} %.` };
  }
  if (d.decimalsOf(percent) > PERCENT_DECIMALS) {
    return { fault: `At most ${PERCENT_DECIMALS} decimals of a percent.` };
  }
  return { value: d.fromPercent(percent) };
}

/** The rate 0.04 as what is typed: 4. */
export const percentOf = (rate: string): string => d.toPercent(rate);

export interface WholeRule {
  readonly least: number;
  readonly most: number;
  /** What is counted: days, hours. */
  readonly unit: string;
}

export function wholeOf(typed: string, { least, most, unit }: WholeRule): Read<number> {
  const text = typed.trim();
  const sentence = `A whole number from ${least} to ${grouped(String(most))} (${unit}).`;
  if (!/^\d{1,12}$/.test(text)) return { fault: sentence };
  const value = Number(text);
  return value < least || value > most ? { fault: sentence } : { value };
}

/** Up to `most` characters, with something in them. */
export function textOf(typed: string, what: string, most: number): Read<string> {
  const value = typed.trim();
  if (value === '') return { fault: `Give ${what}.` };
  if (value.length > most)
    return { fault: `At most ${most} characters; these are ${value.length}.` };
  return { value };
}

const MAX_REFERENCE = 128;

/** The name of a transfer: printable ASCII. */
export function referenceOf(typed: string): Read<string> {
  const value = typed.trim();
  if (value === '')
    return { fault: 'Give the reference, such as the number of the bank transfer.' };
  if (value.length > MAX_REFERENCE) return { fault: `At most ${MAX_REFERENCE} characters.` };
  if (!/^[\x20-\x7e]+$/.test(value)) {
    return { fault: 'Letters without accents, digits and the usual signs only.' };
  }
  return { value };
}
