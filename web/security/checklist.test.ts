// The open items of the security checklist.
import { expect, test } from 'bun:test';
import type { Key, Me } from '../../src/sdk/index.ts';
import { checklist, identityText } from './checklist.tsx';

const NOW = 1_795_237_741_922;
const ME = { kyc: false, totpActive: true, recoveryCodesLeft: 10 } as Me;
const KEY = { ipAllowList: null, expiresAt: null, revokedAt: null } as Key;

const open = (me: Partial<Me>, keys: readonly Key[] = []) =>
  checklist({ ...ME, ...me }, keys, NOW)
    .filter(({ isDone }) => !isDone)
    .map(({ id, text }) => [id, text]);

test('without an authenticator only that is open, and codes are not an item', () => {
  const me = { ...ME, totpActive: false, recoveryCodesLeft: 0 };
  expect(checklist(me, [], NOW).map(({ id, isDone }) => [id, isDone])).toEqual([
    ['authenticator', false],
  ]);
});

test.each([
  [10, []],
  [3, []],
  [2, [['recoveryCodes', 'Only 2 recovery codes are left: create new ones']]],
  [1, [['recoveryCodes', 'Only 1 recovery code is left: create new ones']]],
  [0, [['recoveryCodes', 'No recovery code is left: create new ones']]],
])('%p recovery codes', (recoveryCodesLeft, items) => {
  expect(open({ recoveryCodesLeft })).toEqual(items);
});

test('the identity is a note: an account without it can be secure', () => {
  expect(identityText(ME)).toStartWith('Identity: not verified.');
  expect(identityText({ kyc: true })).toBe('Identity: verified');
  expect(open({})).toEqual([]);
});

test.each([
  ['works from any address', KEY, 1],
  ['has an allowlist', { ...KEY, ipAllowList: ['10.0.0.0/8'] }, 0],
  ['was revoked', { ...KEY, revokedAt: 5 }, 0],
  ['has expired', { ...KEY, expiresAt: NOW }, 0],
  ['expires later', { ...KEY, expiresAt: NOW + 1 }, 1],
])('a key that %s', (_, key, items) => {
  expect(open({}, [key]).map(([id]) => id)).toEqual(Array(items).fill('keys'));
});
