// The operator token: taken from the configuration or generated, then kept as a digest only. The
// check compares digests in constant time, so neither length nor content of the token shows in it.
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

/** A fresh operator token: 256 random bits as 43 base64url characters. */
export function generateOperatorToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url');
}

function digestOf(token: string): Buffer {
  return createHash('sha256').update(token, 'utf8').digest();
}
