// The texts of privileges, against the privileges of a key on the server.
import { expect, test } from 'bun:test';
import { LiveKey, Module } from '../../src/identity/live-key.ts';
import { effective, includedBy, offered, PRIVILEGES, privilegeWords } from './privileges.ts';

type ModuleId = (typeof PRIVILEGES)[number]['id'];

const ALL: readonly ModuleId[] = [1, 2, 3, 4, 5, 6];
const ROW = {
  ...{ keyId: 1, apiKey: 'ab', uid: 1, alias: 'bot', ipAllowList: null, expiresAt: null },
  ...{ strictClOrdId: false, replayGuard: true },
};

test('every privilege of the server has a text, once', () => {
  expect(PRIVILEGES.map(({ id }) => id).sort()).toEqual(Object.values(Module).sort());
});

test('for every choice, the page includes what the server grants', () => {
  for (let bits = 1; bits < 64; bits++) {
    const moduleIds = ALL.filter((id) => (bits & (1 << (id - 1))) !== 0);
    const key = new LiveKey({ ...ROW, moduleIds }, new Uint8Array(32));
    expect([...effective(moduleIds)].sort()).toEqual(ALL.filter((id) => key.allows(id)));
  }
});

test('trading does not include reading; the Earn privileges do', () => {
  expect([...includedBy([6])]).toEqual([]);
  expect([...includedBy([2, 3])]).toEqual([1]);
});

test('a list of modules in words', () => {
  expect(privilegeWords([6, 5])).toBe('Read trading, Trade');
  expect(privilegeWords([1, 9])).toBe('Read Earn, module 9');
});

test('only its admins can choose the enterprise’s privilege', () => {
  expect(offered(false).map(({ id }) => id)).toEqual([5, 6, 1, 2, 3]);
  expect(offered(true).map(({ id }) => id)).toEqual([5, 6, 1, 2, 3, 4]);
});
