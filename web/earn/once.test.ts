// A repeated request is one request.
import { describe, expect, test } from 'bun:test';
import { OutcomeUnknown } from '../../src/sdk/errors.ts';
import { once } from './once.ts';

describe('a request', () => {
  const lost = () => new OutcomeUnknown('plan/apply', 'key', new Error('lost'));

  test('keeps its key until it is answered, and no other has it', async () => {
    const keys: string[] = [];
    const send = (answer: () => string) => (key: string) => {
      keys.push(key);
      return Promise.resolve().then(answer);
    };
    const fail = () => {
      throw lost();
    };
    await once(['apply', '1', '50'], send(fail)).catch(() => undefined);
    await once(
      ['apply', '1', '60'],
      send(() => 'done'),
    );
    await once(['apply', '1', '50'], send(fail)).catch(() => undefined);
    await once(
      ['apply', '1', '50'],
      send(() => 'done'),
    );
    await once(
      ['apply', '1', '50'],
      send(() => 'done'),
    );
    expect(keys[2]).toBe(keys[0]!);
    expect(keys[3]).toBe(keys[0]!);
    expect(new Set(keys).size).toBe(3);
  });
});
