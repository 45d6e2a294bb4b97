// The operator token is long enough to be unguessable and matches itself only.
import { expect, test } from 'bun:test';
import { generateOperatorToken, OperatorToken } from './authenticate.ts';

test('a token matches itself and nothing else', () => {
  const token = generateOperatorToken();
  expect(token).toMatch(/^[\w-]{43}$/);
  expect(generateOperatorToken()).not.toBe(token);
  const operator = new OperatorToken(token);
  expect(operator.matches(token)).toBe(true);
  for (const other of ['', token.slice(1), `${token} `, token.toLowerCase()]) {
    expect(operator.matches(other)).toBe(false);
  }
  expect(JSON.stringify(operator)).toBe('{}');
});
