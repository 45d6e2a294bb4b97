// Signatures against vectors made with the openssl command line and against node:crypto, and every
// way in which a signed request can be wrong.
import { describe, expect, test } from 'bun:test';
import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import type { RequestParts } from '../../../test/support/border-moves.ts';
import { JsonNumber } from '../../contract/json.ts';
import { parseBody } from '../../contract/lossless-json.ts';
import { Problem } from '../../contract/problem.ts';
import { DIGEST_ROOM, SigningKey } from '../../identity/live-key.ts';
import { type SignedRequest, TIMESTAMP_WINDOW_MS, verifySignature } from './signature.ts';

const SECRET = '5f0c1ae2b0d94a6e8c37d1b2f4a59687';
const NOW = 1763690000000;
const key = new SigningKey(SECRET);
const bytes = (source: string) => new TextEncoder().encode(source);

function signed(method: string, parts: RequestParts, signature?: string): SignedRequest {
  const { path, query, body } = parts;
  const hmac = createHmac('sha256', SECRET).update(`${NOW}${method}${path}${query}${body}`);
  return {
    apiKey: 'k',
    timestamp: String(NOW),
    signature: signature ?? hmac.digest('hex'),
    method,
    path,
    query,
    body: bytes(body),
  };
}

const get = (overrides: Partial<SignedRequest> = {}): SignedRequest => ({
  ...signed('GET', { path: '/earn-api/v1/user/apply/currentList', query: '', body: '' }),
  ...overrides,
});

const isValid = (request: SignedRequest, now = NOW): boolean =>
  !(verifySignature(key, request, now) instanceof Problem);

function rejection(request: SignedRequest, by: SigningKey | 'unknown' = key, now = NOW): Problem {
  const verified = verifySignature(by === 'unknown' ? undefined : by, request, now);
  if (verified instanceof Problem) return verified;
  throw new Error('the signature was accepted');
}

const ORDER = '{"symbol":"BTC-USDT","side":"1","ordType":"2","orderQty":0.125,"price":64250.01}';

describe('vectors made with openssl dgst -sha256 -hmac', () => {
  test.each([
    [
      'POST',
      '/spot-api/api/private/v1/order',
      '',
      ORDER,
      '119354f48c80bcb60a702ac5ba3178aa82c145a9c8050bb294fe16b805e291b6',
    ],
    [
      'GET',
      '/spot-api/api/private/v1/orders',
      'type=OPEN&symbol=BTC-USDT',
      '',
      '217f1c64a9c82ed90369d2900084a305677bd540b91dcef09eec19c84f280ad8',
    ],
    [
      'POST',
      '/earn-api/v1/user/edit/enterpriseMargin',
      'planId=P1&margin=0.01',
      '{}',
      '8d2aed62502450cea97f3caf3201a55445b6b5c2fe38140c675d795e5edc7470',
    ],
    [
      'GET',
      '/earn-api/v1/user/apply/currentList',
      '',
      '',
      '8e75a82fdc212c091bc1dbb70879bf8263110e18599fdad7cd878fe391995e03',
    ],
  ])('%s %s', (method, path, query, body, signature) => {
    expect(verifySignature(key, signed(method, { path, query, body }, signature), NOW)).toEqual({
      timestamp: NOW,
      digestHigh: Number.parseInt(signature.slice(0, 8), 16),
      digestLow: Number.parseInt(signature.slice(8, 16), 16),
    });
  });

  test('RFC 4231, test cases 1, 2 and 6', () => {
    const target = new Uint8Array(DIGEST_ROOM);
    const hex = (secret: string | Uint8Array, message: string) => {
      new SigningKey(secret).digest(message.slice(0, 3), bytes(message.slice(3)), target);
      return Buffer.from(target.subarray(0, 32)).toString('hex');
    };
    expect(hex(new Uint8Array(20).fill(0x0b), 'Hi There')).toBe(
      'b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7',
    );
    expect(hex('Jefe', 'what do ya want for nothing?')).toBe(
      '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
    );
    const long = 'Test Using Larger Than Block-Size Key - Hash Key First';
    expect(hex(new Uint8Array(131).fill(0xaa), long)).toBe(
      '60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54',
    );
  });
});

test('any body and query verifies as node:crypto signs it, one request after another', () => {
  const part = fc.string({ maxLength: 200 });
  fc.assert(
    fc.property(part, fc.string({ unit: 'grapheme', maxLength: 300 }), (query, body) => {
      const request = signed('POST', { path: '/p', query, body });
      expect(isValid(request)).toBe(true);
      const other = { ...request, body: bytes(`${body} `) };
      expect(rejection(other).code).toBe('100401');
    }),
    { numRuns: 2000 },
  );
});

describe('rejected', () => {
  test('missing headers, by name', () => {
    const problem = rejection(get({ apiKey: null, signature: null }));
    expect(problem.http).toBe(401);
    expect(problem.code).toBe('100401');
    expect(problem.userMsg).toBe(
      'The request must be signed; missing headers: EXCHANGE-API-KEY, EXCHANGE-API-SIGN.',
    );
  });

  test.each([
    '',
    '176369000000',
    '17636900000000',
    '1763690000000 ',
    '+763690000000',
    '1.76369e12xx',
    '١٧٦٣٦٩٠٠٠٠٠٠٠',
  ])('the timestamp %j', (timestamp) => {
    const problem = rejection(get({ timestamp }));
    expect(problem.code).toBe('100402');
    expect(problem.userMsg).toContain('13 digits');
  });

  test('a timestamp outside the window, with the server time and the skew', () => {
    expect(isValid(get(), NOW + TIMESTAMP_WINDOW_MS)).toBe(true);
    expect(isValid(get(), NOW - TIMESTAMP_WINDOW_MS)).toBe(true);
    const late = rejection(get(), key, NOW + TIMESTAMP_WINDOW_MS + 1);
    expect(late.code).toBe('100402');
    expect(late.userMsg).toContain('600001 ms behind');
    expect(late.details).toEqual({
      field: 'EXCHANGE-API-TIMESTAMP',
      rule: 'window',
      limit: TIMESTAMP_WINDOW_MS,
      value: NOW,
      nearest: NOW + TIMESTAMP_WINDOW_MS + 1,
    });
    expect(rejection(get(), key, NOW - TIMESTAMP_WINDOW_MS - 1).userMsg).toContain('ahead of');
  });

  test('an unknown key, a wrong signature and a malformed one, in the same words', () => {
    const right = get().signature!;
    const wrong = [
      rejection(get(), 'unknown'),
      rejection(get(), new SigningKey('another')),
      ...[
        right.toUpperCase(),
        right.slice(1),
        `${right}0`,
        `${right.slice(1)}g`,
        '',
        'é'.repeat(64),
        `${right}\n`,
      ].map((signature) => rejection(get({ signature }))),
    ];
    for (const problem of wrong) expect(problem.body()).toEqual(wrong[0]!.body());
    expect(wrong[0]!.code).toBe('100401');
  });

  test('a signature with any one bit changed', () => {
    const right = Buffer.from(get().signature!, 'hex');
    for (let bit = 0; bit < 256; bit++) {
      const changed = Buffer.from(right);
      changed[bit >> 3]! ^= 1 << (bit & 7);
      expect(isValid(get({ signature: changed.toString('hex') }))).toBe(false);
    }
  });

  test('zeros never pass for a malformed signature, nor for an unknown key', () => {
    expect(rejection(get({ signature: '0'.repeat(64) }), 'unknown').code).toBe('100401');
  });
});

test('a body that was signed is read from the same bytes', () => {
  const request = signed('POST', { path: '/p', query: '', body: '{"price":0.10}' });
  expect(isValid(request)).toBe(true);
  expect(parseBody(request.body)).toEqual({ price: new JsonNumber('0.10') });
});
