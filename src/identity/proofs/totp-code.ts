// The codes of an authenticator app: RFC 4226 and RFC 6238 with SHA-1, six digits and steps
// of 30 seconds, as every such application has them; and long codes for recovery and resets. Pure
// computation: totp.ts has the secrets of users and the steps that were used.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

export const STEP_MS = 30_000;
const DIGITS = 6;
/** Accepted steps before and after the current one: clocks of phones differ. */
export const WINDOW = 1;
const CODE_FORM = /^\d{6}$/;
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** The step of a time, epoch ms. */
export function stepAt(now: number): number {
  return Math.floor(now / STEP_MS);
}

/** The code of one step. */
export function totpCode(secret: Uint8Array, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', secret).update(counter).digest();
  const offset = mac[mac.length - 1]! & 0xf;
  const number = mac.readUInt32BE(offset) & 0x7fffffff;
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0');
}

/**
 * The step of this code, after `lastStep`, among the current step and its neighbors; undefined for
 * none. Every candidate is compared in constant time, so the time reveals neither step nor digits.
 */
export function matchingStep(
  secret: Uint8Array,
  code: string,
  now: number,
  lastStep: number,
): number | undefined {
  const wellFormed = CODE_FORM.test(code);
  const sent = Buffer.from(wellFormed ? code : '000000', 'ascii');
  const present = stepAt(now);
  let found: number | undefined;
  for (let step = Math.max(0, present - WINDOW); step <= present + WINDOW; step += 1) {
    const matches = timingSafeEqual(Buffer.from(totpCode(secret, step), 'ascii'), sent);
    if (matches && wellFormed && step > lastStep) found ??= step;
  }
  return found;
}

/** RFC 4648 base32 without padding, the form that applications accept. */
export function base32(bytes: Uint8Array): string {
  let text = '';
  let value = 0;
  let bits = 0;
  for (const byte of bytes) {
    value = (value << 8) | byte;
    bits += 8;
    for (; bits >= 5; bits -= 5) text += BASE32[(value >> (bits - 5)) & 31];
    value &= (1 << bits) - 1;
  }
  return bits === 0 ? text : text + BASE32[(value << (5 - bits)) & 31];
}

const LONG_CODE_BYTES = 10;
const LONG_CODE = /^[A-Z2-7]{16}$/;

/** A code of 80 bits: XXXX-XXXX-XXXX-XXXX in base32, easy to copy from paper. */
export const newLongCode = (): string =>
  base32(randomBytes(LONG_CODE_BYTES)).replace(/.{4}(?=.)/g, '$&-');

/** A code without spaces and dashes, in capitals. */
export const normalized = (code: string): string => code.replace(/[\s-]/g, '').toUpperCase();

/** True if a normalized code has the form of a long one, right or wrong. */
export const isLongCode = (code: string): boolean => LONG_CODE.test(code);

/** The content of an enrollment's QR code, in the form that applications share. */
export function otpauthUrl(issuer: string, account: string, secret: Uint8Array): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`;
  const fields = [
    `secret=${base32(secret)}`,
    `issuer=${encodeURIComponent(issuer)}`,
    'algorithm=SHA1',
    `digits=${DIGITS}`,
    `period=${STEP_MS / 1000}`,
  ];
  return `otpauth://totp/${label}?${fields.join('&')}`;
}
