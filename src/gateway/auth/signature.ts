// Checks the signature of a request: lowercase hex HMAC-SHA256, keyed with the key's secret, over
// timestamp + METHOD + path + query + body without separators, all as raw bytes. It runs before
// anything is parsed. An unknown key costs the same work and gets the same answer as a wrong
// signature, so neither the answer nor its time tells which keys exist.
//
// Bytes can be moved over the borders of path, query and body without changing what is signed. That
// is closed elsewhere: paths match exactly, and queries are read strictly (contract/query.ts).
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { Problem } from '../../contract/problem.ts';

/** How far a request's timestamp may be from the wall clock, either way. */
export const TIMESTAMP_WINDOW_MS = 600_000;

export interface SignedRequest {
  /** The three headers as sent; null when missing. */
  readonly apiKey: string | null;
  readonly timestamp: string | null;
  readonly signature: string | null;
  /** Upper case. */
  readonly method: string;
  /** As on the request line, not decoded. */
  readonly path: string;
  /** As on the request line, without the `?`; '' when there is none. */
  readonly query: string;
  /** The exact bytes; empty for a request without a body. */
  readonly body: Uint8Array;
}

/** `digestHigh` and `digestLow` are the first 64 bits of the signature, as in a WriteSignature. */
export type SignatureResult =
  | {
      readonly ok: true;
      readonly timestamp: number;
      readonly digestHigh: number;
      readonly digestLow: number;
    }
  | { readonly ok: false; readonly problem: Problem };

/** The part of a key that verification needs; a LiveKey has it. */
export interface Signer {
  /**
   * Writes the HMAC-SHA256 of `head` (as UTF-8) followed by `body` into the first 32 bytes of
   * `target`, which must have room for DIGEST_ROOM.
   */
  digest(head: string, body: Uint8Array, target: Uint8Array): void;
}

/** A secret made ready: the key schedule is done once, each request copies its state. */
export class SigningKey implements Signer {
  readonly #prepared: Bun.CryptoHasher;

  constructor(secret: string | Uint8Array) {
    this.#prepared = new Bun.CryptoHasher('sha256', secret as string | NodeJS.TypedArray);
  }

  digest(head: string, body: Uint8Array, target: Uint8Array): void {
    const hasher = this.#prepared.copy();
    hasher.update(head);
    if (body.length > 0) hasher.update(body);
    hasher.digest(target as Uint8Array<ArrayBuffer>);
  }
}

/**
 * Verifies the signature of a request. `key` is undefined for an unknown API key;
 * `wallNow` is the wall clock in ms, never the business clock. Throws nothing, so that the caller
 * can count failures before it throws the problem: `headersMissing`, `timestampOutside` or
 * `signatureInvalid`.
 */
export function verifySignature(
  key: Signer | undefined,
  request: SignedRequest,
  wallNow: number,
  windowMs: number = TIMESTAMP_WINDOW_MS,
): SignatureResult {
  const { apiKey, timestamp, signature } = request;
  if (apiKey === null || timestamp === null || signature === null) {
    return { ok: false, problem: headersMissing(request) };
  }
  if (!TIMESTAMP.test(timestamp)) return { ok: false, problem: malformedTimestamp(timestamp) };
  const sent = Number(timestamp);
  if (Math.abs(wallNow - sent) > windowMs) {
    return { ok: false, problem: outsideWindow(sent, wallNow, windowMs) };
  }
  const head = timestamp + request.method + request.path + request.query;
  (key ?? DUMMY_KEY).digest(head, request.body, computed);
  // Any other text is compared too, as zeros, and always refused.
  const wellFormed = SIGNATURE.test(signature);
  if (wellFormed) claimed.write(signature, 'hex');
  else claimed.fill(0);
  const equal = timingSafeEqual(computedDigest, claimed);
  if (!equal || !wellFormed || key === undefined) {
    return { ok: false, problem: new Problem('signatureInvalid') };
  }
  return {
    ok: true,
    timestamp: sent,
    digestHigh: claimed.readUInt32BE(0),
    digestLow: claimed.readUInt32BE(4),
  };
}

const DIGEST_BYTES = 32;
/** Bun writes HMAC digests of any kind into at least this many bytes. */
export const DIGEST_ROOM = 64;
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

function outsideWindow(sent: number, wallNow: number, windowMs: number): Problem {
  const skew = sent - wallNow;
  const direction = skew < 0 ? 'behind' : 'ahead of';
  return new Problem('timestampOutside', {
    userMsg:
      `EXCHANGE-API-TIMESTAMP must be within ${windowMs} ms of the server time ${wallNow}; ` +
      `${sent} is ${Math.abs(skew)} ms ${direction} it. Check the clock of the client.`,
    details: {
      field: 'EXCHANGE-API-TIMESTAMP',
      rule: 'window',
      limit: windowMs,
      value: sent,
      nearest: wallNow,
    },
  });
}
