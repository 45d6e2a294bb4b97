// docs/openapi.json for the reader: calls by tag, fields as rows, answers and rejections.
import document from '../../../docs/openapi.json';
import { docsText } from '../../messages/docs.ts';
import { wordsOf } from '../search.ts';

const t = docsText.reference.forms;

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly description?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema | false;
  readonly prefixItems?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly default?: unknown;
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly 'x-agio-causes'?: readonly string[];
}

interface Parameter {
  readonly name: string;
  readonly in: 'query' | 'path' | 'header';
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
  readonly example?: unknown;
}

interface Media {
  readonly schema: Schema;
  readonly example?: unknown;
}

interface Response {
  readonly content?: Readonly<Record<string, Media>>;
  readonly 'x-agio-causes'?: readonly string[];
}

interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly deprecated?: boolean;
  readonly security: readonly Readonly<Record<string, unknown>>[];
  readonly 'x-agio-module'?: number;
  readonly 'x-agio-step-up'?: boolean;
  readonly 'x-agio-sdk': string;
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<Record<string, Response | { readonly $ref: string }>>;
}

interface Cause {
  readonly code: number;
  readonly http: number;
  readonly text: string;
}

interface Document {
  readonly info: { readonly description: string };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly 'x-agio-rejections': Readonly<Record<string, Cause>>;
}

const spec = document as unknown as Document;

/** Required access: none, a key or a session, a session, or the operator's token. */
type Access = 'public' | 'private' | 'session' | 'operator';

export interface Call {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly tag: string;
  readonly access: Access;
  readonly operation: Operation;
  readonly parameters: readonly Parameter[];
  readonly body: Media | null;
}

interface Group {
  readonly tag: string;
  readonly what: string;
  readonly calls: readonly Call[];
}

/** Resolves a `$ref`; returns other values unchanged. */
function resolved<T>(value: T | { readonly $ref: string }): T {
  const path = (value as { readonly $ref?: string }).$ref;
  if (path === undefined) return value as T;
  const found = path
    .slice(2)
    .split('/')
    .reduce<unknown>((at, part) => (at as Record<string, unknown>)[part], document);
  return found as T;
}

function accessOf({ security }: Operation): Access {
  const names = security.flatMap((requirement) => Object.keys(requirement));
  if (names.includes('ApiKey')) return 'private';
  if (names.includes('OperatorToken')) return 'operator';
  return names.length === 0 ? 'public' : 'session';
}

export const calls: readonly Call[] = Object.entries(spec.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    id: operation.operationId,
    method: method.toUpperCase(),
    path,
    tag: operation.tags[0]!,
    access: accessOf(operation),
    operation,
    parameters: (operation.parameters ?? []).map((one) => resolved<Parameter>(one)),
    body: operation.requestBody?.content['application/json'] ?? null,
  })),
);

export const groups: readonly Group[] = spec.tags.map(({ name, description }) => ({
  tag: name,
  what: description,
  calls: calls.filter(({ tag }) => tag === name),
}));

/** The conventions, as paragraphs. */
export const conventions: readonly string[] = spec.info.description.split('\n\n');

/** True if a call may change something. */
export const isWrite = ({ method, access, parameters }: Call): boolean =>
  method !== 'GET' &&
  (access !== 'private' || parameters.some(({ name }) => name === 'Idempotency-Key'));

/** The address of a call: those of operators are in the console. */
export const hrefOf = ({ access, id }: Call): string =>
  access === 'operator' ? `/operator/docs/api/${id}` : `/docs/api/${id}`;

/** The calls of customers, or those of operators, that contain all words of the query. */
export function matching(query: string, ofOperators = false): readonly Group[] {
  const words = wordsOf(query);
  const fits = ({ id, method, path, operation, access }: Call): boolean => {
    if ((access === 'operator') !== ofOperators) return false;
    const text = `${id} ${method} ${path} ${operation.summary}`.toLowerCase();
    return words.every((word) => text.includes(word));
  };
  return groups
    .map((group) => ({ ...group, calls: group.calls.filter(fits) }))
    .filter((group) => group.calls.length > 0);
}

export interface FieldRow {
  /** The path of the field: `pagination.size`, `data[].orderId`. */
  readonly name: string;
  readonly form: string;
  /** null for a required field. */
  readonly absent: string | null;
  readonly about: string;
}

const MAX_DEPTH = 4;

/** The fields of an object, nested ones included. */
export function fieldRows(schema: Schema, prefix = '', depth = 0): FieldRow[] {
  const { properties = {}, required = [] } = resolved(schema);
  return Object.entries(properties).flatMap(([name, field]) => {
    const path = prefix === '' ? name : `${prefix}.${name}`;
    const row: FieldRow = {
      name: path,
      form: formOf(field),
      absent: required.includes(name) ? null : shownDefault(field),
      about: field.description ?? resolved(field).description ?? '',
    };
    return [row, ...(depth < MAX_DEPTH ? within(field, path, depth) : [])];
  });
}

function within(field: Schema, path: string, depth: number): FieldRow[] {
  const whole = resolved(field);
  if (whole.properties !== undefined) return fieldRows(whole, path, depth + 1);
  const option = whole.anyOf?.find((one) => resolved(one).properties !== undefined);
  if (option !== undefined) return fieldRows(option, path, depth + 1);
  const items = whole.items === false ? undefined : whole.items;
  return items === undefined ? [] : fieldRows(items, `${path}[]`, depth + 1);
}

const shownDefault = ({ default: value }: Schema): string =>
  value === undefined || value === '' ? '–' : String(value);

/** The parameters of a call in these places. */
export const parameterRows = (
  { parameters }: Call,
  places: readonly Parameter['in'][],
): FieldRow[] =>
  parameters
    .filter((one) => places.includes(one.in))
    .map(({ name, in: place, required, schema, description = '' }) => ({
      name,
      form: place === 'path' ? docsText.reference.inPath(formOf(schema)) : formOf(schema),
      absent: required ? null : shownDefault(schema),
      about: description,
    }));

/** The type of a field in a few words. */
function formOf(schema: Schema): string {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.split('/').at(-1)!;
    if (name === 'Decimal') return t.decimal;
    if (name === 'DecimalText') return t.decimalText;
    return formOf(resolved(schema));
  }
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) {
    return [...new Set(schema.enum.map(String))].filter((one) => one !== 'null').join(', ');
  }
  if (schema.anyOf !== undefined) return schema.anyOf.map(formOf).join(t.or);
  const types = [schema.type ?? t.any].flat();
  const nullable = types.includes('null') ? t.orNull : '';
  return plainForm(schema, types) + nullable;
}

function plainForm(schema: Schema, types: readonly string[]): string {
  const { format, exclusiveMinimum, minimum, maximum, minLength, maxLength } = schema;
  if (types.includes('array')) {
    if (schema.prefixItems !== undefined) {
      return `[${schema.prefixItems.map(({ description }) => description).join(', ')}]`;
    }
    const items = schema.items ? formOf(schema.items) : t.values;
    return t.list(items, schema.minItems, schema.maxItems);
  }
  if (format === 'decimal') {
    if (exclusiveMinimum !== undefined) return t.decimalAbove(exclusiveMinimum);
    return minimum === undefined ? t.decimal : t.decimalFrom(minimum);
  }
  if (format === 'id') return t.id;
  if (types.includes('integer')) return t.integer(minimum, maximum);
  if (types.includes('string')) {
    return maxLength === undefined ? t.string : t.text(minLength, maxLength);
  }
  return types.filter((type) => type !== 'null').join(t.or);
}

interface Rejection extends Cause {
  readonly name: string;
}

/** The rejections of a call, by status and code. */
export function rejectionsOf({ operation }: Call): Rejection[] {
  const causes = Object.values(operation.responses).flatMap((one) => {
    const response = resolved<Response>(one);
    const legacy = response.content?.['application/json']?.schema.anyOf?.flatMap(
      (option) => option['x-agio-causes'] ?? [],
    );
    return [...(response['x-agio-causes'] ?? []), ...(legacy ?? [])];
  });
  return causes
    .map((name) => ({ name, ...spec['x-agio-rejections'][name]! }))
    .sort((a, b) => a.http - b.http || a.code - b.code);
}

/** The schema of a successful answer, and an example. */
export function answerOf({ operation }: Call): Media {
  const response = resolved<Response>(operation.responses['200']!);
  const [media] = Object.values(response.content!);
  const success = media!.schema.anyOf?.find((option) => option.properties?.data !== undefined);
  return success === undefined ? media! : { ...media!, schema: success };
}

/** The rows of an answer, which may be a list. */
export function answerRows(call: Call): FieldRow[] {
  const { schema } = answerOf(call);
  const whole = resolved(schema);
  const { items } = whole;
  return items === undefined || items === false ? fieldRows(whole) : fieldRows(items, '[]');
}
