// The parameters of Binance: what each name accepts, and the list of each endpoint. They come from
// a query and a form body, or from the params of a message, and the contract's fields read them.
import { absentFormsOf, isAbsent, missingField, noteAbsent } from '../../contract/absent.ts';
import {
  boolean,
  clip,
  decimal,
  type Infer,
  integer,
  isObject,
  numericId,
  oneOf,
  text,
} from '../../contract/fields.ts';
import { JsonNumber, type JsonValue, stringify } from '../../contract/json.ts';
import { invalidField } from '../../contract/problem.ts';
import { MAX_CL_ORD_ID } from '../../contract/trading/orders.ts';
import type { Field } from '../../contract/wire.ts';
import { MAX_TRAILING_DELTA } from '../../core/order-rules.ts';
import { BinanceProblem } from './binance-problem.ts';
import { PREVENTION_NAMES, SIDE_NAMES, TIME_NAMES, TYPE_NAMES } from './words.ts';

const word = text({ min: 1, max: 40, ascii: true });
const list = text({ max: 8192, ascii: true });
/** A bound of a list, where 0 is a value: from the first one on. */
export const listBound = integer({ min: 0 });
const id = numericId('');
const clientId = text({ min: 1, max: MAX_CL_ORD_ID, ascii: true });
const positive = decimal({ sign: 'positive' });
const notNegative = decimal({ sign: 'notNegative' });
const side = oneOf(SIDE_NAMES);
const type = oneOf(TYPE_NAMES);
const timeInForce = oneOf(TIME_NAMES);
const trailingDelta = integer({ min: 1, max: MAX_TRAILING_DELTA });

/** The parameters of an order of a list, each after the name of the order. */
const LEG = {
  Type: type,
  ClientOrderId: clientId,
  IcebergQty: notNegative,
  Price: positive,
  StopPrice: positive,
  TimeInForce: timeInForce,
  TrailingDelta: trailingDelta,
} as const;
type WithPrefix<P extends string> = {
  readonly [N in keyof typeof LEG as `${P}${N}`]: (typeof LEG)[N];
};
const leg = <P extends string>(prefix: P) =>
  Object.fromEntries(
    Object.entries(LEG).map(([name, field]) => [prefix + name, field]),
  ) as WithPrefix<P>;

/** Names, apart by spaces, that accept the same. */
const each = <L extends string, F>(names: L, field: F) =>
  Object.fromEntries(names.split(' ').map((name) => [name, field])) as Record<Words<L>, F>;

/** A parameter means the same wherever it is accepted. */
const FIELDS = {
  ...each('symbol symbolStatus interval timeZone windowSize asset', word),
  ...each('symbols permissions', list),
  ...each('showPermissionSets computeCommissionRates omitZeroBalances needBtcValuation', boolean()),
  ...each('fromId startTime endTime', listBound),
  ...each('orderId cancelOrderId orderListId', id),
  ...each('origClientOrderId newClientOrderId listClientOrderId', clientId),
  ...each('cancelNewClientOrderId cancelOrigClientOrderId', clientId),
  ...each('limitClientOrderId stopClientOrderId', clientId),
  ...each('side workingSide pendingSide', side),
  ...each('timeInForce stopLimitTimeInForce', timeInForce),
  ...each('price stopPrice stopLimitPrice', positive),
  ...each('quantity quoteOrderQty newQty workingQuantity pendingQuantity', positive),
  icebergQty: notNegative,
  type,
  trailingDelta,
  limit: integer({ min: 1, max: 1000 }),
  newOrderRespType: oneOf(['ACK', 'RESULT', 'FULL']),
  selfTradePreventionMode: oneOf(PREVENTION_NAMES),
  cancelRestrictions: oneOf(['ONLY_NEW', 'ONLY_PARTIALLY_FILLED']),
  cancelReplaceMode: oneOf(['STOP_ON_FAILURE', 'ALLOW_FAILURE']),
  orderRateLimitExceededMode: oneOf(['DO_NOTHING', 'CANCEL_ONLY']),
  listenKey: text({ min: 1, max: 100, ascii: true }),
  ...leg('above'),
  ...leg('below'),
  ...leg('working'),
  ...leg('pending'),
  ...leg('pendingAbove'),
  ...leg('pendingBelow'),
} as const;
type Table = typeof FIELDS;
type Words<L extends string> = L extends `${infer First} ${infer Rest}` ? First | Words<Rest> : L;
type Bare<N extends string> = N extends `${infer B}?` ? B : N;
type Value<N extends string> = N extends keyof Table
  ? Infer<Table[N]>
  : N extends `${infer B extends keyof Table}?`
    ? Infer<Table[B]> | undefined
    : never;

/** The values of a list of parameters. */
export type Values<L extends string> = { readonly [N in Words<L> as Bare<N>]: Value<N> };

/** The values as sent, decoded, by name. */
export type SentValues = Map<string, string>;

/** The parameters of an endpoint. */
export interface ParameterList<T = unknown> {
  readonly fields: ReadonlyMap<string, Field<unknown>>;
  /** Throws Problem. */
  read(sent: SentValues): T;
}

/** Parameters by their names, apart by spaces; `?` follows an optional one. */
export function takes<L extends string>(
  names: L,
  others: Partial<Record<keyof Table, Field<unknown>>> = {},
): ParameterList<Values<L>> {
  const table: Readonly<Record<string, Field<unknown>>> = { ...FIELDS, ...others };
  const listed = names.split(' ').filter((name) => name !== '');
  const required = new Set(listed.filter((name) => !name.endsWith('?')));
  const fields = new Map(
    listed.map((name) => name.replace('?', '')).map((name) => [name, table[name]!] as const),
  );
  // On the path of every order, an array is faster than a Map.
  const each = [...fields].map(([name, field]) => {
    const needed = required.has(name);
    return { name, field, needed, absent: absentFormsOf({ ...field, optional: !needed }) };
  });
  function read(sent: SentValues) {
    const result: Record<string, unknown> = {};
    let count = 0;
    for (const { name, field, needed, absent } of each) {
      const value = sent.get(name);
      if (value === undefined) {
        if (needed) throw missingField(name, field.expected);
        continue;
      }
      count++;
      if (isAbsent(absent, value)) {
        noteSent(result, name, field, value);
      } else {
        result[name] = readValue(name, field, value);
      }
    }
    if (count < sent.size) throw unknownParameters(count, sent, fields);
    return result as Values<L>;
  }
  return { fields, read };
}

function readValue(name: string, field: Field<unknown>, value: string): unknown {
  if (value === '') throw new BinanceProblem(-1105, `Parameter '${name}' was empty.`);
  return field.readText(value, name);
}

/** Apart from the loop that calls it, where a closure would cost each parameter an allocation. */
function noteSent(read: object, name: string, field: Field<unknown>, value: string): void {
  noteAbsent(read, name, () => readValue(name, field, value));
}

function unknownParameters(count: number, sent: SentValues, fields: ReadonlyMap<string, unknown>) {
  const others = [...sent.keys()].filter((name) => !fields.has(name)).map(clip);
  const words = `Not all sent parameters were read; read '${count}' parameter(s) but was sent`;
  const userMsg = `Leave out ${others.join(', ')}.`;
  return new BinanceProblem(-1104, `${words} '${sent.size}'.`, { userMsg });
}

/** The parameters of a query and a form body. The query has precedence. Throws Problem. */
export function parseForms(query: string, body: string): SentValues {
  if (body === '') return parseForm(query);
  const sent = parseForm(body);
  for (const [name, value] of parseForm(query)) sent.set(name, value);
  return sent;
}

/** Longer than any request of Binance's API. */
const MAX_PARAMETERS = 64;

function parseForm(form: string): SentValues {
  const sent: SentValues = new Map();
  const isPlain = !form.includes('%') && !form.includes('+');
  for (let at = 0, count = 1; at <= form.length; count++) {
    if (count > MAX_PARAMETERS) throw tooManyParameters(form);
    const found = form.indexOf('&', at);
    const end = found < 0 ? form.length : found;
    const equals = form.indexOf('=', at);
    const nameEnd = equals < 0 || equals > end ? end : equals;
    const name = form.slice(at, nameEnd);
    const value = form.slice(nameEnd + 1, end);
    if (end > at) add(sent, isPlain ? name : decoded(name), isPlain ? value : decoded(value));
    at = end + 1;
  }
  return sent;
}

function add(sent: SentValues, name: string, value: string): void {
  const { size } = sent;
  sent.set(name, value);
  if (sent.size > size) return;
  const userMsg = `Send ${clip(name)} once.`;
  throw new BinanceProblem(-1101, 'Duplicate values for a parameter detected.', { userMsg });
}

function tooManyParameters(form: string): BinanceProblem {
  const words = `Too many parameters; expected '${MAX_PARAMETERS}' and received`;
  return new BinanceProblem(-1101, `${words} '${form.split('&').length}'.`);
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part.replaceAll('+', ' '));
  } catch {
    throw invalidField(clip(part), 'be percent-encoded UTF-8', { rule: 'encoding' });
  }
}

/** The params of a message: numbers keep their text, lists are written as JSON. Throws Problem. */
export function paramsOf(params: JsonValue | undefined): SentValues {
  if (params === undefined || params === null) return new Map();
  if (!isObject(params)) throw invalidField('params', 'be an object', { rule: 'type' });
  const sent: SentValues = new Map();
  for (const [name, value] of Object.entries(params)) {
    if (value instanceof JsonNumber) sent.set(name, value.source);
    else if (value !== null) sent.set(name, typeof value === 'string' ? value : stringify(value));
  }
  return sent;
}

type WithoutUndefined<T> = { readonly [K in keyof T]?: Exclude<T[K], undefined> };
/** The values without those that were not sent. */
export const defined = <T extends object>(values: T): WithoutUndefined<T> =>
  Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== undefined),
  ) as WithoutUndefined<T>;
