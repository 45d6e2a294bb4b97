// How a durable record is written, read back and mixed into the state hash, from one list of its
// fields. Commands in the journal and facts in a snapshot use the same codecs.
//
// The order of a record's fields is its binary form. A form that a release wrote never changes.
import type { BinaryReader, BinaryWriter } from './binary.ts';
import type { StateHash } from './state-hash.ts';
import type { Amount } from './units.ts';

export interface Codec<T> {
  write(out: BinaryWriter, value: T): void;
  read(input: BinaryReader): T;
  /** Mixes the value into the fact that `hash` has begun. */
  mix(hash: StateHash, value: T): void;
}

/** A safe natural number. */
export const integer: Codec<number> = {
  write: (out, value) => out.integer(value),
  read: (input) => input.integer(),
  mix: (hash, value) => hash.number(value),
};

/** A natural number below 256. */
export const byte: Codec<number> = {
  write: (out, value) => out.byte(value),
  read: (input) => input.byte(),
  mix: (hash, value) => hash.number(value),
};

export const boolean: Codec<boolean> = {
  write: (out, value) => out.boolean(value),
  read: (input) => input.boolean(),
  mix: (hash, value) => hash.number(value ? 1 : 0),
};

export const text: Codec<string> = {
  write: (out, value) => out.text(value),
  read: (input) => input.text(),
  mix: (hash, value) => hash.text(value),
};

export const money: Codec<Amount> = {
  write: (out, value) => out.amount(value),
  read: (input) => input.amount(),
  mix: (hash, value) => hash.amount(value),
};

/** A safe integer of any sign. */
export const signed: Codec<number> = {
  write: (out, value) => out.amount(value as Amount),
  read: (input) => input.amount() as number,
  mix: (hash, value) => hash.amount(value as Amount),
};

/** A safe integer from −1 on, stored as its successor. */
export const fromMinusOne: Codec<number> = {
  write: (out, value) => out.integer(value + 1),
  read: (input) => input.integer() - 1,
  mix: (hash, value) => hash.number(value + 1),
};

/** A flag for null, then the value. */
export function nullable<T>(codec: Codec<T>): Codec<T | null> {
  return {
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

/** A number's brand or union is a promise of the writer; its codec is that of any number. */
type CodecFor<T> =
  | Codec<T>
  | (T extends number ? Codec<number> : T extends number | null ? Codec<number | null> : never);

/** A codec for each field of T, in binary order. */
export type FieldCodecs<T> = { readonly [K in keyof T]-?: CodecFor<T[K]> };

export type Nullable<T> = { readonly [K in keyof T]: T[K] | null };

export interface RecordCodec<T> extends Codec<T> {
  readonly fields: FieldCodecs<T>;
  /** A copy of the fields alone. */
  pick(value: T): T;
}

/** The fields of a record, one after the other. The value may have other properties as well. */
export function record<T extends object>(fields: FieldCodecs<T>): RecordCodec<T> {
  const names = Object.keys(fields) as (keyof T)[];
  const codecs = Object.values(fields) as Codec<unknown>[];
  return {
    fields,
    write(out, value) {
      for (let i = 0; i < names.length; i++) codecs[i].write(out, value[names[i]]);
    },
    read(input) {
      const value = {} as T;
      for (let i = 0; i < names.length; i++) value[names[i]] = codecs[i].read(input) as T[keyof T];
      return value;
    },
    mix(hash, value) {
      for (let i = 0; i < names.length; i++) codecs[i].mix(hash, value[names[i]]);
    },
    pick(value) {
      const picked = {} as T;
      for (const name of names) picked[name] = value[name];
      return picked;
    },
  };
}

/** The same fields, each of which may be null. */
export function nullableFields<T>(fields: FieldCodecs<T>): FieldCodecs<Nullable<T>> {
  const entries = Object.entries(fields) as [string, Codec<unknown>][];
  return Object.fromEntries(entries.map(([name, codec]) => [name, nullable(codec)])) as FieldCodecs<
    Nullable<T>
  >;
}

export function writeAll<T>(out: BinaryWriter, codec: Codec<T>, values: readonly T[]): void {
  out.integer(values.length);
  for (const value of values) codec.write(out, value);
}

export const listOf = <T>(item: Codec<T>): Codec<T[]> => ({
  write: (out, values) => writeAll(out, item, values),
  read(input) {
    const values: T[] = [];
    readAll(input, item, (value) => values.push(value));
    return values;
  },
  mix(hash, values) {
    hash.number(values.length);
    for (const value of values) item.mix(hash, value);
  },
});

/** Reads a count and its values, and passes on each. */
export function readAll<T>(
  input: BinaryReader,
  codec: Pick<Codec<T>, 'read'>,
  each: (value: T) => void,
): void {
  for (let rest = input.integer(); rest > 0; rest--) each(codec.read(input));
}
