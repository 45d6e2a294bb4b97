// The fields of the console's forms. The description of a field gives its input, its value in a
// request and the line about its change. The server checks the bounds and offers the nearest value.
import type { User } from '../../../src/sdk/index.ts';
import * as d from '../../exact/decimal.ts';
import { DAY_MS, grouped, percent } from '../../exact/format.ts';
import type { FieldTexts } from '../../messages/catalog.ts';
import { forms as text } from '../../messages/operator-forms.ts';

type FieldKind =
  | 'text'
  | 'email'
  | 'password'
  | 'date'
  | 'lines'
  | 'decimal'
  | 'integer'
  | 'percent'
  | 'select'
  | 'radio'
  | 'checkbox'
  | 'checkboxes'
  | 'user';

export interface Option {
  readonly value: string | number;
  readonly label: string;
  readonly description?: string;
}

interface FieldOptions<V> {
  /** Says what an empty field means, such as "Unlimited". Without it, a value is required. */
  readonly empty?: string;
  /** USDT, days. */
  readonly unit?: string | undefined;
  readonly placeholder?: string;
  readonly options?: readonly Option[];
  readonly autoFocus?: boolean;
  /** The values of other fields after a change of this one. */
  readonly resets?: Partial<V>;
}

export interface Field<V> extends FieldOptions<V> {
  readonly kind: FieldKind;
  readonly name: keyof V & string;
  readonly label: string;
  readonly description?: string | undefined;
}

/** Fields from top to bottom; an array puts them side by side. */
export type Layout<V> = readonly (Field<V> | readonly Field<V>[])[];

export const fieldsIn = <V>(layout: Layout<V>): readonly Field<V>[] => layout.flat();

/** Describes fields whose label and description the catalog has under their name. */
export const describer =
  <V>(texts: FieldTexts<keyof V & string>) =>
  (kind: FieldKind, name: keyof V & string, options: FieldOptions<V> = {}): Field<V> => {
    const [label, description] = texts[name];
    return { kind, name, label, description, ...options };
  };

/** Names, such as those of assets, as options. */
export const optionsOf = (names: readonly string[]): readonly Option[] =>
  names.map((name) => ({ value: name, label: name }));

type Parsed = { readonly value: unknown } | { readonly fault: string };

/** A form as a request body, or the faults of its fields. */
export type FormResult<B> =
  | { readonly ok: true; readonly body: B }
  | { readonly ok: false; readonly faults: Readonly<Record<string, string>> };

export const isEmpty = (typed: unknown): boolean =>
  typed === null || ((typeof typed === 'string' || Array.isArray(typed)) && typed.length === 0);

function parseField<V>({ kind, empty, options = [] }: Field<V>, typed: unknown): Parsed {
  const input = typeof typed === 'string' ? typed.trim() : typed;
  if (isEmpty(input)) {
    if (empty === undefined) return { fault: text.needed };
    return { value: kind === 'text' ? '' : null };
  }
  switch (kind) {
    case 'decimal':
    case 'percent': {
      const value = d.fromInput(input as string);
      if (value === null) return { fault: text.number };
      return { value: kind === 'decimal' ? value : d.fromPercent(value) };
    }
    case 'integer':
      return /^\d{1,12}$/.test(input as string)
        ? { value: Number(input) }
        : { fault: text.wholeNumber };
    case 'date':
      return { value: Date.parse(`${input}T00:00:00Z`) + DAY_MS - 1 };
    case 'lines':
      return { value: (input as string).split(/[\s,]+/) };
    case 'checkboxes':
      return { value: (input as readonly string[]).map(Number).toSorted((a, b) => a - b) };
    case 'select':
    case 'radio': {
      const chosen = options.find(({ value }) => String(value) === input);
      return chosen === undefined ? { fault: text.needed } : { value: chosen.value };
    }
    case 'user':
      return { value: (input as User).uid };
    case 'password':
      return { value: typed };
    default:
      return { value: input };
  }
}

/** The values of the fields as a request carries them, or the faults. */
export function parseFields<V, R>(layout: Layout<V>, values: V): FormResult<R> {
  const body: Record<string, unknown> = {};
  const faults: Record<string, string> = {};
  for (const field of fieldsIn(layout)) {
    const parsed = parseField(field, values[field.name]);
    if ('value' in parsed) body[field.name] = parsed.value;
    else faults[field.name] = parsed.fault;
  }
  return Object.keys(faults).length === 0 ? { ok: true, body: body as R } : { ok: false, faults };
}

/** The body of a request that creates something: it leaves out what is empty. */
export const withoutEmpty = <R extends object>(body: R): R =>
  Object.fromEntries(
    Object.entries(body).filter(([, value]) => value !== null && value !== ''),
  ) as R;

/** The fields of `next` that differ from `now`. */
export function changesIn<B extends object>(next: B, now: object): Partial<B> {
  const before = now as Readonly<Record<string, unknown>>;
  const changed = Object.entries(next).filter(
    ([field, value]) => JSON.stringify(value) !== JSON.stringify(before[field]),
  );
  return Object.fromEntries(changed) as Partial<B>;
}

/** A value of the server as the operator would type it. */
export function typedValue<V>({ kind }: Field<V>, value: unknown): string | boolean {
  if (typeof value === 'boolean') return value;
  if (value === null || value === undefined) return '';
  return kind === 'percent' ? d.toPercent(String(value)) : String(value);
}

/** The fields as a form shows a record. */
export const typedValues = <V>(layout: Layout<V>, record: object): Partial<V> =>
  Object.fromEntries(
    fieldsIn(layout).map((field) => [
      field.name,
      typedValue(field, (record as Readonly<Record<string, unknown>>)[field.name]),
    ]),
  ) as Partial<V>;

function valueText<V>({ kind, unit, empty = '–', options }: Field<V>, value: unknown): string {
  if (value === null || value === undefined || value === '') return empty;
  switch (kind) {
    case 'percent':
      return percent(String(value));
    case 'decimal':
    case 'integer':
      return [grouped(String(value)), unit].join(' ').trim();
    case 'checkbox':
      return value === true ? text.yes : text.no;
    default:
      return options?.find((option) => option.value === value)?.label ?? String(value);
  }
}

/** One line for each field that an edit changes, from the current value to the next. */
export function changeLines<V>(layout: Layout<V>, body: object, record: object): string[] {
  const [next, now] = [body, record] as readonly Readonly<Record<string, unknown>>[];
  return fieldsIn(layout)
    .filter(({ name }) => next![name] !== undefined)
    .map((field) =>
      text.change(
        field.label,
        valueText(field, now![field.name]),
        valueText(field, next![field.name]),
      ),
    );
}
