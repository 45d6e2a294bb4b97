// The binary form of a record whose values are mostly the expected ones: a byte says which of the
// next eight fields have another value, and only these follow. The caller names the expected value
// of a field; without one it is 0, false or null.
import type { BinaryReader, BinaryWriter } from '../core/binary.ts';
import type { Codec, Fields, RecordOf } from '../core/codec.ts';
import { compileFields } from '../core/compiled-fields.ts';

const GROUP = 8;

/** The form of a value that is not the expected one. */
type Form = Pick<Codec<unknown>, 'write' | 'read'>;

export class SparseRecord<F extends Fields> {
  readonly write: (out: BinaryWriter, record: RecordOf<F>) => void;
  readonly read: (input: BinaryReader) => RecordOf<F>;
  /** True if the record has the expected values alone. Equal ones may be two objects. */
  readonly isExpected: (record: RecordOf<F>) => boolean;

  constructor(fields: F, expected: Partial<RecordOf<F>> = {}) {
    const names = Object.keys(fields);
    const last = names.length - 1;
    const constants: Record<string, unknown> = {};
    /** By field: the source that tells whether its value differs from the expected one. */
    const differs: string[] = [];
    const forms = Object.entries(fields).map(([name, codec], at): [string, Form] => {
      const value = expected[name] ?? emptyOf(codec);
      constants[`expected${at}`] = value;
      differs.push(`value${at} !== expected${at}`);
      const { fields: inner } = (codec.nonNull ?? codec) as { readonly fields?: Fields };
      if (inner === undefined) return [name, formOf(codec, value)];
      const nested = new SparseRecord(inner, value ?? {});
      constants[`nested${at}`] = nested;
      if (value !== null) differs[at] += ` && !nested${at}.isExpected(value${at})`;
      return [name, nested];
    });
    const compile = <T>(code: Parameters<typeof compileFields>[1]): T =>
      compileFields(Object.fromEntries(forms) as unknown as Fields, code, constants);
    this.write = compile((each) => {
      /** The source that writes the values behind the next byte. */
      const writes: string[] = [];
      const lines = each((name, form, at) => {
        const bit = 1 << (at % GROUP);
        const start = bit === 1 ? 'present = 0;' : '';
        const value = `const value${at} = record.${name}; if (${differs[at]}) present |= ${bit};`;
        writes.push(`if ((present & ${bit}) !== 0) ${form}.write(out, value${at});`);
        if (at % GROUP < GROUP - 1 && at < last) return `${start} ${value}`;
        return `${start} ${value} out.byte(present); ${writes.splice(0).join(' ')}`;
      });
      return `(out, record) => { let present; ${lines} }`;
    });
    this.read = compile((each) => {
      const lines = each((_, form, at) => {
        const start = at % GROUP === 0 ? 'present = input.byte();' : '';
        const isPresent = `(present & ${1 << (at % GROUP)}) !== 0`;
        return `${start} const value${at} = ${isPresent} ? ${form}.read(input) : expected${at};`;
      });
      const members = names.map((name, at) => `${name}: value${at}`);
      return `(input) => { let present; ${lines} return { ${members.join(', ')} }; }`;
    });
    this.isExpected = compile((each) => {
      const lines = each((name, _, at) => {
        return `const value${at} = record.${name}; if (${differs[at]}) return false;`;
      });
      return `(record) => { ${lines} return true; }`;
    });
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
