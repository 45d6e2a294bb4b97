// Descriptions of answers: the fields of a response, written once, as plain data.
// They generate the SDK's types, OpenAPI and AsyncAPI. Tests and the conformance kit check answers
// by them (answer-faults.ts), and `Written` types the code that writes an answer.
// Import this as `answer`: requests have readers of the same names (fields.ts).
import { type JsonNumber, type JsonOut, JsonText, stringify } from './json.ts';

type Literal = string | number | boolean | null;

/** The form of a value. */
export type Shape =
  | {
      readonly kind:
        | 'text'
        | 'integer'
        | 'time'
        | 'timeText'
        | 'decimal'
        | 'decimalText'
        | 'boolean'
        | 'any';
    }
  | { readonly kind: 'oneOf'; readonly values: readonly Literal[]; readonly codes?: Codes }
  | { readonly kind: 'nullable'; readonly value: Answer }
  | { readonly kind: 'list'; readonly item: Answer }
  | { readonly kind: 'tuple'; readonly parts: Fields }
  | { readonly kind: 'anyOf'; readonly options: readonly Answer[] }
  | { readonly kind: 'map'; readonly value: Answer }
  | { readonly kind: 'object'; readonly fields: Fields; readonly pageOf?: Answer };

/** Numeric codes by their names. */
type Codes = Readonly<Record<string, number>>;

/** A described value; `W` is the type of what the server writes. */
export interface Answer<W = unknown> {
  readonly shape: Shape;
  /** The name of its type in the SDK and in OpenAPI; without one, it is described in place. */
  readonly name?: string;
  /** A sentence about the type or, without a name, about the field. */
  readonly about?: string;
  /** A sentence about this field, where the type has a name. */
  readonly note?: string;
  /** True if the field may be absent. */
  readonly optional?: boolean;
  /** Never set; it carries the type. */
  readonly written?: W;
}

interface OptionalAnswer<W> extends Answer<W> {
  readonly optional: true;
}

export type Fields = Readonly<Record<string, Answer>>;

/** The type of the value that the server writes. */
export type AnswerValue<A> = A extends Answer<infer W> ? W : never;

type OptionalNames<F extends Fields> = {
  [K in keyof F]: F[K] extends { readonly optional: true } ? K : never;
}[keyof F];
type Flat<T> = { [K in keyof T]: T[K] };
type AnswerFields<F extends Fields> = Flat<
  { readonly [K in Exclude<keyof F, OptionalNames<F>>]: AnswerValue<F[K]> } & {
    readonly [K in OptionalNames<F>]?: AnswerValue<F[K]> | undefined;
  }
>;

/** An answer whose fields another one can take over: `...order.shape.fields`. */
export interface ObjectAnswer<F extends Fields, W = AnswerFields<F>> extends Answer<W> {
  readonly shape: { readonly kind: 'object'; readonly fields: F; readonly pageOf?: Answer };
  readonly name: string;
}

const described = <W>(shape: Shape, about: string | undefined): Answer<W> =>
  about === undefined ? { shape } : { shape, about };

const simple =
  <W>(shape: Shape) =>
  (about?: string): Answer<W> =>
    described(shape, about);

export const text = simple<string>({ kind: 'text' });
/** Ids, counts and codes: integers below 2^53. */
export const integer = simple<number>({ kind: 'integer' });
/** A point in time, epoch ms. */
export const time = simple<number>({ kind: 'time' });
/** A point in time, epoch ms, as a text. */
export const timeText = simple<string>({ kind: 'timeText' });
/** An exact decimal as a JSON number. */
export const decimal = simple<JsonNumber>({ kind: 'decimal' });
/** An exact decimal as a text; only the level-3 book has it. */
export const decimalText = simple<string>({ kind: 'decimalText' });
export const boolean = simple<boolean>({ kind: 'boolean' });
/** A value of any form. */
export const any = simple<unknown>({ kind: 'any' });

export const oneOf = <const V extends Literal>(values: readonly V[], about?: string): Answer<V> =>
  described({ kind: 'oneOf', values }, about);

/** One of the words, as a type with a name. */
export const words = <const V extends string>(
  name: string,
  about: string,
  values: readonly V[],
): Answer<V> => ({ shape: { kind: 'oneOf', values }, name, about });

/** Numeric codes, which the SDK exports by their names. */
export const codes = <const C extends Codes>(
  name: string,
  about: string,
  values: C,
): Answer<C[keyof C]> => ({
  shape: { kind: 'oneOf', values: Object.values(values), codes: values },
  name,
  about,
});

export const nullable = <W>(value: Answer<W>, about?: string): Answer<W | null> =>
  described({ kind: 'nullable', value }, about);

/** A field that may be absent. */
export const optional = <W>(value: Answer<W>): OptionalAnswer<W> => ({ ...value, optional: true });

/** A field of a type with a name, and what the field says beyond the type. */
export const noted = <W>(value: Answer<W>, note: string): Answer<W> => ({ ...value, note });

export const list = <W>(item: Answer<W>, about?: string): Answer<readonly W[]> =>
  described({ kind: 'list', item }, about);

/** One of several objects. */
export const anyOf = <const A extends Answer>(options: readonly A[]): Answer<AnswerValue<A>> => ({
  shape: { kind: 'anyOf', options },
});

/** Values by names that are data. */
export const map = <W>(value: Answer<W>, about?: string): Answer<Readonly<Record<string, W>>> =>
  described({ kind: 'map', value }, about);

/** An array of fixed length; its parts have names for the reader. */
export const tuple = <F extends Fields>(
  name: string,
  about: string,
  parts: F,
): Answer<readonly AnswerValue<F[keyof F]>[]> => ({ shape: { kind: 'tuple', parts }, name, about });

/** An object with these fields and no others. */
export const object = <F extends Fields>(
  name: string,
  about: string,
  fields: F,
): ObjectAnswer<F> => ({ shape: { kind: 'object', fields }, name, about });

/** A field and how the server makes its value from the two arguments; undefined: it is absent. */
interface Made<A, B, W> {
  readonly answer: Answer<W>;
  readonly make: (a: A, b: B) => W | undefined;
}
type AnswersOf<M extends Readonly<Record<string, { readonly answer: Answer }>>> = {
  readonly [K in keyof M]: M[K]['answer'];
};

type TextOf<M extends Readonly<Record<string, { readonly answer: Answer }>>> = JsonText<
  AnswerFields<AnswersOf<M>>
>;

/** `made` for the fields of an object that is made of an `A` and a `B`. */
export const madeOf =
  <A, B>() =>
  <W, F extends Answer<W>>(answer: F & Answer<W>, make: (a: A, b: B) => W | undefined) =>
    ({ answer, make }) as Made<A, B, W> & { readonly answer: F };

/**
 * An object, and the function that writes it, straight to text: an object between them would
 * cost a quarter more. Its first field is always there.
 */
export function written<A, B, M extends Readonly<Record<string, Made<A, B, unknown>>>>(
  name: string,
  about: string,
  made: M & Readonly<Record<string, Made<A, B, unknown>>>,
): [ObjectAnswer<AnswersOf<M>, TextOf<M>>, (a: A, b: B) => TextOf<M>] {
  const names = Object.keys(made);
  const keys = names.map((field, i) => `${i === 0 ? '{' : ','}"${field}":`);
  const makers = Object.values(made).map(({ make }) => make);
  const write = (a: A, b: B) => {
    let text = '';
    for (let i = 0; i < keys.length; i++) {
      const value = makers[i]!(a, b);
      if (value !== undefined) text += keys[i]! + stringify(value as JsonOut);
    }
    return new JsonText<never>(`${text}}`);
  };
  const fields = Object.fromEntries(names.map((field) => [field, made[field]!.answer]));
  return [object(name, about, fields) as never, write];
}

/** The described fields of a value, and no others. */
export const pick = <F extends Fields>({ shape }: ObjectAnswer<F>, from: AnswerFields<F>) =>
  Object.fromEntries(
    Object.keys(shape.fields).map((name) => [name, from[name as keyof typeof from]]),
  ) as AnswerFields<F>;

/** The numbers of a page. */
export const pageFields = {
  currentPage: integer(),
  pageSize: integer(),
  totalNum: integer(),
  totalPage: integer(),
} as const;

/** The fields of a page of a list that is requested by page number. */
export const fieldsOfPage = <W>(item: Answer<W>) => ({ items: list(item), ...pageFields }) as const;

/** A page of a list that is requested by page number. */
export function page<W>(item: Answer<W>) {
  const fields = fieldsOfPage(item);
  const named: ObjectAnswer<typeof fields> = {
    shape: { kind: 'object', fields, pageOf: item },
    name: `${item.name}Page`,
    about: 'One page of a list that is requested by page number.',
  };
  return named;
}

/** The answer of a call that reports nothing beyond its success. */
export const done = object('Done', 'The call succeeded; there is nothing more to report.', {});
