// The values that only answers have, and answers as a whole. A field says how the server makes it
// of what the core has; the writers and the types of their facts are derived from that.
// Import this as `answer`.
import { DAY_MS } from '../core/calendar.ts';
import type { Increment } from '../core/instrument.ts';
import type { Amount } from '../core/units.ts';
import { integer, type OneOfOptions, oneOf, text } from './fields.ts';
import {
  type JsonNumber,
  type JsonOut,
  JsonText,
  jsonPercent,
  jsonRate,
  jsonSteps,
  jsonUnits,
  stringify,
} from './json.ts';
import type { Answer, Codes, Fields, Literal, Optional, Shape, SimpleKind } from './wire.ts';

/** How a field is made of the whole source; undefined: it is absent. */
interface Made<S, C, W> {
  readonly make: (source: S, context: C) => W | undefined;
}

/** The type of the value that the server writes. */
export type AnswerValue<A> = A extends Answer<infer W> ? W : never;

type OptionalNames<F extends Fields> = {
  [K in keyof F]: F[K] extends Optional ? K : never;
}[keyof F];
type Flat<T> = { [K in keyof T]: T[K] };
type AnswerFields<F extends Fields> = Flat<
  { readonly [K in Exclude<keyof F, OptionalNames<F>>]: AnswerValue<F[K]> } & {
    readonly [K in OptionalNames<F>]?: AnswerValue<F[K]> | undefined;
  }
>;

type Every<T> = { [K in keyof T]: (each: T[K]) => void }[keyof T] extends (all: infer A) => void
  ? A
  : never;

/** The type of the facts that an answer is made of. */
export type Source<A> = A extends Answer<unknown, infer S, never> ? S : never;

/** The facts for all of these fields. */
type SourceOf<F extends Fields> = Every<{
  [K in keyof F]: F[K] extends Made<infer S, never, unknown>
    ? S
    : F[K] extends Answer<unknown, infer S, never>
      ? F[K] extends Optional
        ? { readonly [P in K]?: S | undefined }
        : { readonly [P in K]: S }
      : never;
}>;
type ContextOf<F extends Fields> = Every<{
  [K in keyof F]: F[K] extends Made<never, infer C, unknown>
    ? C
    : F[K] extends Answer<unknown, never, infer C>
      ? C
      : never;
}>;

/** An answer whose fields another one can take over: `...order.shape.fields`. */
export interface ObjectAnswer<F extends Fields>
  extends Answer<JsonText<AnswerFields<F>> | AnswerFields<F>, SourceOf<F>, ContextOf<F>> {
  readonly shape: { readonly kind: 'object'; readonly fields: F; readonly pageOf?: Answer };
  readonly name: string;
  /** Writes the fields straight to text: an object between them would cost a quarter more. */
  readonly write: (
    source: SourceOf<F>,
    ...context: unknown extends ContextOf<F> ? [context?: unknown] : [context: ContextOf<F>]
  ) => JsonText<AnswerFields<F>>;
}

interface Scale {
  readonly scale: number;
}

const described = <W, S = W, C = unknown>(
  shape: Shape,
  about: string | undefined,
  put?: (value: S, context: C) => W,
): Answer<W, S, C> => ({
  shape,
  ...(about === undefined ? {} : { about }),
  ...(put === undefined ? {} : { put }),
});

const simple =
  <W, S = W, C = unknown>(kind: SimpleKind, put?: (value: S, context: C) => W) =>
  (about?: string): Answer<W, S, C> =>
    described({ kind }, about, put);

/** A number as a text. */
export const idText = simple<string, number>('text', String);
/** A point in time, epoch ms. */
export const time = simple<number>('time');
/** 00:00 UTC of a day since 1970. */
export const date = simple<number, number>('time', (day) => day * DAY_MS);
/** The same two as texts. */
export const timeText = simple<string, number>('timeText', String);
export const dateText = simple<string, number>('timeText', (day) => String(day * DAY_MS));
/** An exact decimal as a text; only the level-3 book has it. */
export const decimalText = simple<string>('decimalText');
/** A value of any form. */
export const any = simple<unknown>('any');

/** A price of an instrument, in its steps. */
export const price = simple<JsonNumber, number, { readonly tick: Increment }>(
  'decimal',
  (steps, { tick }) => jsonSteps(steps, tick),
);
/** A quantity of an instrument, in its steps. */
export const quantity = simple<JsonNumber, number | Amount, { readonly lot: Increment }>(
  'decimal',
  (steps, { lot }) => jsonSteps(steps, lot),
);
/** Money of an instrument's base asset, of its quote asset, or of the only asset of a source. */
export const inBase = simple<JsonNumber, Amount, { readonly base: Scale }>(
  'decimal',
  (units, { base }) => jsonUnits(units, base.scale),
);
export const inQuote = simple<JsonNumber, Amount, { readonly quote: Scale }>(
  'decimal',
  (units, { quote }) => jsonUnits(units, quote.scale),
);
export const money = simple<JsonNumber, Amount, Scale>('decimal', (units, { scale }) =>
  jsonUnits(units, scale),
);
/** The name of that asset. */
export const coin = () => made(text(), (_: unknown, { name }: { readonly name: string }) => name);
/** A whole number of any size. */
export const whole = simple<JsonNumber, Amount>('decimal', (n) => jsonUnits(n, 0));
/** A rate in 10^-8, and the same as a percentage. */
export const rate = simple<JsonNumber, number>('decimal', jsonRate);
export const percent = simple<JsonNumber, number>('decimal', jsonPercent);

/** A field that always has this value. */
export const constant = <const V extends Literal>(value: V, field: Answer<V> = oneOf([value])) => ({
  ...made(field, (): V => value),
  always: value,
});

/** One of the words, as a type with a name. */
export const words = <const V extends string>(
  name: string,
  about: string,
  values: readonly V[],
) => ({
  ...oneOf(values, about),
  name,
  about,
});

/** The words of numeric codes; the source has the codes. */
export const wordsOf = <const C extends Codes>(values: C, about?: string) => {
  const names = Object.keys(values) as (keyof C & string)[];
  const byCode = new Map<number, keyof C & string>(names.map((name) => [values[name]!, name]));
  return described<keyof C & string, number>(
    { kind: 'oneOf', values: names },
    about,
    (value) => byCode.get(value)!,
  );
};

/** Numeric codes, which the SDK exports by their names. */
export const codes = <const C extends Codes>(
  name: string,
  about: string,
  values: C,
  options: OneOfOptions = {},
) => ({
  ...oneOf(Object.values(values) as C[keyof C][], { ...options, about }),
  shape: { kind: 'oneOf', values: Object.values(values), codes: values } as const,
  name,
  about,
});

export const nullable = <W, S, C>(
  value: Answer<W, S, C>,
  about?: string,
): Answer<W | null, S | null, C> => {
  const { put } = value;
  const shape = { kind: 'nullable', value } as const;
  if (put === undefined) return described(shape, about);
  return described(shape, about, (of: S | null, context: C) =>
    of === null ? null : put(of, context),
  );
};

/** A number, which is null where the core has 0. */
export function nonZero<W, S extends number | Amount, C>(value: Answer<W, S, C>, about?: string) {
  const { put } = value;
  const shape = { kind: 'nullable', value } as const;
  return described<W | null, S, C>(
    shape,
    about,
    put === undefined
      ? (of) => (of === 0 ? null : (of as never))
      : (of, context) => (of === 0 ? null : put(of, context)),
  );
}

/** A field of a type with a name, and what the field says beyond the type. */
export const noted = <A extends Answer>(value: A, note: string): A => ({ ...value, note });

/** A field with this value of the whole source; undefined: it is absent. */
export const made = <W, S, C, A extends Answer<W> = Answer<W>>(
  value: A & Answer<W>,
  make: (source: S, context: C) => W | undefined,
): Omit<A, 'put'> & Made<S, C, W> => ({ ...value, make });

/** `made` with one source and one context for all fields. */
export const madeOf =
  <S, C>() =>
  <W, A extends Answer<W>>(value: A & Answer<W>, make: (source: S, context: C) => W | undefined) =>
    made<W, S, C, A>(value, make);

/** A value that the source has written already. */
export const written = <W>({ put: _, ...value }: Answer<W>): Answer<W, W, unknown> => value;

/** A field that the source has under another name. */
export const from = <const N extends string, W, S, C>(
  name: N,
  value: Answer<W, S, C>,
): Answer<W> & Made<{ readonly [P in N]: S }, C, W> => {
  const { put } = value;
  return {
    ...value,
    make: (source, context) => (put === undefined ? source[name] : put(source[name], context)) as W,
  };
};

type Within<N extends string, F extends Fields> = {
  readonly [K in keyof F]: F[K] extends Made<infer S, infer C, infer W>
    ? Answer<W> & Made<{ readonly [P in N]: S }, C, W>
    : F[K] extends Answer<infer W, infer S, infer C>
      ? Answer<W> & Made<{ readonly [P in N]: { readonly [Q in K]: S } }, C, W>
      : never;
};

/** Fields whose source is a member of the whole source. */
export function within<const N extends string, F extends Fields>(
  member: N,
  fields: F,
): Within<N, F> {
  const entries = Object.entries(fields).map(([name, field]) => {
    const make = makerOf([name, field]);
    const makeOfMember = (source: Readonly<Record<N, unknown>>, context: unknown) =>
      make(source[member], context);
    return [name, { ...field, make: makeOfMember }];
  });
  return Object.fromEntries(entries) as Within<N, F>;
}

export const list = <W, S, C>(
  item: Answer<W, S, C>,
  about?: string,
): Answer<readonly W[], readonly S[], C> => {
  const { put } = item;
  const shape = { kind: 'list', item } as const;
  if (put === undefined) return described(shape, about);
  return described(shape, about, (items: readonly S[], context: C) =>
    items.map((each) => put(each, context)),
  );
};

/** One of several objects. */
export const anyOf = <const A extends Answer>(
  options: readonly A[],
): Answer<AnswerValue<A>, AnswerValue<A>> => described({ kind: 'anyOf', options }, undefined);

/** Values by names that are data. */
export const map = <W>(
  value: Answer<W, W>,
  about?: string,
): Answer<Readonly<Record<string, W>>, Readonly<Record<string, W>>> =>
  described({ kind: 'map', value }, about);

/** An array of fixed length; its parts have names for the reader. */
export const tuple = <F extends Fields>(
  name: string,
  about: string,
  parts: F,
): Answer<readonly AnswerValue<F[keyof F]>[], readonly AnswerValue<F[keyof F]>[]> => ({
  shape: { kind: 'tuple', parts },
  name,
  about,
});

/** An object with these fields and no others. The first one is always there. */
export function object<F extends Fields>(name: string, about: string, fields: F): ObjectAnswer<F> {
  const members = Object.entries(fields);
  const keys = members.map(([field, value], i) => {
    const key = `${i === 0 ? '{' : ','}"${field}":`;
    return isConstant(value) ? key + stringify(value.always) : key;
  });
  const makers = members.map((member) => (isConstant(member[1]) ? null : makerOf(member)));
  const write = (source: unknown, context: unknown): JsonText<AnswerFields<F>> => {
    let written = '';
    for (let i = 0; i < keys.length; i++) {
      const make = makers[i]!;
      if (make === null) {
        written += keys[i]!;
        continue;
      }
      const value = make(source, context);
      if (value !== undefined) written += keys[i]! + stringify(value);
    }
    return new JsonText(`${written}}`);
  };
  return { shape: { kind: 'object', fields }, name, about, write: write as never, put: write };
}

const isConstant = (field: Answer): field is Answer & { readonly always: Literal } =>
  'always' in field;

type Maker = (source: unknown, context: unknown) => JsonOut;

/** The fields of an object, each with how its value is made. */
export const makersOf = <S, C>({ shape }: Answer<unknown, S, C>) =>
  Object.entries((shape as { readonly fields: Fields }).fields).map(
    (field) => [field[0], makerOf(field) as (source: S, context: C) => JsonOut] as const,
  );

function makerOf([name, field]: readonly [
  string,
  Answer & Partial<Made<unknown, unknown, unknown>>,
]): Maker {
  const { make, put } = field;
  if (make !== undefined) return make as Maker;
  const read = (source: unknown) => (source as Readonly<Record<string, JsonOut>>)[name];
  if (put === undefined) return read;
  return (source, context) => {
    const value = read(source);
    return value === undefined ? undefined : (put(value, context) as JsonOut);
  };
}

/** The numbers of a page. */
export const pageFields = {
  currentPage: integer(),
  pageSize: integer(),
  totalNum: integer(),
  totalPage: integer(),
} as const;

/** The fields of a page of a list that is requested by page number. */
export const fieldsOfPage = <W, S, C>(item: Answer<W, S, C>) =>
  ({ items: list(item), ...pageFields }) as const;

/** A page of a list that is requested by page number. */
export function page<W, S, C>(item: Answer<W, S, C>) {
  const about = 'One page of a list that is requested by page number.';
  const described = object(`${item.name}Page`, about, fieldsOfPage(item));
  return { ...described, shape: { ...described.shape, pageOf: item } };
}

/** The answer of a call that reports nothing beyond its success. */
export const done = object('Done', 'The call succeeded; there is nothing more to report.', {});
