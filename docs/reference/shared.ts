// Shared parts of the OpenAPI document: conventions, security schemes, headers and error bodies.
import type { ApiCall } from '../../src/contract/call.ts';
import type { Rejection } from '../../src/contract/rejections.ts';
import type { JsonSchema } from '../../src/contract/wire.ts';

export const CONVENTIONS = [
  'Decimals are JSON numbers, written exactly: no exponent, no trailing zeros. They may have ' +
    'more digits than a double keeps: read their text. In a request a decimal may be a number or ' +
    'a string. Times are epoch milliseconds.',
  'Private calls are signed: `EXCHANGE-API-SIGN` is the lowercase hex HMAC-SHA256, keyed with ' +
    'the API secret, of timestamp + METHOD + path + query (without `?`) + body, over the bytes ' +
    'that are sent. A session of the user center may call without a signature.',
  'A rejection has a status of 400 or above and the body `Error`. Rules of earn reject with ' +
    'status 200 and the body `LegacyError`. `code` (`errorCode` there) is permanent. Websockets ' +
    'are described in asyncapi.json.',
].join('\n\n');

const header = (description: string, schema: JsonSchema, example?: unknown): JsonSchema => ({
  description,
  schema,
  ...(example === undefined ? {} : { example }),
});

const DETAILS: JsonSchema = {
  type: 'object',
  description: 'For programs. Each field is present only where it applies.',
  properties: {
    field: { type: 'string' },
    rule: { type: 'string', description: 'The rule that was broken, as one stable word.' },
    limit: { type: ['number', 'string'] },
    value: { type: ['number', 'string'], description: 'The rejected value.' },
    unit: { type: 'string', description: 'The unit of limit and value.' },
    nearest: { type: ['number', 'string'], description: 'The closest valid value.' },
    retryAfterMs: { type: 'integer', description: 'Websockets: when to retry, ms from now.' },
    nearestUnit: { type: 'string', description: 'The unit of nearest.' },
  },
  additionalProperties: false,
};

const refer = (kind: string, name: string): JsonSchema => ({
  $ref: `#/components/${kind}/${name}`,
});

export const COMPONENTS = {
  securitySchemes: {
    ApiKey: { type: 'apiKey', in: 'header', name: 'EXCHANGE-API-KEY' },
    ApiTimestamp: {
      type: 'apiKey',
      in: 'header',
      name: 'EXCHANGE-API-TIMESTAMP',
      description: 'Epoch milliseconds, at most 10 minutes from the server’s clock.',
    },
    ApiSignature: {
      type: 'apiKey',
      in: 'header',
      name: 'EXCHANGE-API-SIGN',
      description:
        'Lowercase hex HMAC-SHA256 of timestamp + METHOD + path + query + body. It works once ' +
        'for a write.',
    },
    Session: {
      type: 'apiKey',
      in: 'header',
      name: 'exchange-token',
      description: 'The token of a session.',
    },
    SessionCookie: {
      type: 'apiKey',
      in: 'cookie',
      name: '__Host-agio',
      description: '`agio` on plain http to this machine; for pages of the service itself.',
    },
    OperatorToken: { type: 'http', scheme: 'bearer' },
  },
  parameters: {
    IdempotencyKey: {
      name: 'Idempotency-Key',
      in: 'header',
      description:
        'The server carries out the same key with the same request once. It keeps the answer for ' +
        '24 hours; a rejection leaves the key free.',
      schema: { type: 'string', pattern: '^[\\x21-\\x7e]{1,128}$' },
    },
    MinSeq: {
      name: 'X-Agio-Min-Seq',
      in: 'header',
      description: 'Waits, 1 s at most, until the state has reached this position.',
      schema: { type: 'integer', format: 'int64', minimum: 0 },
    },
    RequestId: {
      name: 'X-Request-Id',
      in: 'header',
      description: 'Returned in the answer, and in the server’s log.',
      schema: { type: 'string', pattern: '^[A-Za-z0-9_-]{1,64}$' },
    },
  },
  headers: {
    Seq: header('The journal position of the answer.', { type: 'integer', format: 'int64' }, 53),
    RequestId: header('The id of the request, or a generated one.', { type: 'string' }),
    RateLimit: header(
      'The remaining allowance, and the seconds until it is full.',
      { type: 'string' },
      '"order";r=9999;t=1',
    ),
    RateLimitPolicy: header(
      'The allowance, and the seconds to refill it.',
      { type: 'string' },
      '"order";q=10000;w=2',
    ),
    IdempotencyReplayed: header('Present if the answer is that of an earlier request.', {
      const: 'true',
    }),
    Deprecation: header('RFC 9745: when the deprecation began.', { type: 'string' }, '@1795132800'),
    Link: header('The successor.', { type: 'string' }),
    RetryAfter: header('Seconds.', { type: 'integer', minimum: 1 }),
    Allow: header('The methods of the path.', { type: 'string' }),
  },
  schemas: {
    Error: {
      type: 'object',
      properties: {
        code: { type: 'string', pattern: '^\\d{6}$', description: 'Permanent.' },
        msg: { type: 'string', description: 'A short phrase that never changes.' },
        userMsg: { type: 'string', description: 'A sentence for a person.' },
        details: DETAILS,
      },
      required: ['code', 'msg', 'userMsg'],
      additionalProperties: false,
    },
    LegacyError: {
      type: 'object',
      properties: {
        code: { const: '500' },
        msg: { type: 'string', description: 'The name of the error.' },
        data: { type: 'null' },
        errorCode: { type: 'integer', description: 'Permanent.' },
        userMsg: { type: 'string', description: 'A sentence for a person.' },
        details: DETAILS,
      },
      required: ['code', 'msg', 'data', 'errorCode', 'userMsg'],
      additionalProperties: false,
    },
  },
} as const;

/** The headers of a success. */
export function successHeaders({ access, write, path, deprecated }: ApiCall): JsonSchema {
  const limited = access !== 'operator';
  return {
    'X-Request-Id': refer('headers', 'RequestId'),
    ...(path === '/metrics' ? {} : { 'X-Agio-Seq': refer('headers', 'Seq') }),
    ...(limited
      ? {
          RateLimit: refer('headers', 'RateLimit'),
          'RateLimit-Policy': refer('headers', 'RateLimitPolicy'),
        }
      : {}),
    ...(write ? { 'Idempotency-Replayed': refer('headers', 'IdempotencyReplayed') } : {}),
    ...(deprecated === undefined
      ? {}
      : { Deprecation: refer('headers', 'Deprecation'), Link: refer('headers', 'Link') }),
  };
}

/** A longer name helps nobody. */
const MAX_SHARED_NAME = 100;

/** The rejections; those that many calls share are components. */
export class RejectionAnswers {
  readonly components: Record<string, JsonSchema> = {};

  /** By status, the rejections of a call. */
  byStatus(rejections: readonly Rejection[]): JsonSchema {
    const statuses = [...new Set(rejections.map(({ http }) => http))];
    return Object.fromEntries(
      statuses.map((status) => {
        const here = rejections.filter(({ http }) => http === status);
        const title = [status, ...here.map(({ name }) => name).sort()].join('.');
        const answer = rejectionAnswer(status, here);
        if (title.length > MAX_SHARED_NAME) return [status, answer];
        this.components[title] = answer;
        return [status, refer('responses', title)];
      }),
    );
  }
}

function rejectionAnswer(status: number, causes: readonly Rejection[]): JsonSchema {
  const codes = [...new Set(causes.map(({ code }) => code))];
  const named = codes.map((code) => {
    const names = causes.filter((one) => one.code === code).map(({ name }) => name);
    return `${code} ${names.join(' or ')}`;
  });
  const schema = {
    allOf: [refer('schemas', 'Error')],
    properties: { code: { enum: codes.map(String) } },
  };
  const waits = status === 429 || status === 503;
  return {
    description: `${named.join(', ')}.`,
    headers: {
      'X-Request-Id': refer('headers', 'RequestId'),
      ...(waits ? { 'Retry-After': refer('headers', 'RetryAfter') } : {}),
    },
    content: { 'application/json': { schema } },
    'x-agio-causes': causes.map(({ name }) => name),
  };
}

/** The legacy errors that a call may have, as one schema. */
export const legacyAnswer = (rejections: readonly Rejection[]): JsonSchema => ({
  allOf: [refer('schemas', 'LegacyError')],
  properties: { errorCode: { enum: [...new Set(rejections.map(({ code }) => code))] } },
  'x-agio-causes': rejections.map(({ name }) => name),
});
