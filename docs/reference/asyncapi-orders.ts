// The messages of order entry in the AsyncAPI document: each has the fields of its call, and its
// answer the body of the HTTP answer.

import { orderFrame } from '../../src/contract/streams/orders.ts';
import { ORDER_OPS } from '../../src/contract/streams/requests.ts';
import { TRADING_COMMANDS } from '../../src/contract/trading/commands.ts';
import type { JsonSchema } from '../../src/contract/wire.ts';
import type { AnswerSchemas } from './answer-schemas.ts';
import { COMPONENTS } from './shared.ts';

interface Message {
  readonly payload: JsonSchema;
  readonly summary: string;
  readonly examples?: readonly JsonSchema[];
}

type ObjectSchema = JsonSchema & {
  readonly properties: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
};

const OPS = Object.entries(ORDER_OPS).map(([op, type]) => ({ op, ...TRADING_COMMANDS[type] }));

/** One object with the members of both, and this `op`. */
function joined(op: string, frame: JsonSchema, fields: JsonSchema): JsonSchema {
  const [first, second] = [frame as ObjectSchema, fields as ObjectSchema];
  return {
    ...first,
    properties: { ...first.properties, op: { const: op }, ...second.properties },
    required: [...(first.required ?? []), ...(second.required ?? [])],
  };
}

const INTEGER: JsonSchema = { type: 'integer' };
const { properties, required } = COMPONENTS.schemas.Error;
const ANSWER = {
  status: { type: 'integer', description: 'The status of the HTTP answer.' },
  seq: { type: 'integer', description: 'The journal position, as in X-Agio-Seq.' },
  replayed: { const: true, description: 'The answer of an earlier request under the same key.' },
  retryAfterMs: INTEGER,
  error: { type: 'object', properties, required, description: 'The body of a rejection.' },
} as const;

/** `data` is the body of the answer of the call. */
const answered = (op: string, data: JsonSchema, id: JsonSchema): JsonSchema => ({
  type: 'object',
  properties: { op: { const: op }, ...ANSWER, data, id },
  required: ['op', 'status'],
});

/** The requests and answers of order entry, by name. */
export function orderMessages(
  shown: ReadonlyMap<string, readonly JsonSchema[]>,
  schemas: AnswerSchemas,
  id: JsonSchema,
): [string, Message][] {
  const examples = (op: string) => {
    const found = shown.get(op);
    return found === undefined ? {} : { examples: found };
  };
  const requests = OPS.map(({ op, call }): [string, Message] => [
    op,
    { summary: call.summary, payload: joined(op, orderFrame.toJsonSchema(), bodyOf(call)) },
  ]);
  const answers = OPS.map(({ op, call }): [string, Message] => [
    `answer.${op}`,
    {
      summary: `The answer to ${op}: \`data\`, or \`error\`.`,
      payload: answered(op, schemas.of(call.answer), id),
      ...examples(op),
    },
  ]);
  return [...requests, ...answers];
}

const bodyOf = ({ body }: { readonly body?: { toJsonSchema(): JsonSchema } }): JsonSchema =>
  body!.toJsonSchema();
