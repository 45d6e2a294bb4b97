// The SDK's types of requests, from the descriptions that the server parses requests by.
import { type ApiCall, type ClientName, sdkFieldsOf } from '../../src/contract/call.ts';
import { allCalls } from '../../src/contract/calls.ts';
import { documentation } from '../../src/contract/fields.ts';
import type { ObjectField } from '../../src/contract/object.ts';
import type { JsonSchema } from '../../src/contract/wire.ts';
import { arrayOf, capital, comment, literal } from './source.ts';

const SHARED = `
/**
 * An exact decimal to send: its text (\`'0.1'\`), a whole number, or a bigint. The SDK rejects a
 * number with a fraction before it sends anything, since \`0.1 + 0.2\` is not 0.3.
 */
export type DecimalLike = string | number | bigint;
/** The id of a plan or subscription. */
export type EarnId = string | number;
`;

const PREFIX: Readonly<Record<ClientName, string>> = {
  customer: '',
  userCenter: 'UserCenter',
  operator: 'Operator',
};

/** The name of the type that a call sends. */
export const requestType = ({ client, name }: ApiCall): string =>
  `${PREFIX[client]}${capital(name)}Request`;

/** The types of all requests. */
export function requestTypes(): string {
  const titles = new Map<ObjectField<unknown>, string>();
  const written = allCalls.map((call) => {
    const fields = sdkFieldsOf(call);
    if (fields.fields.size === 0) return '';
    const title = requestType(call);
    const same = titles.get(fields);
    titles.set(fields, title);
    const declared =
      same === undefined ? interfaceOf(title, fields, call) : `export type ${title} = ${same};\n`;
    return `\n/** ${call.method} ${call.path} */\n${declared}`;
  });
  return SHARED + written.join('');
}

function interfaceOf(title: string, { fields }: ObjectField<unknown>, call: ApiCall): string {
  // Only an amendment accepts null: it removes the value.
  const nullable = call.method === 'PATCH';
  const members = [...fields].map(([name, field]) => {
    const schema = field.toJsonSchema();
    const type = typeOf(schema) + (field.optional && nullable ? ' | null' : '');
    const mark = field.optional ? '?' : '';
    return `${comment(aboutOf(schema), '  ')}  readonly ${name}${mark}: ${type};\n`;
  });
  return `export interface ${title} {\n${members.join('')}}\n`;
}

function aboutOf(schema: JsonSchema): string {
  const { default: otherwise } = schema;
  const said = documentation(schema);
  const unless = otherwise === undefined || otherwise === '' ? '' : `${otherwise} unless given.`;
  return [said, unless].filter((part) => part !== '').join(' ');
}

function typeOf(schema: JsonSchema): string {
  if (Array.isArray(schema.oneOf)) return schema.oneOf.map(tagged).join(' | ');
  if (Array.isArray(schema.enum)) return union(schema.enum);
  if (schema.format === 'decimal') return 'DecimalLike';
  if (schema.format === 'id') return 'EarnId';
  const types = [schema.type].flat();
  if (types.includes('integer')) return 'number';
  if (types.includes('boolean')) return 'boolean';
  if (types.includes('array')) return `readonly ${arrayOf(typeOf(schema.items as JsonSchema))}`;
  if (types.includes('object')) return nested(schema);
  return 'string';
}

/** The server accepts codes as texts too; the type offers them as they are listed. */
function union(values: readonly (string | number)[]): string {
  const listed = values.filter((value) => typeof value === typeof values[0]);
  return listed.map(literal).join(' | ');
}

/** An entry of a batch: its op, and the fields of a call. */
function tagged({ title, properties }: JsonSchema): string {
  const { op } = properties as { readonly op: { readonly const: string } };
  return `({ readonly op: ${literal(op.const)} } & ${title})`;
}

function nested(schema: JsonSchema): string {
  const required = (schema.required ?? []) as readonly string[];
  const members = Object.entries(schema.properties as Readonly<Record<string, JsonSchema>>).map(
    ([name, member]) =>
      `    readonly ${name}${required.includes(name) ? '' : '?'}: ${typeOf(member)};\n`,
  );
  return `{\n${members.join('')}  }`;
}
