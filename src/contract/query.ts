// Strict parsing of a query string by an object description (contract/object.ts). The signed string
// has no separators between path, query and body, so a query allows one reading only: known keys,
// each once, as key=value(&key=value)*. So an unknown key is rejected without a value, too.
import { absentFormsOf, isAbsent, missingField, noteAbsent } from './absent.ts';
import { clip } from './fields.ts';
import { type ObjectField, unknownField } from './object.ts';
import { invalidField, type Problem } from './problem.ts';

/** Longer than any query of the contract. */
const MAX_QUERY_LENGTH = 4096;

/**
 * Reads the raw query (without `?`; '' for none). Values are percent-decoded as UTF-8. A raw plus
 * is rejected, since some mean a space by it. Throws Problem `invalidField` with the parameter.
 */
export function readQuery<T>(description: ObjectField<T>, rawQuery: string): T {
  const { fields } = description;
  // Every order passes here, and no write has a query.
  if (rawQuery === '' && fields.size === 0) return {} as T;
  const result: Record<string, unknown> = {};
  for (const [name, field] of fields) result[name] = field.absent;
  const seen = new Set<string>();
  for (const [key, value] of splitQuery(rawQuery)) {
    const field = fields.get(key);
    if (field === undefined) throw unknownField(clip(key), fields.keys());
    if (seen.has(key)) throw invalidField(key, 'be sent once', { rule: 'unique' });
    seen.add(key);
    const raw = decode(key, value);
    if (isAbsent(absentFormsOf(field), raw))
      noteAbsent(result, key, () => field.readText(raw, key));
    else result[key] = field.readText(raw, key);
  }
  for (const [name, field] of fields) {
    if (!field.optional && !seen.has(name)) throw missingField(name, field.expected);
  }
  return result as T;
}

/**
 * Characters that may be unencoded: no space, plus, control, `#`, `&`, `=`, double quote or brace.
 */
const RAW_VALUE = /^[!$%'()*,\-./0-9:;?@A-Z[\]_a-z~]*$/;

function splitQuery(rawQuery: string): readonly (readonly [string, string])[] {
  if (rawQuery === '') return [];
  if (rawQuery.length > MAX_QUERY_LENGTH) {
    const limit = MAX_QUERY_LENGTH;
    throw invalidField('query', `be at most ${limit} bytes long`, { rule: 'maxLength', limit });
  }
  return rawQuery.split('&').map((pair) => {
    const equals = pair.indexOf('=');
    if (equals <= 0) throw wrongShape(pair);
    return [pair.slice(0, equals), pair.slice(equals + 1)] as const;
  });
}

function decode(key: string, value: string): string {
  if (!RAW_VALUE.test(value)) {
    const must = 'be percent-encoded (a space is %20, a plus %2B, = is %3D)';
    throw invalidField(key, must, { rule: 'encoding' });
  }
  if (!value.includes('%')) return value;
  try {
    return decodeURIComponent(value);
  } catch {
    throw invalidField(key, 'be percent-encoded UTF-8', { rule: 'encoding' });
  }
}

function wrongShape(pair: string): Problem {
  const must = `have the form key=value&key=value; "${clip(pair)}" was sent`;
  return invalidField('query', must, { rule: 'shape' });
}
