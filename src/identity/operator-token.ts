// The operator token, from the configuration or generated, stored only as a digest. The check
// compares digests in constant time, so its time reveals neither the length nor the content of the
// token.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

const TOKEN_BYTES = 32;

export class OperatorToken {
  readonly #digest: Buffer;

  constructor(token: string) {
    this.#digest = digestOf(token);
  }

  /** Whether the presented text is the operator token. */
  matches(presented: string): boolean {
    return timingSafeEqual(digestOf(presented), this.#digest);
  }
}

/** A new operator token: 256 random bits as 43 base64url characters. */
export function generateOperatorToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url');
}

function digestOf(token: string): Buffer {
  return createHash('sha256').update(token, 'utf8').digest();
}
