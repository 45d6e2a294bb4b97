// The strict binary forms of the link's messages. A peer may be of another release or faulty, so
// every reader refuses what its writer would not have written.
import type { BinaryReader, BinaryWriter } from '../../core/binary.ts';

export interface Form<T> {
  write(out: BinaryWriter, value: T): void;
  /** Throws where the bytes are not of this form. */
  read(input: BinaryReader): T;
}

/** The bytes of a frame are not of the form that they must have. */
export class FormError extends Error {
  override readonly name = 'FormError';
}

function requireForm(condition: boolean, rule: string): asserts condition {
  if (!condition) throw new FormError(rule);
}

export const natural: Form<number> = {
  write: (out, value) => out.integer(value),
  read(input) {
    const value = input.integer();
    requireForm(Number.isSafeInteger(value), 'a number is too large');
    return value;
  },
};

export const text: Form<string> = {
  write: (out, value) => out.text(value),
  read: (input) => input.text(),
};

export const bytes: Form<Uint8Array> = {
  write: (out, value) => out.bytes(value),
  read: (input) => input.bytes(),
};

/** A SHA-256, or an id of the same size. */
export const bytes32: Form<Uint8Array> = {
  write(out, value) {
    requireForm(value.length === 32, 'it has 32 bytes');
    out.raw(value);
  },
  read: (input) => input.raw(32),
};

export const flag: Form<boolean> = {
  write: (out, value) => out.boolean(value),
  read(input) {
    const value = input.byte();
    requireForm(value <= 1, 'a flag is 0 or 1');
    return value === 1;
  },
};

export const list = <T>(form: Form<T>): Form<readonly T[]> => ({
  write(out, values) {
    out.integer(values.length);
    for (const value of values) form.write(out, value);
  },
  read(input) {
    const values: T[] = [];
    for (let left = natural.read(input); left > 0; left--) {
      // Every value has at least one byte, so the count cannot cost more than the frame.
      requireForm(!input.atEnd, 'a list is complete');
      values.push(form.read(input));
    }
    return values;
  },
});

/** One of a few words. */
export const oneOf = <T extends string>(words: readonly T[]): Form<T> => ({
  write: (out, value) => out.byte(words.indexOf(value)),
  read(input) {
    const word = words[input.byte()];
    requireForm(word !== undefined, 'a word is not known');
    return word;
  },
});

export type FieldForms<T> = { readonly [K in keyof T]-?: Form<T[K]> };

/** The fields of an object, one after the other. */
export function fields<T extends object>(forms: FieldForms<T>): Form<T> {
  const entries = Object.entries(forms) as [keyof T, Form<unknown>][];
  return {
    write(out, value) {
      for (const [name, form] of entries) form.write(out, value[name]);
    },
    read(input) {
      const value = {} as T;
      for (const [name, form] of entries) value[name] = form.read(input) as T[keyof T];
      return value;
    },
  };
}

/** The value in a frame, which has nothing after it. */
export function readWhole<T>(input: BinaryReader, form: Form<T>): T {
  const value = form.read(input);
  requireForm(input.atEnd, 'nothing follows');
  return value;
}
