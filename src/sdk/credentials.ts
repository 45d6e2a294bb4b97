// Who is asking, and the headers that prove it: an API key that signs, a session of the user centre, the operator's token, or
// a browser's cookie, which needs no header.
import type { Access } from './calls.ts';
import type { SigningClock } from './clock.ts';
import { InvalidArgument } from './errors.ts';
import type { RequestText } from './request-text.ts';
import { HmacKey } from './sha256.ts';

export interface KeyCredentials {
  readonly apiKey: string;
  readonly secretKey: string;
}

export type Headers = Readonly<Record<string, string>>;

export interface Credentials {
  /** Whether requests carry a time of the server's clock. */
  readonly signs: boolean;
  /** Called for every attempt anew. */
  headers(request: RequestText, clock: SigningClock): Headers;
  /** What logs in to a websocket after it was opened; null where the headers of the opening do. */
  login: ((path: string, clock: SigningClock) => object) | null;
}

const NO_HEADERS: Headers = {};

/** Of who has none, and of a page whose browser has a cookie. */
export const NO_CREDENTIALS: Credentials = { signs: false, headers: () => NO_HEADERS, login: null };

/** Signs timestamp + METHOD + path + query + body. */
export function keyCredentials({ apiKey, secretKey }: KeyCredentials): Credentials {
  const key = new HmacKey(secretKey);
  return {
    signs: true,
    headers({ method, path, query, body }, clock) {
      const timestamp = String(clock.next());
      return {
        'EXCHANGE-API-KEY': apiKey,
        'EXCHANGE-API-TIMESTAMP': timestamp,
        'EXCHANGE-API-SIGN': key.sign(timestamp + method + path + query + (body ?? '')),
      };
    },
    login(path, clock) {
      const timestamp = clock.next();
      return { op: 'login', apiKey, timestamp, sign: key.sign(`${timestamp}GET${path}`) };
    },
  };
}

/** `token` is asked for with every attempt: a step-up changes it. */
export const sessionCredentials = (token: () => string | null): Credentials => ({
  signs: false,
  headers() {
    const now = token();
    return now === null ? NO_HEADERS : { 'exchange-token': now };
  },
  login: null,
});

/** A function is asked for the token with every attempt: on a page, operators come and go. */
export const operatorCredentials = (token: string | (() => string | null)): Credentials => ({
  signs: false,
  headers() {
    const now = typeof token === 'string' ? token : token();
    return { Authorization: `Bearer ${now ?? ''}` };
  },
  login: null,
});

/** Throws InvalidArgument for a private call of a client that was given nothing to prove itself by. */
export function requireCredentials(access: Access, credentials: Credentials | null): Credentials {
  if (access === 'public') return NO_CREDENTIALS;
  if (credentials !== null) return credentials;
  throw new InvalidArgument(
    'This call is private: give the client apiKey and secretKey, or a sessionToken.',
  );
}
