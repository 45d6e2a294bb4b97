// Makes a command of an operator call. Its arguments are the parts of the call's path; its options
// are the fields that the contract describes for the request, with their names in kebab case and
// their descriptions as help.
import type { Command } from 'commander';
import { fieldsOf } from '../contract/call.ts';
import type { Field } from '../contract/fields.ts';
import { operatorCalls } from '../contract/operator/calls.ts';
import { CliError, command, type Input, naturalNumber, yesOrNo } from './command.ts';
import { print, printError, table } from './output.ts';
import { type Answer, fieldText, type OperatorCallName, SERVER_ARGS, Server } from './server.ts';

/** How an option differs from what its field says. */
export interface OptionTerms {
  /** Unless given, the field's name in kebab case. */
  readonly name?: string;
  readonly help?: string;
  readonly hint?: string;
  readonly required?: boolean;
  readonly default?: string;
  /** The value that an option without a value stands for. */
  readonly flag?: boolean;
  /** Reads a typed value. `undefined` leaves the field out. Throws CliError. */
  readonly read?: (name: string, text: string) => unknown;
  /** Reads a typed value that stands for several fields. Throws CliError. */
  readonly readFields?: (name: string, text: string) => object;
}

export interface OperatorTerms {
  readonly name: string;
  readonly summary: string;
  readonly examples: readonly string[];
  readonly notes?: string;
  /** Fields that are arguments, after the parts of the path, with what help says about them. */
  readonly arguments?: Readonly<Record<string, string>>;
  /** Options that differ from their field, or that the contract has no field for. */
  readonly options?: Readonly<Record<string, OptionTerms>>;
  /** Fields that always have the same value. */
  readonly fixed?: Readonly<Record<string, unknown>>;
  /** Fields that other options stand for. */
  readonly without?: readonly string[];
  /** Fields that no option has the value of, such as passwords: read when the option is set. */
  readonly ask?: Readonly<Record<string, () => Promise<unknown>>>;
  /** The columns of a list, or the text for a terminal; one line for each field unless given. */
  readonly print?: readonly string[] | ((answer: Answer) => string);
  /** A hint on standard error, without --json. */
  readonly hint?: string;
}

/** Help for the parts of paths. */
const PARTS: Readonly<Record<string, string>> = {
  uid: 'The number of the user.',
  apiKey: 'The key, as "agio key list" shows it.',
  symbol: 'Such as BTC-USDT.',
  planId: 'The number of the plan.',
  enterpriseId: 'The number of the enterprise.',
};
/** Parts of paths that are numbers. */
const NUMBERS = ['uid', 'planId', 'enterpriseId'];

export function operatorCommand(call: OperatorCallName, terms: OperatorTerms): Command {
  const parts = [...operatorCalls[call].path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
  const options = optionsOf(call, terms);
  const args: Record<string, Input> = {};
  for (const part of parts) {
    args[part] = { type: 'positional', required: true, description: PARTS[part] ?? '' };
  }
  for (const [field, description] of Object.entries(terms.arguments ?? {})) {
    args[argumentName(terms, field)] = { type: 'positional', required: true, description };
  }
  for (const { name, input } of options) args[name] = input;
  const { name, summary, examples, notes } = terms;
  return command({
    ...{ name, summary, examples, ...(notes === undefined ? {} : { notes }) },
    args: { ...args, ...SERVER_ARGS },
    async run(values) {
      const server = new Server(values);
      const typed = values as Readonly<Record<string, string | boolean | undefined>>;
      const path = parts.map((part) => [part, partOf(part, String(typed[part]))]);
      const fields = await typedFields(call, terms, options, typed);
      const answer = await server.call(call, fields, Object.fromEntries(path));
      print(values.json === true ? answer.text : answerText(answer, terms));
      if (terms.hint !== undefined && values.json !== true) printError(terms.hint);
    },
  });
}

interface CommandOption {
  readonly field: string;
  readonly name: string;
  readonly input: Input;
  readonly terms: OptionTerms;
  readonly schema: Schema;
}

/** The parts of a field's JSON Schema that options are made of. */
interface Schema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly items?: Schema;
}

/** The fields of a call's request, by name. */
const describedFields = (call: OperatorCallName): ReadonlyMap<string, Field<unknown>> =>
  fieldsOf(operatorCalls[call]).fields;

function optionsOf(call: OperatorCallName, terms: OperatorTerms): CommandOption[] {
  const described = describedFields(call);
  const hidden = [
    ...Object.keys(terms.arguments ?? {}),
    ...Object.keys(terms.fixed ?? {}),
    ...(terms.without ?? []),
  ];
  const names = [...described.keys(), ...Object.keys(terms.options ?? {})];
  const isPatch = operatorCalls[call].method === 'PATCH';
  return [...new Set(names)]
    .filter((field) => !hidden.includes(field))
    .map((field) => {
      const own = terms.options?.[field] ?? {};
      const about = described.get(field);
      const schema = (about?.toJsonSchema() ?? {}) as Schema;
      const isFlag = field in (terms.ask ?? {}) || own.flag !== undefined;
      const byDefault = isBoolean(schema) && !isPatch && own.read === undefined;
      const input: Input = {
        type: isFlag || byDefault ? 'boolean' : 'string',
        required: own.required ?? about?.optional === false,
        valueHint: own.hint ?? hintOf(schema),
        description: own.help ?? schema.description ?? '',
        ...(own.default === undefined ? {} : { default: own.default }),
      };
      return { field, name: own.name ?? kebab(field), input, terms: own, schema };
    });
}

const argumentName = ({ options }: OperatorTerms, field: string): string =>
  options?.[field]?.name ?? field;

/** maxOpenOrders → max-open-orders */
const kebab = (field: string): string => field.replace(/[A-Z]/g, (c) => `-${c.toLowerCase()}`);

const hasType = ({ type }: Schema, name: string): boolean => [type].flat().includes(name);
const isBoolean = (schema: Schema): boolean => hasType(schema, 'boolean');

function hintOf(schema: Schema): string {
  if (isBoolean(schema)) return 'yes|no';
  if (schema.enum !== undefined) return schema.enum.filter((each) => each !== null).join('|');
  if (hasType(schema, 'array')) return 'LIST';
  if (hasType(schema, 'number')) return 'DECIMAL';
  return hasType(schema, 'integer') ? 'N' : 'TEXT';
}

async function typedFields(
  call: OperatorCallName,
  command: OperatorTerms,
  options: readonly CommandOption[],
  typed: Readonly<Record<string, string | boolean | undefined>>,
): Promise<object> {
  const { ask = {}, fixed } = command;
  const described = describedFields(call);
  const fields: Record<string, unknown> = {};
  for (const field of Object.keys(command.arguments ?? {})) {
    const schema = (described.get(field)?.toJsonSchema() ?? {}) as Schema;
    const name = argumentName(command, field);
    const read =
      command.options?.[field]?.read ?? ((called, text) => readValue(schema, called, text));
    fields[field] = read(name.toUpperCase(), String(typed[name]));
  }
  for (const { field, name, terms, schema } of options) {
    const value = typed[name];
    if (value === undefined) continue;
    if (field in ask) fields[field] = await ask[field]!();
    else if (typeof value === 'boolean') fields[field] = terms.flag ?? value;
    else if (terms.readFields) Object.assign(fields, terms.readFields(`--${name}`, value));
    else if (terms.read) fields[field] = terms.read(`--${name}`, value);
    else fields[field] = readValue(schema, `--${name}`, value);
  }
  return { ...fields, ...fixed };
}

/** Reads a typed value as the field wants it. Throws CliError. */
function readValue(schema: Schema, name: string, text: string): unknown {
  if (isBoolean(schema)) return yesOrNo(name, text);
  if (hasType(schema, 'array')) {
    return text.split(',').map((item) => readValue(schema.items ?? {}, name, item.trim()));
  }
  // The server reads decimals from their text.
  return hasType(schema, 'integer') ? naturalNumber(name, text) : text;
}

function partOf(part: string, text: string): string {
  return NUMBERS.includes(part) ? String(naturalNumber(part.toUpperCase(), text)) : text;
}

function answerText(answer: Answer, { print: form }: OperatorTerms): string {
  if (typeof form === 'function') return form(answer);
  if (form === undefined) return rowText(answer);
  const rows = answer.rows.map((row) => form.map((field) => fieldText(field, row[field])));
  return table(form, rows);
}

/** One line for each field. */
function rowText({ row }: Answer): string {
  const entries = Object.entries(row);
  const width = Math.max(...entries.map(([name]) => name.length));
  return entries
    .map(([name, cell]) => `${name.padEnd(width)}  ${fieldText(name, cell)}`)
    .join('\n');
}

/** Reads `word` as null: the field is cleared. */
export const clearedBy =
  (word: string, read: (name: string, text: string) => unknown = (_, text) => text) =>
  (name: string, text: string): unknown =>
    text === word ? null : read(name, text);

/** Reads one of a few words. Throws CliError. */
export const oneOfWords =
  (words: Readonly<Record<string, unknown>>) =>
  (name: string, text: string): unknown => {
    if (Object.hasOwn(words, text)) return words[text];
    throw new CliError(`${name} is one of ${Object.keys(words).join('|')}, not "${text}".`);
  };
