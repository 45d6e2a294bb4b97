// From the bytes of a request to the call that a handler gets: query and body by their
// descriptions, and the headers Idempotency-Key and X-Agio-Min-Seq.
import type { ApiCall } from '../../contract/call.ts';
import type { JsonValue } from '../../contract/json.ts';
import { parseBody } from '../../contract/lossless-json.ts';
import { invalidField, Problem } from '../../contract/problem.ts';
import { readQuery } from '../../contract/query.ts';
import type { IdempotencyTag } from '../../core/command.ts';
import type { Engine } from '../../engine/engine.ts';
import type { Session } from '../../identity/sessions.ts';
import type { SignedCaller } from '../auth/authenticate.ts';
import type { Incoming } from './incoming.ts';
import type { RequestHeaders } from './request-headers.ts';
import type { Call, Route } from './route.ts';
import type { Match } from './router.ts';

/** The caller's proof: a key, a session, or none. */
export interface Caller {
  readonly authenticated: SignedCaller | null;
  readonly session: Session | null;
}

const SEQ = /^\d{1,15}$/;
const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,128}$/;
/** How long a read waits for X-Agio-Min-Seq before it is rejected. */
const MIN_SEQ_WAIT_MS = 1000;

/** The call of a request. Throws Problem for a query, body or header that does not fit. */
export function callOf(
  incoming: Incoming,
  { route, params }: Match,
  body: Uint8Array,
  { authenticated, session }: Caller,
): Call<unknown, unknown> {
  const { headers } = incoming;
  const guarded = route.write && authenticated?.key.replayGuard === true;
  return {
    requestId: incoming.requestId,
    params,
    query: readQuery(route.query, incoming.query),
    body: route.body === undefined ? undefined : route.body.read(readJson(body, route), ''),
    uid: authenticated?.key.uid ?? session?.uid ?? 0,
    key: authenticated?.key ?? null,
    access: authenticated?.key ?? session,
    session,
    signature: guarded ? authenticated.signature : null,
    idempotency: route.write ? idempotencyTag(route, headers, incoming, body) : null,
    ip: incoming.ip,
    headers,
  };
}

/** An empty body is {}: its call needs no field, or its rejection names the missing one. */
const readJson = (bytes: Uint8Array, { bodyLimit }: Route): JsonValue =>
  bytes.length > 0 ? parseBody(bytes, bodyLimit.members) : {};

/** The Idempotency-Key with a digest of the request that it names: path, query and body. */
function idempotencyTag(
  { keyedAs }: Pick<ApiCall, 'keyedAs'>,
  headers: RequestHeaders,
  { path, query }: Pick<Incoming, 'path' | 'query'>,
  body: Uint8Array,
): IdempotencyTag | null {
  const key = headers.get('idempotency-key');
  if (key === null) return null;
  if (!IDEMPOTENCY_KEY.test(key)) {
    const rule = 'be 1 to 128 printable ASCII characters without spaces';
    throw invalidField('Idempotency-Key', rule, { rule: 'pattern' }, 'invalidHeader');
  }
  return { key, digest: requestDigest(keyedAs ?? path, query, body) };
}

/** The digest of a request that its Idempotency-Key names. */
export function requestDigest(path: string, query: string, body: Uint8Array | string): string {
  const hasher = new Bun.CryptoHasher('sha256');
  hasher.update(`${path}\n${query}\n`);
  hasher.update(body);
  return hasher.digest('hex').slice(0, 32);
}

/**
 * Waits until the state has the position in X-Agio-Min-Seq; undefined where the request has no such
 * header, as nearly all. Rejects with Problem notReady, invalidHeader.
 */
export function waitForMinSeq(
  engine: Engine,
  { headers }: Pick<Incoming, 'headers'>,
): Promise<void> | undefined {
  const minSeq = headers.get('x-agio-min-seq');
  return minSeq === null ? undefined : waitForSeq(engine, minSeq);
}

async function waitForSeq(engine: Engine, text: string): Promise<void> {
  if (!SEQ.test(text)) {
    const details = { rule: 'type', value: text.slice(0, 40) };
    throw invalidField('X-Agio-Min-Seq', 'be a natural number', details, 'invalidHeader');
  }
  const minSeq = Number(text);
  if (await engine.reach(minSeq, MIN_SEQ_WAIT_MS)) return;
  const { seq } = engine;
  throw new Problem('notReady', {
    userMsg: `The journal has not reached X-Agio-Min-Seq ${minSeq}; it is at ${seq}.`,
    details: { field: 'X-Agio-Min-Seq', rule: 'maximum', limit: seq },
    headers: { 'Retry-After': '1' },
  });
}
