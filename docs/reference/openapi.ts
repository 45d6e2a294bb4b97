// The OpenAPI 3.1 document: every route with what the server enforces of it, what it answers (answer-types.ts), what it may be
// refused for (refusals.ts), and an example that test/docs sends. Part of `npm run gen`.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import packageJson from '../../package.json' with { type: 'json' };
import type { JsonSchema } from '../../src/contract/fields.ts';
import type { Refusal, RefusalName } from '../../src/contract/refusals.ts';
import type { Route } from '../../src/gateway/http/route.ts';
import { type CallSpec, calls, operatorCalls, userCenterCalls } from '../../src/sdk/calls.ts';
import { fieldsOf, routeOf } from '../sdk-requests.ts';
import { AnswerSchemas, answerTypeOf } from './answer-types.ts';
import { CENTER, CUSTOMER, comesAsLegacy, OPERATOR, refusalsOf } from './refusals.ts';
import { COMPONENTS, CONVENTIONS, legacyAnswer, RefusalAnswers, successHeaders } from './shared.ts';

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
  readonly client: 'customer' | 'user-center' | 'operator';
  readonly method: string;
  readonly name: string;
  readonly spec: CallSpec;
  readonly route: Route;
  readonly tag: string;
  readonly refusals: readonly Refusal[];
}

const CLIENTS = [
  { client: 'customer', called: 'AgioClient', prefix: '', group: calls, business: CUSTOMER },
  {
    client: 'user-center',
    called: 'UserCenterClient',
    prefix: 'userCenter',
    group: userCenterCalls,
    business: CENTER,
  },
  {
    client: 'operator',
    called: 'OperatorClient',
    prefix: 'operator',
    group: operatorCalls,
    business: OPERATOR,
  },
] as const;

const TAGS: readonly (readonly [tag: string, what: string, matches: RegExp])[] = [
  ['Market data', 'Public: instruments, books, trades, tickers, candles.', /\/public\/v/],
  ['Orders', 'Enter, cancel and query orders.', /private\/v1\/(test)?order/],
  ['Account', 'Balances, fills, fees and the statement.', /\/spot-api\/api\/private\//],
  [
    'Enterprise',
    'For an admin of an enterprise: its members and its margins.',
    /\/(earn\/plans|yield|edit)\//,
  ],
  ['Earn', 'Plans, subscriptions, interest, redemptions.', /^\/earn-api\//],
  ['User centre', 'People: registration, login, authenticator, keys.', /^\/user-center\//],
  ['Operator', 'Users, money, listings, plans, the system.', /^\/operator\//],
  ['Process', 'Is it alive, does it serve, how is it doing.', /^\//],
];

/** Calls of earn whose envelope has `succ`. */
const WITH_SUCC: readonly string[] = ['plans', 'memberSubscriptions', 'margins', 'setMargin'];

/** Every call, in the order of the SDK's page. */
export function operations(): Operation[] {
  return CLIENTS.flatMap(({ client, prefix, group, business }) =>
    Object.entries<CallSpec>(group).map(([name, spec]): Operation => {
      const route = routeOf(spec);
      const named = (business as Readonly<Record<string, readonly RefusalName[]>>)[name] ?? [];
      const capital = name[0]!.toUpperCase() + name.slice(1);
      return {
        operationId: prefix === '' ? name : prefix + capital,
        client,
        method: spec.method.toLowerCase(),
        name,
        spec,
        route,
        tag: TAGS.find(([, , matches]) => matches.test(spec.path))![0],
        refusals: refusalsOf(route, named),
      };
    }),
  );
}

export function readExamples(): Examples {
  return JSON.parse(readFileSync(EXAMPLES_PATH, 'utf8'));
}

/** docs/openapi.json as an object. */
export function openapi(examples: Examples = readExamples()): JsonSchema {
  const answers = new AnswerSchemas();
  const refused = new RefusalAnswers();
  const paths: Record<string, Record<string, JsonSchema>> = {};
  const all = operations();
  for (const operation of all) {
    const { path } = operation.spec;
    paths[path] ??= {};
    paths[path][operation.method] = written(
      operation,
      { answers, refused },
      examples[operation.operationId],
    );
  }
  const causes = all.flatMap(({ refusals }) => refusals);
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
    tags: TAGS.map(([name, description]) => ({ name, description })),
    paths,
    components: {
      ...COMPONENTS,
      responses: refused.components,
      schemas: { ...answers.components, ...COMPONENTS.schemas },
    },
    'x-agio-refusals': Object.fromEntries(
      [...new Map(causes.map((cause) => [cause.name, cause]))]
        .sort(([, a], [, b]) => a.code - b.code)
        .map(([name, { code, http, msg, text }]) => [name, { code, http, msg, text }]),
    ),
  };
}

/** What is shared, gathered while the calls are written. */
interface Parts {
  readonly answers: AnswerSchemas;
  readonly refused: RefusalAnswers;
}

function written(operation: Operation, parts: Parts, example: Example | undefined): JsonSchema {
  const { route, spec, operationId, tag, client, name } = operation;
  const { called } = CLIENTS.find((one) => one.client === client)!;
  const parameters = [
    ...pathParameters(spec.path, example),
    ...queryParameters(operation, example),
    ...headerParameters(route),
  ];
  return {
    operationId,
    tags: [tag],
    summary: route.summary,
    ...(route.deprecated === undefined ? {} : { deprecated: true }),
    ...accessOf(route),
    'x-agio-sdk': `${called}.${name}`,
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(route.body === undefined ? {} : { requestBody: bodyOf(route, example) }),
    responses: responsesOf(operation, parts, example),
  };
}

/** Who may call, as security requirements and as the number of the privilege. */
function accessOf({ access, stepUp }: Route): JsonSchema {
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
  planId: { type: 'string', pattern: '^[A-Za-z0-9._~-]+$', description: 'The plan.' },
  enterpriseId: { type: 'integer', format: 'int64', minimum: 1, description: 'The enterprise.' },
};

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

function queryParameters({ route, spec }: Operation, example: Example | undefined): JsonSchema[] {
  if (route.query.fields.size === 0) return [];
  const sent = fieldsOf(route, spec) === route.query ? (example?.query ?? {}) : {};
  return route.query.toQueryParameters().map(({ schema, ...parameter }) => {
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

function headerParameters({ write, path }: Route): JsonSchema[] {
  const refer = (name: string): JsonSchema => ({ $ref: `#/components/parameters/${name}` });
  if (path === '/metrics') return [];
  return [...(write ? [refer('IdempotencyKey')] : []), refer('MinSeq'), refer('RequestId')];
}

function bodyOf({ body }: Route, example: Example | undefined): JsonSchema {
  return {
    required: true,
    content: {
      'application/json': {
        schema: body!.toJsonSchema(),
        ...(example?.body === undefined ? {} : { example: example.body }),
      },
    },
  };
}

function responsesOf(
  operation: Operation,
  { answers, refused }: Parts,
  example: Example | undefined,
): JsonSchema {
  const { route, refusals, client, name } = operation;
  const type = answerTypeOf(client, name);
  const legacy = refusals.filter(comesAsLegacy);
  const plain = type === 'string' ? { type: 'string' } : answers.of(type);
  const schema = route.legacyErrors ? enveloped(plain, WITH_SUCC.includes(name), legacy) : plain;
  const media = { schema, ...(example === undefined ? {} : { example: example.answer }) };
  const content =
    type === 'string'
      ? { 'text/plain': media }
      : {
          'application/json': media,
          ...(name === 'ledger' ? { 'text/csv': { schema: { type: 'string' } } } : {}),
        };
  const description = route.legacyErrors
    ? `Done where \`code\` is "0"; else refused by a rule of earn: ${codesText(legacy)}.`
    : 'Done.';
  return {
    200: { description, headers: successHeaders(route), content },
    ...refused.byStatus(refusals.filter((refusal) => !comesAsLegacy(refusal))),
  };
}

function enveloped(data: JsonSchema, succ: boolean, legacy: readonly Refusal[]): JsonSchema {
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
const codesText = (refusals: readonly Refusal[]): string =>
  refusals.map(({ code, name }) => `${code} ${name}`).join(', ');

/** The text of docs/openapi.json. */
export const openapiText = (): string => `${JSON.stringify(openapi())}\n`;
