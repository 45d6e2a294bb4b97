// What is said of a password’s length, against the rule of the server.
import { expect, test } from 'bun:test';
import { hasPasswordLength } from '../../src/identity/password-rules.ts';
import { lengthFault } from './password-length.ts';

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
