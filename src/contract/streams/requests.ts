// The requests of a websocket, and the channel that a subscription names. They are read as strictly
// as bodies: an unknown field is rejected by name.
import type { Instrument } from '../../core/instrument.ts';
import type { State } from '../../core/state.ts';
import { wholeNumber } from '../decimal.ts';
import {
  boolean,
  clip,
  describe,
  type Infer,
  integer,
  isObject,
  notExpected,
  ofBody,
  oneOf,
  optional,
  text,
} from '../fields.ts';
import { JsonNumber, type JsonValue } from '../json.ts';
import { MAX_MEMBERS, parseText } from '../lossless-json.ts';
import { BOOK_DEPTHS, candleInterval } from '../market-data/market-data.ts';
import { type ObjectField, object, ROOT } from '../object.ts';
import { invalidField, Problem } from '../problem.ts';
import { BATCH_BODY, namedInstrument, symbol } from '../trading/orders.ts';

/** The three websockets. */
export const STREAM_PATHS = {
  '/ws/v1/public': 'public',
  '/ws/v1/private/orders': 'orders',
  '/ws/v1/private/account': 'account',
} as const;
export type StreamPath = keyof typeof STREAM_PATHS;
export type Endpoint = (typeof STREAM_PATHS)[StreamPath];

export const isStreamPath = (path: string): path is StreamPath => Object.hasOwn(STREAM_PATHS, path);

/** A longer message, in bytes, ends the connection. A batch of orders may be long. */
export const MAX_STREAM_MESSAGE: Readonly<Record<Endpoint, number>> = {
  public: 4096,
  orders: BATCH_BODY.bytes,
  account: 4096,
};
const MAX_ID_LENGTH = 64;

/** The commands of the operations with orders (orders.ts). */
export const ORDER_OPS = {
  'order.place': 'placeOrderV2',
  'order.amend': 'amendOrder',
  'order.oco': 'placeOco',
  'order.cancel': 'cancelOrder',
  'order.cancelAll': 'massCancel',
  'order.batch': 'orderBatch',
} as const;
export type OrderOp = keyof typeof ORDER_OPS;

/** The client's id of a request; the answer repeats it. */
export type RequestId = string | number;

const ANY_ID = `an integer, or a text of at most ${MAX_ID_LENGTH} characters`;
const requestId = ofBody<RequestId>(
  ANY_ID,
  (value, path) => {
    const id = readId(value);
    if (id !== undefined) return id;
    throw notExpected(path, ANY_ID, value, { rule: 'type' });
  },
  () => ({ type: ['integer', 'string'], maxLength: MAX_ID_LENGTH }),
);

function readId(value: JsonValue | undefined): RequestId | undefined {
  if (typeof value === 'string') return value.length <= MAX_ID_LENGTH ? value : undefined;
  if (!(value instanceof JsonNumber)) return undefined;
  const digits = wholeNumber(value.source);
  const number = Number(digits);
  return String(number) === digits && Number.isSafeInteger(number) ? number : undefined;
}

export const id = optional(requestId);
export const op = text({ max: 16 });
const channel = text({ max: 16 });
const named = { op, channel, id };
const resumeFrom = optional(
  integer({ min: 0, about: 'Everything after this seq first, instead of a snapshot.' }),
);
const cancelOnDisconnect = optional(
  boolean({ about: 'Cancels all open orders of the account when this connection is gone.' }),
  false,
);

const pair = object({ ...named, symbol: symbol() });
const depth = oneOf(BOOK_DEPTHS, { about: 'Price levels on each side.' });

/** The fields that tell one subscription of a channel from another. */
const PUBLIC_CHANNELS = {
  orderbook: object({ ...named, symbol: symbol(), depth: optional(depth, 20) }),
  l3orderbook: pair,
  bbo: pair,
  trades: pair,
  ticker: object({ ...named, symbol: optional(symbol()) }),
  candles: object({ ...named, symbol: symbol(), interval: candleInterval }),
  instruments: object({ ...named, symbol: optional(symbol()) }),
} as const;

const own = object({ ...named, resumeFrom });
const plain = object(named);
const ORDER_CHANNELS = {
  orders: object({ ...named, resumeFrom, cancelOnDisconnect }),
  triggers: plain,
} as const;
const ACCOUNT_CHANNELS = { balances: own, subscriptions: own, interest: own } as const;

type PublicChannel = keyof typeof PUBLIC_CHANNELS;
export type OwnChannel = keyof typeof ORDER_CHANNELS | keyof typeof ACCOUNT_CHANNELS;
export type ChannelName = PublicChannel | OwnChannel;

/** By endpoint and channel, what a `subscribe` may hold. */
export const SUBSCRIBE: Readonly<Record<Endpoint, Readonly<Record<string, ObjectField<unknown>>>>> =
  { public: PUBLIC_CHANNELS, orders: ORDER_CHANNELS, account: ACCOUNT_CHANNELS };

export const loginMessage = object({
  op,
  id,
  apiKey: text({ max: 128, ascii: true, about: 'The API key.' }),
  timestamp: integer({ min: 0, lenient: true, about: 'Epoch milliseconds, 13 digits.' }),
  sign: text({
    max: 128,
    ascii: true,
    about: 'As for a request: timestamp + GET + path of this websocket, without a body.',
  }),
});
export type LoginMessage = Infer<typeof loginMessage>;

const pingMessage = object({ op, id });

/** A channel with everything that tells it from others of its name; absent parts are null. */
export interface Subject {
  readonly channel: ChannelName;
  readonly symbol: string | null;
  readonly depth: number | null;
  readonly interval: string | null;
}

export type StreamRequest =
  | { readonly op: 'ping'; readonly id: RequestId | undefined }
  | { readonly op: 'login'; readonly id: RequestId | undefined; readonly login: LoginMessage }
  | { readonly op: 'unsubscribe'; readonly id: RequestId | undefined; readonly subject: Subject }
  | {
      readonly op: 'subscribe';
      readonly id: RequestId | undefined;
      readonly subject: Subject;
      readonly resumeFrom: number | undefined;
      readonly cancelOnDisconnect: boolean;
    };

/** A message as JSON. Throws Problem invalidBody. */
export function parseMessage(message: string | Uint8Array, endpoint: Endpoint): JsonValue {
  if (typeof message !== 'string') {
    throw new Problem('invalidBody', { userMsg: 'Messages are text frames; a binary one came.' });
  }
  return parseText(message, endpoint === 'orders' ? BATCH_BODY.members : MAX_MEMBERS);
}

/** The id of a message whose other fields may be wrong. */
export const idOf = (message: JsonValue): RequestId | undefined =>
  isObject(message) ? readId(message.id) : undefined;

/** Throws Problem invalidField. */
export function readRequest(endpoint: Endpoint, message: JsonValue): StreamRequest {
  if (!isObject(message)) {
    throw notExpected('body', 'a JSON object', message, { rule: 'type' });
  }
  switch (message.op) {
    case 'ping':
      return { op: 'ping', id: pingMessage.read(message, ROOT).id };
    case 'login': {
      if (endpoint === 'public') break;
      const login = loginMessage.read(message, ROOT);
      return { op: 'login', id: login.id, login };
    }
    case 'subscribe':
      return readSubscribe(endpoint, message);
    case 'unsubscribe':
      return readUnsubscribe(endpoint, message);
  }
  throw notListed('op', OPS[endpoint], message.op);
}

const OPS: Readonly<Record<Endpoint, readonly string[]>> = {
  public: ['subscribe', 'unsubscribe', 'ping'],
  orders: ['subscribe', 'unsubscribe', 'ping', 'login', ...Object.keys(ORDER_OPS)],
  account: ['subscribe', 'unsubscribe', 'ping', 'login'],
};

function notListed(field: string, names: readonly string[], sent: JsonValue | undefined): Problem {
  const shown = sent === undefined ? 'nothing' : describe(sent);
  const must = `be one of ${names.join(', ')}; ${shown} was sent`;
  const value = typeof sent === 'string' ? { value: clip(sent) } : {};
  return invalidField(field, must, { rule: 'listed', ...value });
}

type SubjectFields = Partial<Infer<(typeof PUBLIC_CHANNELS)['orderbook']>> & {
  readonly interval?: string;
  readonly resumeFrom?: number;
  readonly cancelOnDisconnect?: boolean;
};

function readNamed(
  endpoint: Endpoint,
  message: JsonValue & object,
  descriptionOf: (name: string) => ObjectField<unknown>,
): SubjectFields & { readonly subject: Subject } {
  const names = Object.keys(SUBSCRIBE[endpoint]);
  const sent = (message as { readonly channel?: JsonValue }).channel;
  const name = names.find((known) => known === sent);
  if (name === undefined) throw notListed('channel', names, sent);
  const read = descriptionOf(name).read(message as JsonValue, ROOT) as SubjectFields;
  return {
    ...read,
    subject: {
      channel: name as ChannelName,
      symbol: read.symbol ?? null,
      depth: read.depth ?? null,
      interval: read.interval ?? null,
    },
  };
}

function readSubscribe(endpoint: Endpoint, message: JsonValue & object): StreamRequest {
  const read = readNamed(endpoint, message, (name) => SUBSCRIBE[endpoint][name]!);
  const { subject, resumeFrom: from, cancelOnDisconnect: cancels = false } = read;
  return {
    op: 'subscribe',
    id: read.id,
    subject,
    resumeFrom: from,
    cancelOnDisconnect: cancels,
  };
}

/** It names the subscription as `subscribe` did, without the fields about its start. */
function readUnsubscribe(endpoint: Endpoint, message: JsonValue & object): StreamRequest {
  const read = readNamed(endpoint, message, (name) =>
    endpoint === 'public' ? SUBSCRIBE.public[name]! : plain,
  );
  return { op: 'unsubscribe', id: read.id, subject: read.subject };
}

/** The instrument of a subscription; null for all. Throws Problem unknownSymbol. */
export function instrumentOf(state: State, { symbol: name }: Subject): Instrument | null {
  return name === null ? null : namedInstrument(state, { symbol: name, securityId: undefined });
}
