// Checks a value against its description. Tests and the conformance kit check every answer.

import * as answer from './answer.ts';
import type { ApiCall } from './call.ts';
import { LEGACY_CODE } from './codes.ts';
import { integer, oneOf, optional, text } from './fields.ts';
import { JsonNumber } from './json.ts';
import { DATA_MESSAGES, heartbeat } from './streams/answers.ts';
import { ORDER_OPS } from './streams/requests.ts';
import { TRADING_COMMANDS } from './trading/commands.ts';
import type { Answer, Fields } from './wire.ts';

/**
 * How numbers are read: `json` is losslessly parsed JSON; in `sdk`, the SDK's answers, decimals are
 * texts and integers are numbers.
 */
export type Reading = 'json' | 'sdk';

const PLAIN_DECIMAL = /^-?(?:0|[1-9]\d*)(?:\.\d*[1-9])?$/;
const MIN_TIME = Date.UTC(2014, 0);
const MAX_TIME = Date.UTC(9999, 11, 31);
const MAX_SHOWN = 80;

/** A sentence for every place where the value differs from its description; empty if none does. */
export function faultsOf(described: Answer, value: unknown, reading: Reading = 'json'): string[] {
  return find(described, value, reading, 'answer');
}

function find(described: Answer, value: unknown, reading: Reading, path: string): string[] {
  const { shape } = described;
  const fault = (expected: string): string[] => [`${path}: ${shown(value)} is not ${expected}`];
  const unless = (holds: boolean, expected: string): string[] => (holds ? [] : fault(expected));
  switch (shape.kind) {
    case 'any':
      return [];
    case 'text':
      return unless(typeof value === 'string', 'a text');
    case 'boolean':
      return unless(typeof value === 'boolean', 'a boolean');
    case 'integer':
      return unless(Number.isSafeInteger(numberOf(value)), 'an integer');
    case 'time':
      return unless(isTime(numberOf(value)), 'a time, epoch ms');
    case 'timeText':
      return unless(typeof value === 'string' && isTime(Number(value)), 'a time as a text');
    case 'decimal':
      return unless(isPlain(reading === 'sdk' ? value : sourceOf(value)), 'a plain decimal');
    case 'decimalText':
      return unless(isPlain(value), 'a plain decimal as a text');
    case 'oneOf': {
      const plain = value instanceof JsonNumber ? Number(value.source) : value;
      return unless(
        shape.values.some((word) => word === plain),
        `one of ${shape.values.join(', ')}`,
      );
    }
    case 'nullable':
      return value === null ? [] : find(shape.value, value, reading, path);
    case 'list':
      if (!Array.isArray(value)) return fault('a list');
      return value.flatMap((item, i) => find(shape.item, item, reading, `${path}[${i}]`));
    case 'tuple': {
      const parts = Object.values(shape.parts);
      if (!Array.isArray(value) || value.length !== parts.length) {
        return fault(`a list of ${parts.length}`);
      }
      return parts.flatMap((part, i) => find(part, value[i], reading, `${path}[${i}]`));
    }
    case 'anyOf': {
      const found = shape.options.map((option) => find(option, value, reading, path));
      return found.reduce((least, faults) => (faults.length < least.length ? faults : least));
    }
    case 'map':
      if (!isObject(value)) return fault('an object');
      return Object.entries(value).flatMap(([name, member]) =>
        find(shape.value, member, reading, `${path}.${name}`),
      );
    case 'object':
      return isObject(value)
        ? inObject(shape.fields, value, reading, path)
        : fault(described.name ?? 'an object');
  }
}

function inObject(
  fields: Fields,
  value: Readonly<Record<string, unknown>>,
  reading: Reading,
  path: string,
): string[] {
  const unknown = Object.keys(value).filter((name) => fields[name] === undefined);
  return [
    ...unknown.map((name) => `${path}.${name}: not described`),
    ...Object.entries(fields).flatMap(([name, field]) => {
      if (Object.hasOwn(value, name)) return find(field, value[name], reading, `${path}.${name}`);
      return field.optional ? [] : [`${path}.${name}: missing`];
    }),
  ];
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  !(value instanceof JsonNumber);

const sourceOf = (value: unknown): unknown =>
  value instanceof JsonNumber ? value.source : undefined;

const numberOf = (value: unknown): unknown =>
  value instanceof JsonNumber && /^-?\d+$/.test(value.source) ? Number(value.source) : value;

const isPlain = (value: unknown): boolean =>
  typeof value === 'string' && PLAIN_DECIMAL.test(value) && value !== '-0';

const isTime = (value: unknown): boolean =>
  Number.isSafeInteger(value) && Number(value) >= MIN_TIME && Number(value) <= MAX_TIME;

const shown = (value: unknown): string =>
  (value instanceof JsonNumber ? value.source : (JSON.stringify(value) ?? 'nothing')).slice(
    0,
    MAX_SHOWN,
  );

/** JSON with every number as its source text. Throws SyntaxError. */
const parseLossless = (text: string): unknown =>
  JSON.parse(text, ((_: string, value: unknown, { source }: { source: string }) =>
    typeof value === 'number' ? new JsonNumber(source) : value) as never);

const details = optional(answer.map(answer.any()));

const rejected = answer.object('Error', 'A rejection.', {
  code: text(),
  msg: text(),
  userMsg: text(),
  details,
});

const rejectedByEarn = answer.object('LegacyError', 'A rejection by a rule of earn.', {
  code: oneOf([LEGACY_CODE]),
  msg: text(),
  data: oneOf([null]),
  errorCode: integer(),
  userMsg: text(),
  details,
});

/** The faults of a whole response; other content types than JSON have none. */
export function faultsOfResponse(
  call: ApiCall,
  { status, contentType, text }: { status: number; contentType: string | null; text: string },
): string[] {
  if (contentType !== 'application/json') {
    const types = ['application/json', ...(call.contentTypes ?? [])];
    const isListed = types.some((type) => contentType?.startsWith(type));
    return isListed ? [] : [`content type: ${contentType} is not one of ${types.join(', ')}`];
  }
  const body = parseLossless(text);
  if (status >= 400) return faultsOf(rejected, body);
  if (call.envelope === undefined) return faultsOf(call.answer, body);
  if (isObject(body) && body.code === LEGACY_CODE) return faultsOf(rejectedByEarn, body);
  return faultsOf(enveloped(call), body);
}

function enveloped({ answer: data, envelope }: ApiCall): Answer {
  const fields: Fields = { code: oneOf(['0']), msg: oneOf(['success']), data };
  const all = envelope === 'withSucc' ? { ...fields, succ: oneOf([true]) } : fields;
  return answer.object('Envelope', 'The envelope of the earn area.', all);
}

/** The faults of a data message or heartbeat of a websocket; other messages have none. */
export function faultsOfMessage(text: string): string[] {
  const message = parseLossless(text);
  if (!isObject(message)) return [];
  if (typeof message.op === 'string') return faultsOfAnswer(message);
  const channel = String(message.channel);
  if (channel === 'heartbeat') return faultsOf(heartbeat, message);
  const isData = message.type !== undefined && message.op === undefined;
  const described = isData ? DATA_MESSAGES[channel as keyof typeof DATA_MESSAGES] : undefined;
  return described === undefined ? [] : faultsOf(described, message);
}

/** Checks the answers to orders; other answers have no description here. */
function faultsOfAnswer({ op, data }: Readonly<Record<string, unknown>>): string[] {
  const type = ORDER_OPS[op as keyof typeof ORDER_OPS];
  if (type === undefined || data === undefined) return [];
  return faultsOf(TRADING_COMMANDS[type].call.answer, data);
}

/** The call that a request made; undefined for a path or method that has none. */
export function callOf<C extends Pick<ApiCall, 'method' | 'path'>>(
  calls: readonly C[],
  request: { readonly method: string; readonly path: string },
): C | undefined {
  const parts = request.path.split('/');
  return calls.find(({ method, path }) => {
    if (method !== request.method) return false;
    const expected = path.split('/');
    return (
      expected.length === parts.length &&
      expected.every((part, i) => part === parts[i] || (part.startsWith('{') && parts[i] !== ''))
    );
  });
}
