// Revoked keys: the core forgets them by commands of the journal, a slice at a time, and a look
// that fails is repeated.
import { expect, test } from 'bun:test';
import type { Command } from '../core/command.ts';
import { Exchange } from '../core/exchange.ts';
import { EngineError, type Receipt } from './command-port.ts';
import { KeyMemory } from './key-memory.ts';

const NOW = 1_700_000_000_000;

/** An engine without a journal, in which three keys have signed `each` writes. */
function venue(each: number) {
  const exchange = new Exchange();
  const commands: Command[] = [];
  const gone = new Set<number>();
  const warnings: string[] = [];
  let isOverloaded = false;
  const submit = <C extends Command>(command: C): Promise<Receipt<C>> => {
    if (isOverloaded) return Promise.reject(new EngineError('overloaded', 'too much'));
    commands.push(command);
    const seq = exchange.state.seq + 1;
    const outcome = exchange.apply(seq, NOW, command);
    return Promise.resolve({ seq, time: NOW, outcome } as Receipt<C>);
  };
  for (let i = 0; i < 3 * each; i++) {
    exchange.apply(i + 1, NOW, {
      type: 'massCancel',
      uid: 1,
      signature: { keyId: 1 + (i % 3), timestamp: NOW, digestHigh: i, digestLow: i },
      idempotency: null,
      securityId: 0,
      clOrdId: '',
    });
  }
  const memory = new KeyMemory({
    engine: { exchange, submit },
    goneOf: (keyIds) => [...keyIds].filter((keyId) => gone.has(keyId)),
    warn: (sentence) => warnings.push(sentence),
  });
  return {
    ...{ exchange, commands, gone, memory, warnings },
    keys: () => exchange.state.guard.keys().map(({ keyId }) => keyId),
    overload: (value: boolean) => {
      isOverloaded = value;
    },
  };
}

test('forgets the keys that are gone, and no other', async () => {
  const { memory, gone, keys, commands } = venue(2);
  await memory.look();
  expect(commands).toEqual([]);
  gone.add(2);
  await memory.look();
  expect(keys()).toEqual([1, 3]);
  expect(commands).toEqual([{ type: 'forgetKey', keyId: 2 }]);
  await memory.look();
  expect(commands.length).toBe(1);
});

test('a key with many signatures takes several commands, between those of others', async () => {
  const { memory, gone, keys, commands } = venue(2_500);
  gone.add(1);
  await memory.look();
  expect(keys()).toEqual([2, 3]);
  expect(commands).toEqual(Array(3).fill({ type: 'forgetKey', keyId: 1 }));
});

test('an engine that takes no command is asked again at the next look', async () => {
  const { memory, gone, keys, overload, warnings } = venue(2);
  gone.add(3);
  overload(true);
  await memory.look();
  expect(keys()).toEqual([1, 2, 3]);
  overload(false);
  await memory.look();
  expect(keys()).toEqual([1, 2]);
  expect(warnings).toEqual([]);
});
