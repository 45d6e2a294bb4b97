// The hints about a password's length, against the server's rule.
import { expect, test } from 'bun:test';
import { hasPasswordLength } from '../../src/identity/proofs/password-rules.ts';
import { InvalidRequest } from '../../src/sdk/errors.ts';
import { isPasswordRefused, lengthFault, passwordHint } from './password-length.ts';

const COMBINED = 'e\u0301';

test('says what the server would say of the length', () => {
  for (const unit of ['x', 'é', COMBINED, '🔑', ' ']) {
    for (const length of [0, 1, 7, 8, 9, 64, 127, 128, 129, 300]) {
      const password = unit.repeat(length);
      expect(lengthFault(password) === null).toBe(hasPasswordLength(password));
    }
  }
});

test('counts what is missing or too much', () => {
  expect(lengthFault('')).toBe('At least 8 characters: 8 more.');
  expect(lengthFault('seven77')).toBe('At least 8 characters: 1 more.');
  expect(lengthFault(COMBINED.repeat(7))).toBe('At least 8 characters: 1 more.');
  expect(lengthFault('x'.repeat(131))).toBe('At most 128 characters: 3 fewer.');
});

test('a hint is green only where nothing refuses the password', () => {
  expect(passwordHint('long enough', false)).toEqual({ text: 'Long enough.', tone: 'buy' });
  expect(passwordHint('long enough', true)).toEqual({
    text: 'Choose another password.',
    tone: 'sell',
  });
  expect(passwordHint('short', false).tone).toBe('dim');
  expect(passwordHint('', true)).toEqual({ text: 'At least 8 characters.', tone: 'dim' });
});

test('a refusal is of the password when it names its field', () => {
  const refusal = (field: string) =>
    new InvalidRequest({
      ...{ code: 100200, status: 400, userMsg: 'Too common.', details: { field } },
      ...{ retryAfterMs: null, requestId: null },
    });
  expect(isPasswordRefused(refusal('newPassword'), 'newPassword')).toBe(true);
  // The current password, which proves the user.
  expect(isPasswordRefused(refusal('password'), 'newPassword')).toBe(false);
  expect(isPasswordRefused(null, 'password')).toBe(false);
});
