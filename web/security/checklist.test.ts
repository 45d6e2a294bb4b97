// The open items of the security checklist.
import { expect, test } from 'bun:test';
import type { Key, Me } from '../../src/sdk/index.ts';
import { checklist, identityWords } from './checklist.ts';

const NOW = 1_795_237_741_922;
const ME: Me = {
  uid: 7,
  email: 'name@example.com',
  kyc: false,
  totpActive: true,
  recoveryCodesLeft: 10,
  enterpriseId: null,
  enterpriseAdmin: false,
  createdAt: 1,
};
const KEY: Key = {
  apiKey: 'ab',
  alias: 'bot',
  moduleIds: [5],
  ipAllowList: null,
  expiresAt: null,
  strictClOrdId: false,
  replayGuard: true,
  createdAt: 1,
  revokedAt: null,
  lastUsedAt: null,
};

const missing = (me: Me, keys: readonly Key[]) =>
  checklist(me, keys, NOW)
    .filter(({ isDone }) => !isDone)
    .map(({ id }) => id);

test('without an authenticator that is what is missing, and there are no codes to speak of', () => {
  const me = { ...ME, totpActive: false, recoveryCodesLeft: 0 };
  expect(checklist(me, [], NOW).map(({ id }) => id)).toEqual(['authenticator']);
  expect(missing(me, [])).toEqual(['authenticator']);
});

test('few recovery codes are missing ones', () => {
  const left = (recoveryCodesLeft: number) => missing({ ...ME, recoveryCodesLeft }, []);
  expect(left(10)).toEqual([]);
  expect(left(3)).toEqual([]);
  expect(left(2)).toEqual(['recoveryCodes']);
  expect(left(0)).toEqual(['recoveryCodes']);
  expect(checklist({ ...ME, recoveryCodesLeft: 1 }, [], NOW)[1]!.text).toBe(
    'Only 1 recovery code is left: create new ones',
  );
});

test('whether the identity is verified is said, and is nothing to do for a safe account', () => {
  expect(identityWords(ME)).toStartWith('Identity: not verified.');
  expect(identityWords({ kyc: true })).toBe('Identity: verified');
  expect(missing(ME, [])).toEqual([]);
});

test('a usable key without addresses is told of; revoked and expired ones are not', () => {
  expect(missing(ME, [KEY])).toEqual(['keys']);
  expect(missing(ME, [{ ...KEY, ipAllowList: ['10.0.0.0/8'] }])).toEqual([]);
  expect(missing(ME, [{ ...KEY, revokedAt: 5 }])).toEqual([]);
  expect(missing(ME, [{ ...KEY, expiresAt: NOW }])).toEqual([]);
  expect(missing(ME, [{ ...KEY, expiresAt: NOW + 1 }])).toEqual(['keys']);
});
