// Makes a command of an operator call. Its arguments are the parts of the call's path; its options
// are the fields that the contract describes for the request: names in kebab case, descriptions,
// units and bounds as help, and the reader of the field's kind.
import type { Command } from 'commander';
import { fieldsOf } from '../contract/call.ts';
import { UNIT_NOTES, type Unit } from '../contract/fields.ts';
import { operatorCalls } from '../contract/operator/calls.ts';
import { pageNames } from '../contract/paging.ts';
import type { Field } from '../contract/wire.ts';
import { CliError, command, type Input, naturalNumber, yesOrNo } from './command.ts';
import { print, printError, table } from './output.ts';
import {
  type Answer,
  fieldText,
  type OperatorCallName,
  RejectedCall,
  SERVER_ARGS,
  Server,
} from './server.ts';

/** How an option differs from what its field says. */
export interface OptionTerms {
  /** Unless given, the field's name in kebab case. */
  readonly name?: string;
  readonly help?: string;
  readonly hint?: string;
  readonly required?: boolean;
  readonly default?: string;
  /** The word that clears the field; `none` unless given. */
  readonly clear?: string;
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
  /** Fields that are arguments, after the parts of the path. */
  readonly arguments?: readonly string[];
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
  /** The remedies of rejections, by their rule. */
  readonly remedies?: Readonly<Record<string, string>>;
  /** A hint on standard error, without --json; it may call the server. */
  readonly hint?: string | ((answer: Answer, server: Server) => Promise<string>);
}

/** Help for the parts of paths. */
const PARTS: Readonly<Record<string, string>> = {
  uid: 'The number of the user.',
  apiKey: 'The key, as "agio key list" shows it.',
  symbol: 'Such as BTC-USDT.',
  asset: 'Such as BTC.',
  planId: 'The number of the plan.',
  enterpriseId: 'The number of the enterprise.',
};
/** Parts of paths that are numbers. */
const NUMBERS = ['uid', 'planId', 'enterpriseId'];

export function operatorCommand(call: OperatorCallName, terms: OperatorTerms): Command {
  const parts = [...operatorCalls[call].path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
  const options = optionsOf(call, terms);
  const described = describedFields(call);
  const args: Record<string, Input> = {};
  for (const part of parts) {
    args[part] = { type: 'positional', required: true, description: PARTS[part] ?? '' };
  }
  for (const field of terms.arguments ?? []) {
    const { description } = describedInput(described.get(field), terms.options?.[field] ?? {});
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
      const answer = await server
        .call(call, fields, Object.fromEntries(path))
        .catch((error: unknown) => {
          throw error instanceof RejectedCall ? inOptions(error, options, terms) : error;
        });
      print(values.json === true ? answer.text : answerText(answer, terms));
      const { hint } = terms;
      if (hint === undefined || values.json === true) return;
      printError(typeof hint === 'string' ? hint : await hint(answer, server));
    },
  });
}

/** The rejection with the names of the command's options in place of the fields. */
function inOptions(
  { rejection }: RejectedCall,
  options: readonly CommandOption[],
  { remedies }: OperatorTerms,
): RejectedCall {
  const { rule } = rejection.details;
  let text = rejection.message;
  for (const { field, name } of options) {
    text = text.replaceAll(`Invalid field: ${field}.`, `Invalid option: --${name}.`);
    // A name without capitals may be an ordinary word of the sentence.
    if (!/[A-Z]/.test(field)) continue;
    text = text.replaceAll(/\w+/g, (word) => (word === field ? `--${name}` : word));
  }
  const remedy = rule === undefined ? undefined : remedies?.[rule];
  return new RejectedCall(rejection, remedy === undefined ? text : `${text} ${remedy}`);
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
  readonly minimum?: number;
  readonly maximum?: number;
  readonly 'x-unit'?: Unit;
  readonly 'x-null'?: string;
  readonly 'x-words'?: readonly string[];
}

const schemaOf = (field: Field<unknown> | undefined): Schema =>
  (field?.toJsonSchema() ?? {}) as Schema;

/** The fields of a call's request, by name. */
const describedFields = (call: OperatorCallName): ReadonlyMap<string, Field<unknown>> =>
  fieldsOf(operatorCalls[call]).fields;

function optionsOf(call: OperatorCallName, terms: OperatorTerms): CommandOption[] {
  const described = describedFields(call);
  const hidden = [
    ...(terms.arguments ?? []),
    ...Object.keys(terms.fixed ?? {}),
    ...(terms.without ?? []),
    // The same as --page.
    ...(described.has('page') ? Object.keys(pageNames) : []),
  ];
  const names = [...described.keys(), ...Object.keys(terms.options ?? {})];
  const isPatch = operatorCalls[call].method === 'PATCH';
  return [...new Set(names)]
    .filter((field) => !hidden.includes(field))
    .map((field) => {
      const own = terms.options?.[field] ?? {};
      const schema = schemaOf(described.get(field));
      const isFlag = field in (terms.ask ?? {}) || own.flag !== undefined;
      const byDefault = isBoolean(schema) && !isPatch && own.read === undefined;
      const input: Input = {
        type: isFlag || byDefault ? 'boolean' : 'string',
        ...describedInput(described.get(field), own),
        ...(own.default === undefined ? {} : { default: own.default }),
      };
      return { field, name: own.name ?? kebab(field), input, terms: own, schema };
    });
}

/** The help of an option or an argument. */
function describedInput(field: Field<unknown> | undefined, own: OptionTerms) {
  const schema = schemaOf(field);
  const meaning = schema['x-null'];
  const word = own.clear ?? 'none';
  const hint = own.hint ?? hintOf(schema);
  const sentences = [
    own.help ?? schema.description ?? `${upperFirst(field?.expected ?? '')}.`,
    boundsText(schema),
    (own.help === undefined && UNITS[schema['x-unit']!]?.note) || '',
    meaning === undefined ? '' : `"${word}": ${meaning}.`,
  ];
  return {
    required: own.required ?? field?.optional === false,
    valueHint: meaning === undefined ? hint : `${hint}|${word}`,
    description: sentences.filter((sentence) => sentence !== '').join(' '),
  };
}

/** The bounds of a number that is no time. */
function boundsText({ minimum, maximum, 'x-unit': unit }: Schema): string {
  const isTime = unit === 'ms' || unit === 'epochMs';
  return minimum === undefined || maximum === undefined || isTime
    ? ''
    : `From ${minimum} to ${maximum}.`;
}

const upperFirst = (sentence: string): string =>
  sentence.charAt(0).toUpperCase() + sentence.slice(1);

const argumentName = ({ options }: OperatorTerms, field: string): string =>
  options?.[field]?.name ?? field;

/** maxOpenOrders → max-open-orders */
const kebab = (field: string): string => field.replace(/[A-Z]/g, (c) => `-${c.toLowerCase()}`);

const hasType = ({ type }: Schema, name: string): boolean => [type].flat().includes(name);
const isBoolean = (schema: Schema): boolean => hasType(schema, 'boolean');

/** How values of a unit are typed. */
interface UnitForm {
  readonly hint: string;
  readonly note?: string | undefined;
  readonly read?: (name: string, text: string) => number;
}

/** The units that are no assets. */
const UNITS: Readonly<Partial<Record<Unit, UnitForm>>> = {
  rate: { hint: 'RATE', note: UNIT_NOTES.rate },
  days: { hint: 'DAYS' },
  hours: { hint: 'HOURS' },
  ms: { hint: 'DURATION', note: 'Such as 90m, 36h, 1d12h.', read: durationOf },
  epochMs: { hint: 'DATE', note: 'Such as 2027-01-31T12:00Z.', read: timeOf },
};

function hintOf(schema: Schema): string {
  const unit = schema['x-unit'];
  if (unit !== undefined) return UNITS[unit]?.hint ?? 'AMOUNT';
  if (isBoolean(schema)) return 'yes|no';
  const words = schema['x-words'] ?? schema.enum?.filter((each) => each !== null);
  if (words !== undefined) return words.join('|');
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
  for (const field of command.arguments ?? []) {
    const name = argumentName(command, field);
    const own = command.options?.[field] ?? {};
    const schema = schemaOf(described.get(field));
    fields[field] = readTyped(schema, own, name.toUpperCase(), String(typed[name]));
  }
  for (const { field, name, terms, schema } of options) {
    const value = typed[name];
    if (value === undefined) continue;
    if (field in ask) fields[field] = await ask[field]!();
    else if (typeof value === 'boolean') fields[field] = terms.flag ?? value;
    else if (terms.readFields) Object.assign(fields, terms.readFields(`--${name}`, value));
    else fields[field] = readTyped(schema, terms, `--${name}`, value);
  }
  return { ...fields, ...fixed };
}

/** Reads a typed value, or the word that clears the field. Throws CliError. */
function readTyped(schema: Schema, own: OptionTerms, name: string, text: string): unknown {
  if (schema['x-null'] !== undefined && text === (own.clear ?? 'none')) return null;
  return own.read === undefined ? readValue(schema, name, text) : own.read(name, text);
}

/** Reads a typed value as the field wants it. Throws CliError. */
function readValue(schema: Schema, name: string, text: string): unknown {
  const byUnit = UNITS[schema['x-unit']!]?.read;
  if (byUnit !== undefined) return byUnit(name, text);
  if (schema['x-words'] !== undefined) return valueOfWord(schema, name, text);
  if (isBoolean(schema)) return yesOrNo(name, text);
  if (hasType(schema, 'array')) {
    return text.split(',').map((item) => readItem(schema.items ?? {}, name, item.trim()));
  }
  // The server reads decimals from their text.
  return hasType(schema, 'integer') ? naturalNumber(name, text) : text;
}

/** Choices of numbers are typed as numbers. */
const readItem = (items: Schema, name: string, text: string): unknown =>
  typeof items.enum?.[0] === 'number' ? naturalNumber(name, text) : readValue(items, name, text);

function valueOfWord({ 'x-words': words = [], enum: values }: Schema, name: string, text: string) {
  const place = words.indexOf(text);
  if (place < 0) throw new CliError(`${name} is one of ${words.join('|')}, not "${text}".`);
  // The values come first, then their other form.
  return [...new Set(values!.map(Number))][place];
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

function timeOf(name: string, text: string): number {
  const time = Date.parse(text);
  if (!Number.isNaN(time)) return time;
  throw new CliError(`${name} is a date such as 2027-01-31 or 2027-01-31T12:00Z, not "${text}".`);
}

const UNIT_MS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** 90m, 36h, 1d12h. Throws CliError. */
function durationOf(_: string, text: string): number {
  if (!/^(\d{1,12}(ms|s|m|h|d))+$/.test(text)) {
    throw new CliError(
      `A duration is like 90m, 36h or 1d12h (units d, h, m, s, ms), not "${text}".`,
    );
  }
  const parts = [...text.matchAll(/(\d+)(ms|s|m|h|d)/g)];
  return parts.reduce((sum, [, count, unit]) => sum + Number(count) * UNIT_MS[unit!]!, 0);
}
