// docs/asyncapi.json: valid by the schema of AsyncAPI itself, every address, channel and operation
// in it, and its examples of the form that it says.
import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import specification from '@asyncapi/specs/schemas/3.0.0-without-$id.json';
import Ajv from 'ajv';
import { asyncapi } from '../../docs/reference/asyncapi.ts';
import { STREAM_PATHS, SUBSCRIBE } from '../../src/contract/streams/requests.ts';
import { schemaCheckOf } from '../support/schemas.ts';

interface Message {
  readonly payload: object;
  readonly examples?: readonly { readonly payload: unknown }[];
}
interface Channel {
  readonly address: string;
  readonly messages: Readonly<Record<string, Message>>;
}

const document = JSON.parse(
  readFileSync(join(import.meta.dir, '../../docs/asyncapi.json'), 'utf8'),
) as { readonly channels: Readonly<Record<string, Channel>> };

test('the schema of AsyncAPI 3.0 has no fault to find', () => {
  const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true });
  const validate = ajv.compile(specification);
  expect(validate(document) ? [] : validate.errors).toEqual([]);
  expect(validate({ ...document, channels: 5 })).toBe(false);
});

test('it is generated from the program as it is', () => {
  expect<unknown>(asyncapi()).toEqual(document);
});

test('every address, every channel, every operation', () => {
  for (const [address, endpoint] of Object.entries(STREAM_PATHS)) {
    const channel = document.channels[endpoint]!;
    expect(channel.address).toBe(address);
    const names = Object.keys(channel.messages);
    for (const name of Object.keys(SUBSCRIBE[endpoint])) {
      expect(names).toContain(`subscribe.${name}`);
      expect(names).toContain(`data.${name}`);
    }
    for (const op of ['unsubscribe', 'ping', 'pong', 'error', 'serverShutdown', 'heartbeat']) {
      expect(names).toContain(op);
    }
    expect(names.includes('login')).toBe(endpoint !== 'public');
  }
});

describe('examples', () => {
  const check = schemaCheckOf(document);
  const shown = Object.values(document.channels).flatMap(({ messages }) =>
    Object.entries(messages).flatMap(([name, { payload, examples = [] }]) =>
      examples.map((example) => ({ name, schema: payload, sent: example.payload })),
    ),
  );

  test('there are some of most channels', () => {
    expect(new Set(shown.map(({ name }) => name)).size).toBeGreaterThan(8);
  });

  test.each(shown)('$name has the documented form', ({ schema, sent }) => {
    expect(check(schema, sent)).toEqual([]);
  });
});
