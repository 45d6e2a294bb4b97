// docs/openapi.json: an independent validator accepts it, it has every call, and a server answers
// every example with the same values. AGIO_UPDATE_EXAMPLES=1 writes the examples again; then run
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
import { faultsOf } from '../../src/contract/answer-faults.ts';
import { allCalls } from '../../src/contract/calls.ts';
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
/** Answers of the SDK that differ from their description, and the calls with a filled one. */
const faults: string[] = [];
const filled = new Set<string>();

/** An empty list proves nothing. */
const isEmptyList = (answer: unknown): boolean => {
  const { data, items } = Object(answer) as { data?: unknown; items?: unknown };
  return [answer, data, items].some((list) => Array.isArray(list) && list.length === 0);
};

beforeAll(async () => {
  recorder = await recordAll(undefined, (client, name, answer) => {
    const call = allCalls.find((one) => one.client === client && one.name === name)!;
    const found = faultsOf(call.answer, answer, 'sdk');
    faults.push(...found.map((fault) => `${client} ${name}: ${fault}`));
    if (!isEmptyList(answer)) filled.add(`${client} ${name}`);
  });
  if (process.env.AGIO_UPDATE_EXAMPLES === '1') {
    const kept = operations().map(({ operationId }) => [operationId, recorder.calls[operationId]]);
    const examples = mapped(Object.fromEntries(kept), withoutSecret);
    writeFileSync(EXAMPLES_PATH, `${JSON.stringify(examples, null, 1)}\n`);
  }
});

const SECRET = /^(secretKey|token|secret|ticket|recoveryCodes|\w*AuthCode)$/;
const METRICS_LINES = 3;

/** A copy with other texts and numbers; the items of a list have its name. */
function mapped(
  value: unknown,
  change: (leaf: unknown, name: string) => unknown,
  name = '',
): unknown {
  if (Array.isArray(value)) return value.map((item) => mapped(item, change, name));
  if (typeof value !== 'object' || value === null) return change(value, name);
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, mapped(member, change, key)]),
  );
}

/** Secrets are replaced by texts of the same form. */
function withoutSecret(leaf: unknown, name: string): unknown {
  if (typeof leaf !== 'string') return leaf;
  if (name === 'body') return leaf.replace(/\d{6}/g, '000000');
  if (leaf.startsWith('# HELP')) return `${leaf.split('\n', METRICS_LINES).join('\n')}\n`;
  if (name === 'otpauthUrl') return leaf.replace(/secret=\w+/, `secret=${'A'.repeat(32)}`);
  if (!SECRET.test(name)) return leaf;
  return leaf.replace(/[A-Z]/g, 'A').replace(/[a-z]/g, 'a').replace(/\d/g, '0');
}

/** Fields whose values depend on chance or on the speed of the machine. */
const CHANCE = /^(ahead|seq|followerSeq|offset|lag|lagSeconds|requestId|file|userAgent)$/;
/** Times, metrics, hashes, the names of keys, and the codes of a mail. */
const VARYING =
  /(?<=\} )\d+|\d{13,14}|\d{4}-\d\d-\d\d[T ][\d:.]+|[0-9a-f]{16,}|([A-Z2-7]{4}-){3}[A-Z2-7]{4}/g;

/** A text or number that is the same in every run. */
function lasting(leaf: unknown, name: string): unknown {
  if (SECRET.test(name) || CHANCE.test(name)) return typeof leaf;
  if (typeof leaf !== 'string' && typeof leaf !== 'number') return leaf;
  const kept = String(withoutSecret(leaf, name)).replace(VARYING, '…');
  return typeof leaf === 'number' && kept === String(leaf) ? leaf : kept;
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
    '%s is sent, and answered with these values',
    (operationId) => {
      const sent = recorder.calls[operationId]!;
      const shown = examples[operationId]!;
      const { answer: _, ...request } = shown;
      const { answer: __, ...sentRequest } = sent;
      expect(mapped(sentRequest, lasting)).toEqual(mapped(request, lasting));
      expect(mapped(sent.answer, lasting)).toEqual(mapped(shown.answer, lasting));
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

  test('every method of the SDK returns the described fields', () => {
    expect(faults).toEqual([]);
    const names = allCalls.map(({ client, name }) => `${client} ${name}`);
    expect([...filled].sort()).toEqual(names.sort());
  });

  test('no digit is lost in the document', () => {
    for (const [operationId, text] of Object.entries(recorder.texts)) {
      if (!text.startsWith('{') && !text.startsWith('[')) continue;
      expect([operationId, JSON.stringify(JSON.parse(text))]).toEqual([operationId, text]);
    }
  });
});
