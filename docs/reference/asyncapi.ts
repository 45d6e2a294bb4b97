// The AsyncAPI 3 document of the websockets: the messages of clients and those of the server.
// Part of `npm run gen`.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import packageJson from '../../package.json' with { type: 'json' };
import type { ObjectField } from '../../src/contract/object.ts';
import { DATA_MESSAGES, heartbeat } from '../../src/contract/streams/answers.ts';
import {
  type ChannelName,
  type Endpoint,
  loginMessage,
  MAX_STREAM_MESSAGE,
  STREAM_PATHS,
  SUBSCRIBE,
} from '../../src/contract/streams/requests.ts';
import type { JsonSchema } from '../../src/contract/wire.ts';
import { AnswerSchemas } from './answer-schemas.ts';
import { orderMessages } from './asyncapi-orders.ts';
import { COMPONENTS } from './shared.ts';

const WEBSOCKET = join(import.meta.dir, '../websocket.md');

const TITLES: Readonly<Record<Endpoint, string>> = {
  public: 'Public market data.',
  orders: 'The orders of an account, and order entry.',
  account: 'Balances, subscriptions and interest of an account.',
};

const ID: JsonSchema = {
  type: ['integer', 'string'],
  maxLength: 64,
  description: 'The id of the request.',
};

interface Message {
  readonly payload: JsonSchema;
  readonly summary: string;
  readonly examples?: readonly JsonSchema[];
}

const operationNamed = (schema: JsonSchema, op: string): JsonSchema =>
  withConstants(schema, { op });

/** The schema of a request with its constant values. */
function withConstants(
  schema: JsonSchema,
  values: Readonly<Record<string, string | readonly string[]>>,
): JsonSchema {
  const constants = Object.entries(values).map(([name, value]) => [
    name,
    typeof value === 'string' ? { const: value } : { enum: value },
  ]);
  const properties = schema.properties as Readonly<Record<string, JsonSchema>>;
  return { ...schema, properties: { ...properties, ...Object.fromEntries(constants) } };
}

const reply = (op: string, more: Readonly<Record<string, JsonSchema>>): JsonSchema => ({
  type: 'object',
  properties: { op: { const: op }, ...more, id: ID },
  required: ['op', ...Object.keys(more)],
});

/** The examples of docs/websocket.md by channel. */
function examplesOf(): ReadonlyMap<string, readonly JsonSchema[]> {
  const blocks = [...readFileSync(WEBSOCKET, 'utf8').matchAll(/```json\n([\s\S]+?)\n```/g)];
  const byChannel = new Map<string, JsonSchema[]>();
  for (const line of blocks.flatMap(([, block]) => block!.split('\n'))) {
    const message: JsonSchema = JSON.parse(line);
    const name = String(message.channel ?? message.op ?? '');
    byChannel.set(name, [...(byChannel.get(name) ?? []), message]);
  }
  return byChannel;
}

/** All messages of an endpoint, by name. */
function messagesOf(endpoint: Endpoint, schemas: AnswerSchemas): Record<string, Message> {
  const shown = examplesOf();
  const channels = Object.entries<ObjectField<unknown>>(SUBSCRIBE[endpoint]);
  const names = channels.map(([name]) => name);
  const sent = channels.map(([name, field]): [string, Message] => [
    `subscribe.${name}`,
    {
      summary: `Subscribes to ${name}: a snapshot first, unless it resumes.`,
      payload: withConstants(field.toJsonSchema(), { op: 'subscribe', channel: name }),
    },
  ]);
  const data = names.map((name): [string, Message] => {
    const examples = shown.get(name);
    return [
      `data.${name}`,
      {
        summary: `The data of ${name}: a snapshot, then the changes.`,
        payload: schemas.of(DATA_MESSAGES[name as ChannelName]),
        ...(examples === undefined ? {} : { examples }),
      },
    ];
  });
  return Object.fromEntries([
    ...sent,
    ...requestMessages(endpoint, names),
    ...(endpoint === 'orders' ? orderMessages(shown, schemas, ID) : []),
    ...serverMessages(shown, schemas),
    ...data,
  ]);
}

/** Requests that every endpoint has, and their acknowledgements. */
function requestMessages(endpoint: Endpoint, names: readonly string[]): [string, Message][] {
  const subject: JsonSchema = { enum: names };
  const login: [string, Message][] = [
    [
      'login',
      {
        summary: 'Logs in, unless the headers of the upgrade did.',
        payload: operationNamed(loginMessage.toJsonSchema(), 'login'),
      },
    ],
    [
      'loggedIn',
      {
        summary: 'The account of the connection.',
        payload: reply('loggedIn', { uid: { type: 'integer' } }),
      },
    ],
  ];
  return [
    [
      'unsubscribe',
      {
        summary: 'Ends a subscription, with the fields of its subscribe.',
        payload: {
          type: 'object',
          properties: { op: { const: 'unsubscribe' }, channel: subject, id: ID },
          required: ['op', 'channel'],
        },
      },
    ],
    [
      'ping',
      {
        summary: 'Asks for the time and the position.',
        payload: {
          type: 'object',
          properties: { op: { const: 'ping' }, id: ID },
          required: ['op'],
          additionalProperties: false,
        },
      },
    ],
    ...(endpoint === 'public' ? [] : login),
    [
      'subscribed',
      { summary: 'The subscription begins.', payload: reply('subscribed', { channel: subject }) },
    ],
    [
      'unsubscribed',
      {
        summary: 'The subscription has ended.',
        payload: reply('unsubscribed', { channel: subject }),
      },
    ],
  ];
}

/** The messages of the server that every endpoint has. */
function serverMessages(
  shown: ReadonlyMap<string, readonly JsonSchema[]>,
  schemas: AnswerSchemas,
): [string, Message][] {
  const integer: JsonSchema = { type: 'integer' };
  return [
    [
      'pong',
      {
        summary: 'The answer to ping.',
        payload: reply('pong', { serverTime: integer, seq: integer }),
      },
    ],
    [
      'error',
      {
        summary: 'A request was rejected; nothing changed.',
        payload: {
          type: 'object',
          properties: { op: { const: 'error' }, ...COMPONENTS.schemas.Error.properties, id: ID },
          required: ['op', ...COMPONENTS.schemas.Error.required],
        },
        examples: shown.get('error') ?? [],
      },
    ],
    [
      'serverShutdown',
      {
        summary: 'The connection will be closed.',
        payload: reply('serverShutdown', { withinMs: integer }),
      },
    ],
    [
      'heartbeat',
      {
        summary: 'Every 15 seconds: the positions of the journal and of each channel.',
        payload: schemas.of(heartbeat),
        examples: shown.get('heartbeat') ?? [],
      },
    ],
  ];
}

/** True if a client sends the message. */
const isSent = (name: string): boolean =>
  /^(subscribe\.|unsubscribe$|ping$|login$|order\.)/.test(name);

/** docs/asyncapi.json as an object. */
export function asyncapi(): JsonSchema {
  const schemas = new AnswerSchemas();
  const channels: Record<string, JsonSchema> = {};
  const operations: Record<string, JsonSchema> = {};
  for (const [address, endpoint] of Object.entries(STREAM_PATHS)) {
    const messages = messagesOf(endpoint, schemas);
    const written = Object.entries(messages).map(([name, { examples = [], ...message }]) => [
      name,
      {
        name,
        contentType: 'application/json',
        ...message,
        ...(examples.length === 0 ? {} : { examples: examples.map((payload) => ({ payload })) }),
      },
    ]);
    channels[endpoint] = {
      address,
      description: TITLES[endpoint],
      messages: Object.fromEntries(written),
      bindings: { ws: { method: 'GET' } },
    };
    const refer = (sent: boolean) =>
      Object.keys(messages)
        .filter((name) => isSent(name) === sent)
        .map((name) => ({ $ref: `#/channels/${endpoint}/messages/${name}` }));
    const channel = { $ref: `#/channels/${endpoint}` };
    // The document takes the server's side, which receives the messages of clients.
    operations[`${endpoint}.requests`] = { action: 'receive', channel, messages: refer(true) };
    operations[`${endpoint}.messages`] = { action: 'send', channel, messages: refer(false) };
  }
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'agio websockets',
      version: packageJson.version,
      description: [
        `Text frames of JSON, ${MAX_STREAM_MESSAGE.public} bytes at most to the server, and`,
        `${MAX_STREAM_MESSAGE.orders} on /ws/v1/private/orders.`,
        'Streamed data is durable. The page /docs/websocket explains the protocol.',
      ].join(' '),
      license: { name: 'Apache-2.0' },
    },
    defaultContentType: 'application/json',
    channels,
    operations,
    components: { schemas: schemas.components },
  };
}

/** The text of docs/asyncapi.json. */
export const asyncapiText = (): string => `${JSON.stringify(asyncapi())}\n`;
