// The SDK's types of answers, the codes of the wire and the list of integer fields, from the
// descriptions of answers in the contract.

import * as answer from '../../src/contract/answer.ts';
import { Module } from '../../src/contract/call.ts';
import { allCalls } from '../../src/contract/calls.ts';
import * as earn from '../../src/contract/earn/answers.ts';
import * as marketData from '../../src/contract/market-data/answers.ts';
import * as operator from '../../src/contract/operator/answers.ts';
import * as streams from '../../src/contract/streams/answers.ts';
import * as trading from '../../src/contract/trading/answers.ts';
import * as orderReport from '../../src/contract/trading/order-report.ts';
import * as userCenter from '../../src/contract/user-center/answers.ts';
import type { Answer, Fields } from '../../src/contract/wire.ts';
import { arrayOf, comment, Imports, literal } from './source.ts';

const MODULES = [
  { done: answer.done },
  marketData,
  orderReport,
  trading,
  earn,
  operator,
  userCenter,
  streams,
  streams.DATA_MESSAGES,
];

/** The generated files that declare types. */
export const TYPES = './types.ts';
const CODES = './codes.ts';

type Named = Answer & { readonly name: string };

const isNamed = (value: unknown): value is Named =>
  typeof value === 'object' && value !== null && 'shape' in value && 'name' in value;

const NAMED = MODULES.flatMap((module) => Object.values<object>(module).filter(isNamed));

const codesOf = ({ shape }: Answer) => (shape.kind === 'oneOf' ? shape.codes : undefined);

const fileOf = new Map<string, string>([
  ['Decimal', '../decimal.ts'],
  ['Page', TYPES],
  ...NAMED.map((one) => [one.name, codesOf(one) === undefined ? TYPES : CODES] as const),
]);

/** The type of an answer in the SDK; notes what it has to import. */
export function typeOf(described: Answer, imports: Imports): string {
  const { shape, name } = described;
  const use = (type: string): string => {
    const file = fileOf.get(type);
    if (file === undefined) throw new Error(`No module of answers exports ${type}.`);
    imports.add(file, type);
    return type;
  };
  if (shape.kind === 'object' && shape.pageOf !== undefined) {
    return `${use('Page')}<${typeOf(shape.pageOf, imports)}>`;
  }
  if (name !== undefined) return use(name);
  switch (shape.kind) {
    case 'text':
    case 'timeText':
      return 'string';
    case 'integer':
    case 'time':
      return 'number';
    case 'decimal':
    case 'decimalText':
      return use('Decimal');
    case 'boolean':
      return 'boolean';
    case 'any':
      return 'unknown';
    case 'oneOf':
      return shape.values.map(literal).join(' | ');
    case 'nullable':
      return `${typeOf(shape.value, imports)} | null`;
    case 'list':
      return `readonly ${arrayOf(typeOf(shape.item, imports))}`;
    case 'anyOf':
      return shape.options.map((option) => typeOf(option, imports)).join(' | ');
    case 'map':
      return `Readonly<Record<string, ${typeOf(shape.value, imports)}>>`;
    default:
      throw new Error(`A ${shape.kind} needs a name.`);
  }
}

function declared(one: Named, imports: Imports): string {
  const about = comment(one.about ?? '');
  const { shape, name } = one;
  if (shape.kind === 'object') {
    const members = membersOf(shape.fields, imports);
    return members === ''
      ? `${about}export type ${name} = Readonly<Record<string, never>>;\n`
      : `${about}export interface ${name} {\n${members}}\n`;
  }
  if (shape.kind === 'tuple') {
    const parts = Object.entries(shape.parts).map(
      ([part, value]) => `${part}: ${typeOf(value, imports)}`,
    );
    return `${about}export type ${name} = readonly [${parts.join(', ')}];\n`;
  }
  return `${about}export type ${name} = ${typeOf({ shape }, imports)};\n`;
}

const membersOf = (fields: Fields, imports: Imports): string =>
  Object.entries(fields)
    .map(([name, value]) => {
      const said = value.note ?? (value.name === undefined ? value.about : undefined) ?? '';
      const mark = value.optional ? '?' : '';
      return `${comment(said, '  ')}  readonly ${name}${mark}: ${typeOf(value, imports)};\n`;
    })
    .join('');

const PAGE = `${comment(answer.page(answer.done).about!)}export interface Page<T> {
  readonly items: readonly T[];
${membersOf(answer.pageFields, new Imports())}}
`;

const STREAMS = `/** By channel, the message that it sends. */
export interface StreamMessages {
${Object.entries(streams.DATA_MESSAGES)
  .map(([channel, { name }]) => `  readonly ${channel}: ${name};\n`)
  .join('')}}
export type DataMessage = StreamMessages[ChannelName];
`;

/** The types of all answers and messages. */
export function answerTypes(imports: Imports): string {
  const types = NAMED.filter((one) => codesOf(one) === undefined).map(
    (one) => `\n${declared(one, imports)}`,
  );
  return `${types.join('')}\n${PAGE}\n${STREAMS}`;
}

/** The codes of the wire by their names. */
export function wireCodes(): string {
  const written = NAMED.flatMap((one) => {
    const codes = codesOf(one);
    return codes === undefined ? [] : codeConstant(one.name, one.about ?? '', codes);
  });
  const module = codeConstant('Module', 'The privileges of an API key, as in `moduleIds`.', Module);
  return written.join('') + module;
}

const codeConstant = (name: string, about: string, codes: object): string => `
${comment(about)}export const ${name} = {
${Object.entries(codes)
  .map(([key, value]) => `  ${key}: ${value},\n`)
  .join('')}} as const;
export type ${name} = (typeof ${name})[keyof typeof ${name}];
`;

/** The fields that the SDK reads as numbers. Throws Error for a name that is also a decimal. */
export function integerFields(): string {
  const kinds = new Map<string, Set<string>>();
  const visit = (value: Answer, name: string): void => {
    const { shape } = value;
    if (shape.kind === 'nullable') visit(shape.value, name);
    else if (shape.kind === 'list') visit(shape.item, name);
    else if (shape.kind === 'anyOf') for (const option of shape.options) visit(option, name);
    else if (shape.kind === 'object') {
      for (const [field, member] of Object.entries(shape.fields)) visit(member, field);
    } else if (shape.kind === 'oneOf') {
      note(name, shape.values.some(Number.isInteger) ? 'integer' : 'other');
    } else if (shape.kind !== 'tuple') note(name, shape.kind === 'time' ? 'integer' : shape.kind);
  };
  const note = (name: string, kind: string): void => {
    kinds.set(name, (kinds.get(name) ?? new Set()).add(kind));
  };
  // Every legacy error of the earn area has one.
  note('errorCode', 'integer');
  for (const call of allCalls) visit(call.answer, '');
  for (const message of Object.values(streams.DATA_MESSAGES)) visit(message, '');
  visit(streams.heartbeat, '');
  const names = [...kinds].filter(([, found]) => found.has('integer'));
  const both = names.filter(([, found]) => found.has('decimal')).map(([name]) => name);
  if (both.length > 0) throw new Error(`Integers and decimals have one name: ${both}.`);
  const listed = names.map(([name]) => `  '${name}',\n`).sort();
  return `
/** Ids, times, counts and codes: integers below 2^53. */
export const INTEGER_FIELDS: ReadonlySet<string> = new Set([
${listed.join('')}]);
`;
}
