// The binary form of a record that is mostly zeros: a byte says which of the next eight fields have
// another value than 0, false or null, and only these follow.
import type { BinaryReader, BinaryWriter } from '../core/binary.ts';
import type { Fields, RecordOf } from '../core/codec.ts';

const GROUP = 8;

export class SparseRecord<F extends Fields> {
  readonly #names: readonly string[];
  readonly #codecs: readonly F[string][];
  readonly #absent: readonly unknown[];

  constructor(fields: F) {
    this.#names = Object.keys(fields);
    this.#codecs = Object.values(fields) as F[string][];
    this.#absent = this.#codecs.map(({ isNullable, kind }) => {
      if (isNullable === true) return null;
      return kind === 'boolean' ? false : 0;
    });
  }

  write(out: BinaryWriter, record: RecordOf<F>): void {
    const [names, codecs, absent] = [this.#names, this.#codecs, this.#absent];
    const values = record as Readonly<Record<string, unknown>>;
    for (let from = 0; from < names.length; from += GROUP) {
      const end = Math.min(from + GROUP, names.length);
      let present = 0;
      for (let i = from; i < end; i++) {
        if (values[names[i]] !== absent[i]) present |= 1 << (i - from);
      }
      out.byte(present);
      for (let i = from; present !== 0; i++, present >>= 1) {
        if ((present & 1) === 1) codecs[i].write(out, values[names[i]]);
      }
    }
  }

  read(input: BinaryReader): RecordOf<F> {
    const record: Record<string, unknown> = {};
    let present = 0;
    for (let i = 0; i < this.#names.length; i++, present >>= 1) {
      if (i % GROUP === 0) present = input.byte();
      record[this.#names[i]] = (present & 1) === 1 ? this.#codecs[i].read(input) : this.#absent[i];
    }
    return record as RecordOf<F>;
  }
}
