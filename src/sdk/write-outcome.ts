// Shared by writes over HTTP and over the websocket: the key that names a write, and the rejections
// that leave its outcome open.
import { InvalidArgument, type Rejection } from './errors.ts';
import { Code } from './generated/codes.ts';

const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,128}$/;

/** The given key, a new one, or null for none. Throws InvalidArgument. */
export function keyFor(given: string | null | undefined): string | null {
  if (given === undefined) return newIdempotencyKey();
  if (given !== null) requireKey(given);
  return given;
}

/** Throws InvalidArgument. */
export function requireKey(key: string): void {
  if (IDEMPOTENCY_KEY.test(key)) return;
  const form = '1 to 128 printable ASCII characters without spaces';
  throw new InvalidArgument(`idempotencyKey: it must be ${form}.`);
}

/** 128 random bits in hex. */
export function newIdempotencyKey(): string {
  const bytes = globalThis.crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** True if the server itself does not know if a write was carried out. */
export const isFailure = ({ code, status }: Pick<Rejection, 'code' | 'status'>): boolean =>
  code === Code.internal ||
  code === Code.transactionFailed ||
  (status >= 500 && code !== Code.unavailable);
