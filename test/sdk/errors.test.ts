// Every code that the server knows has a class in the SDK, and no other has.
import { expect, test } from 'bun:test';
import { isLegacy } from '../../src/contract/codes.ts';
import { REJECTIONS } from '../../src/contract/rejections.ts';
import { EarnRejection, Rejection } from '../../src/sdk/errors.ts';
import {
  ERROR_CLASSES,
  Forbidden,
  RateLimited,
  ServerFailure,
  Unauthorized,
  Unavailable,
} from '../../src/sdk/generated/rejections.ts';
import { rejectionBy } from '../../src/sdk/rejection-by-code.ts';

const rows = Object.values(REJECTIONS);
const rejection = { userMsg: 'No.', details: {}, retryAfterMs: null, requestId: null };

test('the table has the codes of the server, all of them and no other', () => {
  const codes = new Set(rows.map(({ code }) => code as number));
  expect([...ERROR_CLASSES.keys()].sort()).toEqual([...codes].sort());
});

const LEADER_LOST = 100504;

test('a class fits the status and the kind of its codes', () => {
  const byStatus = new Map<number, unknown>([
    [429, RateLimited],
    [500, ServerFailure],
    [503, Unavailable],
  ]);
  for (const { code, http } of rows) {
    const meaning = ERROR_CLASSES.get(code);
    expect({ code, earn: meaning === EarnRejection }).toEqual({ code, earn: isLegacy(code) });
    // The one rejection with 503 that leaves the outcome open.
    const expected = code === LEADER_LOST ? ServerFailure : byStatus.get(http);
    if (expected !== undefined)
      expect({ code, meaning }).toEqual({ code, meaning: expected as never });
  }
});

test('an unknown code has the class of its status', () => {
  const unknown = (status: number) => rejectionBy({ ...rejection, code: 100999, status });
  expect(unknown(400).constructor).toBe(Rejection);
  expect(unknown(401)).toBeInstanceOf(Unauthorized);
  expect(unknown(403)).toBeInstanceOf(Forbidden);
  expect(unknown(429)).toBeInstanceOf(RateLimited);
  expect(unknown(503)).toBeInstanceOf(Unavailable);
  expect(unknown(502)).toBeInstanceOf(ServerFailure);
});
