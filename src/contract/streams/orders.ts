// Orders over the websocket: messages with the fields of the trading calls, and answers with the
// bodies of the HTTP answers.
import type { Infer } from '../fields.ts';
import { integer, optional, text } from '../fields.ts';
import { type JsonObject, type JsonValue, stringify } from '../json.ts';
import { object } from '../object.ts';
import { Problem } from '../problem.ts';
import { idText } from './messages.ts';
import { id, ORDER_OPS, type OrderOp, op, type RequestId } from './requests.ts';

/** How old a message may be when it is executed, ms: by default, and at most. */
export const RECV_WINDOW_MS = 5000;
export const MAX_RECV_WINDOW_MS = 60_000;
/** How far a timestamp may be ahead of the server's clock, ms. */
export const MAX_AHEAD_MS = 1000;

/** The members of a message beside the fields of its call. */
export const orderFrame = object({
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
  idempotencyKey: optional(
    text({
      max: 128,
      pattern: /^[\x21-\x7e]{1,128}$/,
      // A write that its client believes protected is not entered without protection.
      emptyIsValue: true,
      expected: '1 to 128 printable ASCII characters without spaces',
      about: 'Names this write, as the header Idempotency-Key does.',
    }),
  ),
});
type OrderFrame = Infer<typeof orderFrame>;

export const isOrderOp = (op: JsonValue | undefined): op is OrderOp =>
  typeof op === 'string' && Object.hasOwn(ORDER_OPS, op);

/** Throws Problem timestampOutside; `now` is the wall clock, ms. */
export function requireRecent({ timestamp, recvWindow }: OrderFrame, now: number): void {
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

/** The body of the same call over HTTP, in the order in which the fields were sent. */
export function bodyText(message: JsonObject): string {
  const members = Object.entries(message).filter(([name]) => !orderFrame.fields.has(name));
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

export function orderAnswer(op: OrderOp, answer: OrderAnswer, id: RequestId | undefined): string {
  const { status, seq, replayed, retryAfterMs, body } = answer;
  let text = `{"op":"${op}","status":${status}`;
  if (seq !== null) text += `,"seq":${seq}`;
  if (replayed) text += ',"replayed":true';
  if (retryAfterMs !== null) text += `,"retryAfterMs":${retryAfterMs}`;
  return `${text},"${status === 200 ? 'data' : 'error'}":${body}${idText(id)}}`;
}
