// The types of the SDK as they stand in its source, so that a test can hold what a server sends against them, field by field.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const SDK = join(import.meta.dir, '../../src/sdk');

interface Member {
  readonly name: string;
  readonly optional: boolean;
  readonly type: string;
}

interface Interface {
  readonly parents: readonly string[];
  readonly members: readonly Member[];
}

const interfaces = new Map<string, Interface>();
const aliases = new Map<string, string>();

const INTERFACE =
  /^(?:export )?interface (\w+)(?:<T>)?(?: extends ([\w<>, ]+))? \{\n([\s\S]*?)^\}/gm;
const ALIAS = /^(?:export )?type (\w+) =\s*([\s\S]*?);$/gm;
const MEMBER = /^ {2}readonly (\w+)(\?)?: ([\s\S]*?);$/gm;

const withoutComments = (text: string): string =>
  text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');

for (const file of readdirSync(SDK).filter((name) => /^(answers|stream-messages)/.test(name))) {
  const text = withoutComments(readFileSync(join(SDK, file), 'utf8'));
  for (const [, name, parents, body] of text.matchAll(INTERFACE)) {
    const members = [...body!.matchAll(MEMBER)].map(([, member, mark, type]) => ({
      name: member!,
      optional: mark === '?',
      type: type!,
    }));
    interfaces.set(name!, { parents: parents?.split(', ') ?? [], members });
  }
  for (const [, name, type] of text.matchAll(ALIAS)) aliases.set(name!, type!);
}

/** What a method of a client answers, as its source says it. */
export function answerOf(file: string, method: string): string {
  const text = readFileSync(join(SDK, file), 'utf8');
  const signature = new RegExp(
    `^ {2}(?:async )?${method}\\([\\s\\S]*?\\): Promise<(.+)> \\{$`,
    'm',
  );
  const found = signature.exec(text)?.[1];
  if (found === undefined) throw new Error(`${file} has no method ${method} with an answer`);
  return found;
}

const DECIMAL = /^-?(0|[1-9]\d*)(\.\d+)?$/;
const SIMPLE: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  number: Number.isSafeInteger,
  boolean: (value) => typeof value === 'boolean',
  Decimal: (value) => typeof value === 'string' && DECIMAL.test(value),
  unknown: () => true,
};

/** Where a value is not what its type says; empty where it is. */
export function faults(value: unknown, type: string, path = ''): string[] {
  const text = type.trim();
  const shown = `${path || 'answer'}: ${JSON.stringify(value)?.slice(0, 80)} is not ${text}`;
  const options = split(text, '|').filter((option) => option !== '');
  if (options.length > 1) {
    const tried = options.map((option) => faults(value, option, path));
    if (tried.some((list) => list.length === 0)) return [];
    // Of `X | null`, what is wrong inside X tells more.
    return value === null ? [shown] : tried.reduce((a, b) => (a.length > b.length ? a : b));
  }
  const simple = SIMPLE[text];
  if (simple !== undefined) return simple(value) ? [] : [shown];
  if (/^('.*'|-?\d+|true|null)$/.test(text)) {
    return JSON.stringify(value)?.replaceAll('"', "'") === text ? [] : [shown];
  }
  const item = /^(?:readonly )?\(?(.+?)\)?\[\]$/.exec(text)?.[1];
  if (item !== undefined) {
    if (!Array.isArray(value)) return [shown];
    return value.flatMap((element, i) => faults(element, item, `${path}[${i}]`));
  }
  const tuple = /^readonly \[([\s\S]*)\]$/.exec(text)?.[1];
  if (tuple !== undefined) return tupleFaults(value, tuple, path, shown);
  if (text.startsWith('Readonly<Record<string')) {
    const isEmpty = text.includes('never') && Object.keys(value as object).length > 0;
    return typeof value === 'object' && value !== null && !isEmpty ? [] : [shown];
  }
  const alias = aliases.get(text);
  if (alias !== undefined) return faults(value, alias, path);
  return objectFaults(value, text, path, shown);
}

function tupleFaults(value: unknown, tuple: string, path: string, shown: string): string[] {
  const types = split(tuple, ',').filter((part) => part !== '');
  if (!Array.isArray(value) || value.length !== types.length) return [shown];
  return types.flatMap((named, i) =>
    faults(value[i], named.replace(/^\w+: /, ''), `${path}[${i}]`),
  );
}

function objectFaults(value: unknown, type: string, path: string, shown: string): string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [shown];
  const members = membersOf(type);
  const known = new Set(members.map(({ name }) => name));
  const extra = Object.keys(value).filter((name) => !known.has(name));
  const object = value as Readonly<Record<string, unknown>>;
  return [
    ...extra.map((name) => `${path}.${name}: not in ${type}`),
    ...members.flatMap(({ name, optional, type: of }) => {
      if (!(name in object)) return optional ? [] : [`${path}.${name}: missing`];
      return faults(object[name], of, `${path}.${name}`);
    }),
  ];
}

/** With those of the parents; `Page<X>` has X for T. */
function membersOf(type: string): Member[] {
  const [, name, argument] = /^(\w+)(?:<(.+)>)?$/.exec(type) ?? [];
  const found = interfaces.get(name ?? '');
  if (found === undefined) throw new Error(`There is no type ${type}`);
  const own = found.members.map((member) => ({
    ...member,
    type: argument === undefined ? member.type : member.type.replace(/\bT\b/, argument),
  }));
  return [...found.parents.flatMap(membersOf), ...own];
}

/** Parts between separators that stand in no brackets. */
function split(text: string, separator: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let i = 0; i <= text.length; i++) {
    const character = text[i];
    if (character !== undefined && '([<'.includes(character)) depth++;
    if (character !== undefined && ')]>'.includes(character)) depth--;
    if (i < text.length && (character !== separator || depth > 0)) continue;
    parts.push(text.slice(start, i).trim());
    start = i + 1;
  }
  return parts;
}
