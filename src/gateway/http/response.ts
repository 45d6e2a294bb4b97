// From a reply to an HTTP response: the headers that every answer has, and those that browsers
// need.

import type { ApiCall } from '../../contract/call.ts';
import type { RateHeaders } from '../limits/limits.ts';
import type { Reply } from './reply.ts';
import type { RequestHeaders } from './request-headers.ts';

export type CorsHeaders = Readonly<Record<string, string>>;

export interface Answer {
  readonly reply: Pick<Reply, 'status' | 'seq' | 'headers' | 'cookies'> & {
    readonly body: Reply['body'] | Uint8Array;
  };
  /** null for a path that has none. */
  readonly route: Pick<ApiCall, 'deprecated'> | null;
  readonly rate: RateHeaders | null;
  readonly cors: CorsHeaders | null;
  readonly requestId: string;
}

const EXPOSED =
  'X-Agio-Seq, X-Request-Id, RateLimit, RateLimit-Policy, Retry-After, Idempotency-Replayed, ' +
  'Deprecation, Link';
const ALLOWED =
  'Content-Type, EXCHANGE-API-KEY, EXCHANGE-API-TIMESTAMP, EXCHANGE-API-SIGN, Authorization, ' +
  'Idempotency-Key, X-Agio-Min-Seq, X-Request-Id, exchange-token';
const PREFLIGHT_SECONDS = '600';

export function respond({ reply, route, rate, cors, requestId }: Answer): Response {
  const { status, body, seq } = reply;
  // A response copies its headers, so one object serves all answers of a kind. This is on the path
  // of every order.
  const common = commonHeaders(rate === null ? null : rate.policy, seq !== null);
  common.set('X-Request-Id', requestId);
  if (seq !== null) common.set('X-Agio-Seq', String(seq));
  if (rate !== null) common.set('RateLimit', rate.state);
  const response = new Response(body as BodyInit, { status, headers: common });
  if (body instanceof ReadableStream) streamed.add(response);
  const isPlain = reply.headers === null && reply.cookies === undefined;
  if (route?.deprecated === undefined && cors === null && isPlain) return response;
  const { headers } = response;
  if (route?.deprecated !== undefined) {
    const { since, successor } = route.deprecated;
    headers.set('Deprecation', `@${Date.parse(since) / 1000}`);
    headers.set('Link', `<${successor}>; rel="successor-version"`);
  }
  if (cors !== null) setAll(headers, { ...cors, ...BROWSER_HEADERS });
  if (reply.headers !== null) setAll(headers, reply.headers);
  for (const cookie of reply.cookies ?? []) headers.append('Set-Cookie', cookie);
  return response;
}

const streamed = new WeakSet<Response>();

/** True if the body is written while it is read. */
export const isStreamed = (response: Response): boolean => streamed.has(response);

/** By the policy of the applied rate limit: for answers without a journal position, and with. */
const known = new Map<string | null, readonly [Headers, Headers]>();

/** The headers of the last answer of this kind; the caller sets those that differ. */
function commonHeaders(policy: string | null, hasSeq: boolean): Headers {
  let both = known.get(policy);
  if (both === undefined) {
    both = [constantHeaders(policy), constantHeaders(policy)];
    known.set(policy, both);
  }
  return both[hasSeq ? 1 : 0];
}

const constantHeaders = (policy: string | null): Headers =>
  new Headers({
    'Content-Type': 'application/json',
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    ...(policy === null ? {} : { 'RateLimit-Policy': policy }),
  });

function setAll(headers: Headers, values: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(values)) headers.set(name, value);
}

/** An API answer is never a page: nothing in it may run or be framed. */
const BROWSER_HEADERS = {
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
};

/** A page must not try passwords and tokens here from the browsers of its visitors. */
const NAMED_ORIGINS_ONLY = ['/user-center/', '/operator/'];

/** Headers for a browser's cross-origin call; null for callers that are not browsers. */
export function corsHeaders(
  origins: readonly string[],
  headers: RequestHeaders,
  path: string,
): CorsHeaders | null {
  const origin = headers.get('origin');
  if (origin === null) return null;
  const open = origins.includes('*');
  if (open && NAMED_ORIGINS_ONLY.some((area) => path.startsWith(area))) return {};
  if (!open && !origins.includes(origin)) return {};
  return {
    'Access-Control-Allow-Origin': open ? '*' : origin,
    'Access-Control-Expose-Headers': EXPOSED,
    ...(open ? {} : { Vary: 'Origin' }),
  };
}

/** The answer to a browser that asks what it may send. */
export function preflight(methods: readonly string[], cors: CorsHeaders | null): Response {
  const allow = [...methods, 'OPTIONS'].join(', ');
  const granted =
    cors === null || !('Access-Control-Allow-Origin' in cors)
      ? {}
      : {
          ...cors,
          'Access-Control-Allow-Methods': allow,
          'Access-Control-Allow-Headers': ALLOWED,
          'Access-Control-Max-Age': PREFLIGHT_SECONDS,
        };
  return new Response(null, { status: 204, headers: { Allow: allow, ...granted } });
}
