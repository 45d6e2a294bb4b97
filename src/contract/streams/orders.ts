// Orders over the websocket: messages with the fields of the trading calls, and answers with the
// bodies of the HTTP answers.
import { array, integer, isObject, notExpected, ofBody, optional, text } from '../fields.ts';
import { type JsonObject, type JsonValue, stringify } from '../json.ts';
import { type ObjectField, object } from '../object.ts';
import { Problem } from '../problem.ts';
import { TRADING_COMMANDS } from '../trading/commands.ts';
import { MAX_BATCH } from '../trading/orders.ts';
import { idText } from './messages.ts';
import { BATCH_OP, id, notListed, ORDER_OPS, op, type RequestId } from './requests.ts';

export type OrderOp = keyof typeof ORDER_OPS;

/** How old a message may be when it is executed, ms: by default, and at most. */
export const RECV_WINDOW_MS = 5000;
export const MAX_RECV_WINDOW_MS = 60_000;
/** How far a timestamp may be ahead of the server's clock, ms. */
export const MAX_AHEAD_MS = 1000;

const frame = {
  op,
  id,
  timestamp: integer({ min: 0, lenient: true, about: 'When it was sent, epoch milliseconds.' }),
  recvWindow: optional(
    integer({
      min: 1,
      max: MAX_RECV_WINDOW_MS,
      lenient: true,
      about: 'How old it may be when the server reads it, ms.',
    }),
    RECV_WINDOW_MS,
  ),
};
const idempotencyKey = optional(
  text({
    max: 128,
    pattern: /^[\x21-\x7e]{1,128}$/,
    expected: '1 to 128 printable ASCII characters without spaces',
    about: 'Names this write, as the header Idempotency-Key does.',
  }),
);

const anyEntry = ofBody<JsonValue>(
  'an order, an amendment, a cancel or a mass cancel',
  (value) => value,
  () => ({ type: 'object' }),
);

/** The members of a message beside the fields of its call. */
export const orderFrame = object({ ...frame, idempotencyKey });
export const entryFrame = object({ op, idempotencyKey });
export const batchMessage = object({
  ...frame,
  entries: array(anyEntry, { min: 1, max: MAX_BATCH }),
});

/** A message with one entry, or a batch. */
export interface OrderMessage {
  readonly op: string;
  readonly id: RequestId | undefined;
  readonly timestamp: number;
  readonly recvWindow: number;
  readonly entries: readonly JsonValue[];
  /** The members of each entry that are not fields of its call. */
  readonly envelope: ObjectField<unknown>;
}

export const isOrderOp = (op: JsonValue | undefined): op is OrderOp | typeof BATCH_OP =>
  op === BATCH_OP || (typeof op === 'string' && Object.hasOwn(ORDER_OPS, op));

/** Throws Problem invalidField. */
export function readOrderMessage(message: JsonObject): OrderMessage {
  if (message.op === BATCH_OP) {
    return { ...batchMessage.readWithEnvelope(message, NO_OTHERS), envelope: entryFrame };
  }
  const { op, id, timestamp, recvWindow } = orderFrame.readWithEnvelope(message, null);
  return { op, id, timestamp, recvWindow, entries: [message], envelope: orderFrame };
}

const NO_OTHERS = object({});

/** Throws Problem timestampOutside; `now` is the wall clock, ms. */
export function requireRecent({ timestamp, recvWindow }: OrderMessage, now: number): void {
  const age = now - timestamp;
  if (age <= recvWindow && age >= -MAX_AHEAD_MS) return;
  const off = age < 0 ? `${-age} ms ahead of it` : `${age} ms behind it`;
  throw new Problem('timestampOutside', {
    userMsg:
      `timestamp must be at most ${recvWindow} ms behind the server time ${now} and ` +
      `${MAX_AHEAD_MS} ms ahead of it; ${timestamp} is ${off}. Nothing was done.`,
    details: {
      field: 'timestamp',
      rule: 'window',
      limit: age < 0 ? MAX_AHEAD_MS : recvWindow,
      value: timestamp,
      nearest: now,
    },
  });
}

/** The operation of an entry. Throws Problem invalidField. */
export function opOf(entry: JsonValue, index: number): OrderOp {
  if (!isObject(entry)) {
    throw notExpected(`entries[${index}]`, 'a JSON object', entry, { rule: 'type' });
  }
  const { op } = entry;
  if (typeof op === 'string' && Object.hasOwn(ORDER_OPS, op)) return op as OrderOp;
  throw notListed('op', Object.keys(ORDER_OPS), op);
}

interface OrderEntry {
  readonly body: unknown;
  readonly idempotencyKey: string | undefined;
}

/** The fields of an entry, as its call reads them. Throws Problem. */
export function readEntry(
  op: OrderOp,
  entry: JsonObject,
  { envelope }: Pick<OrderMessage, 'envelope'>,
): OrderEntry {
  const key = entry.idempotencyKey;
  return {
    body: TRADING_COMMANDS[ORDER_OPS[op]].call.body!.readWithEnvelope(entry, envelope),
    idempotencyKey: key === undefined ? undefined : idempotencyKey.read(key, 'idempotencyKey'),
  };
}

/** The body of the same call over HTTP, in the order in which the fields were sent. */
export function bodyText(entry: JsonObject, { envelope }: Pick<OrderMessage, 'envelope'>): string {
  const members = Object.entries(entry).filter(([name]) => !envelope.fields.has(name));
  return stringify(Object.fromEntries(members));
}

/** An answer of HTTP as a message has it. */
export interface OrderAnswer {
  readonly status: number;
  /** The journal position that it reflects; null for a rejection without a command. */
  readonly seq: number | null;
  /** The answer of an earlier request under the same Idempotency-Key. */
  readonly replayed: boolean;
  readonly retryAfterMs: number | null;
  /** JSON text. */
  readonly body: string;
}

/** The answer to an entry, as JSON text without the closing brace. */
export function answerText(op: string, answer: OrderAnswer): string {
  const { status, seq, replayed, retryAfterMs, body } = answer;
  let text = `{"op":"${op}","status":${status}`;
  if (seq !== null) text += `,"seq":${seq}`;
  if (replayed) text += ',"replayed":true';
  if (retryAfterMs !== null) text += `,"retryAfterMs":${retryAfterMs}`;
  return `${text},"${status === 200 ? 'data' : 'error'}":${body}`;
}

export const orderAnswer = (op: string, answer: OrderAnswer, id: RequestId | undefined): string =>
  `${answerText(op, answer)}${idText(id)}}`;

export const batchAnswer = (answers: readonly string[], id: RequestId | undefined): string =>
  `{"op":"${BATCH_OP}","status":200,"answers":[${answers.join(',')}]${idText(id)}}`;
