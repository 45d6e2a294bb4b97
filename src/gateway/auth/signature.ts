// Checks the signature of a request: lowercase hex HMAC-SHA256, keyed with the key's secret, over
// timestamp + METHOD + path + query + body without separators, all as raw bytes. It runs before
// anything is parsed. An unknown key costs the same work and gets the same answer as a wrong
// signature, so neither the answer nor its time tells which keys exist.
//
// Bytes can be moved over the borders of path, query and body without changing what is signed. That
// is closed elsewhere: paths match exactly, and queries are read strictly (contract/query.ts).
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { Problem } from '../../contract/problem.ts';
import type { WriteSignature } from '../../core/command.ts';
import { DIGEST_ROOM, SigningKey } from '../../identity/live-key.ts';

/** How far a request's timestamp may be from the wall clock, either way. */
export const TIMESTAMP_WINDOW_MS = 600_000;

/** True if a request with this timestamp is accepted at this time of the wall clock. */
export const isInWindow = (timestamp: number, now: number): boolean =>
  Math.abs(now - timestamp) <= TIMESTAMP_WINDOW_MS;

export interface SignedRequest {
  /** The three headers as sent; null when missing. */
  readonly apiKey: string | null;
  readonly timestamp: string | null;
  readonly signature: string | null;
  /** Upper case. */
  readonly method: string;
  /** The one on the request line, not decoded. */
  readonly path: string;
  /** The one on the request line, without the `?`; '' when there is none. */
  readonly query: string;
  /** The exact bytes; empty for a request without a body. */
  readonly body: Uint8Array;
}

/**
 * Verifies the signature of a request. `key` is undefined for an unknown API key; `now` is the wall
 * clock, ms. Returns the Problem, so that the caller can count the failure before it throws:
 * `headersMissing`, `timestampOutside` or `signatureInvalid`.
 */
export function verifySignature(
  key: SigningKey | undefined,
  request: SignedRequest,
  now: number,
): Omit<WriteSignature, 'keyId'> | Problem {
  const { apiKey, timestamp, signature } = request;
  if (apiKey === null || timestamp === null || signature === null) return headersMissing(request);
  if (!TIMESTAMP.test(timestamp)) return malformedTimestamp(timestamp);
  const sent = Number(timestamp);
  if (!isInWindow(sent, now)) return outsideWindow(sent, now);
  const head = timestamp + request.method + request.path + request.query;
  (key ?? DUMMY_KEY).digest(head, request.body, computed);
  // Any other text is compared too, as zeros, and always rejected.
  const wellFormed = SIGNATURE.test(signature);
  if (wellFormed) claimed.write(signature, 'hex');
  else claimed.fill(0);
  const equal = timingSafeEqual(computedDigest, claimed);
  if (!equal || !wellFormed || key === undefined) return new Problem('signatureInvalid');
  return {
    timestamp: sent,
    digestHigh: claimed.readUInt32BE(0),
    digestLow: claimed.readUInt32BE(4),
  };
}

/**
 * The same for a call whose body is always {}. The spec leaves open whether that body is signed, so
 * a signature over the request with it or without it is valid. Either one works once.
 */
export const verifyWithEmptyBody: typeof verifySignature = (key, request, now) => {
  const verified = verifySignature(key, request, now);
  if (!(verified instanceof Problem) || verified.kind !== 'signatureInvalid') return verified;
  const body = request.body.length === 0 ? EMPTY_OBJECT : NO_BYTES;
  return verifySignature(key, { ...request, body }, now);
};

const EMPTY_OBJECT = Buffer.from('{}');
const NO_BYTES = new Uint8Array(0);
const DIGEST_BYTES = 32;
const TIMESTAMP = /^\d{13}$/;
const SIGNATURE = /^[0-9a-f]{64}$/;

/** Stands in for the secret of an unknown key. Random, so that nobody can sign with it. */
const DUMMY_KEY = new SigningKey(randomBytes(DIGEST_BYTES));

// Verification is synchronous, so one set of buffers serves all requests.
const computed = Buffer.alloc(DIGEST_ROOM);
const computedDigest = computed.subarray(0, DIGEST_BYTES);
const claimed = Buffer.alloc(DIGEST_BYTES);

function headersMissing(request: SignedRequest): Problem {
  const headers = {
    'EXCHANGE-API-KEY': request.apiKey,
    'EXCHANGE-API-TIMESTAMP': request.timestamp,
    'EXCHANGE-API-SIGN': request.signature,
  };
  const missing = Object.entries(headers).flatMap(([name, value]) => (value === null ? name : []));
  const s = missing.length === 1 ? '' : 's';
  return new Problem('headersMissing', {
    userMsg: `The request must be signed; missing header${s}: ${missing.join(', ')}.`,
    details: { field: missing[0]!, rule: 'required' },
  });
}

function malformedTimestamp(sent: string): Problem {
  return new Problem('timestampOutside', {
    userMsg: 'EXCHANGE-API-TIMESTAMP must be epoch milliseconds as 13 digits.',
    details: {
      field: 'EXCHANGE-API-TIMESTAMP',
      rule: 'epochMilliseconds',
      value: sent.slice(0, 40),
    },
  });
}

function outsideWindow(sent: number, now: number): Problem {
  const skew = sent - now;
  const direction = skew < 0 ? 'behind' : 'ahead of';
  return new Problem('timestampOutside', {
    userMsg:
      `EXCHANGE-API-TIMESTAMP must be within ${TIMESTAMP_WINDOW_MS} ms of the server time ` +
      `${now}; ${sent} is ${Math.abs(skew)} ms ${direction} it. Check the clock of the client.`,
    details: {
      field: 'EXCHANGE-API-TIMESTAMP',
      rule: 'window',
      limit: TIMESTAMP_WINDOW_MS,
      value: sent,
      nearest: now,
    },
  });
}
