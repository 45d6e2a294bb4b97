// The parameters of a request: from its query and its form body, or from the params of a message.
// They are strings; the contract's fields read them.
import { clip, isObject, missingField } from '../../contract/fields.ts';
import { JsonNumber, type JsonValue, stringify } from '../../contract/json.ts';
import type { ObjectField } from '../../contract/object.ts';
import { invalidField } from '../../contract/problem.ts';
import { BinanceProblem } from './binance-problem.ts';

/** The values as sent, decoded, by name. */
export type Sent = Map<string, string>;

/** Longer than any request of Binance's API. */
const MAX_PARAMETERS = 64;

/** The parameters of a query and a form body. The query has precedence. Throws Problem. */
export function parseForms(query: string, body: string): Sent {
  const sent: Sent = new Map();
  if (body !== '') parseForm(body, sent);
  if (query === '') return sent;
  if (sent.size === 0) return parseForm(query, sent);
  for (const [name, value] of parseForm(query, new Map())) sent.set(name, value);
  return sent;
}

function parseForm(text: string, sent: Sent): Sent {
  const pairs = text.split('&');
  if (pairs.length > MAX_PARAMETERS) {
    const words = `Too many parameters; expected '${MAX_PARAMETERS}' and received`;
    throw new BinanceProblem(-1101, `${words} '${pairs.length}'.`);
  }
  for (const pair of pairs) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = decoded(equals < 0 ? pair : pair.slice(0, equals));
    if (sent.has(name)) {
      throw new BinanceProblem(-1101, 'Duplicate values for a parameter detected.', {
        userMsg: `Send ${clip(name)} once.`,
      });
    }
    sent.set(name, equals < 0 ? '' : decoded(pair.slice(equals + 1)));
  }
  return sent;
}

function decoded(text: string): string {
  if (!text.includes('%') && !text.includes('+')) return text;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw invalidField(clip(text), 'be percent-encoded UTF-8', { rule: 'encoding' });
  }
}

/** The params of a message: numbers keep their text, lists are written as JSON. Throws Problem. */
export function paramsOf(params: JsonValue | undefined): Sent {
  const sent: Sent = new Map();
  if (params === undefined || params === null) return sent;
  if (!isObject(params)) throw invalidField('params', 'be an object', { rule: 'type' });
  for (const [name, value] of Object.entries(params)) {
    if (value === null) continue;
    if (value instanceof JsonNumber) sent.set(name, value.source);
    else sent.set(name, typeof value === 'string' ? value : stringify(value));
  }
  return sent;
}

/** Reads the parameters of a call. Throws Problem. */
export function readSent<T>({ fields }: ObjectField<T>, sent: Sent): T {
  const result: Record<string, unknown> = {};
  let read = 0;
  for (const [name, field] of fields) {
    const value = sent.get(name);
    if (value === undefined) {
      if (!field.optional) throw missingField(name, field.expected);
      result[name] = field.absent;
      continue;
    }
    read++;
    if (value === '') throw new BinanceProblem(-1105, `Parameter '${name}' was empty.`);
    result[name] = field.readText(value, name);
  }
  if (read === sent.size) return result as T;
  const others = [...sent.keys()].filter((name) => !fields.has(name)).map(clip);
  const words = `Not all sent parameters were read; read '${read}' parameter(s) but was sent`;
  throw new BinanceProblem(-1104, `${words} '${sent.size}'.`, {
    userMsg: `Leave out ${others.join(', ')}.`,
  });
}
