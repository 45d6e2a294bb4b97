// The fields of the operator console's forms, from the operator's calls: kinds, units, bounds and
// help as plain data, since the readers of the contract are too large for a page.
import { fieldsOf } from '../../src/contract/call.ts';
import { operatorCalls } from '../../src/contract/operator/calls.ts';
import { planTypesOf } from '../../src/contract/operator/plan-rules.ts';
import type { JsonSchema } from '../../src/contract/wire.ts';
import { capital, head } from './source.ts';

type CallName = keyof typeof operatorCalls;

interface Form {
  /** The call that creates a record, and the one that changes it. */
  readonly calls: readonly CallName[];
  /** Fields that the form never shows: another button or another part of the page sends them. */
  readonly without?: readonly string[];
}

const FORMS: Readonly<Record<string, Form>> = {
  USER: { calls: ['createUser', 'amendUser'], without: ['status'] },
  KEY: { calls: ['createKey'] },
  ASSET: { calls: ['createAsset', 'amendAsset'] },
  INSTRUMENT: { calls: ['createInstrument', 'amendInstrument'], without: ['symbol'] },
  FEE_TIERS: { calls: ['setFeeTiers'] },
  PLAN: { calls: ['createPlan', 'amendPlan'], without: ['status'] },
  ENTERPRISE: { calls: ['createEnterprise'], without: ['selfTradePrevention'] },
  TRANSFER: { calls: ['credit'] },
  CANCEL: { calls: ['cancelOrders'], without: ['uid', 'symbol'] },
};

/** The module that the console imports. */
export function operatorFields(): string {
  const forms = Object.entries(FORMS).map(
    ([form, calls]) =>
      `\nexport const ${form} = ${JSON.stringify(formOf(calls), null, 2)} as const;\n`,
  );
  return head('The fields of the operator console’s forms.') + forms.join('');
}

type Terms = Readonly<Record<string, unknown>>;

function formOf({ calls, without = [] }: Form): Terms {
  const [offered, ...edits] = calls.map((call) => fieldsOf(operatorCalls[call]).fields);
  const changed = edits[0] ?? offered!;
  const fields = new Map([...changed, ...offered!]);
  const shown = [...fields].filter(([name]) => !without.includes(name));
  const terms = shown.map(([name, field]) => {
    const types = calls.includes('createPlan') ? planTypesOf(name) : null;
    const shared = {
      ...(changed.has(name) ? {} : { only: 'create' }),
      ...(offered!.has(name) ? {} : { only: 'edit' }),
      ...(types === null ? {} : { types }),
    };
    return termsOf(name, field.toJsonSchema(), { isOptional: field.optional, shared });
  });
  return Object.fromEntries(terms.flat());
}

interface Place {
  readonly isOptional: boolean;
  /** Terms that members have too. */
  readonly shared: Terms;
  /** The names beside it. */
  readonly siblings?: readonly string[];
  readonly parent?: string;
}

/** The terms of a field, and of its members under joined names: `booster.coin` is boosterCoin. */
function termsOf(name: string, schema: JsonSchema, place: Place): [string, Terms][] {
  const { isOptional, shared } = place;
  const kind = kindOf(schema);
  const { exclusiveMinimum: above, maxLength, maximum, maxItems } = schema;
  const cleared = schema['x-null'];
  // A number that cannot be cleared always has a value, and so does a choice.
  const isText = ['text', 'email', 'password', 'lines', 'date'].includes(kind);
  const mayBeEmpty = cleared !== undefined || (isOptional && isText);
  const terms = {
    kind,
    ...shared,
    unit: unitOf(schema, place),
    min: minOf(kind, schema),
    above,
    max: maxLength ?? maximum ?? maxItems,
    empty: cleared === undefined ? (mayBeEmpty ? '' : undefined) : capital(String(cleared)),
    initial: schema.default,
    about: schema.description,
  };
  const { properties, required = [] } = (schema.items ?? schema) as JsonSchema;
  const members = Object.entries((properties ?? {}) as Readonly<Record<string, JsonSchema>>);
  const siblings = members.map(([member]) => member);
  const below = members.flatMap(([member, each]) => {
    const isMissing = !(required as readonly string[]).includes(member);
    const at = { isOptional: isMissing, shared, siblings, parent: name };
    return termsOf(name + capital(member), each, at);
  });
  return [[name, terms], ...below];
}

function kindOf({ type, format, 'x-unit': unit, enum: values, items }: JsonSchema): string {
  const types = [type].flat();
  if (types.includes('boolean')) return 'checkbox';
  if (values !== undefined) return 'select';
  if (types.includes('object')) return 'object';
  if (types.includes('array')) {
    const { enum: choices, properties } = items as JsonSchema;
    return choices === undefined ? (properties === undefined ? 'lines' : 'object') : 'checkboxes';
  }
  if (unit === 'epochMs') return 'date';
  if (types.includes('number')) return unit === 'rate' ? 'percent' : 'decimal';
  if (types.includes('integer')) return 'integer';
  return format === 'email' || format === 'password' ? format : 'text';
}

/** No input of a form reads a negative decimal, and a required text is never empty. */
function minOf(kind: string, { minLength, minimum }: JsonSchema): unknown {
  if (kind === 'integer') return minimum;
  return minLength === 1 ? undefined : minLength;
}

/** Percentages and dates show their unit by their kind. */
function unitOf({ 'x-unit': unit }: JsonSchema, { siblings, parent }: Place): string | undefined {
  if (unit === undefined || unit === 'rate' || unit === 'epochMs') return undefined;
  const name = String(unit);
  return siblings?.includes(name) === true ? parent + capital(name) : name;
}
