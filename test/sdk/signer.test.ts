// The signatures of the SDK against the HMAC of the runtime.
import { expect, test } from 'bun:test';
import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { signer } from '../../src/sdk/credentials.ts';

const expected = (secret: string, text: string): string =>
  createHmac('sha256', secret).update(text).digest('hex');

test('texts of every length around the blocks of SHA-256', () => {
  const sign = signer('secret');
  for (let length = 0; length <= 200; length++) {
    const text = 'agio'.repeat(50).slice(0, length);
    expect(sign(text)).toBe(expected('secret', text));
  }
});

test('any text with any secret, also one longer than a block', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 400 });
  fc.assert(
    fc.property(text, text, (secret, message) => {
      const sign = signer(secret);
      expect(sign(message)).toBe(expected(secret, message));
      expect(sign(message)).toBe(expected(secret, message));
    }),
    { numRuns: 500 },
  );
});
