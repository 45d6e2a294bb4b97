// A repeated request is one request.
import { expect, test } from 'bun:test';
import { OutcomeUnknown } from '../../src/sdk/errors.ts';
import { once } from './once.ts';

test('a request keeps its key until it is answered, and no other request has it', async () => {
  const keys: string[] = [];
  const send = (amount: string, isLost: boolean) =>
    once(['apply', '1', amount], async (key) => {
      keys.push(key);
      if (isLost) throw new OutcomeUnknown('plan/apply', 'key', new Error('lost'));
    }).catch(() => undefined);
  await send('50', true);
  await send('60', false);
  await send('50', true);
  await send('50', false);
  await send('50', false);
  expect(keys[2]).toBe(keys[0]!);
  expect(keys[3]).toBe(keys[0]!);
  expect(new Set(keys).size).toBe(3);
});
