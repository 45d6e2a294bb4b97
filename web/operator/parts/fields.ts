// The fields of the console's forms. The contract has kind, unit, bounds and help of a field. The
// catalog has its label, and the order of the labels is that of the fields. A field gives its
// input, its value in a request and the line about its change.
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

interface Bounds {
  /** The bounds of an integer, or of the number of characters of a text. */
  readonly min?: number | undefined;
  readonly max?: number | undefined;
  /** A decimal is above it. */
  readonly above?: number | undefined;
}

/** A field of a call, as src/contract/generated/operator-fields.ts has it. */
interface FieldTerms extends Bounds {
  /** A value that has members has no input of its own. */
  readonly kind: FieldKind | 'object';
  /** The form that has it, unless both have. */
  readonly only?: FormKind;
  /** Days, hours, or the field that names an asset. */
  readonly unit?: string;
  /** The meaning of an empty field. Without it, a value is required. */
  readonly empty?: string;
  readonly initial?: unknown;
  /** The help. */
  readonly about?: string;
}
type Terms = Readonly<Record<string, FieldTerms>>;

type FormKind = 'create' | 'edit';

type ValueOf<K> = K extends 'checkbox'
  ? boolean
  : K extends 'checkboxes'
    ? readonly string[]
    : K extends 'user'
      ? User | null
      : string;

/** The values of a form with these fields. */
export type ValuesOf<T extends Terms> = { [N in keyof T]: ValueOf<T[N]['kind']> };

export interface Option {
  readonly value: string | number;
  readonly label: string;
  readonly description?: string;
}

interface FieldOptions<V> {
  /** Differs from that of the contract. */
  readonly kind?: FieldKind;
  readonly label?: string;
  readonly description?: string;
  /** A choice among these. */
  readonly options?: readonly Option[];
  readonly placeholder?: string;
  readonly autoFocus?: boolean;
  /** The values of other fields after a change of this one. */
  readonly resets?: Partial<V>;
}

export interface Field<V> extends FieldOptions<V>, Bounds {
  readonly kind: FieldKind;
  readonly name: keyof V & string;
  readonly label: string;
  /** Says what an empty field means, such as "Unlimited". Without it, a value is required. */
  readonly empty?: string | undefined;
  /** USDT, days. */
  readonly unit?: string | undefined;
  /** True if no edit has it. The form names all such fields in one line. */
  readonly isImmutable?: boolean;
}

/** How the contract says so, behind the help of a field. */
const IMMUTABLE = / Immutable\.$/;

/** Fields from top to bottom; an array puts them side by side. */
export type Layout<V> = readonly (Field<V> | readonly Field<V>[])[];

export const fieldsIn = <V>(layout: Layout<V>): readonly Field<V>[] => layout.flat();

/** The choices of a person about single fields. */
type Choices<V> = { readonly [N in keyof V]?: FieldOptions<V> };

/** Describes fields by their terms and their texts. */
export function describer<T extends Terms, X extends FieldTexts>(terms: T, texts: X) {
  type N = keyof T & keyof X & string;
  type V = Pick<ValuesOf<T>, N>;
  /** `values` has the names of the assets that are units. */
  const field = (
    name: N,
    values: object = {},
    chosen: FieldOptions<V> | undefined = undefined,
  ): Field<V> => {
    const { kind, about, unit, empty, min, max, above } = terms[name] as FieldTerms;
    const [label, description = about?.replace(IMMUTABLE, '')] = texts[name]!;
    const isChoice = chosen?.options !== undefined && kind !== 'checkboxes';
    return {
      ...{ kind: isChoice ? 'select' : (kind as FieldKind), name, label, min, max, above },
      ...(description === undefined ? {} : { description }),
      ...(IMMUTABLE.test(about ?? '') ? { isImmutable: true } : {}),
      unit: unit === undefined ? unit : unitText(unit, values),
      empty: empty === '' ? text.none : empty,
      ...chosen,
    };
  };
  /** The labeled fields of a form, in the order of their labels. */
  const fields = (
    form: FormKind,
    values: object,
    chosen: Choices<V> = {},
    has: (name: N, terms: FieldTerms) => boolean = () => true,
  ): readonly Field<V>[] =>
    (Object.keys(texts) as N[])
      .filter((name) => name in terms && (terms[name]!.only ?? form) === form)
      .filter((name) => has(name, terms[name]!))
      .map((name) => field(name, values, chosen[name]));
  return { field, fields };
}

const unitText = (unit: string, values: object): string =>
  text.units[unit] ?? String((values as Readonly<Record<string, unknown>>)[unit] ?? '');

/** The values of an empty form: those of the contract, or those that a person chose. */
export function emptyValues<T extends Terms>(
  terms: T,
  chosen: Partial<ValuesOf<T>> = {},
): ValuesOf<T> {
  const values = Object.entries(terms).map(([name, { kind, initial }]) => [
    name,
    kind === 'checkbox' ? initial === true : kind === 'user' ? null : String(initial ?? ''),
  ]);
  return { ...Object.fromEntries(values), ...chosen };
}

/** Names, such as those of assets, as options. */
export const optionsOf = (names: readonly string[]): readonly Option[] =>
  names.map((name) => ({ value: name, label: name }));

type ParseResult = { readonly value: unknown } | { readonly fault: string };

/** A form as a request body, or the faults of its fields. */
export type FormResult<B> =
  | { readonly ok: true; readonly body: B }
  | { readonly ok: false; readonly faults: Readonly<Record<string, string>> };

export const isEmpty = (typed: unknown): boolean =>
  typed === null || ((typeof typed === 'string' || Array.isArray(typed)) && typed.length === 0);

function parseField<V>(field: Field<V>, typed: unknown): ParseResult {
  const { kind, empty, options = [], min = 0, max = Number.MAX_SAFE_INTEGER, above } = field;
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
      if (above !== undefined && d.isZero(value)) return { fault: text.aboveZero };
      return { value: kind === 'decimal' ? value : d.fromPercent(value) };
    }
    case 'integer': {
      const value = Number(input);
      if (!/^\d{1,12}$/.test(input as string)) return { fault: text.wholeNumber };
      return value < min || value > max ? { fault: text.between(min, max) } : { value };
    }
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
    default: {
      const value = kind === 'password' ? typed : input;
      const length = typeof value === 'string' ? [...value].length : min;
      return length < min || length > max ? { fault: text.lengths(min, max) } : { value };
    }
  }
}

/** The field with the minimum of a maximum: minApr of maxApr, userAmountMin of userAmountMax. */
function minimumOf(name: string): string | null {
  const minimum = name.replace(/^max(?=[A-Z])/, 'min').replace(/Max(?=[A-Z]|$)/, 'Min');
  return minimum === name ? null : minimum;
}

/** The values of the fields as a request carries them, or the faults. */
export function parseFields<V, R>(layout: Layout<V>, values: V): FormResult<R> {
  const body: Record<string, unknown> = {};
  const faults: Record<string, string> = {};
  const fields = fieldsIn(layout);
  for (const field of fields) {
    const parsed = parseField(field, values[field.name]);
    if ('value' in parsed) body[field.name] = parsed.value;
    else faults[field.name] = parsed.fault;
  }
  for (const field of fields) {
    const minimum = fields.find(({ name }) => name === minimumOf(field.name));
    const [min, max] = [minimum && body[minimum.name], body[field.name]];
    if (minimum === undefined || min == null || max == null) continue;
    if (d.compare(String(max), String(min)) >= 0) continue;
    faults[field.name] = text.notBelow(minimum.label, valueText(minimum, min));
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
