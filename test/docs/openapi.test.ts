// docs/openapi.json: an independent validator accepts it, it has every call, and a server accepts
// every example and answers in its form. AGIO_UPDATE_EXAMPLES=1 writes the examples again; then run
// `npm run gen`.
import { beforeAll, describe, expect, test } from 'bun:test';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Validator } from '@seriousme/openapi-schema-validator';
import {
  EXAMPLES_PATH,
  type Example,
  openapi,
  operations,
  readExamples,
} from '../../docs/reference/openapi.ts';
import { REJECTIONS } from '../../src/contract/rejections.ts';
import { routes } from '../../src/gateway/routes/routes.ts';
import { schemaCheckOf } from '../support/schemas.ts';
import { type Recorder, recordAll } from './reference-calls.ts';

interface Media {
  readonly schema: object;
  readonly example?: unknown;
}
interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly schema: object;
  readonly example?: unknown;
}
interface WrittenOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly security: readonly object[];
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<Record<string, { readonly content?: Record<string, Media> }>>;
}

const document = JSON.parse(
  readFileSync(join(import.meta.dir, '../../docs/openapi.json'), 'utf8'),
) as { readonly paths: Readonly<Record<string, Readonly<Record<string, WrittenOperation>>>> };
const written = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
);

let recorder: Recorder;
beforeAll(async () => {
  recorder = await recordAll();
  if (process.env.AGIO_UPDATE_EXAMPLES === '1') {
    const kept = operations().map(({ operationId }) => [operationId, recorder.calls[operationId]]);
    const examples = withoutSecrets(Object.fromEntries(kept));
    writeFileSync(EXAMPLES_PATH, `${JSON.stringify(examples, null, 1)}\n`);
  }
});

/** Secrets are replaced by texts of the same form. */
const SECRET = /^(secretKey|token|secret|ticket|recoveryCodes|\w*AuthCode)$/;
const METRICS_LINES = 3;

function withoutSecrets(value: unknown, name = ''): unknown {
  if (name === 'body' && typeof value === 'string') return value.replace(/\d{6}/g, '000000');
  if (typeof value === 'string') {
    if (value.startsWith('# HELP')) return `${value.split('\n', METRICS_LINES).join('\n')}\n`;
    if (name === 'otpauthUrl') return value.replace(/secret=\w+/, `secret=${'A'.repeat(32)}`);
    if (!SECRET.test(name)) return value;
    return value.replace(/[A-Z]/g, 'A').replace(/[a-z]/g, 'a').replace(/\d/g, '0');
  }
  if (Array.isArray(value)) return value.map((item) => withoutSecrets(item, name));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, withoutSecrets(member, key)]),
  );
}

/** Names and types without values; the items of a list as the set of their shapes. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) {
    return [...new Set(value.map((item) => JSON.stringify(shapeOf(item))))].sort();
  }
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value;
  return Object.fromEntries(
    Object.entries(value)
      .sort()
      .map(([name, member]) => [name, shapeOf(member)]),
  );
}

test('an independent validator finds no fault', async () => {
  const { valid, errors } = await new Validator().validate(structuredClone(document));
  expect(errors ?? []).toEqual([]);
  expect(valid).toBe(true);
});

test('it is generated from the current routes and examples', () => {
  expect<unknown>(openapi()).toEqual(document);
});

test('every call of the server has a summary, an example and its access', () => {
  const calls = written.map(({ method, path }) => `${method.toUpperCase()} ${path}`);
  expect(calls.sort()).toEqual(routes.map(({ method, path }) => `${method} ${path}`).sort());
  for (const { path, operation } of written) {
    expect(operation.summary.length).toBeGreaterThan(5);
    expect([path, Array.isArray(operation.security)]).toEqual([path, true]);
    const [media] = Object.values(operation.responses['200']!.content!);
    expect([path, media!.example === undefined]).toEqual([path, false]);
  }
});

test('every rejection belongs to a call or to the websockets', () => {
  const named = new Set(
    operations().flatMap(({ rejections }) => rejections.map(({ name }) => name)),
  );
  const others = Object.keys(REJECTIONS).filter((name) => !named.has(name as never));
  // An unknown method belongs to no call; the websockets have the others.
  expect(others.sort()).toEqual([
    'methodNotAllowed',
    'resumeTooOld',
    'streamLoginNeeded',
    'tooManyChannels',
    'tooManyConnections',
    'upgradeNeeded',
  ]);
});

describe('examples', () => {
  const examples = readExamples();
  const check = schemaCheckOf(document);

  test.each(operations().map(({ operationId }) => operationId))(
    '%s is sent and answered in this form',
    (operationId) => {
      const sent = recorder.calls[operationId]!;
      const shown = examples[operationId]!;
      const { answer: _, ...request } = shown;
      const { answer: __, ...sentRequest } = sent;
      expect(shapeOf(request)).toEqual(shapeOf(sentRequest));
      expect(shapeOf(shown.answer)).toEqual(shapeOf(sent.answer));
    },
  );

  test.each(written)('$operation.operationId fits its schemas', ({ operation }) => {
    const { operationId, responses, requestBody, parameters = [] } = operation;
    const [media] = Object.values(responses['200']!.content!);
    const both: readonly Example[] = [examples[operationId]!, recorder.calls[operationId]!];
    for (const { body, query = {}, parts = {}, answer } of both) {
      expect(check(media!.schema, answer)).toEqual([]);
      expect(requestBody === undefined).toBe(body === undefined);
      if (requestBody !== undefined) {
        expect(check(requestBody.content['application/json']!.schema, body)).toEqual([]);
      }
      const named = parameters.filter((one): one is Parameter => 'in' in one);
      for (const name of [...Object.keys(query), ...Object.keys(parts)]) {
        expect(named.map((one) => one.name)).toContain(name);
      }
      for (const one of named) {
        if (one.example !== undefined) expect(check(one.schema, one.example)).toEqual([]);
      }
    }
  });

  test('no digit is lost in the document', () => {
    for (const [operationId, text] of Object.entries(recorder.texts)) {
      if (!text.startsWith('{') && !text.startsWith('[')) continue;
      expect([operationId, JSON.stringify(JSON.parse(text))]).toEqual([operationId, text]);
    }
  });
});
