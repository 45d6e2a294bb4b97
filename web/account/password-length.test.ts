// The hints about a password's length, against the server's rule.
import { expect, test } from 'bun:test';
import { hasPasswordLength } from '../../src/identity/proofs/password-rules.ts';
import { InvalidRequest } from '../../src/sdk/generated/rejections.ts';
import { isPasswordRejected, lengthFault, passwordHint } from './password-length.ts';

const COMBINED = 'e\u0301';

test('checks the length as the server does', () => {
  for (const unit of ['x', 'é', COMBINED, '🔑', ' ']) {
    for (const length of [0, 1, 7, 8, 9, 64, 127, 128, 129, 300]) {
      const password = unit.repeat(length);
      expect(lengthFault(password) === null).toBe(hasPasswordLength(password));
    }
  }
});

test.each([
  ['', 'At least 8 characters: 8 more.'],
  ['seven77', 'At least 8 characters: 1 more.'],
  [COMBINED.repeat(7), 'At least 8 characters: 1 more.'],
  ['x'.repeat(131), 'At most 128 characters: 3 fewer.'],
])('the fault of %p is %p', (password, fault) => {
  expect(lengthFault(password)).toBe(fault);
});

test.each([
  ['long enough', false, 'Long enough. Next, we check that it is not a common one.', 'dim'],
  ['long enough', true, 'Choose another password.', 'sell'],
  ['short', false, 'At least 8 characters: 3 more.', 'dim'],
  ['', true, 'At least 8 characters.', 'dim'],
] as const)('the hint of %p, rejected %p, is %p in %s', (password, isRejected, text, tone) => {
  expect(passwordHint(password, isRejected)).toEqual({ text, tone });
});

test('a rejection concerns the password if it names its field', () => {
  const rejection = (field: string) =>
    new InvalidRequest({
      ...{ code: 100200, status: 400, userMsg: 'Too common.', details: { field } },
      ...{ retryAfterMs: null, requestId: null },
    });
  expect(isPasswordRejected(rejection('newPassword'), 'newPassword')).toBe(true);
  // The current password, which proves the user.
  expect(isPasswordRejected(rejection('password'), 'newPassword')).toBe(false);
  expect(isPasswordRejected(null, 'password')).toBe(false);
});
