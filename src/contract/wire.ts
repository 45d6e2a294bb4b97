// The language of the wire: a value has a form, a reader for requests and a writer for answers. The
// SDK's types, OpenAPI, AsyncAPI and the checks of the conformance kit follow from the form.
// fields.ts has the values that are read, answer.ts those that are only written.
import type { JsonValue } from './json.ts';

/** A JSON Schema (2020-12) as plain data. */
export type JsonSchema = Readonly<Record<string, unknown>>;

export type Literal = string | number | boolean | null;

/** The form of a value. */
export type Shape =
  | { readonly kind: SimpleKind }
  | { readonly kind: 'oneOf'; readonly values: readonly Literal[]; readonly codes?: Codes }
  | { readonly kind: 'nullable'; readonly value: Answer }
  | { readonly kind: 'list'; readonly item: Answer }
  | { readonly kind: 'tuple'; readonly parts: Fields }
  | { readonly kind: 'anyOf'; readonly options: readonly Answer[] }
  | { readonly kind: 'map'; readonly value: Answer }
  | { readonly kind: 'object'; readonly fields: Fields; readonly pageOf?: Answer };

export type SimpleKind =
  | 'text'
  | 'integer'
  | 'time'
  | 'timeText'
  | 'decimal'
  | 'decimalText'
  | 'boolean'
  | 'any';

/** Numeric codes by their names. */
export type Codes = Readonly<Record<string, number>>;

/**
 * A described value: the server writes a `W`, which it makes of an `S` that the core has, given a
 * `C` such as the instrument of a price.
 */
// biome-ignore lint/suspicious/noExplicitAny: unless given, of anything.
export interface Answer<W = unknown, S = any, C = any> {
  readonly shape: Shape;
  /** The name of its type in the SDK and in OpenAPI; without one, it is described in place. */
  readonly name?: string;
  /** A sentence about the type or, without a name, about the field. */
  readonly about?: string;
  /** A sentence about this field, where the type has a name. */
  readonly note?: string;
  /** True if the field may be absent. */
  readonly optional?: boolean;
  /** Makes the value; absent where the core has it as it is written. */
  readonly put?: ((value: S, context: C) => W) | undefined;
  /** Never set; it carries the type. */
  readonly written?: W;
}

export type Fields = Readonly<Record<string, Answer>>;

export interface Optional {
  readonly optional: true;
}

/** A value that a client may send: it is read to a `T`. `path` names it, such as `booster.coin`. */
// biome-ignore lint/suspicious/noExplicitAny: unless given, of anything.
export interface Field<T, W = any> extends Answer<W, W, unknown> {
  /** True if the field may be missing; `absent` is then its value. */
  readonly optional: boolean;
  readonly absent: T | undefined;
  /** True for a quantity, amount, price or id. If it is optional, 0 means that it was not sent. */
  readonly zeroIsAbsent?: boolean;
  /** True if null, or an empty text, is a value of the optional field. */
  readonly nullIsValue?: boolean;
  readonly emptyIsValue?: boolean;
  /** Completes "It must be …". */
  readonly expected: string;
  /** Reads a value of a JSON body. Throws Problem. */
  read(value: JsonValue, path: string): T;
  /** Reads the decoded text of a query parameter. Throws Problem. */
  readText(raw: string, path: string): T;
  toJsonSchema(): JsonSchema;
}
