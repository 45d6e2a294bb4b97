// The credentials of a caller and the headers that prove them: an API key that signs, a session of
// the user center, the operator's token, or a browser's cookie, which needs no header.
import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import type { Access } from './call-spec.ts';
import type { SigningClock } from './clock.ts';
import { InvalidArgument } from './errors.ts';
import type { RequestText } from './request-text.ts';

export interface KeyCredentials {
  readonly apiKey: string;
  readonly secretKey: string;
}

export type Headers = Readonly<Record<string, string>>;

export interface Credentials {
  /** True if requests carry a time of the server's clock. */
  readonly signs: boolean;
  /** Called for each attempt. */
  headers(request: RequestText, clock: SigningClock): Headers;
  /** The message that logs in to an open websocket; null where the headers of its request do. */
  login: ((path: string, clock: SigningClock) => object) | null;
}

const NO_HEADERS: Headers = {};

/** For public calls, and for a page whose browser has a cookie. */
export const NO_CREDENTIALS: Credentials = { signs: false, headers: () => NO_HEADERS, login: null };

/**
 * A function that signs texts in UTF-8: HMAC-SHA256 as 64 lowercase hex digits. Not the Web's own
 * HMAC, which is asynchronous and absent on pages without TLS: nothing may come between a timestamp
 * and its request.
 */
export function signer(secret: string): (text: string) => string {
  const key = hmac.create(sha256, utf8ToBytes(secret));
  return (text) => bytesToHex(key.clone().update(utf8ToBytes(text)).digest());
}

/** Signs timestamp + METHOD + path + query + body. */
export function keyCredentials({ apiKey, secretKey }: KeyCredentials): Credentials {
  const sign = signer(secretKey);
  return {
    signs: true,
    headers({ method, path, query, body }, clock) {
      const timestamp = String(clock.next());
      return {
        'EXCHANGE-API-KEY': apiKey,
        'EXCHANGE-API-TIMESTAMP': timestamp,
        'EXCHANGE-API-SIGN': sign(timestamp + method + path + query + (body ?? '')),
      };
    },
    login(path, clock) {
      const timestamp = clock.next();
      return { op: 'login', apiKey, timestamp, sign: sign(`${timestamp}GET${path}`) };
    },
  };
}

/** `token` is called for each attempt: a step-up changes the token. */
export const sessionCredentials = (token: () => string | null): Credentials => ({
  signs: false,
  headers() {
    const now = token();
    return now === null ? NO_HEADERS : { 'exchange-token': now };
  },
  login: null,
});

/** A function is called for each attempt: on a page, operators come and go. */
export const operatorCredentials = (token: string | (() => string | null)): Credentials => ({
  signs: false,
  headers() {
    const now = typeof token === 'string' ? token : token();
    return { Authorization: `Bearer ${now ?? ''}` };
  },
  login: null,
});

/**
 * Throws InvalidArgument for a private call of a client that was given nothing to prove itself by.
 */
export function requireCredentials(access: Access, credentials: Credentials | null): Credentials {
  if (access === 'public') return NO_CREDENTIALS;
  if (credentials !== null) return credentials;
  throw new InvalidArgument(
    'This call is private: give the client apiKey and secretKey, or a sessionToken.',
  );
}
