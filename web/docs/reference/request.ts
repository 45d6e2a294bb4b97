// Sends a typed request, signed by the SDK, and returns the answer unchanged. It stores nothing.
import { SigningClock } from '../../../src/sdk/clock.ts';
import type { Credentials } from '../../../src/sdk/credentials.ts';
import type { Call } from './spec.ts';

export interface PreparedRequest {
  readonly method: 'GET' | 'POST' | 'PATCH';
  readonly path: string;
  /** Without the question mark. */
  readonly query: string;
  readonly body: string | null;
}

type Texts = Readonly<Record<string, string>>;

/** A request and its answer, as texts. */
export interface Exchange {
  /** null without a signature. */
  readonly signed: string | null;
  readonly sent: string;
  readonly status: number;
  readonly milliseconds: number;
  readonly headers: string;
  readonly answer: string;
}

/** One clock for all requests of the page: no two signatures have the same time. */
const clock = new SigningClock();

/** Path, query and body of the request; leaves out empty fields. */
export function prepare(call: Call, values: Texts, body: string): PreparedRequest {
  const encoded = (text: string): string => encodeURIComponent(text).replaceAll("'", '%27');
  const path = call.path.replace(/\{(\w+)\}/g, (_, name: string) => encoded(values[name] ?? ''));
  const query = call.parameters
    .filter((one) => one.in === 'query' && (values[one.name] ?? '') !== '')
    .map(({ name }) => `${name}=${encoded(values[name]!)}`)
    .join('&');
  const method = call.method as PreparedRequest['method'];
  return { method, path, query, body: call.body === null ? null : body };
}

/** The headers of `send`, and the text that they sign. */
export function authorized(request: PreparedRequest, credentials: Credentials) {
  const { method, path, query, body } = request;
  const proof: Texts = credentials.headers(request, clock);
  const timestamp = proof['EXCHANGE-API-TIMESTAMP'];
  const headers: Texts = body === null ? proof : { ...proof, 'Content-Type': 'application/json' };
  const signed = timestamp === undefined ? null : timestamp + method + path + query + (body ?? '');
  return { headers, signed };
}

const lines = (headers: Iterable<readonly [string, string]>): string =>
  Array.from(headers, ([name, value]) => `${name}: ${value}`).join('\n');

/** Throws TypeError if there is no answer. A call with a key must not carry the cookie. */
export async function send(
  request: PreparedRequest,
  credentials: Credentials,
  withCookie: boolean,
): Promise<Exchange> {
  const { method, path, query, body } = request;
  const { headers, signed } = authorized(request, credentials);
  const target = query === '' ? path : `${path}?${query}`;
  const started = performance.now();
  const response = await fetch(target, {
    method,
    headers,
    credentials: withCookie ? 'same-origin' : 'omit',
    cache: 'no-store',
    ...(body === null ? {} : { body }),
  });
  const sent = [`${method} ${target}`, lines(Object.entries(headers)), '', body ?? ''];
  return {
    signed,
    sent: sent.join('\n').trimEnd(),
    status: response.status,
    headers: lines(response.headers),
    answer: await response.text(),
    milliseconds: Math.round(performance.now() - started),
  };
}
