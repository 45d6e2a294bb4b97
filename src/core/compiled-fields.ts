// Functions made for the fields of a record. A loop over their names looks each value up anew and
// builds objects that grow; code with the names in it runs like a function written by hand. The
// names stand in the source of agio and never come from input.
import type { Fields } from './codec.ts';

/** The source of every field in order: `codec` is an expression, and `at` counts from 0. */
type EachField = (line: (name: string, codec: string, at: number) => string) => string;

/** The function whose source `code` gives, from the source of the single fields. */
export function compileFields<T>(
  fields: Fields,
  code: (each: EachField) => string,
  constants: Readonly<Record<string, unknown>> = {},
): T {
  const names = Object.keys(fields);
  const codecs = names.map((_, at) => `codec${at}`);
  const source = code((line) => names.map((name, at) => line(name, codecs[at], at)).join(' '));
  const make = new Function(...codecs, ...Object.keys(constants), `return ${source};`);
  return make(...Object.values(fields), ...Object.values(constants)) as T;
}
