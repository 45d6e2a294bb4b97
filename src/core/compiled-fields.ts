// Functions made for the fields of a record. A loop over their names looks up each value by its
// name and builds objects that grow; code with the names in it runs like one written by hand. The
// names stand in the source of agio and never come from input.
import { assert } from './assert.ts';

const NAME = /^[a-z][a-zA-Z0-9]*$/;

/** Returns the source of all fields in order: `codec` is an expression, and `at` counts from 0. */
type EachField = (line: (name: string, codec: string, at: number) => string) => string;

/** Returns the function whose source `code` makes of its fields; throws for other names. */
export function compileFields<T>(
  codecs: Readonly<Record<string, object>>,
  code: (each: EachField) => string,
  constants: Readonly<Record<string, unknown>> = {},
): T {
  const names = Object.keys(codecs);
  for (const name of names) assert(NAME.test(name), 'a field has a plain name');
  const parameters = names.map((_, at) => `codec${at}`);
  const source = code((line) => names.map((name, at) => line(name, parameters[at], at)).join(' '));
  const make = new Function(...parameters, ...Object.keys(constants), `return ${source};`);
  return make(...Object.values(codecs), ...Object.values(constants)) as T;
}
