// A request as it is typed in, signed by the SDK and sent from the page; and what came back, as it came. Nothing of it is kept.
import { SigningClock } from '../../../src/sdk/clock.ts';
import {
  type Credentials,
  keyCredentials,
  NO_CREDENTIALS,
  operatorCredentials,
} from '../../../src/sdk/credentials.ts';
import type { Call } from './spec.ts';

/** By what a call is made: nothing, the session of this page, a key, the operator's token. */
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
  /** What the signature is of; null without one. */
  readonly signed: string | null;
  readonly status: number;
  readonly statusText: string;
  readonly answerHeaders: readonly (readonly [name: string, value: string])[];
  readonly answer: string;
  readonly milliseconds: number;
}

/** Of the page: the clock of signatures, no two of which have the same time. */
const clock = new SigningClock();

/** Path, query and body as they will be sent; fields that are empty are left out. */
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

/** What `send` will send, and what it signs. */
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

/** Throws TypeError where there is no answer. */
export async function send(request: Prepared, means: Means): Promise<Exchange> {
  const { method, path, query, body } = request;
  const { headers, signed } = authorized(request, means);
  const started = performance.now();
  const response = await fetch(query === '' ? path : `${path}?${query}`, {
    method,
    headers,
    // A key speaks for itself: the cookie stays at home.
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
