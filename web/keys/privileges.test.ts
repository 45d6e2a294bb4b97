// The texts of privileges, against the privileges of a key on the server.
import { expect, test } from 'bun:test';
import { LiveKey, Module } from '../../src/identity/live-key.ts';
import { effective, includedBy, offered, PRIVILEGES, privilegeWords } from './privileges.ts';

type ModuleId = (typeof PRIVILEGES)[number]['id'];

const ALL: readonly ModuleId[] = [1, 2, 3, 4, 5, 6];

const serverKey = (moduleIds: readonly ModuleId[]) =>
  new LiveKey(
    {
      keyId: 1,
      apiKey: 'ab',
      uid: 1,
      alias: 'bot',
      moduleIds,
      ipAllowList: null,
      expiresAt: null,
      strictClOrdId: false,
      replayGuard: true,
    },
    new Uint8Array(32),
  );

test('every privilege of the server has words, once', () => {
  expect(PRIVILEGES.map(({ id }) => id).sort()).toEqual(Object.values(Module).sort());
});

test('what is said to be included is what the server grants, for every choice', () => {
  for (let bits = 1; bits < 64; bits++) {
    const chosen = ALL.filter((id) => (bits & (1 << (id - 1))) !== 0);
    const key = serverKey(chosen);
    expect([...effective(chosen)].sort()).toEqual(ALL.filter((id) => key.allows(id)));
  }
});

test('trading does not bring reading along, acts of earn do', () => {
  expect([...includedBy([6])]).toEqual([]);
  expect([...includedBy([2, 3])]).toEqual([1]);
});

test('a list of modules in words', () => {
  expect(privilegeWords([6, 5])).toBe('Read trading, Trade');
  expect(privilegeWords([1, 9])).toBe('Read Earn, module 9');
});

test('the enterprise is offered to its admins only', () => {
  expect(offered(false).map(({ id }) => id)).toEqual([5, 6, 1, 2, 3]);
  expect(offered(true).map(({ id }) => id)).toEqual([5, 6, 1, 2, 3, 4]);
});
