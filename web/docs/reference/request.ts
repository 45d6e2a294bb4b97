// Sends a typed request, signed by the SDK, and returns the answer unchanged. It stores nothing.
import { SigningClock } from '../../../src/sdk/clock.ts';
import {
  type Credentials,
  keyCredentials,
  NO_CREDENTIALS,
  operatorCredentials,
} from '../../../src/sdk/credentials.ts';
import type { Call } from './spec.ts';

/** The identity of a call: none, the page's session, a key, or the operator's token. */
export type Means =
  | { readonly by: 'nothing' }
  | { readonly by: 'session' }
  | { readonly by: 'key'; readonly apiKey: string; readonly secretKey: string }
  | { readonly by: 'operator'; readonly token: string };

export interface Prepared {
  readonly method: 'GET' | 'POST' | 'PATCH';
  readonly path: string;
  /** Without the question mark. */
  readonly query: string;
  readonly body: string | null;
}

export interface Exchange {
  readonly request: Prepared;
  readonly headers: Readonly<Record<string, string>>;
  /** The signed text; null without a signature. */
  readonly signed: string | null;
  readonly status: number;
  readonly statusText: string;
  readonly answerHeaders: readonly (readonly [name: string, value: string])[];
  readonly answer: string;
  readonly milliseconds: number;
}

/** One clock for all requests of the page: no two signatures have the same time. */
const clock = new SigningClock();

/** Path, query and body of the request; leaves out empty fields. */
export function prepare(
  call: Call,
  values: Readonly<Record<string, string>>,
  body: string,
): Prepared {
  const encoded = (text: string): string => encodeURIComponent(text).replaceAll("'", '%27');
  const path = call.path.replace(/\{(\w+)\}/g, (_, name: string) => encoded(values[name] ?? ''));
  const query = call.parameters
    .filter((one) => one.in === 'query' && (values[one.name] ?? '') !== '')
    .map(({ name }) => `${name}=${encoded(values[name]!)}`)
    .join('&');
  const method = call.method as Prepared['method'];
  return { method, path, query, body: call.body === null ? null : body };
}

function credentialsOf(means: Means): Credentials {
  if (means.by === 'key') return keyCredentials(means);
  return means.by === 'operator' ? operatorCredentials(() => means.token) : NO_CREDENTIALS;
}

/** The headers of `send`, and the text that they sign. */
export function authorized(request: Prepared, means: Means): Pick<Exchange, 'headers' | 'signed'> {
  const proof = credentialsOf(means).headers(request, clock);
  const { method, path, query, body } = request;
  const timestamp = proof['EXCHANGE-API-TIMESTAMP'];
  const headers = {
    ...proof,
    ...(body === null ? {} : { 'Content-Type': 'application/json' }),
  };
  const signed = timestamp === undefined ? null : timestamp + method + path + query + (body ?? '');
  return { headers, signed };
}

/** Throws TypeError if there is no answer. */
export async function send(request: Prepared, means: Means): Promise<Exchange> {
  const { method, path, query, body } = request;
  const { headers, signed } = authorized(request, means);
  const started = performance.now();
  const response = await fetch(query === '' ? path : `${path}?${query}`, {
    method,
    headers,
    // A call with a key must not carry the cookie.
    credentials: means.by === 'session' ? 'same-origin' : 'omit',
    cache: 'no-store',
    ...(body === null ? {} : { body }),
  });
  const answer = await response.text();
  return {
    request,
    headers,
    signed,
    status: response.status,
    statusText: response.statusText,
    answerHeaders: [...response.headers],
    answer,
    milliseconds: Math.round(performance.now() - started),
  };
}
