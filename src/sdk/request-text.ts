// Writes a request: path, query and body as the exact text that is signed and sent. Amounts are
// decimal texts. A number with a fraction is rejected here, since its digits are not those that the
// caller meant.
import type { CallSpec } from './call-spec.ts';
import { InvalidArgument } from './errors.ts';

/** The fields of a request; undefined ones are left out. */
export type Fields = object;

/** The parts of a path such as {uid}. */
export type PathParts = Readonly<Record<string, string | number>>;

export interface RequestText {
  readonly method: CallSpec['method'];
  readonly path: string;
  /** Without the question mark; '' for none. */
  readonly query: string;
  /** null for a GET. */
  readonly body: string | null;
}

/** Throws InvalidArgument. */
export function writeRequest(spec: CallSpec, fields: Fields, parts: PathParts): RequestText {
  const { method, inQuery = false } = spec;
  const path = fillPath(spec.path, parts);
  if (method === 'GET') return { method, path, query: writeQuery(fields), body: null };
  if (inQuery) return { method, path, query: writeQuery(fields), body: '{}' };
  return { method, path, query: '', body: JSON.stringify(sendable(fields, '')) };
}

function fillPath(path: string, parts: PathParts): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const part = String(parts[name] ?? '');
    // These would name another path.
    if (part === '' || part === '.' || part === '..') {
      throw new InvalidArgument(`${name}: ${JSON.stringify(part)} cannot be a part of a path.`);
    }
    return encode(part);
  });
}

function writeQuery(fields: Fields): string {
  return Object.entries(fields)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => `${name}=${encode(String(sendable(value, name)))}`)
    .join('&');
}

/** An apostrophe would be encoded on the way, after it was signed. */
const encode = (text: string): string => encodeURIComponent(text).replaceAll("'", '%27');

/** A value as JSON.stringify writes it exactly. Throws InvalidArgument. */
export function sendable(value: unknown, path: string): unknown {
  if (typeof value === 'bigint') return String(value);
  if (typeof value === 'number') {
    if (Number.isSafeInteger(value)) return value;
    throw new InvalidArgument(inexact(value, path));
  }
  if (Array.isArray(value)) return value.map((item, i) => sendable(item, `${path}[${i}]`));
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(([name, member]) => [
      name,
      sendable(member, path === '' ? name : `${path}.${name}`),
    ]);
    return Object.fromEntries(members);
  }
  return value;
}

const inexact = (value: number, field: string): string =>
  Number.isFinite(value)
    ? `${field}: the JavaScript number ${value} is not exact. ` +
      `Send the decimal as a text, such as ${field}: '0.25'.`
    : `${field}: ${value} is not a number that can be sent.`;
