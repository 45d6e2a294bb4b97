// The answers of every call as JSON Schemas, read from the types of the SDK: test/sdk holds each of those, field by field, against
// what a server sends, so they are the one description of answers that there is. Part of `npm run gen`.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonSchema } from '../../src/contract/fields.ts';

const SDK = join(import.meta.dir, '../../src/sdk');
const SOURCES = /^(answers|stream-messages).*\.ts$/;
const CLIENTS: readonly string[] = [
  'client.ts',
  'trading-client.ts',
  'public-client.ts',
  'user-center-client.ts',
  'operator-client.ts',
];

interface Member {
  readonly name: string;
  readonly optional: boolean;
  readonly type: string;
  readonly about: string;
}

interface Declared {
  readonly about: string;
  readonly parents: readonly string[];
  readonly members: readonly Member[];
}

const DOC = '(?:^[ ]*/\\*\\*((?:(?!\\*/)[\\s\\S])*)\\*/\\n)?';
const INTERFACE = new RegExp(
  `${DOC}^(?:export )?interface (\\w+)(?:<T>)?(?: extends ([\\w<>, ]+))? \\{\\n([\\s\\S]*?)^\\}`,
  'gm',
);
const ALIAS = new RegExp(`${DOC}^(?:export )?type (\\w+) =\\s*([\\s\\S]*?);$`, 'gm');
const MEMBER = new RegExp(`${DOC}^ {2}readonly (\\w+)(\\?)?: ([\\s\\S]*?);$`, 'gm');

const interfaces = new Map<string, Declared>();
const aliases = new Map<string, { readonly about: string; readonly type: string }>();

/** The sentence of a doc comment. */
const said = (comment: string | undefined): string =>
  (comment ?? '')
    .replace(/^\s*\*/gm, '')
    .replace(/\s+/g, ' ')
    .trim();

for (const file of readdirSync(SDK).filter((name) => SOURCES.test(name))) {
  const text = readFileSync(join(SDK, file), 'utf8');
  for (const [, about, name, parents, body] of text.matchAll(INTERFACE)) {
    const members = [...body!.matchAll(MEMBER)].map(([, comment, member, mark, type]) => ({
      name: member!,
      optional: mark === '?',
      type: type!,
      about: said(comment),
    }));
    interfaces.set(name!, { about: said(about), parents: parents?.split(', ') ?? [], members });
  }
  for (const [, about, name, type] of text.matchAll(ALIAS)) {
    aliases.set(name!, { about: said(about), type: type! });
  }
}

/** A decimal as the answers have it. */
const DECIMAL = 'Decimal';
/** Where decimals are texts: the level-3 book. */
const TEXT_DECIMAL = 'DecimalText';
const LEVEL3: readonly string[] = ['Level3Order', 'Level3Level'];

const SIMPLE: Readonly<Record<string, JsonSchema>> = {
  string: { type: 'string' },
  number: { type: 'integer', format: 'int64' },
  boolean: { type: 'boolean' },
  null: { type: 'null' },
  true: { const: true },
  unknown: {},
};

/** Answers by the names of their types, as far as they were asked for. */
export class AnswerSchemas {
  readonly components: Record<string, JsonSchema> = {
    [DECIMAL]: {
      type: 'number',
      format: 'decimal',
      description:
        'An exact decimal: no exponent, no trailing zeros. It may have more digits than a double keeps, so read its text.',
    },
    [TEXT_DECIMAL]: {
      type: 'string',
      format: 'decimal',
      pattern: '^(?:0|[1-9]\\d*)(?:\\.\\d*[1-9])?$',
      description: 'An exact decimal as a text: no exponent, no trailing zeros.',
    },
  };

  /** The schema of a type as it is written in the source, such as `Page<User>` or `Decimal | null`. */
  of(type: string, about = ''): JsonSchema {
    const schema = this.#of(type.trim());
    return about === '' ? schema : { ...schema, description: about };
  }

  #of(type: string): JsonSchema {
    const options = split(type, '|').filter((option) => option !== '');
    if (options.length > 1) return this.#union(options);
    const simple = SIMPLE[type];
    if (simple !== undefined) return simple;
    if (type === DECIMAL) return reference(DECIMAL);
    if (/^('.*'|-?\d+)$/.test(type)) return { const: literal(type) };
    const item = /^(?:readonly )?\(?(.+?)\)?\[\]$/.exec(type)?.[1];
    if (item !== undefined) return { type: 'array', items: this.#of(item) };
    const tuple = /^readonly \[([\s\S]*)\]$/.exec(type)?.[1];
    if (tuple !== undefined) return this.#tuple(tuple);
    const keyed = /^keyof (\w+)$/.exec(type)?.[1];
    if (keyed !== undefined) return { enum: membersOf(keyed).map(({ name }) => name) };
    if (type.startsWith('Readonly<Record<string')) {
      return type.includes('never')
        ? { type: 'object', additionalProperties: false }
        : { type: 'object' };
    }
    return reference(this.#named(type));
  }

  #union(options: readonly string[]): JsonSchema {
    if (options.every((option) => /^('.*'|-?\d+|null)$/.test(option))) {
      return { enum: options.map(literal) };
    }
    const [first, ...others] = options.filter((option) => option !== 'null');
    const plain = SIMPLE[first!];
    const nullable = options.includes('null');
    if (others.length === 0 && nullable && typeof plain?.type === 'string') {
      return { ...plain, type: [plain.type, 'null'] };
    }
    return { anyOf: options.map((option) => this.#of(option)) };
  }

  #tuple(tuple: string): JsonSchema {
    const parts = split(tuple, ',').filter((part) => part !== '');
    const items = parts.map((part) => {
      const [, name, type] = /^(\w+): ([\s\S]+)$/.exec(part)!;
      return this.of(type!, name);
    });
    return {
      type: 'array',
      prefixItems: items,
      items: false,
      minItems: items.length,
      maxItems: items.length,
    };
  }

  /** Puts a named type among the components; returns what it is called there. */
  #named(type: string): string {
    const [, name, argument] = /^(\w+)(?:<(.+)>)?$/.exec(type) ?? [];
    if (name === undefined) throw new Error(`The type ${type} has no schema.`);
    const title = argument === undefined ? name : `${argument}${name}`;
    if (this.components[title] !== undefined) return title;
    const alias = aliases.get(name);
    if (alias !== undefined) {
      const schema = this.#of(alias.type);
      this.components[title] = withAbout(
        LEVEL3.includes(name) ? withTextDecimals(schema) : schema,
        alias.about,
      );
      return title;
    }
    // A place is taken before the members are read, which may name this very type.
    this.components[title] = {};
    const members = membersOf(type);
    const required = members.filter(({ optional }) => !optional).map((member) => member.name);
    this.components[title] = withAbout(
      {
        type: 'object',
        properties: Object.fromEntries(
          members.map((member) => [member.name, this.of(member.type, member.about)]),
        ),
        required,
        additionalProperties: false,
      },
      interfaces.get(name)!.about,
    );
    return title;
  }
}

const reference = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

const withAbout = (schema: JsonSchema, about: string): JsonSchema =>
  about === '' ? schema : { description: about, ...schema };

const withTextDecimals = (schema: JsonSchema): JsonSchema =>
  JSON.parse(
    JSON.stringify(schema).replaceAll(
      `"#/components/schemas/${DECIMAL}"`,
      `"#/components/schemas/${TEXT_DECIMAL}"`,
    ),
  );

const literal = (text: string): string | number | null => {
  if (text === 'null') return null;
  return text.startsWith("'") ? text.slice(1, -1) : Number(text);
};

/** With those of the parents; `Page<X>` has X for T. */
function membersOf(type: string): Member[] {
  const [, name, argument] = /^(\w+)(?:<(.+)>)?$/.exec(type) ?? [];
  const found = interfaces.get(name ?? '');
  if (found === undefined) throw new Error(`There is no type ${type}`);
  const own = found.members.map((member) =>
    argument === undefined
      ? member
      : { ...member, type: member.type.replace(/\bT\b/, () => argument) },
  );
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

/** What a method of a client answers, as its source says it; `client` is a part of the file's name. */
export function answerTypeOf(
  client: 'customer' | 'user-center' | 'operator',
  name: string,
): string {
  const files = CLIENTS.filter((file) =>
    client === 'customer' ? !/user-center|operator/.test(file) : file.startsWith(client),
  );
  const signature = new RegExp(`^ {2}(?:async )?${name}\\([\\s\\S]*?\\): Promise<(.+)> \\{$`, 'm');
  for (const file of files) {
    const found = signature.exec(readFileSync(join(SDK, file), 'utf8'))?.[1];
    if (found !== undefined) return found;
  }
  throw new Error(`No client has a method ${name} with an answer.`);
}
