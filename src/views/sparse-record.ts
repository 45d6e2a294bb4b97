// The binary form of a record whose values are mostly the expected ones: a byte says which of the
// next eight fields have another value, and only these follow. The caller names the expected value
// of a field; without one it is 0, false or null.
import type { BinaryReader, BinaryWriter } from '../core/binary.ts';
import type { Codec, Fields, RecordOf } from '../core/codec.ts';

const GROUP = 8;

/** The form of a value that is not the expected one. */
type Form = Pick<Codec<unknown>, 'write' | 'read'>;

export class SparseRecord<F extends Fields> {
  readonly #names: readonly string[];
  readonly #forms: readonly Form[];
  readonly #expected: readonly unknown[];
  /** By field: compares two records of a field that has some. */
  readonly #nested: readonly (SparseRecord<Fields> | null)[];
  /** The values that follow a byte. */
  readonly #found: unknown[] = new Array(GROUP).fill(null);

  constructor(fields: F, expected: Partial<RecordOf<F>> = {}) {
    this.#names = Object.keys(fields);
    const codecs = Object.values(fields);
    this.#expected = this.#names.map((name, i) => expected[name] ?? emptyOf(codecs[i]));
    this.#nested = codecs.map((codec, i) => {
      const { fields: inner } = (codec.nonNull ?? codec) as { readonly fields?: Fields };
      return inner === undefined ? null : new SparseRecord(inner, this.#expected[i] ?? {});
    });
    this.#forms = codecs.map((codec, i) => this.#nested[i] ?? formOf(codec, this.#expected[i]));
  }

  /** True if the record has the expected values alone. */
  #isExpected(record: unknown): boolean {
    const values = record as Readonly<Record<string, unknown>>;
    return this.#names.every((name, i) => !this.#differs(values[name], i));
  }

  /** Equal records may be two objects. */
  #differs(value: unknown, i: number): boolean {
    const [nested, expected] = [this.#nested[i], this.#expected[i]];
    if (value === expected) return false;
    return nested === null || expected === null || !nested.#isExpected(value);
  }

  write(out: BinaryWriter, record: RecordOf<F>): void {
    const [names, forms, expected] = [this.#names, this.#forms, this.#expected];
    const [nested, found] = [this.#nested, this.#found];
    const values = record as Readonly<Record<string, unknown>>;
    for (let from = 0; from < names.length; from += GROUP) {
      const end = Math.min(from + GROUP, names.length);
      let present = 0;
      for (let i = from; i < end; i++) {
        const value = values[names[i]];
        if (value === expected[i] || (nested[i] !== null && !this.#differs(value, i))) continue;
        present |= 1 << (i - from);
        found[i - from] = value;
      }
      out.byte(present);
      for (let i = from; present !== 0; i++, present >>= 1) {
        if ((present & 1) === 1) forms[i].write(out, found[i - from]);
      }
    }
  }

  read(input: BinaryReader): RecordOf<F> {
    const record: Record<string, unknown> = {};
    let present = 0;
    for (let i = 0; i < this.#names.length; i++, present >>= 1) {
      if (i % GROUP === 0) present = input.byte();
      record[this.#names[i]] = (present & 1) === 1 ? this.#forms[i].read(input) : this.#expected[i];
    }
    return record as RecordOf<F>;
  }
}

function emptyOf({ nonNull, kind }: Codec<unknown>): unknown {
  if (nonNull !== undefined) return null;
  if (kind === 'compound') return {};
  return kind === 'boolean' ? false : 0;
}

/** A boolean has one other value, so nothing of it follows. */
function formOf(codec: Codec<unknown>, expected: unknown): Form {
  if (codec.kind === 'boolean') return { write() {}, read: () => !expected };
  return codec.nonNull ?? codec;
}
