// Binance's signatures: HMAC-SHA256 in hex or Ed25519 in base64, over the query string and the body
// without the parameter `signature`, or over the sorted params of a message. Neither method nor
// path is signed: TLS and the replay guard of the key protect a captured signature.
import {
  createPrivateKey,
  createPublicKey,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
  verify,
} from 'node:crypto';
import { missingField } from '../../contract/absent.ts';
import { wholeNumber } from '../../contract/decimal.ts';
import { invalidField, Problem } from '../../contract/problem.ts';
import type { WriteSignature } from '../../core/command.ts';
import { DIGEST_ROOM, type LiveKey, SigningKey } from '../../identity/live-key.ts';
import type { SentValues } from './parameters.ts';

const RECV_WINDOW_MS = 5000;
const MAX_RECV_WINDOW_MS = 60_000;
/** How far a timestamp may be ahead of the server's clock, ms. */
const MAX_AHEAD_MS = 1000;

/** A signed request; null for what was not sent. */
export interface SignedText {
  readonly apiKey: string | null;
  /** The signed text. */
  readonly payload: string;
  readonly signature: string | null;
  readonly timestamp: string | null;
  readonly recvWindow: string | null;
}

/** Takes what belongs to the signature out of the parameters. */
export function takeSigned(sent: SentValues, apiKey: string | null, payload: string): SignedText {
  const take = (name: string): string | null => {
    const value = sent.get(name);
    sent.delete(name);
    return value ?? null;
  };
  const [signature, timestamp] = [take('signature'), take('timestamp')];
  return { apiKey, payload, signature, timestamp, recvWindow: take('recvWindow') };
}

const SIGNATURE_PAIR = /(^|&)signature=[^&]*/;

/** The signed text of a request: the raw query, then the raw body. */
export const payloadOf = (query: string, body: string): string =>
  withoutSignature(query) + withoutSignature(body);

/** Nearly always it is the last parameter. */
function withoutSignature(text: string): string {
  if (text === '') return text;
  const at = text.lastIndexOf('signature=');
  if (at < 0) return text;
  if (at > 0 && text.charCodeAt(at - 1) === AMPERSAND && text.indexOf('&', at) < 0) {
    return text.slice(0, at - 1);
  }
  const rest = text.replace(SIGNATURE_PAIR, '');
  return rest.startsWith('&') ? rest.slice(1) : rest;
}

const AMPERSAND = 0x26;

/** The signed text of a message: its params by name, without percent-encoding. */
export const payloadOfParams = (sent: SentValues): string =>
  [...sent]
    .filter(([name]) => name !== 'signature')
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
    .join('&');

type UnkeyedSignature = Omit<WriteSignature, 'keyId'>;

/** Like verifySignature of the gateway. `now` is the wall clock, ms. */
export function verifyBinance(
  key: LiveKey | undefined,
  { apiKey, payload, signature, timestamp, recvWindow }: SignedText,
  now: number,
): UnkeyedSignature | Problem {
  if (apiKey === null) return new Problem('headersMissing', { userMsg: 'Send X-MBX-APIKEY.' });
  if (signature === null) return missingField('signature', 'the signature of the parameters');
  const sent = readTime(timestamp, recvWindow, now);
  if (sent instanceof Problem) return sent;
  const verified = verifyText(key ?? DUMMY_KEY, payload, signature, sent);
  if (verified === null || key === undefined) {
    return new Problem('signatureInvalid', {
      userMsg: 'The API key or the signature is not valid. Sign the query string and the body.',
    });
  }
  return verified;
}

/** Null for a signature that is not valid. */
function verifyText(
  key: SigningKey,
  payload: string,
  signature: string,
  timestamp: number,
): UnkeyedSignature | null {
  const digest = HEX.test(signature)
    ? verifyHmac(key, payload, signature)
    : BASE64.test(signature)
      ? verifyEd25519(key, payload, signature)
      : null;
  if (digest === null) return null;
  return { timestamp, digestHigh: digest.readUInt32BE(0), digestLow: digest.readUInt32BE(4) };
}

/** All that a session.logon can sign. */
const LOGIN_TEXT =
  /^apiKey=([^&]*)(?:&recvWindow=[^&]*)?(?:&returnRateLimits=(?:true|false))?&timestamp=([^&]*)$/;

/**
 * A valid signature that a login could have now or later; null for any other text. A timestamp that
 * is still ahead of the server's clock is one, too.
 */
export function readLogin(
  payload: string,
  signature: string | null,
  find: (apiKey: string) => LiveKey | undefined,
  now: number,
): { readonly key: LiveKey; readonly signature: WriteSignature } | null {
  const parts = signature === null ? null : LOGIN_TEXT.exec(payload);
  if (signature === null || parts === null) return null;
  const [, apiKey = '', timestamp = ''] = parts;
  const digits = wholeNumber(timestamp);
  const key = find(apiKey);
  if (key === undefined || !TIMESTAMP.test(digits)) return null;
  const sent = Number(digits.slice(0, MS_DIGITS));
  if (now - sent > MAX_RECV_WINDOW_MS) return null;
  const verified = verifyText(key, payload, signature, sent);
  return verified && { key, signature: { keyId: key.keyId, ...verified } };
}

/** The signature of a raw query or form body; null for none. */
export function signatureIn(text: string): string | null {
  const sent = /(?:^|&)signature=([^&]*)/.exec(text)?.[1];
  // Only these characters of base64 are percent-encoded.
  return sent === undefined ? null : sent.replace(/%(2B|2F|3D)/gi, decodeURIComponent);
}

/** The timestamp in ms, if it is within its window; it may be in microseconds. */
export function readTime(
  timestamp: string | null,
  recvWindow: string | null,
  now: number,
): number | Problem {
  if (timestamp === null) return missingField('timestamp', 'the time in epoch milliseconds');
  const digits = wholeNumber(timestamp);
  if (!TIMESTAMP.test(digits)) {
    return invalidField('timestamp', 'be epoch milliseconds as 13 digits', { rule: 'type' });
  }
  const isSent = recvWindow !== null && recvWindow !== '';
  const sentWindow = isSent ? wholeNumber(recvWindow) : String(RECV_WINDOW_MS);
  if (!RECV_WINDOW.test(sentWindow)) {
    return invalidField('recvWindow', 'be a number of milliseconds', { rule: 'type' });
  }
  const window = Number(sentWindow);
  if (window > MAX_RECV_WINDOW_MS) {
    const details = { rule: 'maximum', limit: MAX_RECV_WINDOW_MS };
    return invalidField('recvWindow', `be at most ${MAX_RECV_WINDOW_MS}`, details);
  }
  const sent = Number(digits.slice(0, MS_DIGITS));
  if (now - sent <= window && sent - now < MAX_AHEAD_MS) return sent;
  const off = sent < now ? `${now - sent} ms behind it` : `${sent - now} ms ahead of it`;
  return new Problem('timestampOutside', {
    userMsg:
      `timestamp must be at most ${window} ms behind the server time ${now} and less than ` +
      `${MAX_AHEAD_MS} ms ahead of it; ${sent} is ${off}. Check the clock of the client.`,
    details: { field: 'timestamp', rule: 'window', limit: Math.floor(window), nearest: now },
  });
}

const MS_DIGITS = 13;
const TIMESTAMP = /^\d{13}(?:\d{3})?$/;
const RECV_WINDOW = /^\d{1,9}(?:\.\d{1,3})?$/;
const HEX = /^[0-9a-fA-F]{64}$/;
/** 64 bytes. */
const BASE64 = /^[A-Za-z0-9+/]{86}==$/;

const DIGEST_BYTES = 32;
/** Stands in for the secret of an unknown key. */
const DUMMY_KEY = new SigningKey(randomBytes(DIGEST_BYTES));
const NO_BYTES = new Uint8Array(0);

// Verification is synchronous, so one set of buffers serves all requests.
const computed = Buffer.alloc(DIGEST_ROOM);
const computedDigest = computed.subarray(0, DIGEST_BYTES);
const claimed = Buffer.alloc(DIGEST_BYTES);

function verifyHmac(key: SigningKey, payload: string, signature: string): Buffer | null {
  key.digest(payload, NO_BYTES, computed);
  claimed.write(signature, 'hex');
  return timingSafeEqual(computedDigest, claimed) ? claimed : null;
}

function verifyEd25519(key: SigningKey, payload: string, signature: string): Buffer | null {
  const bytes = Buffer.from(signature, 'base64');
  return verify(null, Buffer.from(payload), publicKeyOf(key), bytes) ? bytes : null;
}

/** The Ed25519 key of an API key has HMAC-SHA256(secret, this) as its seed. */
const SEED_OF = 'agio ed25519';
/** PKCS #8 of an Ed25519 key, up to its seed. */
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex');

const publicKeys = new WeakMap<SigningKey, KeyObject>();

function publicKeyOf(key: SigningKey): KeyObject {
  const known = publicKeys.get(key);
  if (known !== undefined) return known;
  const seed = Buffer.alloc(DIGEST_ROOM);
  key.digest(SEED_OF, NO_BYTES, seed);
  const der = Buffer.concat([PKCS8_HEAD, seed.subarray(0, DIGEST_BYTES)]);
  const made = createPublicKey(createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }));
  publicKeys.set(key, made);
  return made;
}
