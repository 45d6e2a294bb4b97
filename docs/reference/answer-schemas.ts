// The answers as JSON Schemas, from their descriptions in the contract. Part of `npm run gen`.
import type { Answer, Fields, JsonSchema } from '../../src/contract/wire.ts';

const DECIMAL: JsonSchema = {
  type: 'number',
  format: 'decimal',
  description:
    'An exact decimal: no exponent, no trailing zeros. It may have more digits than a double ' +
    'keeps, so read its text.',
};
const DECIMAL_TEXT: JsonSchema = {
  type: 'string',
  format: 'decimal',
  pattern: '^(?:0|[1-9]\\d*)(?:\\.\\d*[1-9])?$',
  description: 'An exact decimal as a text: no exponent, no trailing zeros.',
};
const INTEGER: JsonSchema = { type: 'integer', format: 'int64' };

const SIMPLE = {
  text: { type: 'string' },
  timeText: { type: 'string' },
  integer: INTEGER,
  time: INTEGER,
  boolean: { type: 'boolean' },
  any: {},
} as const satisfies Readonly<Record<string, JsonSchema>>;

const reference = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

/** The schemas of answers; those with a name are components. */
export class AnswerSchemas {
  readonly components: Record<string, JsonSchema> = {
    Decimal: DECIMAL,
    DecimalText: DECIMAL_TEXT,
  };

  /** The schema of a field or of a whole answer. */
  of(described: Answer): JsonSchema {
    const { name, about, note } = described;
    const said = note ?? (name === undefined ? about : undefined);
    const schema = name === undefined ? this.#inPlace(described) : this.#named(described, name);
    return said === undefined ? schema : { ...schema, description: said };
  }

  #named(described: Answer, name: string): JsonSchema {
    if (this.components[name] === undefined) {
      // Takes its place among the components before those that it refers to.
      this.components[name] = {};
      const { about } = described;
      const schema = this.#inPlace(described);
      this.components[name] = about === undefined ? schema : { description: about, ...schema };
    }
    return reference(name);
  }

  #inPlace({ shape }: Answer): JsonSchema {
    switch (shape.kind) {
      case 'decimal':
        return reference('Decimal');
      case 'decimalText':
        return reference('DecimalText');
      case 'oneOf':
        return choice(shape.values);
      case 'nullable':
        return orNull(this.of(shape.value));
      case 'list':
        return { type: 'array', items: this.of(shape.item) };
      case 'anyOf':
        return { anyOf: shape.options.map((option) => this.of(option)) };
      case 'map':
        return { type: 'object' };
      case 'tuple':
        return this.#tuple(shape.parts);
      case 'object':
        return this.#object(shape.fields);
      default:
        return SIMPLE[shape.kind];
    }
  }

  #tuple(parts: Fields): JsonSchema {
    const items = Object.entries(parts).map(([name, part]) => ({
      ...this.of(part),
      description: name,
    }));
    return {
      type: 'array',
      prefixItems: items,
      items: false,
      minItems: items.length,
      maxItems: items.length,
    };
  }

  #object(fields: Fields): JsonSchema {
    const members = Object.entries(fields);
    if (members.length === 0) return { type: 'object', additionalProperties: false };
    return {
      type: 'object',
      properties: Object.fromEntries(members.map(([name, field]) => [name, this.of(field)])),
      required: members.filter(([, { optional }]) => !optional).map(([name]) => name),
      additionalProperties: false,
    };
  }
}

function choice(values: readonly unknown[]): JsonSchema {
  if (values.length > 1) return { enum: values };
  return values[0] === null ? { type: 'null' } : { const: values[0] };
}

function orNull(schema: JsonSchema): JsonSchema {
  if (Array.isArray(schema.enum)) return { ...schema, enum: [...schema.enum, null] };
  if (typeof schema.type === 'string' && schema.type !== 'array') {
    return { ...schema, type: [schema.type, 'null'] };
  }
  return { anyOf: [schema, { type: 'null' }] };
}
