// The OpenAPI 3.1 document: every call with its request, its answer, its rejections, and an example
// that test/docs sends. Part of `npm run gen`.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import packageJson from '../../package.json' with { type: 'json' };
import { type ApiCall, AREAS, type ClientName, fieldsOf } from '../../src/contract/call.ts';
import { allCalls } from '../../src/contract/calls.ts';
import { documentation } from '../../src/contract/fields.ts';
import type { Rejection } from '../../src/contract/rejections.ts';
import type { JsonSchema } from '../../src/contract/wire.ts';
import { className } from '../sdk/methods.ts';
import { capital } from '../sdk/source.ts';
import { AnswerSchemas } from './answer-schemas.ts';
import { comesAsLegacy, rejectionsOf } from './rejections.ts';
import {
  COMPONENTS,
  CONVENTIONS,
  legacyAnswer,
  RejectionAnswers,
  successHeaders,
} from './shared.ts';

export const EXAMPLES_PATH = join(import.meta.dir, '../examples.json');

/** One request and its answer, as they were sent. */
export interface Example {
  /** The parts of the path such as {uid}. */
  readonly parts?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly answer: unknown;
}
/** By operationId. */
export type Examples = Readonly<Record<string, Example>>;

export interface Operation {
  readonly operationId: string;
  readonly call: ApiCall;
  readonly rejections: readonly Rejection[];
}

const PREFIX: Readonly<Record<ClientName, string>> = {
  customer: '',
  userCenter: 'userCenter',
  operator: 'operator',
};

/** Every call, in the order of the SDK's page. */
export const operations = (): Operation[] =>
  allCalls.map((call) => {
    const { client, name } = call;
    return {
      operationId: PREFIX[client] === '' ? name : PREFIX[client] + capital(name),
      call,
      rejections: rejectionsOf(call),
    };
  });

export function readExamples(): Examples {
  return JSON.parse(readFileSync(EXAMPLES_PATH, 'utf8'));
}

/** docs/openapi.json as an object. */
export function openapi(examples: Examples = readExamples()): JsonSchema {
  const answers = new AnswerSchemas();
  const rejected = new RejectionAnswers();
  const paths: Record<string, Record<string, JsonSchema>> = {};
  const all = operations();
  for (const operation of all) {
    const { path, method } = operation.call;
    paths[path] ??= {};
    paths[path][method.toLowerCase()] = written(
      operation,
      { answers, rejected },
      examples[operation.operationId],
    );
  }
  const causes = all.flatMap(({ rejections }) => rejections);
  return {
    openapi: '3.1.0',
    info: {
      title: 'agio',
      version: packageJson.version,
      summary: packageJson.description,
      description: CONVENTIONS,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    externalDocs: { description: 'The API in prose', url: '/docs/rest' },
    servers: [{ url: '/' }],
    tags: Object.values(AREAS).map(({ title, about }) => ({ name: title, description: about })),
    paths,
    components: {
      ...COMPONENTS,
      responses: rejected.components,
      schemas: { ...answers.components, ...COMPONENTS.schemas },
    },
    'x-agio-rejections': Object.fromEntries(
      [...new Map(causes.map((cause) => [cause.name, cause]))]
        .sort(([, a], [, b]) => a.code - b.code)
        .map(([name, { code, http, msg, text }]) => [name, { code, http, msg, text }]),
    ),
  };
}

/** Shared components, gathered while the calls are written. */
interface Parts {
  readonly answers: AnswerSchemas;
  readonly rejected: RejectionAnswers;
}

function written(operation: Operation, parts: Parts, example: Example | undefined): JsonSchema {
  const { call, operationId } = operation;
  const { about, summary } = call;
  const parameters = [
    ...pathParameters(call.path, example),
    ...queryParameters(call, example),
    ...headerParameters(call),
  ];
  return {
    operationId,
    tags: [AREAS[call.area].title],
    summary,
    ...(about === undefined ? {} : { description: about }),
    ...(call.deprecated === undefined ? {} : { deprecated: true }),
    ...accessOf(call),
    'x-agio-sdk': `${className(call)}.${call.name}`,
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(call.body === undefined ? {} : { requestBody: bodyOf(call, example) }),
    responses: responsesOf(operation, parts, example),
  };
}

/** The security requirements, and the number of the privilege. */
function accessOf({ access, stepUp }: ApiCall): JsonSchema {
  if (access === 'public') return { security: [] };
  if (access === 'operator') return { security: [{ OperatorToken: [] }] };
  const bySession = [{ Session: [] }, { SessionCookie: [] }];
  if (access === 'session') return { security: bySession };
  return {
    security: [{ ApiKey: [], ApiTimestamp: [], ApiSignature: [] }, ...bySession],
    'x-agio-module': access.module,
    ...(stepUp === true ? { 'x-agio-step-up': true } : {}),
  };
}

const PARTS: Readonly<Record<string, JsonSchema>> = {
  uid: { type: 'integer', format: 'int64', minimum: 1, description: 'The user.' },
  apiKey: { type: 'string', pattern: '^[A-Za-z0-9._~-]+$', description: 'The API key.' },
  symbol: { type: 'string', pattern: '^[A-Za-z0-9._~-]+$', description: 'Pair, such as BTC-USDT.' },
  asset: { type: 'string', pattern: '^[A-Za-z0-9._~-]+$', description: 'Asset, such as BTC.' },
  planId: { type: 'string', pattern: '^[A-Za-z0-9._~-]+$', description: 'The plan.' },
  enterpriseId: { type: 'integer', format: 'int64', minimum: 1, description: 'The enterprise.' },
};

/** With what the contract knows about each member in its description. */
function documented(schema: JsonSchema): JsonSchema {
  const { 'x-unit': _, 'x-null': __, 'x-words': ___, properties, items, ...own } = schema;
  const description = documentation(schema);
  return {
    ...own,
    ...(description === '' ? {} : { description }),
    ...(properties === undefined ? {} : { properties: mapped(properties as object) }),
    ...(items === undefined ? {} : { items: documented(items as JsonSchema) }),
  };
}

const mapped = (properties: object): object =>
  Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, documented(each)]));

function pathParameters(path: string, example: Example | undefined): JsonSchema[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, part]) => {
    const { description, ...schema } = PARTS[part!]!;
    const value = example?.parts?.[part!];
    return {
      name: part,
      in: 'path',
      required: true,
      description,
      schema,
      ...(value === undefined
        ? {}
        : { example: schema.type === 'integer' ? Number(value) : value }),
    };
  });
}

function queryParameters(call: ApiCall, example: Example | undefined): JsonSchema[] {
  if (call.query.fields.size === 0) return [];
  const sent = fieldsOf(call) === call.query ? (example?.query ?? {}) : {};
  return call.query.toQueryParameters().map(({ schema, ...parameter }) => {
    const { description, ...form } = schema;
    const value = sent[parameter.name];
    return {
      ...parameter,
      ...(description === undefined ? {} : { description }),
      schema: form,
      ...(value === undefined ? {} : { example: typed(value, form) }),
    };
  });
}

/** The text of a parameter as a value of its schema. */
function typed(text: string, { type, enum: listed }: JsonSchema): unknown {
  const isNumber = (value: unknown): boolean => typeof value === 'number';
  const numeric = Array.isArray(listed)
    ? listed.some(isNumber)
    : [type].flat().some((one) => one === 'integer' || one === 'number');
  if (type === 'boolean') return text === 'true';
  return numeric ? Number(text) : text;
}

function headerParameters({ write, path }: ApiCall): JsonSchema[] {
  const refer = (name: string): JsonSchema => ({ $ref: `#/components/parameters/${name}` });
  if (path === '/metrics') return [];
  return [...(write ? [refer('IdempotencyKey')] : []), refer('MinSeq'), refer('RequestId')];
}

function bodyOf({ body }: ApiCall, example: Example | undefined): JsonSchema {
  return {
    required: true,
    content: {
      'application/json': {
        schema: documented(body!.toJsonSchema()),
        ...(example?.body === undefined ? {} : { example: example.body }),
      },
    },
  };
}

function responsesOf(
  operation: Operation,
  { answers, rejected }: Parts,
  example: Example | undefined,
): JsonSchema {
  const { call, rejections } = operation;
  const { answer, envelope, contentTypes = ['application/json'] } = call;
  const legacy = rejections.filter(comesAsLegacy);
  const plain = answers.of(answer);
  const schema = envelope === undefined ? plain : enveloped(plain, envelope, legacy);
  const media = { schema, ...(example === undefined ? {} : { example: example.answer }) };
  const [first = '', ...others] = contentTypes;
  const content = {
    [first]: media,
    ...Object.fromEntries(others.map((type) => [type, { schema: { type: 'string' } }])),
  };
  const description =
    envelope === undefined
      ? 'Success.'
      : `Success if \`code\` is "0"; else rejected by a rule of earn: ${codesText(legacy)}.`;
  return {
    200: { description, headers: successHeaders(call), content },
    ...rejected.byStatus(rejections.filter((rejection) => !comesAsLegacy(rejection))),
  };
}

function enveloped(
  data: JsonSchema,
  envelope: 'plain' | 'withSucc',
  legacy: readonly Rejection[],
): JsonSchema {
  const succ = envelope === 'withSucc';
  const success = {
    type: 'object',
    properties: {
      code: { const: '0' },
      msg: { const: 'success' },
      data,
      ...(succ ? { succ: { const: true } } : {}),
    },
    required: ['code', 'msg', 'data', ...(succ ? ['succ'] : [])],
    additionalProperties: false,
  };
  return { anyOf: [success, legacyAnswer(legacy)] };
}

/** 40000 planUnknown, 40001 earnParameter */
const codesText = (rejections: readonly Rejection[]): string =>
  rejections.map(({ code, name }) => `${code} ${name}`).join(', ');

/** The text of docs/openapi.json. */
export const openapiText = (): string => `${JSON.stringify(openapi())}\n`;
