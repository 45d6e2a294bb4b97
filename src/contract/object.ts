// Objects made of fields (contract/fields.ts): a request body, a nested object, or a query string.
// An unknown field with a value is rejected with the list of known ones: it is often mistyped.
import { type AbsentForms, absentFormsOf, isAbsent, missingField, noteAbsent } from './absent.ts';
import { clip, type Infer, isObject, notExpected } from './fields.ts';
import type { JsonObject, JsonValue } from './json.ts';
import { invalidField, type Problem } from './problem.ts';
import type { Field, Fields, JsonSchema } from './wire.ts';

type Shape = Readonly<Record<string, Field<unknown>>>;
type Check = (value: JsonObject) => void;
type Members = ReadonlyMap<string, Field<unknown>>;
type ShapeType<S extends Shape> = { readonly [K in keyof S]: Infer<S[K]> };

/** A parameter object of an OpenAPI operation. */
interface QueryParameter {
  readonly name: string;
  readonly in: 'query';
  readonly required: boolean;
  readonly schema: JsonSchema;
}

/** An object description: a field that also knows its members. */
export interface ObjectField<T> extends Field<T> {
  readonly fields: ReadonlyMap<string, Field<unknown>>;
  /** Reads an object whose other members belong to `others`, or to anyone if that is null. */
  readWithEnvelope(value: JsonObject, others: ObjectField<unknown> | null): T;
  /** The members as OpenAPI query parameters. */
  toQueryParameters(): readonly QueryParameter[];
}

/** The path of a request body in rejections; its members are named without it. */
export const ROOT = '';

/**
 * Describes an object. The result has every listed key, undefined if it was absent. `check` comes
 * before the fields; it throws Problem.
 */
export function object<S extends Shape>(shape: S, check?: Check): ObjectField<ShapeType<S>> {
  return new ShapeReader<ShapeType<S>>(shape, check);
}

/** Reads a request body. Throws Problem. */
export function readBody<T>(description: ObjectField<T>, body: JsonValue): T {
  return description.read(body, ROOT);
}

/** The rejection of a name that is not listed; it lists those that are. */
export function unknownField(path: string, accepted: Iterable<string>): Problem {
  const names = [...accepted];
  const list = names.length === 0 ? 'no fields' : names.join(', ');
  return invalidField(path, `be left out; accepted here: ${list}`, { rule: 'known' });
}

/** Apart from the loop that calls it, where a closure would cost each member an allocation. */
function noteSent(
  read: object,
  name: string,
  field: Field<unknown>,
  sent: JsonValue,
  path: string,
): void {
  noteAbsent(read, name, () => field.read(sent, path));
}

const NO_MEMBERS: Members = new Map();

class ShapeReader<T> implements ObjectField<T> {
  readonly optional = false;
  readonly absent = undefined;
  readonly expected = 'a JSON object';
  readonly shape: { readonly kind: 'object'; readonly fields: Fields };
  readonly fields: ReadonlyMap<string, Field<unknown>>;
  readonly #check: Check | undefined;
  readonly #names: readonly string[];
  readonly #readers: readonly Field<unknown>[];
  readonly #absent: readonly AbsentForms[];
  /**
   * The result without any field. A copy of it has its final shape; adding key by key does
   * not.
   */
  readonly #blank: Readonly<Record<string, unknown>>;

  constructor(shape: Shape, check: Check | undefined) {
    this.#check = check;
    this.shape = { kind: 'object', fields: shape };
    this.#names = Object.keys(shape);
    this.#readers = Object.values(shape);
    this.#absent = this.#readers.map(absentFormsOf);
    this.fields = new Map(Object.entries(shape));
    this.#blank = Object.fromEntries(
      Object.entries(shape).map(([name, field]) => [name, field.absent]),
    );
    for (const name of this.#names) {
      // read() looks members up by name and must not find inherited ones.
      if (name in Object.prototype) throw new TypeError(`A field cannot be called ${name}.`);
    }
  }

  read(value: JsonValue, path: string): T {
    if (!isObject(value)) {
      throw notExpected(path || 'body', this.expected, value, { rule: 'type' });
    }
    this.#check?.(value);
    return this.#read(value, path, NO_MEMBERS);
  }

  readWithEnvelope(value: JsonObject, others: ObjectField<unknown> | null): T {
    return this.#read(value, ROOT, others?.fields ?? null);
  }

  #read(value: JsonObject, path: string, others: Members | null): T {
    const names = this.#names;
    const readers = this.#readers;
    const absent = this.#absent;
    const result = { ...this.#blank };
    let found = 0;
    for (let i = 0; i < names.length; i++) {
      const name = names[i]!;
      const member = value[name];
      const reader = readers[i]!;
      if (member === undefined) {
        if (!reader.optional) this.#rejectMissing(i, value, path, others);
      } else {
        found++;
        const place = path === ROOT ? name : `${path}.${name}`;
        if (isAbsent(absent[i]!, member)) {
          // A field with a default is never needed.
          if (member !== null && reader.absent === undefined)
            noteSent(result, name, reader, member, place);
        } else {
          result[name] = reader.read(member, place);
        }
      }
    }
    if (others !== null && found !== Object.keys(value).length) {
      this.#rejectUnknown(value, path, others);
    }
    return result as T;
  }

  readText(raw: string, path: string): T {
    throw notExpected(path, this.expected, raw, { rule: 'type' });
  }

  toJsonSchema(): JsonSchema {
    const properties: Record<string, JsonSchema> = {};
    const required: string[] = [];
    for (const [name, field] of this.fields) {
      properties[name] = field.optional ? orNull(field.toJsonSchema()) : field.toJsonSchema();
      if (!field.optional) required.push(name);
    }
    const requirement = required.length === 0 ? {} : { required };
    return { type: 'object', properties, ...requirement, additionalProperties: false };
  }

  toQueryParameters(): readonly QueryParameter[] {
    return Array.from(this.fields, ([name, field]) => ({
      name,
      in: 'query' as const,
      required: !field.optional,
      schema: field.toJsonSchema(),
    }));
  }

  #rejectMissing(index: number, value: JsonObject, path: string, others: Members | null): never {
    // A misspelled name is the likely cause, and the more useful message.
    if (others !== null) this.#rejectUnknown(value, path, others);
    const name = this.#names[index]!;
    throw missingField(path === ROOT ? name : `${path}.${name}`, this.#readers[index]!.expected);
  }

  #rejectUnknown(value: JsonObject, path: string, others: Members): void {
    for (const [name, member] of Object.entries(value)) {
      if (this.fields.has(name) || others.has(name) || member === null || member === '') continue;
      const shown = clip(name);
      throw unknownField(path === ROOT ? shown : `${path}.${shown}`, this.#names);
    }
  }
}

/** An optional member of a body may be null, which a query parameter cannot. */
function orNull(schema: JsonSchema): JsonSchema {
  if (Array.isArray(schema.enum)) return { ...schema, enum: [...schema.enum, null] };
  return { ...schema, type: [schema.type, 'null'].flat() };
}
