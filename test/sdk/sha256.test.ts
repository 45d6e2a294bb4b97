// The SDK's own HMAC against that of the runtime.
import { expect, test } from 'bun:test';
import { createHash, createHmac } from 'node:crypto';
import fc from 'fast-check';
import { HmacKey, sha256 } from '../../src/sdk/sha256.ts';

test('SHA-256 of texts of every length around its blocks', () => {
  for (let length = 0; length <= 200; length++) {
    const text = 'agio'.repeat(50).slice(0, length);
    expect(sha256(text)).toBe(createHash('sha256').update(text).digest('hex'));
  }
});

test('HMAC of any text with any secret, also one longer than a block', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 400 });
  fc.assert(
    fc.property(text, text, (secret, message) => {
      const expected = createHmac('sha256', secret).update(message).digest('hex');
      const key = new HmacKey(secret);
      expect(key.sign(message)).toBe(expected);
      expect(key.sign(message)).toBe(expected);
    }),
    { numRuns: 500 },
  );
});
