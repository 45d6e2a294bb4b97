// The memory of rejected logins: bounded, and what it drops opens nothing.
import { expect, test } from 'bun:test';
import type { LiveKey } from '../../identity/live-key.ts';
import { RejectedLogins } from './rejected-logins.ts';

const MAX = 100;
const keyOf = (keyId: number) => ({ keyId }) as LiveKey;
const signatureOf = ({ keyId }: LiveKey, timestamp: number) => ({
  ...{ keyId, timestamp },
  ...{ digestHigh: timestamp, digestLow: keyId },
});

test('a rejected signature stays rejected, and a new one of its key is none', () => {
  const logins = new RejectedLogins(MAX);
  const [key, other] = [keyOf(1), keyOf(2)];
  logins.add(key, signatureOf(key, 5));
  expect(logins.has(key, signatureOf(key, 5))).toBe(true);
  for (const time of [4, 6]) expect(logins.has(key, signatureOf(key, time))).toBe(false);
  expect(logins.has(other, signatureOf(other, 5))).toBe(false);
});

test('a dropped signature stays rejected, with the older ones of its key alone', () => {
  const logins = new RejectedLogins(MAX);
  const [key, flooder] = [keyOf(1), keyOf(2)];
  logins.add(key, signatureOf(key, 5));
  for (let time = 1; time <= 3 * MAX; time++) logins.add(flooder, signatureOf(flooder, time));
  for (const time of [4, 5]) expect(logins.has(key, signatureOf(key, time))).toBe(true);
  expect(logins.has(key, signatureOf(key, 6))).toBe(false);
  for (let time = 1; time <= 3 * MAX; time++) {
    expect(logins.has(flooder, signatureOf(flooder, time))).toBe(true);
  }
  expect(logins.has(flooder, signatureOf(flooder, 3 * MAX + 1))).toBe(false);
});

test('a flood of one key goes into the journal a few at a time', () => {
  const logins = new RejectedLogins();
  const key = keyOf(1);
  let journaled = 0;
  for (let time = 1; time <= 1_000; time++) {
    if (logins.add(key, signatureOf(key, time))) journaled++;
  }
  expect(journaled).toBeGreaterThanOrEqual(50);
  expect(journaled).toBeLessThan(60);
  expect(logins.add(key, signatureOf(key, 1))).toBe(false);
});
