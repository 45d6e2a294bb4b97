// A stored record is declared once, as a list of its fields. Its type, its binary form and its part
// in the state hash derive from that list. Commands in the journal and facts in a snapshot use it.
//
// The order of a record's fields is its binary form. A form that a release wrote never changes.
import { assert } from './assert.ts';
import type { BinaryReader, BinaryWriter } from './binary.ts';
import { compileFields } from './compiled-fields.ts';
import type { StateHash } from './state-hash.ts';
import type { Amount, Lots, Ticks } from './units.ts';

/** The kinds of values that a table of the views can have in a column. */
export type Kind = 'integer' | 'boolean' | 'text' | 'money' | 'compound';

export interface Codec<T> {
  readonly kind: Kind;
  /** Present if null is a value: the codec of all other values. */
  readonly nonNull?: Codec<NonNullable<T>>;
  write(out: BinaryWriter, value: T): void;
  read(input: BinaryReader): T;
  /** Mixes the value into the fact that `hash` has begun. */
  mix(hash: StateHash, value: T): void;
}

/** The type of the values of a codec. */
export type ValueOf<C> = C extends Codec<infer T> ? T : never;

/** A codec of values that are in no state hash and in no column. */
export const transported = <T>(codec: Pick<Codec<T>, 'write' | 'read'>): Codec<T> => ({
  ...codec,
  kind: 'compound',
  mix() {},
});

/** A safe natural number. */
export const integer: Codec<number> = {
  kind: 'integer',
  write: (out, value) => out.integer(value),
  read: (input) => input.integer(),
  mix: (hash, value) => hash.number(value),
};

/** A price, in ticks of its instrument. */
export const price = integer as Codec<Ticks>;

/** A quantity, in lots of its instrument. */
export const quantity = integer as Codec<Lots>;

/** A natural number below 256. */
export const byte: Codec<number> = {
  kind: 'integer',
  write: (out, value) => out.byte(value),
  read: (input) => input.byte(),
  mix: (hash, value) => hash.number(value),
};

/** One of a few numbers below 256, such as a side. */
export const code = <T extends number>(): Codec<T> => byte as Codec<T>;

export const boolean: Codec<boolean> = {
  kind: 'boolean',
  write: (out, value) => out.boolean(value),
  read: (input) => input.boolean(),
  mix: (hash, value) => hash.number(value ? 1 : 0),
};

export const text: Codec<string> = {
  kind: 'text',
  write: (out, value) => out.text(value),
  read: (input) => input.text(),
  mix: (hash, value) => hash.text(value),
};

export const money: Codec<Amount> = {
  kind: 'money',
  write: (out, value) => out.amount(value),
  read: (input) => input.amount(),
  mix: (hash, value) => hash.amount(value),
};

/** A safe integer of any sign. */
export const signed: Codec<number> = {
  kind: 'integer',
  write: (out, value) => out.amount(value as Amount),
  read: (input) => input.amount() as number,
  mix: (hash, value) => hash.amount(value as Amount),
};

/** A flag for null, then the value. */
export function nullable<T>(codec: Codec<T>): Codec<T | null> {
  return {
    kind: codec.kind,
    nonNull: codec as Codec<NonNullable<T>>,
    write(out, value) {
      out.boolean(value !== null);
      if (value !== null) codec.write(out, value);
    },
    read: (input) => (input.boolean() ? codec.read(input) : null),
    mix(hash, value) {
      hash.number(value === null ? 0 : 1);
      if (value !== null) codec.mix(hash, value);
    },
  };
}

/** A count, then the values. */
export function list<T>(codec: Codec<T>): Codec<readonly T[]> {
  return {
    kind: 'compound',
    write: (out, values) => writeAll(out, codec, values),
    read(input) {
      const values: T[] = [];
      readAll(input, codec, (value) => values.push(value));
      return values;
    },
    mix(hash, values) {
      hash.number(values.length);
      for (const value of values) codec.mix(hash, value);
    },
  };
}

export const bytes = transported<Uint8Array>({
  write: (out, value) => out.bytes(value),
  read: (input) => input.bytes(),
});

/** A SHA-256, or an id of the same size. */
export const bytes32 = transported<Uint8Array>({
  write(out, value) {
    assert(value.length === 32, 'it has 32 bytes');
    out.raw(value);
  },
  read: (input) => input.raw(32),
});

/** A value that is always the same, and takes no byte. */
export const constant = <const T>(value: T): Codec<T> =>
  transported({ write() {}, read: () => value });

/** One of a few words, by its place. */
export const oneOf = <const T extends string>(words: readonly T[]): Codec<T> =>
  transported({
    write: (out, value) => out.byte(words.indexOf(value)),
    read(input) {
      const word = words[input.byte()];
      assert(word !== undefined, 'a word is known');
      return word;
    },
  });

/** Begins a fact of this kind in the hash, which the caller adds or removes. */
export function mixFact<T>(
  hash: StateHash,
  kind: number,
  codec: Pick<Codec<T>, 'mix'>,
  fact: T,
): StateHash {
  hash.begin(kind);
  codec.mix(hash, fact);
  return hash;
}

/** The fields of a record, in binary order. */
export type Fields = Readonly<Record<string, Codec<unknown>>>;

/** A record with these fields. */
export type RecordOf<F> = { readonly [K in keyof F]: ValueOf<F[K]> };

/** Some of the fields; null leaves one as it is. */
type Changes<F> = { readonly [K in keyof F]?: ValueOf<F[K]> | null | undefined };

export type Mutable<T> = { -readonly [K in keyof T]: T[K] };

export interface RecordCodec<F> extends Codec<RecordOf<F>> {
  readonly fields: F;
  /** A copy of the fields alone. */
  pick(value: RecordOf<F>): RecordOf<F>;
  /** The fields of `now`, with those of `changes` that are there and not null. */
  merge(now: RecordOf<F>, changes: Changes<F>): RecordOf<F>;
}

/** The fields of a record, one after the other. The value may have other properties as well. */
export function record<F extends Fields>(fields: F): RecordCodec<F> {
  const names = Object.keys(fields);
  type Values = Record<string, unknown>;
  return {
    kind: 'compound',
    fields,
    write: compileFields(fields, (each) => {
      return `(out, value) => { ${each((name, codec) => `${codec}.write(out, value.${name});`)} }`;
    }),
    read: compileFields(fields, (each) => {
      return `(input) => ({ ${each((name, codec) => `${name}: ${codec}.read(input),`)} })`;
    }),
    mix: compileFields(fields, (each) => {
      return `(hash, value) => { ${each((name, codec) => `${codec}.mix(hash, value.${name});`)} }`;
    }),
    pick(value) {
      const picked: Values = {};
      for (const name of names) picked[name] = (value as Values)[name];
      return picked as RecordOf<F>;
    },
    merge(now, changes) {
      const merged: Values = {};
      for (const name of names) merged[name] = (changes as Values)[name] ?? (now as Values)[name];
      return merged as RecordOf<F>;
    },
  };
}

type NullableFields<F> = { readonly [K in keyof F]: Codec<ValueOf<F[K]> | null> };

/** The same fields, each of which may be null. */
export function nullableFields<F extends Fields>(fields: F): NullableFields<F> {
  const entries = Object.entries(fields).map(([name, codec]) => [name, nullable(codec)]);
  return Object.fromEntries(entries) as NullableFields<F>;
}

export function writeAll<T>(out: BinaryWriter, codec: Codec<T>, values: readonly T[]): void {
  out.integer(values.length);
  for (const value of values) codec.write(out, value);
}

/** Reads a count and its values, and passes on each. */
export function readAll<T>(
  input: BinaryReader,
  codec: Pick<Codec<T>, 'read'>,
  each: (value: T) => void,
): void {
  for (let rest = input.integer(); rest > 0; rest--) each(codec.read(input));
}
