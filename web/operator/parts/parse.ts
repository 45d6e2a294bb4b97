// Parses what an operator types into what a request carries: amounts on an asset's scale, rates,
// integers, names, references. Each parser yields a value or a sentence that says what is accepted.
import * as d from '../../exact/decimal.ts';
import { count, grouped } from '../../exact/format.ts';
import { forms as text } from '../../messages/operator-forms.ts';

export type Parsed<T> = { readonly value: T } | { readonly fault: string };

type Faults<F extends string> = { readonly [K in F]?: string };

/** A form as a request body, or the faults of its fields. */
export type FormResult<B, F extends string = string> =
  | { readonly ok: true; readonly body: B }
  | { readonly ok: false; readonly faults: Faults<F> };

/** Collects the faults of a form while its fields are parsed one after the other. */
export class FormReader<F extends string> {
  readonly #faults: { [K in F]?: string } = {};

  /** The value; unusable if the field has a fault, but `finish` then returns the faults. */
  read<T>(field: F, parsed: Parsed<T>): T {
    if ('value' in parsed) return parsed.value;
    this.reject(field, parsed.fault);
    return undefined as T;
  }

  /** Keeps the first fault of a field. */
  reject(field: F, fault: string): void {
    this.#faults[field] ??= fault;
  }

  isValid(...fields: readonly F[]): boolean {
    return fields.every((field) => this.#faults[field] === undefined);
  }

  finish<B>(body: B): FormResult<B, F> {
    if (Object.keys(this.#faults).length === 0) return { ok: true, body };
    return { ok: false, faults: this.#faults };
  }
}

export interface AmountRule {
  /** Decimals of the asset; undefined while they are unknown. */
  readonly decimals?: number | undefined;
  readonly asset?: string | undefined;
  /** Whether 0 is accepted. */
  readonly zero?: boolean;
}

/** The rule for amounts of a listed asset. */
export const amountRule = (
  assets: readonly { readonly asset: string; readonly scale: number }[],
  asset: string,
): AmountRule => ({ decimals: assets.find((one) => one.asset === asset)?.scale, asset });

/** An amount of an asset: above 0 unless `zero`, and no finer than the asset's scale. */
export function parseAmount(
  typed: string,
  { decimals, asset, zero = false }: AmountRule,
): Parsed<string> {
  if (typed.trim() === '') return { fault: text.amountNeeded };
  const value = d.fromInput(typed);
  if (value === null) return { fault: text.number };
  if (!zero && d.isZero(value)) return { fault: text.aboveZero };
  if (decimals !== undefined && d.decimalsOf(value) > decimals) {
    const nearest = grouped(d.fixedDown(value, decimals));
    return { fault: text.tooManyDecimals(decimals, asset, nearest) };
  }
  return { value };
}

export interface RateRule {
  /** In percent. */
  readonly maximum: string;
  /** Whether `maximum` itself is too high. */
  readonly below?: boolean;
  /** Whether 0 is accepted. */
  readonly zero?: boolean;
}

/** Rates have eight decimals in requests, so percentages have six. */
const PERCENT_DECIMALS = 6;

/** 4 (percent) as the rate 0.04. */
export function parseRate(
  typed: string,
  { maximum, below = false, zero = true }: RateRule,
): Parsed<string> {
  if (typed.trim() === '') return { fault: zero ? text.percentOrZero : text.percentNeeded };
  const percent = d.fromInput(typed);
  if (percent === null) return { fault: text.number };
  if (!zero && d.isZero(percent)) return { fault: text.percentAboveZero };
  const over = d.compare(percent, maximum);
  if (below && over >= 0) return { fault: text.percentBelow(grouped(maximum)) };
  if (over > 0) return { fault: text.percentMaximum(grouped(maximum)) };
  if (d.decimalsOf(percent) > PERCENT_DECIMALS) {
    return { fault: text.percentDecimals(PERCENT_DECIMALS) };
  }
  return { value: d.fromPercent(percent) };
}

/** The rate 0.04 as an operator types it: 4. */
export const percentOf = (rate: string): string => d.toPercent(rate);

export interface IntegerRule {
  readonly minimum: number;
  readonly maximum: number;
  /** Plural, such as days. */
  readonly unit: string;
}

export function parseInteger(
  typed: string,
  { minimum, maximum, unit }: IntegerRule,
): Parsed<number> {
  const value = /^\d{1,12}$/.test(typed.trim()) ? Number(typed) : Number.NaN;
  if (value >= minimum && value <= maximum) return { value };
  return { fault: text.integer(minimum, count(maximum), unit) };
}

/** Between 1 and `maximum` characters; `name` completes "Enter …". */
export function parseText(typed: string, name: string, maximum: number): Parsed<string> {
  const value = typed.trim();
  if (value === '') return { fault: text.textNeeded(name) };
  if (value.length > maximum) return { fault: text.tooLong(maximum, value.length) };
  return { value };
}

const MAX_REFERENCE = 128;

/** The reference of a transfer: printable ASCII. */
export function parseReference(typed: string): Parsed<string> {
  const value = typed.trim();
  if (value === '') return { fault: text.referenceNeeded };
  if (value.length > MAX_REFERENCE) return { fault: text.tooLong(MAX_REFERENCE, value.length) };
  if (!/^[\x20-\x7e]+$/.test(value)) return { fault: text.referenceCharacters };
  return { value };
}

/** The fields of `next` that differ from `now`. */
export function changesIn<B extends object>(next: B, now: object): Partial<B> {
  const before = now as Readonly<Record<string, unknown>>;
  const changed = Object.entries(next).filter(
    ([field, value]) => JSON.stringify(value) !== JSON.stringify(before[field]),
  );
  return Object.fromEntries(changed) as Partial<B>;
}
