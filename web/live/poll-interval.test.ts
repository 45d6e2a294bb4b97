// When a feed is read again after an error.
import { expect, test } from 'bun:test';
import { NotReached } from '../../src/sdk/errors.ts';
import { pollInterval } from './poll-interval.ts';

const notReached = new NotReached('GET /health', new Error('refused'));

test('every feed recovers soon after the server is back', () => {
  for (const isLive of [false, true]) {
    expect(pollInterval(null, isLive, notReached)).toBe(5_000);
    expect(pollInterval(300_000, isLive, notReached)).toBe(5_000);
    expect(pollInterval(400, isLive, notReached)).toBe(400);
  }
});

test('a feed is polled at its interval unless a channel updates it', () => {
  expect(pollInterval(400, false, null)).toBe(400);
  expect(pollInterval(400, true, null)).toBe(false);
  expect(pollInterval(null, false, null)).toBe(false);
});
